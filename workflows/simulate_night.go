package workflows

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/workflows/internal/githubfake"
)

// A NightStep is one command line of the harness in a job of a simulated workflow, and the GitHub context of that job.
type NightStep struct {
	// Job is the name of the job in the workflow file.
	Job string
	// Arguments are the arguments of the harness. Every path is absolute, or relative to the folder that -C names.
	Arguments []string
	// Token is the job's token, empty for a job without permissions.
	Token string
	// API is the address of the fake GitHub, Repository its owner/name, and Run the workflow run.
	API, Repository string
	Run             int64
}

// SimulateNight runs the jobs of nightly.yml in order, against a fake GitHub on the loopback interface, and prints the
// additions to the history and the issues. run runs one step. options.Head is the default branch. If options.Base is
// set, it is first accepted as the last good revision. The history starts with the records of the repository's own
// branch, which is only read.
func SimulateNight(ctx context.Context, options SimulateOptions, run func(context.Context, NightStep) error) error {
	file, err := config.Load(filepath.Join(options.Repository, config.FileName))
	if err != nil {
		return err
	}
	branch := file.Nightly.History.Branch
	if branch == "" {
		return &failure.UsageError{Err: fmt.Errorf("%s: nightly.history names no branch, and a job's files are lost when "+
			"it ends: set nightly.history to branch:NAME", file.Path)}
	}
	server, err := options.server(ctx, options.Head)
	if err != nil {
		return err
	}
	defer server.Close()
	for token, permissions := range nightPermissions {
		server.Tokens[token] = permissions
	}
	if files, err := options.filesOf(ctx, branch); err != nil {
		return err
	} else if files != nil {
		server.Files[branch] = files
	}
	work, err := os.MkdirTemp("", "chiasmus-simulate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	night := &simulatedNight{options: &options, server: server, work: work, run: run}
	if err := night.accept(ctx); err != nil {
		return err
	}
	before := filesNow(server, branch)
	if err := night.jobs(ctx); err != nil {
		return err
	}
	night.show(branch, before)
	return nil
}

// nightPermissions are the permissions of the tokens of nightly.yml's jobs, by the job's name, and of the maintainer
// who accepts a revision.
var nightPermissions = map[string]githubfake.Permissions{
	"plan":       {"contents": "read", "issues": "read"},
	"publish":    {"contents": "write", "issues": "write", "actions": "read"},
	"maintainer": {"contents": "write"},
}

// A simulatedNight is one run of nightly.yml.
type simulatedNight struct {
	options *SimulateOptions
	server  *githubfake.Server
	work    string // a temporary folder
	run     func(context.Context, NightStep) error
}

// step runs one command line in a job. token is empty for a job without permissions.
func (night *simulatedNight) step(ctx context.Context, job, token string, arguments ...string) error {
	return night.run(ctx, NightStep{
		Job:        job,
		Arguments:  arguments,
		Token:      token,
		API:        night.server.URL(),
		Repository: night.server.Repository.FullName,
		Run:        simulatedRun,
	})
}

// accept makes options.Base the last good revision, as a maintainer does.
func (night *simulatedNight) accept(ctx context.Context) error {
	if night.options.Base == "" {
		return nil
	}
	base, err := night.options.commit(ctx, night.options.Base)
	if err != nil {
		return err
	}
	checkout, err := night.checkout(ctx, "accept", "+"+base)
	if err != nil {
		return err
	}
	return night.step(ctx, "accept", "maintainer", "-C", checkout, "nightly", "accept", base, "--reason",
		"harness github simulate --base "+night.options.Base)
}

// jobs runs the jobs of nightly.yml. As in nightly.yml, publish also runs after a failure of any job except plan.
func (night *simulatedNight) jobs(ctx context.Context) error {
	head, err := night.options.commit(ctx, night.options.Head)
	if err != nil {
		return err
	}
	checkout, err := night.checkout(ctx, "plan", "+"+head, "+refs/heads/*:refs/remotes/origin/*",
		"+refs/tags/*:refs/tags/*")
	if err != nil {
		return err
	}
	bundle, dependencies, out := filepath.Join(night.work, "bundle"), filepath.Join(night.work, "dependencies"),
		filepath.Join(night.work, "out")
	planned, fetched := filepath.Join(night.work, "plan-outputs"), filepath.Join(night.work, "dependencies-outputs")
	author := []string{"--author", night.server.Bot}
	if err := night.step(ctx, "plan", "plan", append([]string{"-C", checkout, "nightly", "plan", "--repo", ".", "--out",
		bundle, "--outputs", planned}, author...)...); err != nil {
		return err
	}
	measured := "skipped"
	if err = night.step(ctx, "dependencies", "", "github", "dependencies", "--bundle", bundle, "--out", dependencies,
		"--outputs", fetched); err == nil {
		err = night.step(ctx, "measure", "", "nightly", "measure", "--bundle", bundle, "--dependencies",
			output(fetched, "dependencies"), "--dependencies-from", dependencies, "--out", out)
		measured = map[bool]string{true: "success", false: "failure"}[err == nil]
	}
	if ctx.Err() != nil || closed(night.options.Measure.Controls.Stop) {
		return errors.Join(errors.New("the night was interrupted: nothing is published"), ctx.Err())
	}
	if data, err := os.ReadFile(filepath.Join(out, ResultFile)); err == nil { // as in the job: uploaded if it exists
		if err := upload(night.server, data); err != nil {
			return err
		}
	}
	if checkout, err = night.checkout(ctx, "publish", "--depth=1", "+"+head); err != nil {
		return err
	}
	return night.step(ctx, "publish", "publish", append([]string{"-C", checkout, "nightly", "publish", "--plan",
		filepath.Join(bundle, "night.json"), "--plan-hash", output(planned, "plan_hash"), "--measured", measured,
		"--dependencies", output(fetched, "dependencies")}, author...)...)
}

// closed reports whether a channel is closed; nil is not.
func closed(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// output returns a job's output, empty if the job did not write it.
func output(path, name string) string {
	data, _ := os.ReadFile(path) // a job that failed leaves none
	for line := range strings.Lines(string(data)) {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return strings.TrimSuffix(value, "\n")
		}
	}
	return ""
}

// checkout does what actions/checkout does for a job: it creates a repository and checks out the first fetched ref.
func (night *simulatedNight) checkout(ctx context.Context, job string, fetch ...string) (string, error) {
	folder, origin := filepath.Join(night.work, "checkout-"+job), absolute(night.options.Repository)
	for _, arguments := range [][]string{
		{"init", "-q", "--template="},
		{"remote", "add", "origin", origin},
		append([]string{"fetch", "-q", "--no-tags", "--upload-pack", "git -c uploadpack.allowAnySHA1InWant=true upload-pack",
			"origin"}, fetch...),
		{"checkout", "-q", "--detach", "FETCH_HEAD"},
	} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return "", err
		}
		if _, err := git.Desk.Run(ctx, git.Call{Dir: folder, Args: arguments}); err != nil {
			return "", fmt.Errorf("checkout of the job %s: %w", job, err)
		}
	}
	return folder, nil
}

// filesOf reads the JSON Lines files (the history and the baselines) on a branch of the repository, or else on the
// origin's. It returns nil if there is no such branch.
func (options *SimulateOptions) filesOf(ctx context.Context, branch string) (map[string][]byte, error) {
	for _, ref := range []string{"refs/heads/" + branch, "refs/remotes/origin/" + branch} {
		if _, err := options.commit(ctx, ref); err != nil {
			continue
		}
		names, err := options.ask(ctx, "ls-tree", "-r", "-z", "--name-only", ref)
		if err != nil {
			return nil, err
		}
		files := map[string][]byte{}
		for name := range strings.SplitSeq(names, "\x00") {
			if filepath.Ext(name) != ".jsonl" {
				continue
			}
			content, err := options.ask(ctx, "cat-file", "blob", ref+":"+name)
			if err != nil {
				return nil, err
			}
			files[name] = []byte(strings.TrimSuffix(content, "\n") + "\n")
		}
		return files, nil
	}
	return nil, nil
}
