//go:build linux

package runner

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// Options are the options of Serve.
type Options struct {
	Account Account
	// Software is the folder of the runner's software, which is copied for each job. Work is the parent of the jobs'
	// folders.
	Software, Work string
	// Register gets the just-in-time configuration of a runner with that name from GitHub.
	Register func(ctx context.Context, name string) (configuration string, err error)
	// Once ends after one job.
	Once bool
	// Log receives one line per step, and the output of runners.
	Log io.Writer
	// shared are the folders to sweep; nil means the host's shared folders.
	shared []string
}

// Serve runs one runner after another until ctx is done. If a runner fails, Serve pauses before the next. If the host
// cannot be cleaned, Serve returns an error, because the next job would find files or processes of the last.
func Serve(ctx context.Context, options Options) error {
	if options.shared == nil {
		options.shared = shared
	}
	if err := options.Account.check(); err != nil {
		return err
	}
	if err := os.MkdirAll(options.Work, 0o711); err != nil {
		return err
	}
	pause := time.Second
	for {
		// Clean first: the host may have been switched off during a job.
		if err := options.clean(); err != nil {
			return fmt.Errorf("cleaning the host failed, so it takes no further jobs: %w", err)
		}
		if ctx.Err() != nil {
			return nil
		}
		err := options.one(ctx)
		if err := options.clean(); err != nil {
			return fmt.Errorf("cleaning the host failed, so it takes no further jobs: %w", err)
		}
		if options.Once {
			return err
		}
		if err == nil {
			pause = time.Second
			continue
		}
		fmt.Fprintf(options.Log, "%v; the next runner in %v\n", err, pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		pause = longer(pause)
	}
}

// longer returns the pause after the next failure.
func longer(pause time.Duration) time.Duration { return min(2*pause, 5*time.Minute) }

// clean deletes the account's processes, the jobs' folders and the account's files in shared folders.
func (options Options) clean() error {
	if err := options.Account.killAll(); err != nil {
		return err
	}
	jobs, err := filepath.Glob(filepath.Join(options.Work, "job-*"))
	if err != nil {
		return err
	}
	for _, job := range jobs {
		err = errors.Join(err, files.RemoveAll(job))
	}
	return errors.Join(err, options.Account.sweep(options.shared))
}

// one runs one runner, which takes one job.
func (options Options) one(ctx context.Context) error {
	name := "job-" + rand.Text()[:12]
	job := filepath.Join(options.Work, name)
	software, home := filepath.Join(job, "runner"), filepath.Join(job, "home")
	if err := os.Mkdir(job, 0o711); err != nil {
		return err
	}
	group.Seal()
	if said, err := exec.CommandContext(ctx, "cp", "-a", "--reflink=auto", options.Software,
		software).CombinedOutput(); err != nil {
		return fmt.Errorf("copying the runner's software: %w: %s", err, said)
	}
	if err := os.Mkdir(home, 0o700); err != nil {
		return err
	}
	for _, folder := range []string{software, home} {
		if err := options.give(folder); err != nil {
			return err
		}
	}
	configuration, err := options.Register(ctx, name)
	if err != nil {
		return fmt.Errorf("registering a runner at GitHub: %w", err)
	}
	fmt.Fprintf(options.Log, "runner %s waits for a job\n", name)
	// In the environment, because every user can read arguments. The runner removes the variable for its jobs.
	environment := []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8",
		"HOME=" + home,
		"USER=" + options.Account.Name, "LOGNAME=" + options.Account.Name, "ACTIONS_RUNNER_INPUT_JITCONFIG=" + configuration}
	cmd := options.Account.command(software, environment, filepath.Join(software, "run.sh"))
	if place, err := group.Delegate(name, int(options.Account.UID), int(options.Account.GID)); err != nil {
		fmt.Fprintf(options.Log, "the job has no cgroup and will refuse to measure pull requests: %v\n", err)
	} else {
		defer place.Close()
		place.Join(cmd)
	}
	cmd.Stdout, cmd.Stderr = options.Log, options.Log
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { group.Terminate(cmd.Process.Pid) })
	defer stop()
	if err := cmd.Wait(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("runner %s: %w", name, err)
	}
	fmt.Fprintf(options.Log, "runner %s has ended\n", name)
	return nil
}

// give makes the account the owner of a folder and everything in it. It does not follow links.
func (options Options) give(folder string) error {
	return filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(options.Account.UID), int(options.Account.GID))
	})
}
