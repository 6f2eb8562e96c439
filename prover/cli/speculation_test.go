package cli_test

import (
	"bytes"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/cli"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// waits writes a program that runs for as long as a byte of its input says.
func waits(t *testing.T, folder string) string {
	t.Helper()
	p := riscvtest.NewProgram(nil)
	p.Op(instruction.ADDI, 6, 0, 0, 1)
	p.Op(instruction.SLLI, 6, 6, 0, int64(bits.TrailingZeros64(memorymap.PrivateInput)))
	p.Op(instruction.LBU, 7, 6, 0, memorymap.WordBytes)
	p.Op(instruction.SLLI, 7, 7, 0, 4)
	p.Op(instruction.ADDI, 7, 7, 0, 1)
	p.Op(instruction.ADDI, 7, 7, 0, -1)
	p.Op(instruction.BNE, 0, 7, 0, -4)
	elf := filepath.Join(folder, "waits.elf")
	if err := os.WriteFile(elf, p.ELF(false), 0o600); err != nil {
		t.Fatal(err)
	}
	return elf
}

// A session on a device hands runs of drawn inputs to the prover while they execute, with the instances of the
// previous run. If the instances differ, it proves the run again, which is known by then.
func TestSessionOfDrawnInputs(t *testing.T) {
	folder := t.TempDir()
	elf := waits(t, folder)
	device := cli.Backend{Name: "gpu", Open: func(o cli.BackendOptions) (backend.Backend, error) {
		return &fallible{Backend: cpu.New(o.Pool), failures: new(int), down: new(bool)}, nil
	}}
	backends := []cli.Backend{device, working("cpu")}
	args := []string{"--params", "test", "--elf", elf, "--size", "8"}
	const proofs = 3
	var requests strings.Builder
	for seed := range proofs {
		path := filepath.Join(folder, fmt.Sprint(seed))
		fmt.Fprintf(&requests, `{"op":"prove","id":%d,"seed":%d,"proof":%q}`+"\n", seed, seed, path)
	}
	code, stdout, stderr := run(t, requests.String(), backends,
		append([]string{"session", "--backend", "gpu"}, args...)...)
	if ok := strings.Count(stdout, `"ok":true`); code != 0 || ok != proofs {
		t.Fatalf("exit code %d, %d proofs: %s %s", code, ok, stdout, stderr)
	}
	// The first run is known and the others are speculative, each wrongly.
	for again, want := range []int{1, proofs - 1} {
		if count := strings.Count(stdout, fmt.Sprintf(`"begun_again":%d`, again)); count != want {
			t.Errorf("%d proofs whose run was executed %d times more, want %d: %s", count, again, want, stdout)
		}
	}
	lengths := map[int]bool{}
	for seed := range proofs {
		path := filepath.Join(folder, "alone")
		alone := []string{"prove", "--backend", "cpu", "--quiet", "--seed", fmt.Sprint(seed), "--proof", path}
		if code, _, stderr := run(t, "", backends, append(alone, args...)...); code != 0 {
			t.Fatal(stderr)
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(seed)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("seed %d: the session's proof is another (%v)", seed, err)
		}
		lengths[len(want)] = true
	}
	if len(lengths) < 2 {
		t.Errorf("proofs of %v bytes: all runs have the same instances", lengths)
	}
}

// cramped is a device whose second proof does not fit, as the predicted instances of a run may not.
type cramped struct {
	backend.Backend
	begun int
}

func (*cramped) Name() string   { return "gpu" }
func (*cramped) OnDevice() bool { return true }

func (c *cramped) Open(of *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	begin := func([]circuit.Instance, backend.Proof) error {
		if c.begun++; c.begun == 2 {
			return &backend.MemoryError{NeedBytes: 2, HaveBytes: 1}
		}
		return nil
	}
	return backendtest.Hooked{Backend: c.Backend, Hooks: &backendtest.Hooks{Begin: begin}}.Open(of, params, budget)
}

// If the predicted instances of a run do not fit the memory, it is proven with its own.
func TestPredictedInstancesDoNotFit(t *testing.T) {
	folder := t.TempDir()
	elf := waits(t, folder)
	device := cli.Backend{Name: "gpu", Open: func(o cli.BackendOptions) (backend.Backend, error) {
		return &cramped{Backend: cpu.New(o.Pool)}, nil
	}}
	var requests strings.Builder
	path := filepath.Join(folder, "proof")
	for seed := range 2 {
		fmt.Fprintf(&requests, `{"op":"prove","id":%d,"seed":%d,"proof":%q}`+"\n", seed, seed, path)
	}
	code, stdout, stderr := run(t, requests.String(), []cli.Backend{device}, "session", "--backend", "gpu",
		"--params", "test", "--elf", elf, "--size", "8")
	if code != 0 || strings.Count(stdout, `"ok":true`) != 2 || strings.Count(stdout, `"begun_again":1`) != 1 {
		t.Errorf("exit code %d, %s %s; want two proofs, one of them begun again", code, stdout, stderr)
	}
}

// With a folder of inputs, a request's seed chooses the file: each proof is the one that prove makes of that file.
func TestSessionOfInputs(t *testing.T) {
	folder := t.TempDir()
	elf, inputs := waits(t, folder), filepath.Join(folder, "inputs")
	if err := os.Mkdir(inputs, 0o700); err != nil {
		t.Fatal(err)
	}
	files := []string{"a", "b", "c"}
	for k, name := range append(files, ".hidden") {
		content := bytes.Repeat([]byte{byte(k + 1)}, 8)
		if err := os.WriteFile(filepath.Join(inputs, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	backends := []cli.Backend{working("cpu")}
	args := []string{"--backend", "cpu", "--params", "test", "--elf", elf}
	var requests strings.Builder
	for seed := range 5 {
		path := filepath.Join(folder, fmt.Sprint(seed))
		fmt.Fprintf(&requests, `{"op":"prove","id":%d,"seed":%d,"proof":%q}`+"\n", seed, seed, path)
	}
	code, stdout, stderr := run(t, requests.String(), backends,
		append([]string{"session", "--inputs", inputs}, args...)...)
	if ok := strings.Count(stdout, `"ok":true`); code != 0 || ok != 5 {
		t.Fatalf("exit code %d, %d proofs: %s %s", code, ok, stdout, stderr)
	}
	for seed := range 5 {
		path := filepath.Join(folder, "alone")
		alone := []string{"prove", "--quiet", "--input", filepath.Join(inputs, files[seed%3]), "--proof", path}
		if code, _, stderr := run(t, "", backends, append(alone, args...)...); code != 0 {
			t.Fatal(stderr)
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(seed))); err != nil || !bytes.Equal(got, want) {
			t.Errorf("seed %d: the session's proof is another than that of file %s (%v)", seed, files[seed%3], err)
		}
	}
	for want, args := range map[string][]string{
		"--inputs excludes --size and --input": {"--elf", elf, "--inputs", inputs, "--size", "8"},
		"the folder has no files":              {"--elf", elf, "--inputs", t.TempDir()},
		"no such file":                         {"--elf", elf, "--inputs", filepath.Join(folder, "none")},
		"is a directory":                       {"--elf", elf, "--inputs", folder},
		"it needs --elf":                       {"--machine", "fib", "--size", "8", "--inputs", inputs},
	} {
		if code, _, stderr := run(t, "", backends, append([]string{"session"}, args...)...); code != 2 ||
			!strings.Contains(stderr, want) {
			t.Errorf("session %q: exit code %d, %q, want %q", args, code, stderr, want)
		}
	}
}
