package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/cli"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/spf13/pflag"
)

func working(name string) cli.Backend {
	return cli.Backend{Name: name, Open: func(o cli.BackendOptions) (backend.Backend, error) {
		return cpu.New(o.Pool), nil
	}}
}

func absent(name string) cli.Backend {
	return cli.Backend{Name: name, Open: func(cli.BackendOptions) (backend.Backend, error) {
		return nil, errors.New("no driver on this host")
	}}
}

// small is a backend on a device with 64 KiB of memory.
func small(name string) cli.Backend {
	return cli.Backend{Name: name, Open: func(cli.BackendOptions) (backend.Backend, error) {
		return nil, &backend.MemoryError{NeedBytes: 1 << 20, HaveBytes: 64 << 10, Limit: "--vram"}
	}}
}

// counting is a backend with metrics and flags of its own.
type counting struct{ backend.Backend }

func (counting) Report() (map[string]float64, map[string]uint64) {
	return map[string]float64{"peak_device_bytes": 42}, map[string]uint64{"kernel_launches": 7, "fallbacks": 1}
}

// failing fails in the middle of a proof.
func failing() *backendtest.Hooks {
	return &backendtest.Hooks{Open: func(*protocol.Openings, backend.Opened) error {
		return errors.New("the device is lost")
	}}
}

func run(t *testing.T, stdin string, backends []cli.Backend, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = cli.Main(args, strings.NewReader(stdin), &out, &err, backends)
	return code, out.String(), err.String()
}

// A backend that may prove is warmed once, and one that the flags exclude is not.
func TestBackendsAreWarmed(t *testing.T) {
	for flag, want := range map[string]bool{"auto": true, "gpu": true, "cpu": false} {
		warmed := make(chan bool, 2)
		gpu := absent("gpu")
		gpu.Warm = func(set *pflag.FlagSet, once bool) { warmed <- once && set.Lookup("backend") != nil }
		code, _, stderr := run(t, "", []cli.Backend{gpu, working("cpu")}, "prove", "--machine", "fib", "--size", "64",
			"--params", "test", "--backend", flag, "--proof", filepath.Join(t.TempDir(), "p"), "--quiet")
		if failed := flag == "gpu"; failed != (code != 0) {
			t.Errorf("--backend %s: exit code %d: %s", flag, code, stderr)
		}
		if !want {
			time.Sleep(time.Millisecond)
		} else if !<-warmed {
			t.Errorf("--backend %s: warmed with other flags", flag)
		}
		if len(warmed) > 0 {
			t.Errorf("--backend %s: warmed again, or although it cannot be chosen", flag)
		}
	}
}

func TestAutoDecidesOnceAndSaysSo(t *testing.T) {
	proof := filepath.Join(t.TempDir(), "p")
	args := []string{"prove", "--machine", "fib", "--size", "64", "--params", "test", "--proof", proof}
	for _, tc := range []struct {
		name     string
		backends []cli.Backend
		flags    []string
		code     int
		says     string
	}{
		{"the first that opens", []cli.Backend{working("gpu"), working("cpu")}, nil, 0, "auto chose gpu\n"},
		{"and why not the one before", []cli.Backend{absent("gpu"), working("cpu")}, nil, 0,
			"auto chose cpu (gpu: no driver on this host)"},
		{"and how much memory it would need", []cli.Backend{small("gpu"), working("cpu")}, nil, 0,
			"auto chose cpu (gpu: backend: the proof needs 1048576 bytes of memory and 65536 are available (--vram)"},
		{"or that none does", []cli.Backend{absent("gpu"), absent("cpu")}, nil, 1,
			"no backend can run here: gpu: no driver on this host\ncpu: no driver"},
		{"a named one never becomes another", []cli.Backend{absent("gpu"), working("cpu")}, []string{"--backend", "gpu"}, 1,
			"--backend gpu: no driver on this host"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, stdout, stderr := run(t, "", tc.backends, append(args, tc.flags...)...)
			if code != tc.code || !strings.Contains(stderr, tc.says) || stdout != "" {
				t.Errorf("exit code %d, stdout %q, stderr %q; want %d and %q", code, stdout, stderr, tc.code, tc.says)
			}
			_, err := os.Stat(proof)
			if (err == nil) != (tc.code == 0) {
				t.Errorf("proof file: %v", err)
			}
			_ = os.Remove(proof) // may not be there
		})
	}
}

func TestBackendsAddFlagsAndFigures(t *testing.T) {
	folder := t.TempDir()
	metrics := filepath.Join(folder, "m.json")
	var budget uint64
	gpu := cli.Backend{
		Name:  "gpu",
		Flags: func(set *pflag.FlagSet) { set.Uint64("vram", 0, "bytes") },
		Open: func(o cli.BackendOptions) (backend.Backend, error) {
			var err error
			budget, err = o.Flags.GetUint64("vram")
			return counting{cpu.New(parallel.New(1))}, err
		},
	}
	code, _, stderr := run(t, "", []cli.Backend{gpu}, "prove", "--machine", "fib", "--size", "64", "--params", "test",
		"--proof", filepath.Join(folder, "p"), "--metrics", metrics, "--vram", "1000")
	if code != 0 || budget != 1000 {
		t.Fatalf("exit code %d, --vram %d: %s", code, budget, stderr)
	}
	data, err := os.ReadFile(metrics)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Metrics  map[string]float64
		Counters map[string]uint64
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if file.Metrics["peak_device_bytes"] != 42 || file.Counters["kernel_launches"] != 7 ||
		file.Counters["fallbacks"] != 1 {
		t.Errorf("the backend's figures are missing: %s", data)
	}
	// The stages are disjoint and sum to the total time.
	sum := 0.0
	for name, value := range file.Metrics {
		if strings.HasPrefix(name, "stage_") {
			sum += value
		}
	}
	if whole := file.Metrics["prove_seconds"]; whole <= 0 || sum < 0.999999*whole || sum > 1.000001*whole {
		t.Errorf("the stages sum to %v, prove_seconds is %v", sum, whole)
	}
}

func TestSessionSurvivesAFailedProof(t *testing.T) {
	proof := filepath.Join(t.TempDir(), "p")
	broken := cli.Backend{Name: "cpu", Open: func(cli.BackendOptions) (backend.Backend, error) {
		return backendtest.Hooked{Backend: cpu.New(parallel.New(1)), Hooks: failing()}, nil
	}}
	request := `{"op":"prove","id":1,"seed":3,"proof":"` + proof + `"}` + "\n"
	code, stdout, _ := run(t, request+request+`{"op":"exit"}`, []cli.Backend{broken}, "session", "--machine", "fib",
		"--size", "64", "--params", "test")
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if code != 0 || len(lines) != 3 {
		t.Fatalf("exit code %d, replies %q; want 0 and ready, two failures", code, lines)
	}
	for _, line := range lines[1:] {
		if !strings.Contains(line, `"id":1,"ok":false,"error":"`) || !strings.Contains(line, "the device is lost") {
			t.Errorf("reply %s does not say what failed", line)
		}
	}
	if _, err := os.Stat(proof); err == nil {
		t.Error("a failed proof left a file")
	}
}

var errDevice = errors.New("the device failed")

// fallible is a backend whose device fails at the openings a set number of times, or is lost from then on.
type fallible struct {
	backend.Backend
	failures *int
	sticky   bool
	isLost   bool
	down     *bool
}

func (f *fallible) Name() string   { return "gpu" }
func (f *fallible) Device() string { return "fallible" }

func (f *fallible) OnDevice() bool { return true }

func (f *fallible) Failed(err error) bool { return errors.Is(err, errDevice) }

func (f *fallible) Lost() error {
	if f.isLost {
		return errDevice
	}
	return nil
}

func (f *fallible) Shutdown() error { *f.down = true; return nil }

func (f *fallible) Report() (map[string]float64, map[string]uint64) {
	return nil, map[string]uint64{"kernel_launches": 7}
}

func (f *fallible) Open(of *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	fail := func(*protocol.Openings, backend.Opened) error {
		if *f.failures == 0 {
			return nil
		}
		*f.failures--
		f.isLost = f.sticky
		return errDevice
	}
	return backendtest.Hooked{Backend: f.Backend, Hooks: &backendtest.Hooks{Open: fail}}.Open(of, params, budget)
}

// full is a backend without free memory.
type full struct{ fallible }

func (f *full) Open(*machine.Fillers, protocol.Layout, backend.Budget) (backend.Prover, error) {
	return nil, errDevice
}

func TestDeviceErrors(t *testing.T) {
	folder := t.TempDir()
	proof := filepath.Join(folder, "p")
	args := []string{"session", "--machine", "fib", "--size", "64", "--params", "test", "--backend"}
	request := `{"op":"prove","id":1,"seed":3,"proof":"` + proof + `"}` + "\n"
	ok, bad := `"ok":true`, `"ok":false,"error":"stage open: the device failed"`
	counted, none := `"fallbacks":1,"grind`, `"fallbacks":0,"grind`
	for _, tc := range []struct {
		name     string
		failures int
		sticky   bool
		full     bool
		flags    []string
		code     int
		replies  [][]string // what each reply after ready contains
	}{
		{"a recoverable one fails the proof, and the session continues", 1, false, false, []string{"gpu"}, 0,
			[][]string{{bad}, {ok, none, "launches"}, {ok, none}}},
		{"a sticky one ends the session", 1, true, false, []string{"gpu"}, 1, [][]string{{bad}}},
		{"a recoverable one is counted on the CPU", 1, false, false, []string{"gpu", "--on-device-error", "cpu"}, 0,
			[][]string{{ok, counted}, {ok, none, "launches"}, {ok, none}}},
		{"after a sticky one all are", 1, true, false, []string{"gpu", "--on-device-error", "cpu"}, 0,
			[][]string{{ok, counted}, {ok, counted}, {ok, counted}}},
		{"without room there is no session", 0, false, true, []string{"gpu"}, 1, nil},
		{"without room all are counted on the CPU", 0, false, true, []string{"gpu", "--on-device-error", "cpu"}, 0,
			[][]string{{ok, counted}, {ok, counted}, {ok, counted}}},
		{"auto looks for room elsewhere", 0, false, true, []string{"auto"}, 0,
			[][]string{{ok, none}, {ok, none}, {ok, none}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var down bool
			failures := tc.failures
			device := fallible{Backend: cpu.New(parallel.New(1)), failures: &failures, sticky: tc.sticky, down: &down}
			gpu := cli.Backend{Name: "gpu", Open: func(cli.BackendOptions) (backend.Backend, error) {
				if tc.full {
					return &full{device}, nil
				}
				return &device, nil
			}}
			code, stdout, stderr := run(t, request+request+request, []cli.Backend{gpu, working("cpu")},
				append(args, tc.flags...)...)
			lines := strings.Split(strings.TrimSpace(stdout), "\n")
			if code != tc.code || len(lines) != len(tc.replies)+1 || !down {
				t.Fatalf("exit code %d, device given back %v, replies %q, stderr %s", code, down, lines, stderr)
			}
			for i, wants := range tc.replies {
				for _, want := range wants {
					if !strings.Contains(lines[i+1], want) {
						t.Errorf("reply %d is %s, want %s", i, lines[i+1], want)
					}
				}
				if strings.Contains(lines[i+1], counted) && strings.Contains(lines[i+1], "launches") {
					t.Errorf("reply %d has figures of a device that did not prove: %s", i, lines[i+1])
				}
			}
			if tc.code != 0 && !strings.Contains(stderr, "the device failed") {
				t.Errorf("stderr does not say why: %s", stderr)
			}
		})
	}
	if code, _, stderr := run(t, "", []cli.Backend{working("cpu")},
		append(args, "cpu", "--on-device-error", "gpu")...); code != 2 ||
		!strings.Contains(stderr, `--on-device-error is "gpu"`) {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// tracing is a backend whose device ran one kernel.
type tracing struct {
	counting
	start time.Time
}

func (t *tracing) Device() string { return "test device" }

func (t *tracing) StartTrace() error { t.start = time.Now(); return nil }

func (t *tracing) StopTrace() ([]backend.Interval, error) {
	return []backend.Interval{{Track: "stream 0", Name: "extend", Stage: "commit_main",
		Start: t.start.Add(time.Millisecond), Took: 250 * time.Microsecond}}, nil
}

func TestTraceFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "trace.json")
	gpu := cli.Backend{Name: "gpu", Open: func(cli.BackendOptions) (backend.Backend, error) {
		return &tracing{counting: counting{cpu.New(parallel.New(1))}}, nil
	}}
	code, _, stderr := run(t, "", []cli.Backend{gpu}, "prove", "--machine", "fib", "--size", "64", "--params", "test",
		"--proof", filepath.Join(folder, "p"), "--trace-out", path)
	if code != 0 {
		t.Fatal(stderr)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []struct {
			Name, Cat, Ph string
			Ts, Dur       float64
			Pid, Tid      int
			Args          map[string]string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	tracks, spans := map[string]bool{}, map[string]bool{}
	var whole, stages float64
	for _, e := range file.TraceEvents {
		switch e.Ph {
		case "M":
			tracks[e.Args["name"]] = true
		case "X":
			spans[e.Name] = true
			if e.Ts < 0 || e.Dur < 0 {
				t.Errorf("span %+v begins before the proof or ends before it begins", e)
			}
			if e.Name == "proof" {
				whole = e.Dur
			}
			if e.Pid == 1 && e.Cat != "" {
				stages += e.Dur
			}
			if e.Name == "extend" && (e.Dur != 250 || e.Ts < 1000 || e.Args["stage"] != "commit_main" || e.Pid != 2) {
				t.Errorf("the kernel is %+v", e)
			}
		default:
			t.Errorf("event of phase %q", e.Ph)
		}
	}
	for _, want := range []string{"host", "test device", "proof", "stages", "stream 0"} {
		if !tracks[want] {
			t.Errorf("no process or thread is named %s: %v", want, tracks)
		}
	}
	for _, want := range []string{"proof", "execute", "prove", "encode", "trace", "commit_main", "quotient", "open",
		"deep", "fold", "grind", "gather", "extend"} {
		if !spans[want] {
			t.Errorf("no span is named %s", want)
		}
	}
	if stages <= 0 || stages > whole {
		t.Errorf("the stages last %v us of a proof of %v", stages, whole)
	}
	if code, _, stderr := run(t, "", []cli.Backend{gpu}, "prove", "--machine", "fib", "--size", "64", "--params", "test",
		"--proof", filepath.Join(folder, "p"), "--trace-out", filepath.Join(folder, "none", "t")); code != 2 ||
		!strings.Contains(stderr, "--trace-out") {
		t.Errorf("a folder that is not there: exit code %d: %s", code, stderr)
	}
}

// interrupting sends this process a Ctrl-C in a proof's last stage. It sends one, because a second would end the
// tests, and waits until the program reports that it was interrupted.
func interrupting(seen <-chan struct{}) *backendtest.Hooks {
	once := new(sync.Once)
	return &backendtest.Hooks{Gather: func(*protocol.Plans, func() []byte, *backend.Gathered) (err error) {
		once.Do(func() {
			var own *os.Process
			if own, err = os.FindProcess(os.Getpid()); err == nil {
				err = own.Signal(os.Interrupt)
			}
			<-seen
		})
		return err
	}}
}

// noticing closes a channel when a given text is written.
type noticing struct {
	bytes.Buffer
	text string
	seen chan struct{}
	once sync.Once
}

func (n *noticing) Write(p []byte) (int, error) {
	if strings.Contains(string(p), n.text) {
		n.once.Do(func() { close(n.seen) })
	}
	return n.Buffer.Write(p)
}

// A proof that was interrupted is not written, even if no later stage could notice the interruption.
func TestInterruptedInTheLastStage(t *testing.T) {
	folder := t.TempDir()
	stderr := &noticing{text: "interrupted", seen: make(chan struct{})}
	b := cli.Backend{Name: "cpu", Open: func(o cli.BackendOptions) (backend.Backend, error) {
		return backendtest.Hooked{Backend: cpu.New(o.Pool), Hooks: interrupting(stderr.seen)}, nil
	}}
	var stdout bytes.Buffer
	code := cli.Main([]string{"prove", "--machine", "fib", "--size", "64", "--params", "test", "--proof",
		filepath.Join(folder, "p")},
		strings.NewReader(""), &stdout, stderr, []cli.Backend{b})
	if code != 130 {
		t.Errorf("exit code %d, want 130; stderr %q", code, stderr.String())
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("the folder holds %v (%v), want nothing", entries, err)
	}
}
