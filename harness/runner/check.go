//go:build linux

package runner

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/workflows"
)

// Check reports whether this host can run jobs as an account. It changes nothing. It must run as root.
func Check(account Account, software string) []workflows.Finding {
	var findings []workflows.Finding
	say := func(err error, fine, do string) {
		if err == nil {
			findings = append(findings, workflows.Finding{Health: workflows.Fine, What: fine})
			return
		}
		findings = append(findings, workflows.Finding{Health: workflows.Wrong, What: err.Error(), Do: do})
	}
	if os.Getuid() != 0 {
		return append(findings, workflows.Finding{
			Health: workflows.Unknown,
			What:   "the host was not checked: that needs root",
			Do:     "run it as root on the GPU host",
		})
	}
	say(account.check(), fmt.Sprintf("jobs run as the separate user %s", account.Name), "create a user for the jobs only")
	if software != "" {
		_, err := os.Stat(filepath.Join(software, "run.sh"))
		say(err, "the runner's software is in "+software, "unpack the runner that GitHub publishes there")
		say(notWritable(account, software), "the account cannot change it", "chown -R root: "+software)
	}
	say(isolates(account), "bubblewrap isolates for the account",
		"install bubblewrap and allow user namespaces: on Ubuntu an AppArmor profile, or "+
			"kernel.apparmor_restrict_unprivileged_userns=0")
	say(counts(account), "the account gets a cgroup for each job",
		"mount cgroups of version 2 (systemd.unified_cgroup_hierarchy=1 on the kernel's command line), and start the "+
			"runner from a unit with Delegate=yes: `harness github runner --unit` prints one")
	devices, err := filepath.Glob("/dev/nvidia*")
	if err == nil && len(devices) == 0 {
		findings = append(findings, workflows.Finding{
			Health: workflows.Unknown,
			What:   "there are no device files of an NVIDIA GPU",
			Do:     "load the driver before the runner is started: nvidia-smi, or nvidia-modprobe -u -c 0",
		})
	}
	var shut []string
	for _, device := range devices {
		if info, err := os.Stat(device); err == nil && info.Mode()&os.ModeDevice != 0 && !account.mayUse(device) {
			shut = append(shut, device)
		}
	}
	if len(devices) > 0 {
		err = nil
		if len(shut) > 0 {
			err = fmt.Errorf("the account may not use %s", strings.Join(shut, ", "))
		}
		say(err, "the account may use the GPU's device files",
			"add it to the group that owns them: usermod -aG GROUP "+account.Name)
	}
	return findings
}

// isolates runs, as the account, the check that every job runs first.
func isolates(account Account) error {
	_, err := isolate.Try(func(name string, arguments ...string) *exec.Cmd {
		return account.command("/", []string{"PATH=/usr/bin:/bin"}, name, arguments...)
	})
	if err != nil {
		return fmt.Errorf("jobs of %s will refuse to run: %w", account.Name, err)
	}
	return nil
}

// counts checks that the account may create cgroups inside the cgroup that a job gets.
func counts(account Account) error {
	place, err := group.Delegate("check", int(account.UID), int(account.GID))
	if err != nil {
		return fmt.Errorf("jobs of %s will refuse pull requests, because the CPU time of processes that detach would not "+
			"be counted: %w",
			account.Name, err)
	}
	defer place.Close()
	// The shell starts in the cgroup, creates a child cgroup as the harness does, and moves there.
	const script = `own=$(sed -n s/^0:://p /proc/self/cgroup)
for mount in /sys/fs/cgroup /sys/fs/cgroup/unified; do
	[ -e "$mount$own/cgroup.procs" ] && mkdir "$mount$own/below" && echo $$ >"$mount$own/below/cgroup.procs" && exit 0
done
exit 1`
	cmd := account.command("/", []string{"PATH=/usr/bin:/bin"}, "/bin/sh", "-c", script)
	place.Join(cmd)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s cannot create a cgroup inside its own: %w: %s", account.Name, err, said)
	}
	return nil
}

// bits returns the permission bits (rwx) that the account has for a file.
func (account Account) bits(path string) (uint32, error) {
	var status unix.Stat_t
	if err := unix.Stat(path, &status); err != nil {
		return 0, err
	}
	shift := 0
	switch {
	case status.Uid == account.UID:
		shift = 6
	case status.Gid == account.GID:
		shift = 3
	default:
		for _, id := range account.Groups {
			if id == status.Gid {
				shift = 3
			}
		}
	}
	return status.Mode >> shift & 7, nil
}

func (account Account) mayUse(path string) bool {
	bits, err := account.bits(path)
	return err == nil && bits&6 == 6
}

// notWritable returns an error if a job could change the software of later jobs.
func notWritable(account Account, folder string) error {
	for _, path := range []string{folder, filepath.Join(folder, "run.sh")} {
		if bits, err := account.bits(path); err == nil && bits&2 != 0 {
			return fmt.Errorf("the account can change %s, which is copied for later jobs", path)
		}
	}
	return nil
}
