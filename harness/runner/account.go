//go:build linux

package runner

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/files"
	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// An Account is the user that runs the jobs.
type Account struct {
	Name     string
	UID, GID uint32
	Groups   []uint32
}

// Lookup finds an account by name. Root and the caller's own account are errors.
func Lookup(name string) (Account, error) {
	found, err := user.Lookup(name)
	if err != nil {
		return Account{}, fmt.Errorf("there is no user %q: create it with useradd --system --create-home --shell "+
			"/usr/sbin/nologin %s", name,
			name)
	}
	ids, err := found.GroupIds()
	if err != nil {
		return Account{}, err
	}
	account := Account{Name: name}
	for _, id := range append([]string{found.Uid, found.Gid}, ids...) {
		number, err := strconv.ParseUint(id, 10, 32)
		if err != nil {
			return Account{}, fmt.Errorf("user %s: id %q is not a number", name, id)
		}
		account.Groups = append(account.Groups, uint32(number))
	}
	account.UID, account.GID, account.Groups = account.Groups[0], account.Groups[1], account.Groups[2:]
	return account, account.check()
}

// check returns an error for an account that also has processes and files that do not belong to jobs.
func (account Account) check() error {
	if account.UID == 0 || int(account.UID) == os.Getuid() {
		return fmt.Errorf("user %q cannot run jobs, because all its processes and files are deleted after each job: name "+
			"another user",
			account.Name)
	}
	return nil
}

// command returns a command that runs as the account, in the given folder and environment.
func (account Account) command(folder string, environment []string, name string, arguments ...string) *exec.Cmd {
	cmd := exec.Command(name, arguments...)
	cmd.Dir, cmd.Env = folder, environment
	group.Own(cmd)
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: account.UID, Gid: account.GID, Groups: account.Groups}
	return cmd
}

// killAll kills every process of the account, including those started meanwhile.
func (account Account) killAll() error {
	if err := account.check(); err != nil {
		return err
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		pids, err := account.processes()
		if err != nil || len(pids) == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes of %s survive SIGKILL for a minute: %v", account.Name, pids)
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	}
}

// processes lists the processes of the account, except zombies.
func (account Account) processes() ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		status, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "status"))
		if err != nil {
			continue // it has ended
		}
		fields := map[string][]string{}
		for line := range strings.Lines(string(status)) {
			key, values, _ := strings.Cut(line, ":")
			fields[key] = strings.Fields(values)
		}
		own := false
		for _, id := range fields["Uid"] { // real, effective, saved, file system
			own = own || id == strconv.Itoa(int(account.UID))
		}
		if state := fields["State"]; own && len(state) > 0 && state[0] != "Z" && state[0] != "X" {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// shared lists the folders that every user may write to.
var shared = []string{"/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/var/crash"}

// sweep deletes the account's files in shared folders. No process of the account may be running.
func (account Account) sweep(folders []string) error {
	var failed error
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // the host does not have the folder
		}
		for _, entry := range entries {
			info, err := entry.Info()
			if err != nil {
				continue // gone
			}
			if status, ok := info.Sys().(*syscall.Stat_t); ok && status.Uid == account.UID {
				failed = errors.Join(failed, files.RemoveAll(filepath.Join(folder, entry.Name())))
			}
		}
	}
	return failed
}
