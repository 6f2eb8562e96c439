package environment

import (
	"errors"
	"strings"
	"testing"
)

// watched observes the fake driver's GPU while its state changes.
func watched(t *testing.T, before, after map[string]string) Observation {
	t.Helper()
	f := fake(t)
	f.Set(map[string]string{"0.throttle": "0x0"})
	f.Set(before)
	w := newWorld(t)
	w.nvml = []string{f.Path}
	o := newObserver(w.host, DefaultThresholds(), []int{20, 30}, 10)
	defer o.Close()
	o.Start()
	f.Set(after)
	return o.Stop()
}

// A foreign process counts even if it was on the GPU only at the beginning or only at the end. The world's folder has
// no namespace. So, as in a container, processes may be ours up to the number of sessions.
func TestOthersAtEitherEnd(t *testing.T) {
	three, two := map[string]string{"0.processes": "1:1 2:1 3:1"}, map[string]string{"0.processes": "1:1 2:1"}
	for _, c := range []struct {
		before, after map[string]string
		want          string
	}{{two, two, ""}, {three, two, "gpu_process"}, {two, three, "gpu_process"}} {
		if got := watched(t, c.before, c.after); kinds(got.Causes) != c.want {
			t.Errorf("from %v to %v: causes %v, want %q", c.before, c.after, got.Causes, c.want)
		}
	}
}

// Memory errors of the proof count, not errors since the driver was loaded.
func TestErrorsOfTheProof(t *testing.T) {
	got := watched(t, map[string]string{"0.errors": "5"}, map[string]string{"0.errors": "7"})
	if n := got.Readings["gpu_ecc_errors"]; n != 2 {
		t.Errorf("%v new errors, want 2", n)
	}
}

// The first index without a GPU is the number of GPUs.
func TestNumbersOfGPUs(t *testing.T) {
	f := fake(t)
	for index, want := range map[int]string{0: "", 1: "names GPU 1, but there are 1"} {
		limits := DefaultThresholds()
		limits.GPUs = []int{index}
		w, note := watchGPUs(host{nvml: []string{f.Path}}, limits)
		if !strings.Contains(note, want) || (w == nil) != (want != "") {
			t.Errorf("GPU %d: note %q", index, note)
		}
		if err := w.close(); err != nil {
			t.Error(err)
		}
	}
}

// Only the host's own battery matters. Intel's switch has the inverse meaning of the others'.
func TestBatteriesAndBoost(t *testing.T) {
	mouse := folder(t, map[string]string{
		"sys/class/power_supply/hidpp/type": "Battery", "sys/class/power_supply/hidpp/scope": "Device",
		"sys/class/power_supply/AC/type": "Mains", "sys/class/power_supply/AC/online": "0",
	})
	if on := mouse.onMains(); on != nil {
		t.Errorf("a mouse has a battery: on mains %v", *on)
	}
	mouse.write(t, "sys/class/power_supply/BAT0/type", "Battery")
	if on := mouse.onMains(); on == nil || *on {
		t.Errorf("on its battery: %v", on)
	}
	mouse.write(t, "sys/class/power_supply/AC/online", "1")
	if on := mouse.onMains(); on == nil || !*on {
		t.Errorf("on mains: %v", on)
	}
	for text, want := range map[string]bool{"0": true, "1": false} {
		c := folder(t, map[string]string{"sys/devices/system/cpu/intel_pstate/no_turbo": text}).cpu()
		if c.Boost == nil || *c.Boost != want {
			t.Errorf("no_turbo %s: boost %v", text, c.Boost)
		}
	}
	const cpu = "sys/devices/system/cpu/"
	c := folder(t, map[string]string{
		cpu + "cpu0/cpufreq/scaling_min_freq": "400000", cpu + "cpu0/cpufreq/scaling_max_freq": "3000000",
		cpu + "cpu1/cpufreq/scaling_min_freq": "800000", cpu + "cpu1/cpufreq/scaling_max_freq": "5000000",
	}).cpu()
	if c.MinMHz != 400 || c.MaxMHz != 5000 {
		t.Errorf("from %g to %g MHz", c.MinMHz, c.MaxMHz)
	}
}

// If waiting is abandoned, the host was less quiet than requested.
func TestLongestQuiet(t *testing.T) {
	w := newWorld(t)
	c := &fakeClock{world: w, disturbed: true}
	limits := DefaultThresholds()
	limits.QuietFor, limits.QuietTimeout = 2*quietWindow, 2*quietWindow
	err := waitQuiet(t.Context(), w.host, limits, c.clock(), nil)
	var loud *NotQuietError
	if !errors.As(err, &loud) || loud.Longest >= loud.Needed || loud.Waited < loud.Needed {
		t.Errorf("%+v", err)
	}
}
