package session

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
	"github.com/chiasmus/chiasmus/harness/internal/instructions"
)

// Usage is what a proof consumed on the host, measured from outside.
type Usage struct {
	// CPUSeconds is the CPU time of the child and its descendants with a resolution of microseconds. It is 0 if it cannot
	// be read.
	CPUSeconds float64
	// MaxRSSBytes is the largest resident memory of any single one of them during the proof. It is 0 if it cannot be read.
	MaxRSSBytes float64
	// Instructions are the instructions they retired in user mode. It is 0 if they cannot be counted: see NoInstructions.
	Instructions float64
}

// NoInstructions returns the reason why this host cannot count instructions, or "".
func NoInstructions() string { return instructions.Unavailable() }

// usage returns what a child that has ended consumed: according to getrusage(2), with the descendants it waited for,
// and according to its cgroup, with all descendants. The larger value counts.
func (c *child) usage() Usage {
	state := c.cmd.ProcessState
	used := Usage{CPUSeconds: max((state.UserTime() + state.SystemTime()).Seconds(), c.inCgroup)}
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		used.MaxRSSBytes = float64(r.Maxrss) * rssUnit()
	}
	return used
}

// rssUnit returns the unit of ru_maxrss: bytes on Darwin, kilobytes elsewhere.
func rssUnit() float64 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 1024
}

// resetPeaks resets the peak resident memory of a process and its descendants to the current value
// (proc_pid_clear_refs(5): "5" resets it), so that each proof of a session has its own peak.
func resetPeaks(pid int) {
	for _, member := range group.Descendants(pid) {
		_ = os.WriteFile(procFile(member, "clear_refs"), []byte("5"), 0)
	}
}

// largestPeak returns the largest of these peaks, or 0 without /proc.
func largestPeak(pid int) (bytes float64) {
	for _, member := range group.Descendants(pid) {
		bytes = max(bytes, peakRSS(member))
	}
	return bytes
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// clockTick is the unit of times in /proc: 1/100 s on every Linux that Go supports (USER_HZ).
const clockTick = 10 * time.Millisecond

// cpuTime returns the CPU time of a process and of the descendants it has waited for. The process's own part comes from
// its clock, with a resolution of nanoseconds. The descendants' part comes from utime, stime, cutime and cstime in
// ticks, as does the process's own part if there is no such clock: fields 14 to 17 of /proc/PID/stat
// (proc_pid_stat(5)). The name in field 2 may contain blanks and parentheses, so fields are counted from the last
// closing one.
func cpuTime(pid int) (total time.Duration) {
	own, exact := processClock(pid)
	text, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return own
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	first, waitedFor, end := 14-3, 16-3, 18-3
	if len(fields) < end {
		return own
	}
	if exact {
		total, first = own, waitedFor
	}
	for _, field := range fields[first:end] {
		ticks, _ := strconv.ParseInt(field, 10, 64)
		total += time.Duration(ticks) * clockTick
	}
	return total
}

// threadStates reads the state, field 3 of /proc/PID/task/TID/stat, of every thread of a process. It returns none if
// the process has ended or there is no /proc.
func threadStates(pid int) (states []byte) {
	for _, thread := range group.ThreadFiles(pid, "stat") {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue
		}
		if fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]); len(fields) > 0 {
			states = append(states, fields[0][0])
		}
	}
	return states
}

// peakRSS reads VmHWM of /proc/PID/status in bytes.
func peakRSS(pid int) float64 {
	text, _ := os.ReadFile(procFile(pid, "status"))
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			return kilobytes * 1024
		}
	}
	return 0
}
