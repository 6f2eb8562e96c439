package environment

import (
	"math"
	"os"
	"slices"
	"time"
)

// An Observer watches the host during a proof. It must be used by one goroutine: Start before a request is sent, Stop
// after the reply, both outside the timed region. In between it costs one reading of the GPUs per Thresholds.Sample,
// and nothing without GPUs.
type Observer struct {
	host       host
	thresholds Thresholds
	self       int
	sessions   []int
	measured   []int
	gpus       *gpuWatch
	work       *gpuWork // nil if unknown
	unseen     string   // why it is unknown
	notes      []string

	begin moment
	// lowest is the least memory that others were observed to take.
	lowest int64
}

// A moment is the state of all counters at one time.
type moment struct {
	at              time.Time
	boot, monotonic time.Duration
	cpu             cpuTime
	haveCPU         bool
	all             map[int]process
	ours            tree // the harness and all its descendants
	self            process
	measured, idle  tree
	members         map[int]map[int]bool // the processes of each session, by its first process
	kernel          float64
	stalled         float64
	havePressure    bool
	memory          Memory
	throttles       int64
	energy, wraps   []float64
}

// NewObserver returns an observer for the sessions whose first processes are pids. In process mode there are none yet:
// the measured processes are the children of this process. Orphaned descendants become children of this process, so
// that their CPU time is not attributed to others.
func NewObserver(t Thresholds, pids []int) *Observer {
	return newObserver(host{}, t, pids, os.Getpid())
}

func newObserver(h host, t Thresholds, pids []int, self int) *Observer {
	o := &Observer{host: h, thresholds: t, self: self, sessions: slices.Clone(pids), lowest: math.MaxInt64}
	if err := adoptOrphans(); err != nil {
		o.notes = append(o.notes, "orphans of measured processes cannot be distinguished from other processes: "+err.Error())
	}
	var note string
	if o.gpus, note = watchGPUs(h, t); note != "" {
		o.notes = append(o.notes, note)
	}
	switch {
	case o.gpus != nil && h.initialNamespace():
		o.work = newGPUWork(o.gpus)
	case o.gpus != nil:
		o.unseen = "the process IDs here differ from the driver's"
		o.notes = append(o.notes,
			"the process IDs here differ from the driver's: the GPU use of a waiting session is not "+
				"observed")
	}
	if _, ok := h.stalled(); !ok {
		o.notes = append(o.notes, "the kernel does not report memory pressure")
	}
	o.reference(o.now())
	return o
}

// Notes lists what cannot be observed on this host. The caller shows it to the user once.
func (o *Observer) Notes() []string { return slices.Clone(o.notes) }

// SetProcesses sets the current sessions, after one was restarted.
func (o *Observer) SetProcesses(pids []int) { o.sessions = slices.Clone(pids) }

// Start begins an observation. The argument is the process of the measured session; in process mode there is none.
func (o *Observer) Start(measured ...int) {
	o.measured = measured
	o.begin = o.now()
	o.reference(o.begin)
	o.gpus.start()
	if o.work != nil && len(measured) > 0 {
		o.work.begin(measured[0], o.begin.members, time.Now())
	}
}

// Stop ends the observation and returns it.
func (o *Observer) Stop() Observation {
	samples := o.gpus.stop()
	end := o.now()
	out := Observation{Readings: map[string]float64{}, Seconds: end.at.Sub(o.begin.at).Seconds()}
	o.judgeCPU(&out, o.begin, end)
	o.judgeMemory(&out, o.begin, end)
	o.judgeSuspend(&out, o.begin, end)
	o.readEnergy(&out, o.begin, end)
	o.gpus.judge(&out, samples, o.owners(end))
	if len(o.measured) > 0 && len(end.idle.pids) > 0 {
		out.IdleGPU = o.gpus.usedBy(end.idle.pids, o.owners(end))
	}
	o.judgeWork(&out, end)
	if joules, ok := sumOf(out.Readings, "cpu_energy_joules", "gpu_energy_joules"); ok {
		out.Readings["energy_joules"] = joules
	}
	return out
}

// judgeWork adds the GPU work for the measured session.
func (o *Observer) judgeWork(out *Observation, end moment) {
	if len(o.measured) == 0 {
		return
	}
	out.GPUUnseen = o.unseen
	if o.work == nil {
		return
	}
	if out.GPUWork = o.work.end(o.measured[0], end.members, end.at); out.GPUWork == nil {
		out.GPUUnseen = "the driver does not report GPU use by process"
	}
}

// Close closes the GPU library.
func (o *Observer) Close() error { return o.gpus.close() }

// now reads all counters.
func (o *Observer) now() moment {
	all := o.host.processes()
	m := moment{
		at:        time.Now(),
		all:       all,
		ours:      descendants(all, o.self),
		self:      all[o.self],
		kernel:    kernelTime(all),
		memory:    o.host.memory(),
		throttles: o.host.throttles(),
	}
	m.boot, m.monotonic = clocks()
	m.cpu, m.haveCPU = o.host.cpuTime()
	m.measured = descendants(all, o.measured...)
	m.members = map[int]map[int]bool{}
	for _, session := range o.sessions {
		m.members[session] = descendants(all, session).pids
	}
	if len(o.measured) > 0 {
		m.idle = descendants(all,
			slices.DeleteFunc(slices.Clone(o.sessions), func(pid int) bool { return m.measured.pids[pid] })...)
	}
	m.stalled, m.havePressure = o.host.stalled()
	m.energy, m.wraps = o.host.packageEnergy()
	return m
}

// othersMemory returns the memory used neither by the harness nor by measured processes.
func (m moment) othersMemory() int64 { return m.memory.Total - m.memory.Available - m.ours.resident }

// reference updates the least memory that others took.
func (o *Observer) reference(m moment) {
	if m.memory.Total > 0 {
		o.lowest = min(o.lowest, m.othersMemory())
	}
}

// judgeCPU compares the CPU time of the host with the CPU time of the measured processes.
func (o *Observer) judgeCPU(out *Observation, a, b moment) {
	if !a.haveCPU || !b.haveCPU {
		return
	}
	capacity := b.cpu.total() - a.cpu.total()
	if capacity <= 0 {
		return // shorter than a tick
	}
	var used float64
	if len(o.measured) > 0 {
		used = b.measured.cpu - a.measured.cpu
		out.Readings["idle_session_cpu_seconds"] = max(0, b.idle.cpu-a.idle.cpu)
	} else {
		// Everything that the harness has started, without the harness itself.
		used = (b.ours.cpu - b.self.own) - (a.ours.cpu - a.self.own)
	}
	used = max(0, used)
	out.Readings["cpu_seconds"], out.Readings["cpu_share"] = used, used/capacity

	// Each CPU's counters are accurate to a tick. For a proof of a few ticks the error is most of the time, and must not
	// be attributed to others.
	slack := float64(b.cpu.cpus) / ticksPerSecond / capacity
	steal := max(0, b.cpu.steal-a.cpu.steal) / capacity
	out.Readings["steal_share"] = steal
	out.add(Steal, steal, o.thresholds.Steal+slack, "the hypervisor took %s of the CPU time away (more than %s)",
		percent(steal), percent(o.thresholds.Steal))

	// Interrupts and kernel threads often work for the measured process, so they are not attributed to others.
	others := (b.cpu.programs - a.cpu.programs) - (b.ours.cpu - a.ours.cpu) - (b.kernel - a.kernel)
	// If a process of ours is orphaned, or ends without being waited for, its past time disappears from our tree, and
	// others would seem to use more than the host's capacity.
	share := min(1, max(0, others)/capacity)
	out.Readings["others_share"] = share
	if share > o.thresholds.Others {
		out.Culprits = culprits(a, b, capacity)
	}
	out.add(Others, share, o.thresholds.Others+slack, "other processes took %s of the CPU time (more than %s)%s",
		percent(share), percent(o.thresholds.Others), namesOf(out.Culprits))
}

// judgeMemory detects memory waits that coincide with growth of other processes' memory. Pressure alone is no cause: a
// revision that needs more memory than there is causes it itself.
func (o *Observer) judgeMemory(out *Observation, a, b moment) {
	out.Readings["resident_bytes"] = float64(b.measured.resident)
	if len(o.measured) == 0 {
		delete(out.Readings, "resident_bytes")
	}
	elapsed := b.at.Sub(a.at).Seconds()
	if !a.havePressure || !b.havePressure || elapsed <= 0 {
		return
	}
	share := max(0, b.stalled-a.stalled) / elapsed
	out.Readings["memory_pressure_share"] = share
	grown := float64(b.othersMemory()-o.lowest) / float64(max(1, b.memory.Total))
	noProcess := len(o.sessions) == 0 && len(b.ours.pids) <= 1
	if grown > o.thresholds.MemoryGrowth || noProcess {
		out.add(MemoryOthers, share, o.thresholds.MemoryPressure,
			"tasks waited for memory %s of the time (more than %s) and other processes took %s more of it than before",
			percent(share), percent(o.thresholds.MemoryPressure), percent(max(0, grown)))
	}
}

// judgeSuspend compares the clock that stops during suspension with the one that does not.
func (o *Observer) judgeSuspend(out *Observation, a, b moment) {
	asleep := ((b.boot - b.monotonic) - (a.boot - a.monotonic)).Seconds()
	asleep = max(0, asleep)
	out.Readings["suspended_seconds"] = asleep
	out.add(Suspended, asleep, o.thresholds.Suspend.Seconds(), "the host was suspended for %.2f s", asleep)
	if d := b.throttles - a.throttles; d > 0 {
		out.Readings["cpu_throttle_events"] = float64(d)
	}
}

// readEnergy adds up the packages' counters, which wrap at a known value.
func (o *Observer) readEnergy(out *Observation, a, b moment) {
	if len(a.energy) == 0 || len(a.energy) != len(b.energy) {
		return
	}
	total := 0.0
	for i := range b.energy {
		d := b.energy[i] - a.energy[i]
		if d < 0 {
			d += b.wraps[i]
		}
		total += d
	}
	out.Readings["cpu_energy_joules"] = total
}

// owners determines which GPU processes are ours.
func (o *Observer) owners(end moment) owners {
	return owners{
		exact: o.host.initialNamespace(),
		ours:  func(pid int) bool { return o.begin.ours.pids[pid] || end.ours.pids[pid] },
		most:  max(1, len(o.sessions)),
	}
}

// initialNamespace reports whether this process uses the host's PIDs, so that the PIDs from NVML can be looked up. The
// inode of the first PID namespace is fixed in the kernel.
func (h host) initialNamespace() bool {
	const initial = "pid:[4026531836]"
	link, err := os.Readlink("/" + h.root + "/proc/self/ns/pid")
	return err == nil && link == initial
}

// sumOf adds up the named readings that exist.
func sumOf(readings map[string]float64, names ...string) (sum float64, any bool) {
	for _, name := range names {
		if x, ok := readings[name]; ok {
			sum, any = sum+x, true
		}
	}
	return sum, any
}
