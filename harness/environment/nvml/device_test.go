package nvml_test

import (
	"errors"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment/nvml"
)

// On a host with a GPU, every quantity is compared with what nvidia-smi prints about it.
func TestRealDevice(t *testing.T) {
	l, err := nvml.Open()
	if errors.Is(err, nvml.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	devices, err := l.Devices()
	if err != nil || len(devices) == 0 {
		t.Fatalf("%v, %v", devices, err)
	}
	d := devices[0]
	ask := func(field string) string {
		t.Helper()
		out, err := exec.Command("nvidia-smi", "-i", "0", "--query-gpu="+field,
			"--format=csv,noheader,nounits").CombinedOutput()
		if err != nil {
			t.Skipf("nvidia-smi: %v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	same := func(field, got string) {
		t.Helper()
		if want := ask(field); got != want {
			t.Errorf("%s: %q, nvidia-smi says %q", field, got, want)
		}
	}
	same("driver_version", l.Driver())
	same("name", d.Name())
	same("uuid", d.UUID())
	near := func(field string, got float64, err error, within float64) {
		t.Helper()
		text := ask(field)
		want, parse := strconv.ParseFloat(text, 64)
		switch {
		case parse != nil && errors.Is(err, nvml.ErrNotSupported):
		case parse != nil || err != nil || math.Abs(got-want) > within:
			t.Errorf("%s: %v (%v), nvidia-smi says %q", field, got, err, text)
		}
	}
	integer := func(x int, err error) (float64, error) { return float64(x), err }
	x, err := integer(d.MaxClock(nvml.SM))
	near("clocks.max.sm", x, err, 0)
	x, err = integer(d.MaxClock(nvml.Memory))
	near("clocks.max.memory", x, err, 0)
	x, err = integer(d.Clock(nvml.Memory))
	near("clocks.mem", x, err, 4000)
	x, err = integer(d.Temperature())
	near("temperature.gpu", x, err, 5)
	x, err = d.PowerLimit()
	near("enforced.power.limit", x, err, 0.01)
	x, err = d.Power()
	near("power.draw.instant", x, err, 100)
	total, used, err := d.MemoryInfo()
	near("memory.total", float64(total>>20), err, 1)
	near("memory.used", float64(used>>20), err, 2048)
	n, err := d.UncorrectedErrors()
	near("ecc.errors.uncorrected.volatile.total", float64(n), err, 0)
	ecc, err := d.ECC()
	if want := ask("ecc.mode.current"); err == nil && ecc != (want == "Enabled") {
		t.Errorf("ECC %v, nvidia-smi says %s", ecc, want)
	}
	if persistence, err := d.Persistence(); err == nil && persistence != (ask("persistence_mode") == "Enabled") {
		t.Errorf("persistence %v", persistence)
	}
	reasons, err := d.Throttle()
	if text := ask("clocks_event_reasons.active"); err == nil && strings.HasPrefix(text, "0x") {
		if want, err := strconv.ParseUint(text[2:], 16, 64); err != nil || uint64(reasons) != want {
			t.Logf("event reasons %#x, nvidia-smi says %s a moment later", uint64(reasons), text)
		}
	}
	before, err := d.Energy()
	started := time.Now()
	time.Sleep(time.Second)
	after, err2 := d.Energy()
	if watts := (after - before) / time.Since(started).Seconds(); err == nil && err2 == nil &&
		(watts < 5 || watts > 2000) {
		t.Errorf("%v J in a second", after-before)
	}
	if list, err := d.Processes(); err != nil && !errors.Is(err, nvml.ErrNotSupported) {
		t.Error(err)
	} else {
		t.Logf("processes %v, reasons %v, energy %v J, %v", list, reasons.Names(), after-before, err)
	}
}
