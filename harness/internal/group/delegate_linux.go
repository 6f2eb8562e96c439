package group

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
)

// Uncounted says why children of this process cannot have cgroups; empty if they can. Without a cgroup, the CPU time of
// a process that nobody waits for is lost when it ends.
var Uncounted = sync.OnceValue(func() string {
	parent := ownCgroup()
	if parent == "" {
		return "cgroup version 2 is not mounted"
	}
	place := newCgroup("trial")
	if place == nil {
		return fmt.Sprintf("creating cgroups below %s is not permitted", parent)
	}
	defer place.close()
	trial := exec.Command("true")
	trial.SysProcAttr = &syscall.SysProcAttr{}
	place.join(trial.SysProcAttr)
	Seal()
	if err := trial.Run(); err != nil {
		return fmt.Sprintf("entering cgroups below %s is not permitted: %v", parent, err)
	}
	return ""
})

// A Delegated is a cgroup owned by a user, who may create cgroups inside it.
type Delegated struct{ cgroup *cgroup }

// Delegate creates a cgroup for a user below the cgroup of this process. It must run as root.
func Delegate(name string, uid, gid int) (*Delegated, error) {
	place := newCgroup(name)
	if place == nil {
		return nil, errors.New("creating a version 2 cgroup below this process's cgroup is not permitted")
	}
	// The files to delegate, by the kernel's documentation of cgroups (Model of Delegation).
	var failed error
	for _, file := range []string{"", "cgroup.procs", "cgroup.threads", "cgroup.subtree_control"} {
		failed = errors.Join(failed, os.Chown(filepath.Join(place.dir, file), uid, gid))
	}
	if failed != nil {
		place.close()
		return nil, failed
	}
	return &Delegated{place}, nil
}

// Join makes a command start in the cgroup. Call it right before starting the command.
func (d *Delegated) Join(cmd *exec.Cmd) { d.cgroup.join(cmd.SysProcAttr) }

// Close kills the processes in the cgroup and removes the cgroup.
func (d *Delegated) Close() { d.cgroup.close() }
