package session

import (
	"os"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// An Account is what the processes of a prover have taken of the host since they were started. It only grows.
type Account struct {
	CPUSeconds float64
	// IOBytes is what they read from and wrote to storage.
	IOBytes float64
}

// Since returns what was taken after an earlier account.
func (a Account) Since(before Account) Account {
	return Account{max(0, a.CPUSeconds-before.CPUSeconds), max(0, a.IOBytes-before.IOBytes)}
}

// account reads what the child and all that stems from it have taken. The cgroup counts what has ended and what has
// left the tree, the tree what has left the cgroup: the larger one counts.
func (c *child) account() Account {
	var total Account
	for _, pid := range group.Descendants(c.cmd.Process.Pid) {
		total.CPUSeconds += cpuTime(pid).Seconds()
		total.IOBytes += storageBytes(pid)
	}
	return Account{max(total.CPUSeconds, c.group.CPUSeconds()), max(total.IOBytes, c.group.IOBytes())}
}

// storageBytes reads read_bytes and write_bytes of /proc/PID/io (proc_pid_io(5)), 0 where it may not be read.
func storageBytes(pid int) float64 {
	text, _ := os.ReadFile(procFile(pid, "io"))
	total := 0.0
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name == "read_bytes" || name == "write_bytes" {
			bytes, _ := strconv.ParseFloat(value, 64)
			total += bytes
		}
	}
	return total
}
