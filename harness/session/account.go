package session

import (
	"os"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// An Account holds the resources that the processes of a prover have consumed since they were started. Its values never
// decrease.
type Account struct {
	CPUSeconds float64
	// IOBytes is the number of bytes read from and written to storage.
	IOBytes float64
}

// Since returns the consumption after an earlier account.
func (a Account) Since(before Account) Account {
	return Account{max(0, a.CPUSeconds-before.CPUSeconds), max(0, a.IOBytes-before.IOBytes)}
}

// account returns the consumption of the child and all its descendants. The cgroup includes processes that have ended
// or left the tree; the tree includes processes that have left the cgroup. The larger value counts.
//
// The clocks of the processes known from the last reading are read first, because finding new processes takes time that
// grows with the number of threads. What a session does after a reply is charged to its idle time only from this
// reading on.
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

// storageBytes reads read_bytes and write_bytes of /proc/PID/io (proc_pid_io(5)). It returns 0 if they cannot be read.
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
