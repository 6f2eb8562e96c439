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

// Uncounted says why the children of this process have no cgroup of their own, empty where they have. Without one the
// processor time of a process that nobody waits for is lost when it ends.
var Uncounted = sync.OnceValue(func() string {
	parent := ownCgroup()
	if parent == "" {
		return "cgroups of version 2 are not mounted here"
	}
	place := newCgroup("trial")
	if place == nil {
		return fmt.Sprintf("no cgroup may be made below %s", parent)
	}
	defer place.close()
	trial := exec.Command("true")
	trial.SysProcAttr = &syscall.SysProcAttr{}
	place.join(trial.SysProcAttr)
	Seal()
	if err := trial.Run(); err != nil {
		return fmt.Sprintf("no cgroup below %s may be entered: %v", parent, err)
	}
	return ""
})

// A Delegated is a cgroup that belongs to a user, who may make others in it for the processes that begin there.
type Delegated struct{ cgroup *cgroup }

// Delegate makes a cgroup for a user below that of this process. It has to run as root.
func Delegate(name string, uid, gid int) (*Delegated, error) {
	place := newCgroup(name)
	if place == nil {
		return nil, errors.New("no cgroup of version 2 may be made below that of this process")
	}
	// What delegation gives away, by the kernel's documentation of cgroups (Model of Delegation).
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

// Join makes a command begin in the cgroup. It is called right before the command is started.
func (d *Delegated) Join(cmd *exec.Cmd) { d.cgroup.join(cmd.SysProcAttr) }

// Close ends what is left in the cgroup, and the cgroup.
func (d *Delegated) Close() { d.cgroup.close() }
