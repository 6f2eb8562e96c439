package environment

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/chiasmus/chiasmus/harness/environment/nvml/nvmltest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// folder makes a host from recorded files, by path.
func folder(t *testing.T, files map[string]string) host {
	t.Helper()
	h := host{root: t.TempDir(), nvml: []string{"/nonexistent/libnvidia-ml.so.1"}}
	for name, text := range files {
		h.write(t, name, text)
	}
	return h
}

func (h host) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(h.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func fake(t *testing.T) *nvmltest.Fake {
	t.Helper()
	return nvmltest.Build(t, os.Getenv("CI") == "true")
}

func TestRecordedHosts(t *testing.T) {
	const path = "testdata/hosts.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hosts := map[string]map[string]string{}
	for _, f := range archive.Files {
		name, file, _ := strings.Cut(f.Name, "/")
		if hosts[name] == nil {
			hosts[name] = map[string]string{}
		}
		hosts[name][file] = string(f.Data)
	}
	for i, f := range archive.Files {
		name, file, _ := strings.Cut(f.Name, "/")
		if file != "want.json" {
			continue
		}
		s, err := folder(t, hosts[name]).capture(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		// These three come from the machine that runs the test.
		s.Time, s.CPU.Available, s.Architecture = time.Time{}, 0, ""
		if !strings.HasPrefix(s.GPUNote, "no NVIDIA management library") {
			t.Errorf("%s: GPU note %q", name, s.GPUNote)
		}
		s.GPUNote = ""
		got, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			archive.Files[i].Data = append(got, '\n')
			continue
		}
		if diff := cmp.Diff(strings.TrimSpace(string(f.Data)), string(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGPUSnapshot(t *testing.T) {
	f := fake(t)
	f.Set(map[string]string{"0.throttle": "0x44", "0.processes": "77:1048576"})
	h := folder(t, map[string]string{"proc/77/comm": "miner\n"})
	h.nvml = []string{f.Path}
	s, err := h.capture(t.Context())
	if err != nil || len(s.GPUs) != 1 || s.GPUNote != "" {
		t.Fatalf("%+v, %v", s, err)
	}
	g := s.GPUs[0]
	if g.Name != "NVIDIA H200" || g.Driver != "580.65.06" || *g.ClockSM != 345 || *g.PowerLimit != 700 ||
		*g.Temperature != 31 || !*g.ECC ||
		g.MemoryTotal != 150754820096 || strings.Join(g.Throttle, ",") != "power cap,hardware thermal slowdown" ||
		g.Processes[0].String() != "miner 77" {
		t.Errorf("%+v", g)
	}
	f.Unset("0.temperature")
	if s, err := h.capture(t.Context()); err != nil || s.GPUs[0].Temperature != nil || s.GPUs[0].Power == nil {
		t.Errorf("without a temperature: %+v, %v", s.GPUs, err)
	}
	f.Set(map[string]string{"count": "0"})
	if s, err := h.capture(t.Context()); err != nil || s.GPUNote != "the NVIDIA driver reports no GPU" {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestDiff(t *testing.T) {
	f := fake(t)
	h := folder(t, map[string]string{"proc/sys/kernel/osrelease": "6.1"})
	h.nvml = []string{f.Path}
	a, err := h.capture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.write(t, "proc/sys/kernel/osrelease", "6.2")
	h.write(t, "proc/loadavg", "9.99 9 9 1/2 3")
	f.Set(map[string]string{"0.limit": "500000", "0.temperature": "80", "0.clock1": "1980", "0.mig": "1"})
	b, err := h.capture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := []Difference{{"kernel", "6.1", "6.2"}, {"gpus[0].power_limit_watts", "700", "500"},
		{"gpus[0].mig", "false", "true"}}
	if diff := cmp.Diff(want, Diff(a, b)); diff != "" {
		t.Error(diff)
	}
	b.GPUs = nil
	lost := Diff(a, b)
	gained := Diff(b, a)
	if len(lost) != len(gained) || len(lost) < 8 {
		t.Errorf("a GPU that goes: %v; one that comes: %v", lost, gained)
	}
	if got := (Difference{"gpus", "1", ""}).String(); got != "gpus: 1 -> none" {
		t.Error(got)
	}
}

func TestWarnings(t *testing.T) {
	yes, no, errors := true, false, int64(2)
	quiet := Snapshot{
		CPU:     CPU{Logical: 4, Governors: []string{"performance"}},
		Memory:  Memory{Total: 100 << 20},
		OnMains: &yes,
		GPUs:    []GPU{{Index: 0, Throttle: []string{"idle"}}},
	}
	limits := DefaultThresholds()
	limits.Governor = "performance"
	if got := quiet.Warnings(limits); len(got) != 0 {
		t.Errorf("a good host: %q", got)
	}
	bad := quiet
	bad.CPU.Governors = []string{"performance", "powersave"}
	bad.OnMains = &no
	bad.Load[0] = 3
	bad.Memory.SwapUsed = 50 << 20
	bad.GPUs = []GPU{{Index: 0, Throttle: []string{"power cap"}, ECCErrors: &errors,
		Processes: []GPUProcess{{PID: 9, Name: "x"}}}}
	want := []string{
		"the CPU frequency governor is powersave, and environment.governor asks for performance",
		"the CPUs have different frequency governors: performance, powersave",
		"the host runs on its battery",
		"the load is 3.00 on 4 CPUs before the measurement",
		"50 MiB are swapped out",
		"GPU 0 is used by others: x 9",
		"GPU 0 has had 2 uncorrected memory errors",
		"GPU 0 is throttled: power cap",
	}
	if diff := cmp.Diff(want, bad.Warnings(limits)); diff != "" {
		t.Error(diff)
	}
	limits.GPUs = []int{1}
	if got := bad.Warnings(limits); len(got) != 5 {
		t.Errorf("GPU 0 is not watched, yet: %q", got)
	}
}
