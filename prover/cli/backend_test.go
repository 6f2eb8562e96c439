package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/cli"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/spf13/pflag"
)

func working(name string) cli.Backend {
	return cli.Backend{Name: name, Open: func(o cli.BackendOptions) (backend.Backend, error) {
		return cpu.New(parallel.New(o.Workers)), nil
	}}
}

func absent(name string) cli.Backend {
	return cli.Backend{Name: name, Open: func(cli.BackendOptions) (backend.Backend, error) {
		return nil, errors.New("no driver on this host")
	}}
}

// counting is a backend with figures and flags of its own.
type counting struct{ backend.Backend }

func (counting) Report() (map[string]float64, map[string]uint64) {
	return map[string]float64{"peak_device_bytes": 42}, map[string]uint64{"kernel_launches": 7, "fallbacks": 1}
}

// failing breaks in the middle of a proof.
type failing struct{ backend.Backend }

func (failing) LogUp(backend.Context, backend.Commitments, []goldilocks.Element, backend.LogUpChallenges) (backend.Columns, []goldilocks.Extension, error) {
	panic("fib has no buses")
}

func (failing) Open(backend.Context, backend.Commitments, goldilocks.Extension) (backend.Openings, error) {
	return backend.Openings{}, errors.New("the device is lost")
}

func run(t *testing.T, stdin string, backends []cli.Backend, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = cli.Main(args, strings.NewReader(stdin), &out, &err, backends)
	return code, out.String(), err.String()
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
		{"and why not the one before", []cli.Backend{absent("gpu"), working("cpu")}, nil, 0, "auto chose cpu (gpu: no driver on this host)"},
		{"or that none does", []cli.Backend{absent("gpu"), absent("cpu")}, nil, 1, "no backend can run here: gpu: no driver on this host\ncpu: no driver"},
		{"a named one never becomes another", []cli.Backend{absent("gpu"), working("cpu")}, []string{"--backend", "gpu"}, 1, "--backend gpu: no driver on this host"},
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
	if file.Metrics["peak_device_bytes"] != 42 || file.Counters["kernel_launches"] != 7 || file.Counters["fallbacks"] != 1 {
		t.Errorf("the backend's figures are missing: %s", data)
	}
	// The stages are disjoint and sum to the whole.
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
		return failing{cpu.New(parallel.New(1))}, nil
	}}
	request := `{"op":"prove","id":1,"seed":3,"proof":"` + proof + `"}` + "\n"
	code, stdout, _ := run(t, request+request+`{"op":"exit"}`, []cli.Backend{broken}, "session", "--machine", "fib", "--size", "64", "--params", "test")
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
