package nvml_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment/nvml"
	"github.com/chiasmus/chiasmus/harness/environment/nvml/nvmltest"
)

func build(t *testing.T) *nvmltest.Fake {
	t.Helper()
	return nvmltest.Build(t, os.Getenv("CI") == "true")
}

func open(t *testing.T, f *nvmltest.Fake) (*nvml.Library, nvml.Device) {
	t.Helper()
	l, err := nvml.Open(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	devices, err := l.Devices()
	if err != nil || len(devices) != 1 {
		t.Fatalf("%v, %v", devices, err)
	}
	return l, devices[0]
}

func TestAbsent(t *testing.T) {
	_, err := nvml.Open(filepath.Join(t.TempDir(), "libnvidia-ml.so.1"))
	if !errors.Is(err, nvml.ErrAbsent) {
		t.Errorf("got %v", err)
	}
}

func TestEveryQuantity(t *testing.T) {
	f := build(t)
	f.Set(map[string]string{
		"0.throttle":  "0x64",
		"0.processes": "10:4096 20:-",
		"0.graphics":  "30:1 10:4096",
		"0.errors":    "2",
		"0.thermal":   "1500000000",
	})
	l, d := open(t, f)
	total, used, err := d.MemoryInfo()
	for _, c := range []struct {
		name string
		got  any
		err  error
		want string
	}{
		{"driver", l.Driver(), nil, "580.65.06"},
		{"cuda", l.CUDA(), nil, "13.0"},
		{"name", d.Name(), nil, "NVIDIA H200"},
		{"uuid", d.UUID(), nil, "GPU-0a1b2c3d"},
		value("SM clock", d.Clock, nvml.SM, "345"),
		value("memory clock", d.Clock, nvml.Memory, "3201"),
		value("highest SM clock", d.MaxClock, nvml.SM, "1980"),
		plain("power", d.Power, "75.123"),
		plain("limit", d.PowerLimit, "700"),
		plain("temperature", d.Temperature, "31"),
		plain("energy", d.Energy, "123456.789"),
		plain("ECC", d.ECC, "true"),
		plain("errors", d.UncorrectedErrors, "2"),
		plain("MIG", d.MIG, "false"),
		plain("persistence", d.Persistence, "true"),
		plain("thermal", d.ThermalViolation, "1.5"),
		plain("processes", d.Processes, "[{10 4096} {20 0} {30 1}]"),
		{"memory", []int64{total, used}, err, "[150754820096 655360000]"},
	} {
		if got := fmt.Sprint(c.got); c.err != nil || got != c.want {
			t.Errorf("%s: %s (%v), want %s", c.name, got, c.err, c.want)
		}
	}
	reasons, err := d.Throttle()
	if got := strings.Join(reasons.Names(), ", "); err != nil ||
		got != "power cap, thermal slowdown, hardware thermal slowdown" {
		t.Errorf("throttle: %s, %v", got, err)
	}
	if reasons&nvml.Outside == 0 || nvml.PowerCap&nvml.Outside != 0 || nvml.Idle&nvml.Outside != 0 {
		t.Error("heat is an outside reason, the device's own power cap is none")
	}
}

type row = struct {
	name string
	got  any
	err  error
	want string
}

func plain[T any](name string, call func() (T, error), want string) row {
	x, err := call()
	return row{name, x, err, want}
}

func value[A, T any](name string, call func(A) (T, error), a A, want string) row {
	x, err := call(a)
	return row{name, x, err, want}
}

func TestManyProcessesGrowTheBuffer(t *testing.T) {
	f := build(t)
	var list []string
	for i := range 200 {
		list = append(list, fmt.Sprintf("%d:%d", 1000+i, i))
	}
	f.Set(map[string]string{"0.processes": strings.Join(list, " ")})
	_, d := open(t, f)
	got, err := d.Processes()
	if err != nil || len(got) != 200 || got[199] != (nvml.Process{PID: 1199, Bytes: 199}) {
		t.Errorf("%d processes, %v", len(got), err)
	}
}

// Utilization of processes is a mean over the samples since the given time. No samples mean no use, and the buffer
// grows as needed.
func TestUtilization(t *testing.T) {
	f := build(t)
	_, d := open(t, f)
	if _, err := d.Utilization(time.Now()); !errors.Is(err, nvml.ErrNotSupported) {
		t.Errorf("a device that does not tell: %v", err)
	}
	many := []string{"10:40:1", "10:60:2", "10:100:-1", "10:100:0", "20:100:3", "30:101:1", "0:50:1"}
	for i := range 200 {
		many = append(many, fmt.Sprintf("%d:0:1", 1000+i))
	}
	for state, want := range map[string]map[int]float64{
		"":                      {},
		"10:40:1 20:0:1":        {10: 0.4, 20: 0},
		strings.Join(many, " "): {10: 0.5, 20: 1, 1199: 0},
	} {
		f.Set(map[string]string{"0.utilization": state})
		got, err := d.Utilization(time.Now())
		if err != nil {
			t.Fatal(err)
		}
		for pid, part := range want {
			if math.Abs(got[pid]-part) > 1e-12 {
				t.Errorf("%.40q: process %d used %g, want %g", state, pid, got[pid], part)
			}
		}
		if _, there := got[30]; there || len(got) < len(want) {
			t.Errorf("%.40q: %d processes, and one with 101 %%: %v", state, len(got), there)
		}
	}
}

func TestWhatADeviceDoesNotOffer(t *testing.T) {
	f := build(t)
	f.Unset("0.energy", "0.temperature", "0.name")
	_, d := open(t, f)
	if _, err := d.Energy(); !errors.Is(err, nvml.ErrNotSupported) {
		t.Errorf("energy: %v", err)
	}
	if _, err := d.Temperature(); !errors.Is(err, nvml.ErrNotSupported) {
		t.Errorf("temperature: %v", err)
	}
	if d.Name() != "" {
		t.Errorf("name %q", d.Name())
	}
}

func TestLostDevice(t *testing.T) {
	f := build(t)
	l, d := open(t, f)
	f.Set(map[string]string{"0.power": "lost", "0.handle": "lost"})
	if _, err := d.Power(); err == nil || !strings.Contains(err.Error(), "nvmlDeviceGetPowerUsage: GPU is lost") {
		t.Errorf("got %v", err)
	}
	if _, err := l.Devices(); err == nil ||
		!strings.Contains(err.Error(), "nvmlDeviceGetHandleByIndex_v2(0): GPU is lost") {
		t.Errorf("got %v", err)
	}
}

func TestDriverNotLoaded(t *testing.T) {
	f := build(t)
	f.Set(map[string]string{"refuse": "yes"})
	if _, err := nvml.Open(f.Path); err == nil || errors.Is(err, nvml.ErrAbsent) ||
		!strings.Contains(err.Error(), "Driver Not Loaded") {
		t.Errorf("got %v", err)
	}
}

func TestOldDriver(t *testing.T) {
	build(t) // skips without a compiler
	dir := t.TempDir()
	c, so := filepath.Join(dir, "old.c"), filepath.Join(dir, "old.so")
	if err := os.WriteFile(c, []byte("int nvmlInit(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-o", so, c).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := nvml.Open(so); err == nil || !strings.Contains(err.Error(), "has no nvmlInit_v2: the driver is too old") {
		t.Errorf("got %v", err)
	}
}
