package environment

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ticksPerSecond is USER_HZ: the kernel reports times in hundredths of a second on every architecture that Go supports.
const ticksPerSecond = 100

// A process is one line of /proc/PID/stat.
type process struct {
	pid, parent int
	name        string // of the program, as the kernel keeps it: at most 15 bytes, chosen by the process itself
	kernel      bool
	// own is the CPU time of the process in seconds, reaped the CPU time of the children it has waited for.
	own, reaped float64
	resident    int64 // bytes
}

// processes reads all visible processes. The harness does this twice per proof, and a host has hundreds of processes:
// with plain system calls it takes a third of the CPU time that package os takes.
func (h host) processes() map[int]process {
	folder := filepath.Join("/", h.root, "proc")
	entries, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer entries.Close()
	names, _ := entries.Readdirnames(-1) // those read before an error
	out := make(map[int]process, len(names))
	buffer := make([]byte, 4096) // a line has about 50 numbers
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, ok := parseStat(pid, readOnce(folder+"/"+name+"/stat", buffer)); ok {
			out[pid] = p
		}
	}
	return out
}

// readOnce returns what one read of a file into the buffer gives, and "" if the file cannot be read. The kernel returns
// a line of a process in one read.
func readOnce(path string, buffer []byte) string {
	file, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer syscall.Close(file)
	n, err := syscall.Read(file, buffer)
	if err != nil {
		return ""
	}
	return string(buffer[:n])
}

// pageSize is the unit of the resident set in /proc/PID/stat.
var pageSize = int64(os.Getpagesize())

// parseStat parses a line of /proc/PID/stat. The name of the program, in parentheses, may contain anything, so fields
// are counted from the last parenthesis.
func parseStat(pid int, line string) (process, bool) {
	end := strings.LastIndexByte(line, ')')
	if end < 0 {
		return process{}, false
	}
	// proc(5) counts from 1; the first field here is the third, the state.
	fields := strings.Fields(line[end+1:])
	const first = 3
	if len(fields) < 25-first {
		return process{}, false
	}
	at := func(n int) int64 {
		x, err := strconv.ParseInt(fields[n-first], 10, 64)
		if err != nil {
			return 0 // unsigned fields beyond 2^63 are not read here
		}
		return x
	}
	const kernelThread = 0x00200000 // PF_KTHREAD
	_, name, _ := strings.Cut(line[:end], "(")
	return process{
		pid: pid, parent: int(at(4)), name: name, kernel: at(9)&kernelThread != 0,
		own:      float64(at(14)+at(15)) / ticksPerSecond,
		reaped:   float64(at(16)+at(17)) / ticksPerSecond,
		resident: at(24) * pageSize,
	}, true
}

// A tree is a set of processes that belong together.
type tree struct {
	pids     map[int]bool
	cpu      float64 // seconds, including ended and reaped descendants
	resident int64
}

// descendants adds up processes and all their descendants. A process that ended and was waited for is included in its
// parent's time.
func descendants(all map[int]process, roots ...int) tree {
	children := map[int][]int{}
	for pid, p := range all {
		children[p.parent] = append(children[p.parent], pid)
	}
	t := tree{pids: map[int]bool{}}
	var visit func(pid int)
	visit = func(pid int) {
		p, ok := all[pid]
		if !ok || t.pids[pid] {
			return
		}
		t.pids[pid] = true
		t.cpu += p.own + p.reaped
		t.resident += p.resident
		for _, child := range children[pid] {
			visit(child)
		}
	}
	for _, pid := range roots {
		visit(pid)
	}
	return t
}

// kernelTime returns the CPU time of the kernel's own threads in seconds.
func kernelTime(all map[int]process) float64 {
	total := 0.0
	for _, p := range all {
		if p.kernel {
			total += p.own
		}
	}
	return total
}

// cpuTime is a "cpu" line of /proc/stat in seconds, summed over all CPUs.
type cpuTime struct {
	programs  float64 // user, nice and system
	interrupt float64
	idle      float64
	steal     float64
	cpus      int
}

func (t cpuTime) total() float64 { return t.programs + t.interrupt + t.idle + t.steal }

// cpuTime reads the CPU time since boot.
func (h host) cpuTime() (cpuTime, bool) {
	text := h.text("/proc/stat")
	line, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return cpuTime{}, false
	}
	// user nice system idle iowait irq softirq steal; guest time is part of user time.
	at := func(n int) float64 {
		x, err := strconv.ParseFloat(fields[n], 64)
		if err != nil {
			return 0
		}
		return x / ticksPerSecond
	}
	return cpuTime{
		programs: at(1) + at(2) + at(3), idle: at(4) + at(5), interrupt: at(6) + at(7), steal: at(8),
		cpus: strings.Count(text, "\ncpu"),
	}, true
}

// stalled returns the time in seconds since boot in which some task waited for memory.
func (h host) stalled() (float64, bool) {
	for _, field := range strings.Fields(h.text("/proc/pressure/memory")) {
		if text, ok := strings.CutPrefix(field, "total="); ok {
			microseconds, err := strconv.ParseFloat(text, 64)
			return microseconds / 1e6, err == nil
		}
	}
	return 0, false
}

// packageEnergy reads the energy used by the processors in joules, one reading per socket, and the values at which the
// counters wrap.
func (h host) packageEnergy() (joules, wraps []float64) {
	for _, dir := range h.glob("/sys/class/powercap/intel-rapl:[0-9]*") {
		if strings.Count(filepath.Base(dir), ":") != 1 {
			continue // a subdomain of a package
		}
		used, ok := h.number(dir + "/energy_uj")
		limit, ok2 := h.number(dir + "/max_energy_range_uj")
		if ok && ok2 {
			joules, wraps = append(joules, used/1e6), append(wraps, limit/1e6)
		}
	}
	return joules, wraps
}
