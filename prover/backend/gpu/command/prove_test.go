package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/cli"
)

// prover runs the program with both backends.
func prover(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	onCPU := cli.Backend{Name: "cpu", Open: func(o cli.BackendOptions) (backend.Backend, error) {
		return cpu.New(o.Pool), nil
	}}
	code = cli.Main(args, strings.NewReader(stdin), &out, &err, []cli.Backend{Backend(environment()), onCPU})
	return code, out.String(), err.String()
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// onCPU is the CPU's proof of the workload in the flags.
func onCPU(t *testing.T, workload []string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cpu")
	if code, _, stderr := prover(t, "", append([]string{"prove", "--backend", "cpu", "--quiet", "--proof", path},
		workload...)...); code != 0 {
		t.Fatal(stderr)
	}
	return read(t, path)
}

var workload = []string{"--machine", "fib", "--size", "32", "--params", "test", "--seed", "3"}

func TestProveOnTheSoftwareDevice(t *testing.T) {
	softwareDriver(t)
	folder := t.TempDir()
	proof, figures, trace := filepath.Join(folder, "p"), filepath.Join(folder, "m"), filepath.Join(folder, "t")
	code, _, stderr := prover(t, "", append([]string{"prove", "--backend", "gpu", "--device", "softgpu", "--vram", "1GiB",
		"--proof", proof, "--metrics", figures, "--trace-out", trace}, workload...)...)
	if code != 0 || !strings.Contains(stderr, " on gpu (") {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if !bytes.Equal(read(t, proof), onCPU(t, workload)) {
		t.Error("the proof is not the CPU's")
	}
	var file struct {
		Metrics  map[string]float64
		Counters map[string]uint64
	}
	if err := json.Unmarshal(read(t, figures), &file); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"prove_seconds", "setup_seconds", "device_commit_main_seconds", "device_fold_seconds",
		"peak_device_bytes", "device_busy_seconds", "device_busy_fraction"} {
		if file.Metrics[name] <= 0 {
			t.Errorf("%s is %v", name, file.Metrics[name])
		}
	}
	if c := file.Counters; c["fallbacks"] != 0 || c["kernel_launches"] == 0 ||
		c["kernel_launches_quotient"] == 0 || c["to_device_bytes"] == 0 || c["to_host_bytes"] == 0 ||
		c["hashes"] == 0 || c["softgpu"] != 1 {
		t.Errorf("counters: %v", c)
	}
	var events struct {
		TraceEvents []struct {
			Name, Cat, Ph string
			Pid           int
			Ts, Dur       float64
		}
	}
	if err := json.Unmarshal(read(t, trace), &events); err != nil {
		t.Fatal(err)
	}
	kernels := uint64(0)
	for _, e := range events.TraceEvents {
		// the points computed there are kept
		if e.Ph == "X" && e.Pid == 2 && strings.HasPrefix(e.Name, "chiasmus_") && e.Cat != "begin" {
			kernels++
			if e.Cat == "" || e.Ts < 0 || e.Dur < 0 {
				t.Errorf("kernel %+v", e)
			}
		}
	}
	if kernels != file.Counters["kernel_launches"] {
		t.Errorf("the trace has %d kernels of stages of the proof, %d were launched", kernels,
			file.Counters["kernel_launches"])
	}
}

// Memory checkers detect an overrun only between allocations. The flag that separates buffers must reach the arena,
// whose peak is then rounded to 16 bytes a buffer instead of 256.
func TestOwnBuffersReachTheArena(t *testing.T) {
	softwareDriver(t)
	folder := t.TempDir()
	peak := func(name string, flags ...string) float64 {
		args := append([]string{"prove", "--backend", "gpu", "--device", "softgpu", "--quiet", "--proof",
			filepath.Join(folder, name), "--metrics", filepath.Join(folder, "m")}, workload...)
		if code, _, stderr := prover(t, "", append(args, flags...)...); code != 0 {
			t.Fatal(stderr)
		}
		var file struct{ Metrics map[string]float64 }
		if err := json.Unmarshal(read(t, filepath.Join(folder, "m")), &file); err != nil {
			t.Fatal(err)
		}
		return file.Metrics["peak_device_bytes"]
	}
	slab, own := peak("slab"), peak("own", "--own-buffers")
	if own == 0 || own == slab {
		t.Errorf("the peak is %v bytes in one slab and %v with buffers of their own, want another", slab, own)
	}
	if !bytes.Equal(read(t, filepath.Join(folder, "slab")), read(t, filepath.Join(folder, "own"))) {
		t.Error("the proofs differ")
	}
}

// For a device failure in any stage, the session reports it, or the CPU makes the proof and the session counts it.
func TestSessionWithAFailingDevice(t *testing.T) {
	softwareDriver(t)
	folder := t.TempDir()
	want := onCPU(t, workload)
	var requests strings.Builder
	for id := range 3 {
		fmt.Fprintf(&requests, `{"op":"prove","id":%d,"seed":3,"proof":%q}`+"\n", id, filepath.Join(folder, fmt.Sprint(id)))
	}
	args := append([]string{"session", "--backend", "gpu", "--device", "softgpu"}, workload[:6]...)
	for _, tc := range []struct {
		name  string
		fault string
		flags []string
		code  int
		ok    []bool // of each reply
		count []int  // its fallbacks
	}{
		{"none", "none/launch=sticky", nil, 0, []bool{true, true, true}, []int{0, 0, 0}},
		{"a refused launch fails one proof", "quotient/launch=recoverable", nil, 0,
			[]bool{false, true, true}, []int{0, 0, 0}},
		{"a lost device ends the session", "fold/launch=sticky", nil, 1, []bool{false}, []int{0}},
		{"in the second proof", "grind/launch#2=sticky", nil, 1, []bool{true, false}, []int{0, 0}},
		{"a refused launch is one proof on the CPU", "open/launch=recoverable", []string{"--on-device-error", "cpu"}, 0,
			[]bool{true, true, true}, []int{1, 0, 0}},
		{"after a lost device all are", "trace/copy=sticky", []string{"--on-device-error", "cpu"}, 0,
			[]bool{true, true, true}, []int{1, 1, 1}},
		{"no memory at the start, and then there is", "prepare/alloc=recoverable", []string{"--on-device-error", "cpu"}, 0,
			[]bool{true, true, true}, []int{0, 0, 0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for id := range 3 {
				_ = os.Remove(filepath.Join(folder, fmt.Sprint(id))) // from the previous test
			}
			code, stdout, stderr := prover(t, requests.String(),
				append(append(args, "--inject-fault", tc.fault), tc.flags...)...)
			lines := strings.Split(strings.TrimSpace(stdout), "\n")
			if code != tc.code || len(lines) != len(tc.ok)+1 {
				t.Fatalf("exit code %d, %q: %s", code, lines, stderr)
			}
			for i, ok := range tc.ok {
				var reply struct {
					OK       bool
					Error    string
					Counters map[string]int
				}
				if err := json.Unmarshal([]byte(lines[i+1]), &reply); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(folder, fmt.Sprint(i))
				if reply.OK != ok || ok && reply.Counters["fallbacks"] != tc.count[i] || ok && !bytes.Equal(read(t, path), want) {
					t.Errorf("reply %d is %s, want ok %v, %d fallbacks, and the CPU's proof", i, lines[i+1], ok, tc.count[i])
				}
				if !ok && !strings.Contains(reply.Error, "(injected fault)") {
					t.Errorf("reply %d does not say what failed: %s", i, reply.Error)
				}
				if _, err := os.Stat(path); !ok && err == nil {
					t.Errorf("failed proof %d left a file", i)
				}
			}
		})
	}
}

func TestAdmissionAtTheCommandLine(t *testing.T) {
	softwareDriver(t)
	proof := filepath.Join(t.TempDir(), "p")
	args := append([]string{"prove", "--device", "softgpu", "--vram", "64KiB", "--proof", proof}, workload...)
	for _, backend := range []string{"gpu", "auto"} {
		code, _, stderr := prover(t, "", append(args, "--backend", backend)...)
		if code != 1 || !strings.Contains(stderr,
			"bytes of memory and 65536 are available (--vram): no proof of this machine fits") {
			t.Errorf("--backend %s: exit code %d: %s", backend, code, stderr)
		}
		if _, err := os.Stat(proof); err == nil {
			t.Errorf("--backend %s: a proof came out", backend)
		}
	}
	for _, flags := range [][]string{{"--vram", "80G"}, {"--kernels", proof + "/none"}, {"--on-device-error", "gpu"},
		{"--inject-fault", "x"}} {
		if code, _, stderr := prover(t, "", append(append(args, "--backend", "gpu"), flags...)...); code != 2 ||
			!strings.Contains(stderr, flags[0]) {
			t.Errorf("%q: exit code %d: %s", flags, code, stderr)
		}
	}
}

// A size that is reported to fit does fit, and the next power of two does not.
func TestWhatFitsIsSaid(t *testing.T) {
	softwareDriver(t)
	const have = 64 << 20
	code, _, stderr := prover(t, "", "prove", "--backend", "gpu", "--device", "softgpu", "--vram", "64MiB",
		"--machine", "fib", "--size", "1048576", "--params", "test", "--min-bits", "0",
		"--proof", filepath.Join(t.TempDir(), "p"))
	_, said, _ := strings.Cut(stderr, "available (--vram): a proof of ")
	size, rest, _ := strings.Cut(said, " ")
	if code != 1 || !strings.Contains(rest, "rows would fit, and this one has 1048576") {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	number, err := strconv.Atoi(size)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		size int
		fits bool
	}{{number, true}, {2 * number, false}} {
		_, stdout, _ := prover(t, "", "plan", "--machine", "fib", "--size", strconv.Itoa(tc.size), "--params", "test",
			"--backend", "gpu", "--json")
		var planned struct {
			Peak  map[string]uint64 `json:"predicted_peak_bytes"`
			Least map[string]uint64 `json:"least_peak_bytes"`
		}
		if err := json.Unmarshal([]byte(stdout), &planned); err != nil || planned.Least["gpu"] > planned.Peak["gpu"] {
			t.Fatalf("%v: %s", err, stdout)
		}
		if least := planned.Least["gpu"]; least <= have != tc.fits {
			t.Errorf("%d rows take %d bytes of %d", tc.size, least, have)
		}
	}
}

func TestPlanPredictsThePeakWithoutADevice(t *testing.T) {
	code, stdout, stderr := prover(t, "", "plan", "--machine", "keccak", "--size", "16384", "--backend", "gpu", "--json")
	var planned struct {
		Peak map[string]uint64 `json:"predicted_peak_bytes"`
		Size uint64            `json:"extension_bytes"`
	}
	if err := json.Unmarshal([]byte(stdout), &planned); err != nil {
		t.Fatalf("exit code %d, %v: %s", code, err, stderr)
	}
	if peak := planned.Peak["gpu"]; len(planned.Peak) != 1 || peak < planned.Size || peak > 3*planned.Size {
		t.Errorf("predicted %v for extensions of %d bytes", planned.Peak, planned.Size)
	}
	if code, _, stderr := prover(t, "", "plan", "--machine", "fib", "--size", "1024", "--backend", "tpu"); code != 2 ||
		!strings.Contains(stderr, "--backend tpu") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
