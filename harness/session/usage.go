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

// Usage is what a proof took of the host, read from the outside.
type Usage struct {
	// CPUSeconds is the processor time of the child and its descendants, 0 where it cannot be read.
	CPUSeconds float64
	// MaxRSSBytes is the largest resident memory of any one of them during the proof, 0 where it cannot be read.
	MaxRSSBytes float64
	// Instructions are those that they retired in user mode, 0 where nobody counts them: see NoInstructions.
	Instructions float64
}

// NoInstructions says why no instructions are counted on this host, empty where they are.
func NoInstructions() string { return instructions.Unavailable() }

// usageOf reads what a process that has ended used, descendants that it waited for included.
func usageOf(state *os.ProcessState) Usage {
	used := Usage{CPUSeconds: (state.UserTime() + state.SystemTime()).Seconds()}
	if r, ok := state.SysUsage().(*syscall.Rusage); ok {
		used.MaxRSSBytes = float64(r.Maxrss) * rssUnit()
	}
	return used
}

// rssUnit is the unit of ru_maxrss: bytes on Darwin, kilobytes elsewhere.
func rssUnit() float64 {
	if runtime.GOOS == "darwin" {
		return 1
	}
	return 1024
}

// meter measures a session, which lives on after the proof, from /proc. Where there is none it reads zeros.
type meter struct {
	pid int
	cpu time.Duration
}

// newMeter starts a measurement. The peak of the resident memory is set back to what is resident now
// (proc_pid_clear_refs(5): "5" resets it), so that each proof shows its own.
func newMeter(pid int) meter {
	m := meter{pid: pid}
	for _, member := range group.Descendants(pid) {
		m.cpu += cpuTime(member)
		_ = os.WriteFile(procFile(member, "clear_refs"), []byte("5"), 0)
	}
	return m
}

// read ends a measurement.
func (m meter) read() Usage {
	var cpu time.Duration
	var used Usage
	for _, member := range group.Descendants(m.pid) {
		cpu += cpuTime(member)
		used.MaxRSSBytes = max(used.MaxRSSBytes, peakRSS(member))
	}
	used.CPUSeconds = max(0, cpu-m.cpu).Seconds()
	return used
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}

// clockTick is the unit of the times in /proc, 1/100 s on every Linux that Go runs on (USER_HZ).
const clockTick = 10 * time.Millisecond

// cpuTime reads utime, stime, cutime and cstime, fields 14 to 17 of /proc/PID/stat (proc_pid_stat(5)). The name in
// field 2 may hold blanks and parentheses, so fields are counted from the last closing one.
func cpuTime(pid int) time.Duration {
	text, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	const first, last = 14 - 3, 17 - 3
	if len(fields) <= last {
		return 0
	}
	var total time.Duration
	for _, field := range fields[first : last+1] {
		ticks, _ := strconv.ParseInt(field, 10, 64)
		total += time.Duration(ticks) * clockTick
	}
	return total
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
