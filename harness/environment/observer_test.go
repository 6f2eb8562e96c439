package environment

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A world is a host of made-up files that change from one state to another.
type world struct {
	t *testing.T
	host
	// CPU seconds since boot.
	user, system, idle, interrupt, steal float64
	processes                            map[int]*fakeProcess
	totalMB, availableMB                 int64
	stalled                              float64 // seconds
}

type fakeProcess struct {
	parent      int
	kernel      bool
	own, reaped float64
	residentMB  int64
}

// The harness is process 10, its sessions are 20 and 30. Process 40 is foreign, 2 and 3 are kernel threads.
func newWorld(t *testing.T) *world {
	w := &world{t: t, host: folder(t, nil), totalMB: 1000, availableMB: 800, processes: map[int]*fakeProcess{
		1:  {},
		2:  {kernel: true},
		3:  {parent: 2, kernel: true},
		10: {parent: 1, residentMB: 10},
		20: {parent: 10, residentMB: 50},
		21: {parent: 20, own: 5, residentMB: 5},
		30: {parent: 10, residentMB: 50},
		40: {parent: 1, residentMB: 80},
	}}
	w.save()
	return w
}

func (w *world) save() {
	w.t.Helper()
	ticks := func(s float64) int { return int(math.Round(s * ticksPerSecond)) }
	w.write(w.t, "proc/stat",
		fmt.Sprintf("cpu  %d 0 %d %d 0 %d 0 %d 0 0\ncpu0 0 0\ncpu1 0 0\n", ticks(w.user), ticks(w.system), ticks(w.idle),
			ticks(w.interrupt), ticks(w.steal)))
	w.write(w.t, "proc/meminfo", fmt.Sprintf("MemTotal: %d kB\nMemAvailable: %d kB\n", w.totalMB<<10, w.availableMB<<10))
	w.write(w.t, "proc/pressure/memory",
		fmt.Sprintf("some avg10=0.00 avg60=0.00 avg300=0.00 total=%d\n", int(w.stalled*1e6)))
	for pid, p := range w.processes {
		flags := 0
		if p.kernel {
			flags = 0x00200040
		}
		w.write(w.t, fmt.Sprintf("proc/%d/stat", pid),
			fmt.Sprintf("%d (a ) (b) S %d 0 0 0 -1 %d 0 0 0 0 %d 0 %d 0 20 0 1 0 0 0 %d 0",
				pid, p.parent, flags, ticks(p.own), ticks(p.reaped), (p.residentMB<<20)/pageSize))
	}
}

// observe runs change between start and stop of an observer of the sessions 20 and 30.
func (w *world) observe(measured []int, change func()) Observation {
	w.t.Helper()
	o := newObserver(w.host, DefaultThresholds(), []int{20, 30}, 10)
	o.Start(measured...)
	change()
	w.save()
	out := o.Stop()
	if err := o.Close(); err != nil {
		w.t.Error(err)
	}
	return out
}

func kinds(causes []Cause) string {
	var out []string
	for _, c := range causes {
		out = append(out, string(c.Kind))
	}
	return strings.Join(out, ",")
}

// In each case ten seconds pass on two CPUs.
func TestWhatBecomesACause(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*world)
		want     string
		readings map[string]float64
	}{
		{"the session works", func(w *world) {
			w.user, w.idle = 10, 10
			w.processes[20].own, w.processes[21].own = 6, 9
		}, "", map[string]float64{
			"cpu_seconds":              10,
			"cpu_share":                0.5,
			"others_share":             0,
			"steal_share":              0,
			"idle_session_cpu_seconds": 0,
		}},
		{"the session stalls by itself", func(w *world) { w.idle = 20 }, "", map[string]float64{"cpu_share": 0}},
		{"a child of the session ended", func(w *world) {
			w.user, w.idle = 10, 10
			w.processes[20].reaped = 10
		}, "", map[string]float64{"cpu_seconds": 10, "others_share": 0}},
		{"the session that should wait works", func(w *world) {
			w.user = 20
			w.processes[20].own, w.processes[30].own = 10, 10
		}, "", map[string]float64{"idle_session_cpu_seconds": 10, "others_share": 0}},
		{"the harness verifies", func(w *world) {
			w.user, w.idle = 10, 10
			w.processes[10].own = 10
		}, "", map[string]float64{"others_share": 0, "cpu_seconds": 0}},
		{"a process of ours is orphaned while another process works", func(w *world) {
			w.user = 20
			w.processes[40].own = 20
			w.processes[21].parent = 1
		}, "others", map[string]float64{"others_share": 1}},
		{"another process works", func(w *world) {
			w.user = 20
			w.processes[20].own, w.processes[40].own = 10, 10
		}, "others", map[string]float64{"others_share": 0.5, "cpu_share": 0.5}},
		{"another process, too short-lived to be seen", func(w *world) {
			w.user = 20
			w.processes[20].own = 10
		}, "others", map[string]float64{"others_share": 0.5}},
		{"another process, a little", func(w *world) {
			w.user, w.idle = 12, 8
			w.processes[20].own, w.processes[40].own = 10, 2
		}, "", map[string]float64{"others_share": 0.1}},
		{"the kernel works for the session", func(w *world) {
			w.user, w.system, w.interrupt = 10, 6, 4
			w.processes[20].own, w.processes[3].own = 10, 6
		}, "", map[string]float64{"others_share": 0}},
		{"the hypervisor steals", func(w *world) {
			w.user, w.steal, w.idle = 10, 5, 5
			w.processes[20].own = 10
		}, "steal", map[string]float64{"steal_share": 0.25}},
		{"the session takes all memory", func(w *world) {
			w.idle, w.stalled = 20, 1e6
			w.processes[20].residentMB += 700
			w.availableMB -= 700
		}, "", nil},
		{"others take memory without harm", func(w *world) {
			w.idle = 20
			w.processes[40].residentMB += 700
			w.availableMB -= 700
		}, "", map[string]float64{"memory_pressure_share": 0}},
		{"others take memory and tasks wait", func(w *world) {
			w.idle, w.stalled = 20, 1e6
			w.processes[40].residentMB += 700
			w.availableMB -= 700
		}, "memory", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			got := w.observe([]int{20}, func() { c.change(w) })
			if kinds(got.Causes) != c.want {
				t.Errorf("causes %v, want %q", got.Causes, c.want)
			}
			for name, want := range c.readings {
				if x, ok := got.Readings[name]; !ok || math.Abs(x-want) > 1e-9 {
					t.Errorf("%s is %v (%v), want %v", name, x, ok, want)
				}
			}
		})
	}
}

// In a proof of a few ticks the rounding of counters is not a cause.
func TestRoundingIsNobodysFault(t *testing.T) {
	w := newWorld(t)
	got := w.observe([]int{20}, func() {
		w.user, w.steal, w.idle = 0.03, 0.01, 0.02 // 30 ms on two CPUs
		w.processes[20].own = 0.01
	})
	if got.Readings["others_share"] < DefaultThresholds().Others || len(got.Causes) > 0 {
		t.Errorf("%+v", got)
	}
}

// In process mode the measured process starts after Start and is reaped before Stop.
func TestProcessMode(t *testing.T) {
	w := newWorld(t)
	got := w.observe(nil, func() {
		w.user, w.idle = 10, 10
		w.processes[10].reaped = 9
		w.processes[10].own = 1
	})
	if got.Readings["cpu_seconds"] != 9 || got.Readings["others_share"] != 0 || len(got.Causes) > 0 {
		t.Errorf("%+v", got)
	}
}

func TestSuspendAndThrottleReadings(t *testing.T) {
	o := &Observer{thresholds: DefaultThresholds()}
	a := moment{boot: 100 * time.Second, monotonic: 90 * time.Second, throttles: 5}
	for _, c := range []struct {
		asleep time.Duration
		want   string
	}{{0, ""}, {50 * time.Millisecond, ""}, {3 * time.Second, "suspend"}} {
		b := moment{boot: 110*time.Second + c.asleep, monotonic: 100 * time.Second, throttles: 7}
		out := Observation{Readings: map[string]float64{}}
		o.judgeSuspend(&out, a, b)
		if kinds(out.Causes) != c.want || out.Readings["cpu_throttle_events"] != 2 {
			t.Errorf("asleep for %v: %+v", c.asleep, out)
		}
	}
}

func TestPackageEnergyWraps(t *testing.T) {
	w := newWorld(t)
	set := func(zone string, microjoules int64) {
		w.write(t, "sys/class/powercap/"+zone+"/energy_uj", fmt.Sprint(microjoules))
		w.write(t, "sys/class/powercap/"+zone+"/max_energy_range_uj", "1000000000")
	}
	set("intel-rapl:0", 100_000_000)
	set("intel-rapl:1", 999_000_000)
	set("intel-rapl:0:0", 5) // the cores of package 0, contained in it
	got := w.observe([]int{20}, func() {
		set("intel-rapl:0", 130_000_000)
		set("intel-rapl:1", 4_000_000)
		set("intel-rapl:0:0", 9_000_000)
	})
	if x := got.Readings["cpu_energy_joules"]; math.Abs(x-35) > 1e-9 || got.Readings["energy_joules"] != x {
		t.Errorf("%v", got.Readings)
	}
}

func TestParseStat(t *testing.T) {
	real, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Skip(err)
	}
	p, ok := parseStat(os.Getpid(), string(real))
	if !ok || p.parent != os.Getppid() || p.kernel || p.resident <= 0 {
		t.Errorf("%+v", p)
	}
	for _, bad := range []string{"", "1 (x", "1 (x) S 1", ")"} {
		if _, ok := parseStat(1, bad); ok {
			t.Errorf("%q was taken", bad)
		}
	}
}

// burn starts a real process that uses one CPU.
func burn(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // killed
	})
	return cmd.Process.Pid
}

// Two real processes burn CPU time. For an observer of the first, the second is foreign.
func TestRealProcesses(t *testing.T) {
	ours, theirs := burn(t), burn(t)
	h := host{nvml: []string{"/nonexistent"}}
	limits := DefaultThresholds()
	inside := newObserver(h, limits, []int{ours, theirs}, os.Getpid())
	outside := newObserver(h, limits, []int{ours}, ours)
	inside.Start(ours)
	outside.Start(ours)
	before := h.processes()
	// Even on a busy host, both have run long enough that a tick is a small part of it.
	const enough = 0.25 // seconds
	for now := before; now[ours].own-before[ours].own < enough ||
		now[theirs].own-before[theirs].own < enough; now = h.processes() {
		time.Sleep(10 * time.Millisecond)
	}
	a, b := inside.Stop(), outside.Stop()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	if a.Readings["cpu_seconds"] <= 0 || a.Readings["cpu_seconds"] > 2*a.Seconds {
		t.Errorf("our process: %v", a.Readings)
	}
	// The same interval, with the other process moved from one account to the other.
	gap := b.Readings["others_share"] - a.Readings["others_share"]
	share := a.Readings["idle_session_cpu_seconds"] / a.Readings["cpu_seconds"] * a.Readings["cpu_share"]
	if gap < share/2 || share <= 0 {
		t.Errorf("others %v seen from inside, %v from outside; the other session's share is %v", a.Readings["others_share"],
			b.Readings["others_share"], share)
	}
}

// The observing process adopts a grandchild whose parent ended; init does not.
func TestOrphansStayOurs(t *testing.T) {
	o := newObserver(host{nvml: []string{"/nonexistent"}}, DefaultThresholds(), nil, os.Getpid())
	out, err := exec.Command("sh", "-c", "sleep 30 >/dev/null 2>&1 & echo $!").Output()
	if err != nil {
		t.Fatal(err)
	}
	var orphan int
	if _, err := fmt.Sscan(string(out), &orphan); err != nil {
		t.Fatal(err)
	}
	defer unix.Kill(orphan, unix.SIGKILL)
	if m := o.now(); !m.ours.pids[orphan] {
		t.Error("the orphan is not in our tree")
	}
}

func TestGPUObservation(t *testing.T) {
	f := fake(t)
	f.Set(map[string]string{"0.throttle": "0x0", "0.clock1": "1900", "0.processes": "20:1000"})
	for _, c := range []struct {
		name   string
		inside bool // PIDs from NVML are not in our namespace
		state  map[string]string
		want   string
	}{
		{"our own session", false, nil, ""},
		{"power cap", false, map[string]string{"0.throttle": "0x4"}, ""},
		{"heat", false, map[string]string{"0.throttle": "0x20"}, "gpu_throttle"},
		{"heat between two samples", false, map[string]string{"0.thermal": "250000000"}, "gpu_throttle"},
		{"another process", false, map[string]string{"0.processes": "20:1000 40:1000"}, "gpu_process"},
		{"in a container, as many as ours", true, map[string]string{"0.processes": "9001:1 9002:1"}, ""},
		{"in a container, one more", true, map[string]string{"0.processes": "9001:1 9002:1 9003:1"}, "gpu_process"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.Set(map[string]string{
				"0.throttle":    "0x0",
				"0.thermal":     "0",
				"0.processes":   "20:1000",
				"0.energy":      "1000",
				"0.utilization": "20:95:1 30:30:1 30:50:2 30:90:-5 99:7:1",
			})
			w := newWorld(t)
			w.nvml = []string{f.Path}
			namespace := "pid:[4026531836]"
			if c.inside {
				namespace = "pid:[4026532000]"
			}
			if err := os.MkdirAll(w.root+"/proc/self/ns", 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(namespace, w.root+"/proc/self/ns/pid"); err != nil {
				t.Fatal(err)
			}
			limits := DefaultThresholds()
			limits.Sample = 10 * time.Millisecond
			o := newObserver(w.host, limits, []int{20, 30}, 10)
			defer o.Close()
			taken := make(chan struct{})
			quit := make(chan struct{})
			o.gpus.sampled = func() {
				select {
				case taken <- struct{}{}:
				case <-quit:
				}
			}
			o.Start(20)
			f.Set(c.state)
			f.Set(map[string]string{"0.energy": "43000"})
			<-taken // this sample may have begun before the change
			<-taken
			close(quit)
			got := o.Stop()
			if c.inside != (got.IdleGPU == nil) || !c.inside && math.Abs(*got.IdleGPU-0.4) > 1e-12 {
				t.Errorf("the waiting session used %v of the GPU, want 0.4 where it can be measured", got.IdleGPU)
			}
			if work := got.GPUWork; c.inside != (work == nil) || c.inside != (got.GPUUnseen != "") ||
				work != nil && math.Abs(work.Busy-0.95) > 1e-5 {
				t.Errorf("the measured session: %+v, %q", work, got.GPUUnseen)
			}
			if kinds(got.Causes) != c.want {
				t.Errorf("causes %v, want %q", got.Causes, c.want)
			}
			r := got.Readings
			if r["gpu_energy_joules"] != 42 || r["energy_joules"] != 42 || r["gpu_clock_sm_mhz"] != 1900 ||
				r["gpu_temperature_celsius"] != 31 || math.Abs(r["gpu_power_watts"]-75.123) > 1e-9 {
				t.Errorf("readings %v", r)
			}
		})
	}
}

func TestGPUsThatAreNotThere(t *testing.T) {
	f := fake(t)
	w := newWorld(t)
	w.nvml = []string{f.Path}
	limits := DefaultThresholds()
	limits.GPUs = []int{3}
	o := newObserver(w.host, limits, nil, 10)
	if notes := o.Notes(); !slices.ContainsFunc(notes,
		func(n string) bool { return strings.Contains(n, "names GPU 3, but there are 1") }) {
		t.Errorf("notes %q", notes)
	}
	absent := newObserver(newWorld(t).host, DefaultThresholds(), nil, 10)
	if notes := absent.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "no NVIDIA management library") {
		t.Errorf("notes %q", notes)
	}
	absent.Start()
	if got := absent.Stop(); got.Readings["gpu_energy_joules"] != 0 || len(got.Causes) != 0 {
		t.Errorf("%+v", got)
	}
}
