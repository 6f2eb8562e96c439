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
//
// The clocks of the processes that were known at the last reading are read first: what a session does after a reply is
// charged to its waiting only from here on, and looking for new processes takes as long as they have threads.
func (c *child) account() Account {
	c.reading.Lock()
	defer c.reading.Unlock()
	cpu := map[int]float64{}
	for _, pid := range c.members {
		cpu[pid] = cpuTime(pid).Seconds()
	}
	inCgroup := c.group.CPUSeconds()
	c.members = group.Descendants(c.cmd.Process.Pid)
	var total Account
	for _, pid := range c.members {
		if _, known := cpu[pid]; !known {
			cpu[pid] = cpuTime(pid).Seconds()
		}
		total.CPUSeconds += cpu[pid]
		total.IOBytes += storageBytes(pid)
	}
	return Account{max(total.CPUSeconds, inCgroup), max(total.IOBytes, c.group.IOBytes())}
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
