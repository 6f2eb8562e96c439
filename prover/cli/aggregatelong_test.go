package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// Proofs of two programs are aggregated into one, which is verified, and refused after any change. A kept node is not
// proven again.
func TestAggregateProofs(t *testing.T) {
	longtest.Only(t)
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	for number, name := range []string{"a", "b"} {
		must(t, os.WriteFile(in(name+".elf"), ends(int64(number)), 0o644))
		code, _, stderr := onCPU("prove", "--elf", in(name+".elf"), "--params", "small", "--proof", in(name))
		if code != 0 {
			t.Fatal(stderr)
		}
	}
	interrupted(t, folder, in("a"), in("b"))

	code, _, stderr := onCPU("aggregate", in("a"), in("b"), "--params", "rv", "--keep", in("nodes"), "--metrics", in("m"),
		"--proof", in("out"))
	if code != 0 || !strings.Contains(stderr, "node 1: "+in("a")+" + "+in("b")+": kept in") {
		t.Fatalf("exit code %d, %s; want a kept node", code, stderr)
	}
	if _, err := os.Stat(in("nodes")); !os.IsNotExist(err) {
		t.Errorf("the nodes are still there: %v", err)
	}
	var measured metricsFile
	must(t, json.Unmarshal(read(t, in("m")), &measured))
	if measured.Counters["nodes"] != 0 || measured.Counters["nodes_kept"] != 1 || measured.SecurityBits != 128 ||
		measured.Metrics["prove_seconds"] <= 0 {
		t.Errorf("metrics %+v", measured)
	}
	both := []string{"--of", in("a"), "--of", in("b")}
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{both, 0, "valid: 128 proven bits\naggregated  2\n\nrun         0\nprogram     "},
		{[]string{"--expect-statement", measured.ExactStatement}, 0, "valid: 128 proven bits"},
		{[]string{"--of", in("b"), "--of", in("a")}, 1, "statement"},
		{[]string{"--of", in("a")}, 1, "statement"},
		{[]string{"--elf", in("a.elf")}, 1, "program"},
	} {
		code, stdout, stderr := onCPU(append([]string{"verify", in("out")}, tc.args...)...)
		if code != tc.code || !strings.Contains(stdout+stderr, tc.want) {
			t.Errorf("verify %q: exit code %d, %s%s", tc.args, code, stdout, stderr)
		}
	}
	deeper(t, in("out"))
	for want, change := range map[string]func(f *aggregate.File){
		"proof rejected: statement: it is about": func(f *aggregate.File) { slices.Reverse(f.Tree.Children) },
		"of kind 2, and the file's of kind 1":    func(f *aggregate.File) { f.Tree = f.Tree.Children[0] },
		"proof rejected: program":                func(f *aggregate.File) { f.Proof = read(t, in("a")) },
		"proof rejected: decoding":               func(f *aggregate.File) { f.Proof = f.Proof[1:] },
	} {
		var file aggregate.File
		must(t, file.UnmarshalBinary(bytes.Clone(read(t, in("out")))))
		change(&file)
		data, err := file.MarshalBinary()
		must(t, err)
		must(t, os.WriteFile(in("changed"), data, 0o644))
		args := append([]string{"verify", in("changed")}, both...)
		if code, _, stderr := onCPU(args...); code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d, %s; want %q", code, stderr, want)
		}
	}
}

// ends is a program for each number, of four instructions. Its proof has few columns.
func ends(number int64) []byte {
	p := riscvtest.NewProgram(nil)
	p.Op(instruction.ADDI, 5, 0, 0, number)
	p.Op(instruction.ADDI, 10, 0, 0, 0)
	p.Op(instruction.ADDI, 17, 0, 0, 93)
	p.Op(instruction.ECALL, 0, 0, 0, 0)
	return p.ELF(false)
}

// interrupted proves the node of an aggregation of proofs like an aggregation that ends before it writes its proof.
func interrupted(t *testing.T, folder string, paths ...string) {
	t.Helper()
	var log bytes.Buffer
	flags := flagsOf(new(program), folder, "rv")
	flags.backends.traceOut = filepath.Join(folder, "trace")
	n, err := (&program{stderr: &log, backends: cpuAlone}).openNodes(flags)
	must(t, err)
	var children []*aggregate.Child
	for _, path := range paths {
		child, err := aggregate.Read(t.Context(), path, read(t, path), aggregate.Options{})
		must(t, err)
		children = append(children, child)
	}
	_, err = (&aggregate.Builder{Prover: n, ID: aggregate.ID()}).Batch(t.Context(), children)
	must(t, err)
	must(t, n.lanes.shutdown())
	if trace := read(t, flags.backends.traceOut); !json.Valid(trace) || !bytes.Contains(trace, []byte(`"commit_main"`)) {
		t.Errorf("the trace of the node is %.200q", trace)
	}
	if n.made != 1 || n.found != 0 {
		t.Errorf("%d nodes were proven and %d kept, want 1 and 0", n.made, n.found)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// deeper runs the aggregator on its own proof. That run is not proven here, because it would take more memory than most
// hosts have. Its output is the proof's statement.
func deeper(t *testing.T, path string) {
	t.Helper()
	child, err := aggregate.Read(t.Context(), path, read(t, path), aggregate.Options{})
	must(t, err)
	flags := flagsOf(new(program), t.TempDir(), "rv")
	n, err := (&program{stderr: new(bytes.Buffer), backends: cpuAlone}).newNodeRuns(flags)
	must(t, err)
	planned := &planning{nodeRuns: n}
	_, err = (&aggregate.Builder{Prover: planned, ID: aggregate.ID()}).Reprove(t.Context(), child)
	if !errors.Is(err, errPlanned) {
		t.Fatalf("the aggregator's run on its own proof: %v", err)
	}
	run, err := statement.Read(planned.plan.public)
	must(t, err)
	if want := child.Tree.Output(aggregate.ID()); !bytes.Equal(run.Output, want) || run.Exit != 0 {
		t.Errorf("exit code %d, output %x, want %x", run.Exit, run.Output, want)
	}
	t.Logf("verifying a node of rv takes %d cycles", run.Cycles)
}

// planning is an [aggregate.Prover] that plans nodes and proves none.
type planning struct {
	*nodeRuns
	plan *nodePlan
}

var errPlanned = errors.New("planned, and not proven")

func (p *planning) Lanes() int                              { return 1 }
func (p *planning) Fits(context.Context, int, []byte) error { return nil }

func (p *planning) Prove(ctx context.Context, number int, _ string, input []byte) (_ []byte, err error) {
	if p.plan, err = p.nodeRuns.plan(ctx, number, input); err != nil {
		return nil, err
	}
	return nil, errPlanned
}
