package environment

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment/nvml"
)

// Each threshold is a bound: slightly below it is accepted, slightly above it is a cause.
func TestThresholdsAreBounds(t *testing.T) {
	limits := DefaultThresholds()
	for name, c := range map[string]struct {
		threshold float64
		change    func(w *world, value float64)
	}{
		// Two CPUs in a thousand seconds: a tick of each is at most 1e-5.
		"steal": {limits.Steal, func(w *world, share float64) { w.steal, w.idle = 2000*share, 2000*(1-share) }},
		"others": {limits.Others, func(w *world, share float64) {
			w.user, w.idle = 2000*share, 2000*(1-share)
			w.processes[40].own = 2000 * share
		}},
		"memory": {limits.MemoryGrowth, func(w *world, share float64) {
			w.idle, w.stalled = 2000, 1e9 // the test's time differs from the world's
			w.availableMB -= int64(share * float64(w.totalMB))
		}},
	} {
		for _, side := range []struct {
			value float64
			want  string
		}{{0.98 * c.threshold, ""}, {1.02 * c.threshold, name}} {
			w := newWorld(t)
			w.totalMB, w.availableMB = 1_000_000, 800_000
			w.save()
			got := w.observe([]int{20}, func() { c.change(w, side.value) })
			if kinds(got.Causes) != side.want {
				t.Errorf("%s of %g, threshold %g: causes %v, want %q", name, side.value, c.threshold, got.Causes, side.want)
			}
		}
	}
	o := &Observer{thresholds: limits}
	for _, c := range []struct {
		value, threshold float64
		change           func(*moment)
		judge            func(*Observation, moment, moment)
	}{
		{0.98, 1, func(m *moment) { m.boot += 98 * limits.Suspend / 100 }, o.judgeSuspend},
		{1.02, 1, func(m *moment) { m.boot += 102 * limits.Suspend / 100 }, o.judgeSuspend},
		{0.98, 1, func(m *moment) { m.stalled = 10 * limits.MemoryPressure * 0.98 }, o.judgeMemory},
		{1.02, 1, func(m *moment) { m.stalled = 10 * limits.MemoryPressure * 1.02 }, o.judgeMemory},
	} {
		o.lowest = 0
		a := moment{at: time.Unix(0, 0), havePressure: true, memory: Memory{Total: 100, Available: 100}}
		b := a
		b.at, b.memory.Available = a.at.Add(10*time.Second), 50
		c.change(&b)
		out := Observation{Readings: map[string]float64{}}
		c.judge(&out, a, b)
		if (len(out.Causes) > 0) != (c.value > c.threshold) {
			t.Errorf("%g of a threshold: %+v", c.value, out)
		}
	}
}

// In a short proof, one tick of each CPU above a threshold is accepted, and no more.
func TestSlackIsOneTickOfEachCPU(t *testing.T) {
	limits := DefaultThresholds() // in one second of two CPUs the slack is 1 %
	for excess, want := range map[float64]string{0.005: "", 0.02: "steal,others"} {
		w := newWorld(t)
		got := w.observe([]int{20}, func() {
			w.steal, w.user = 2*(limits.Steal+excess), 2*(limits.Others+excess)
			w.idle = 2 - w.steal - w.user
		})
		if kinds(got.Causes) != want {
			t.Errorf("%g above the thresholds: causes %v, want %q", excess, got.Causes, want)
		}
	}
}

// Without a session all work belongs to others. Only then is pressure alone a cause.
func TestPressureWithoutASession(t *testing.T) {
	for name, c := range map[string]struct {
		sessions []int
		children int
		want     string
	}{
		"nothing of ours": {nil, 0, "memory"},
		"a session":       {[]int{20}, 0, ""},
		"a child":         {nil, 1, ""},
	} {
		o := &Observer{thresholds: DefaultThresholds(), sessions: c.sessions, lowest: 50}
		a := moment{at: time.Unix(0, 0), havePressure: true, memory: Memory{Total: 100, Available: 50}}
		b := a
		b.at, b.stalled = a.at.Add(time.Second), 0.5
		b.ours.pids = map[int]bool{10: true}
		for child := range c.children {
			b.ours.pids[100+child] = true
		}
		out := Observation{Readings: map[string]float64{}}
		o.judgeMemory(&out, a, b)
		if kinds(out.Causes) != c.want {
			t.Errorf("%s: causes %v, want %q", name, out.Causes, c.want)
		}
	}
}

// The minimum of the memory used by others is kept, so that memory that they took before a proof and still hold is
// found.
func TestMemoryThatWasTakenBefore(t *testing.T) {
	w := newWorld(t)
	o := newObserver(w.host, DefaultThresholds(), []int{20, 30}, 10)
	defer o.Close()
	w.availableMB -= 300
	w.save()
	o.Start(20)
	w.stalled = 1e6
	w.save()
	if got := o.Stop(); kinds(got.Causes) != "memory" {
		t.Errorf("causes %v", got.Causes)
	}
}

// Sockets that appear or disappear meanwhile do not count as energy.
func TestEnergyNeedsTheSameSockets(t *testing.T) {
	o := &Observer{}
	for _, sides := range [][2][]float64{{{1, 1}, {2}}, {{1}, {2, 2}}, {nil, {2}}} {
		out := Observation{Readings: map[string]float64{}}
		o.readEnergy(&out, moment{energy: sides[0]}, moment{energy: sides[1], wraps: []float64{9, 9}})
		if len(out.Readings) != 0 {
			t.Errorf("%v: %v", sides, out.Readings)
		}
	}
}

// Every time of /proc counts: for a process, its own and its children's, in user and in kernel mode; for the
// processors, all eight.
func TestEveryTimeCounts(t *testing.T) {
	p, ok := parseStat(7, "7 (x) S 1 0 0 0 -1 0 0 0 0 0 1 20 300 4000 20 0 1 0 0 0 5 0")
	if !ok || p.own != 0.21 || p.reaped != 43 {
		t.Errorf("%+v, %v", p, ok)
	}
	h := folder(t, nil)
	h.write(t, "proc/stat", "cpu  1 20 300 4000 50000 600000 7000000 80000000 0 0\ncpu0 1\ncpu1 1\n")
	got, ok := h.cpuTime()
	if want := (cpuTime{programs: 3.21, interrupt: 76000, idle: 540, steal: 800000, cpus: 2}); !ok || got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if total := got.total(); math.Abs(total-876543.21) > 1e-6 {
		t.Errorf("total %f", total)
	}
	h.write(t, "proc/stat", "cpu  1 2 3 4 5 6 7\n") // before Linux 2.6.11 there was no steal
	if got, ok := h.cpuTime(); ok {
		t.Errorf("seven times: %+v", got)
	}
}

// Warnings begin above their bounds, and idling does not count as throttling.
func TestWarningsAreBounds(t *testing.T) {
	limits := DefaultThresholds()
	host := func() Snapshot { return Snapshot{CPU: CPU{Logical: 8}, Memory: Memory{Total: 1000 << 20}} }
	for _, c := range []struct {
		change func(*Snapshot)
		want   string
	}{
		{func(s *Snapshot) { s.Load[0] = 0.98 * 8 * limits.Others }, ""},
		{func(s *Snapshot) { s.Load[0] = 1.02 * 8 * limits.Others }, "the load is"},
		{func(s *Snapshot) { s.Memory.SwapUsed = 49 << 20 }, ""},
		{func(s *Snapshot) { s.Memory.SwapUsed = 51 << 20 }, "51 MiB are swapped out"},
		{func(s *Snapshot) { s.GPUs = []GPU{{Throttle: []string{"idle", "application clocks"}}} }, ""},
		{func(s *Snapshot) { s.GPUs = []GPU{{Throttle: []string{"idle", "sync boost"}}} }, "throttled: sync boost"},
	} {
		s := host()
		c.change(&s)
		got := strings.Join(s.Warnings(limits), "\n")
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: %q, want %q", s, got, c.want)
		}
	}
}

// The lowest of several limits counts, in any order, and the largest number of version 1 means no limit.
func TestNarrowestLimits(t *testing.T) {
	for _, order := range [][]string{{"300000", "100000", "200000"}, {"100000", "200000", "300000"}} {
		var c Cgroup
		for _, quota := range order {
			c.narrowCPU(quota, "100000")
			c.narrowMemory(quota)
		}
		c.narrowCPU("-1", "100000")
		c.narrowCPU("max", "100000")
		c.narrowCPU("50000", "0")
		c.narrowMemory("max")
		c.narrowMemory("-1")
		c.narrowMemory(fmt.Sprint(int64(unlimited)))
		if c.CPUs != 1 || c.Memory != 100000 {
			t.Errorf("%v: %+v", order, c)
		}
	}
	var c Cgroup
	if c.narrowMemory(fmt.Sprint(int64(unlimited))); c.Memory != 0 {
		t.Errorf("no limit is taken for %d bytes", c.Memory)
	}
	if c.narrowMemory(fmt.Sprint(int64(unlimited - 1))); c.Memory != unlimited-1 {
		t.Errorf("a limit is taken for %d bytes", c.Memory)
	}
}

// Heat, the power supply and another device of the group are causes outside the work. The device's own limits are not.
func TestWhatThrottlesFromOutside(t *testing.T) {
	outside := map[nvml.Reasons]bool{
		nvml.HardwareSlowdown: true, nvml.SyncBoost: true, nvml.ThermalSlowdown: true, nvml.ThermalHardware: true,
		nvml.PowerBrake: true, nvml.Idle: false, nvml.ApplicationClocks: false, nvml.PowerCap: false,
		nvml.DisplayClocks: false,
	}
	one, hot := 1900, 60
	for reason, want := range outside {
		w := &gpuWatch{thresholds: DefaultThresholds()}
		out := Observation{Readings: map[string]float64{}}
		samples := []gpuSample{
			{clockSM: &one, temperature: &hot, reasons: reason, haveReasons: true},
			{clockSM: &one, haveReasons: true},
			{clockSM: &one}, // tells no reasons
		}
		w.readSamples(&out, samples)
		if got := kinds(out.Causes) == "gpu_throttle"; got != want {
			t.Errorf("%v: causes %v", reason.Names(), out.Causes)
		}
		share := map[bool]float64{true: 0.5}
		if r := out.Readings; r["gpu_throttle_share"] != share[want] ||
			r["gpu_power_cap_share"] != share[reason == nvml.PowerCap] {
			t.Errorf("%v: %v", reason.Names(), r)
		}
	}
	// The clock of an idle device is not the clock of the work.
	slow := 300
	out := Observation{Readings: map[string]float64{}}
	(&gpuWatch{}).readSamples(&out, []gpuSample{
		{clockSM: &slow, reasons: nvml.Idle, haveReasons: true}, {clockSM: &one, haveReasons: true},
	})
	if out.Readings["gpu_clock_sm_mhz"] != 1900 {
		t.Errorf("%v", out.Readings)
	}
}
