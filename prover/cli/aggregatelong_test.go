package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// A proof is aggregated, verified, and refused after any change. A kept node is not proven again.
func TestAggregateProof(t *testing.T) {
	longtest.Only(t)
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	elf := guestFile(t, "fib")
	must(t, os.WriteFile(in("n"), riscvtest.Numbers(1000), 0o644))
	code, _, stderr := onCPU("prove", "--elf", elf, "--input", in("n"), "--params", "small", "--proof", in("p"))
	if code != 0 {
		t.Fatal(stderr)
	}
	interrupted(t, in("p"), folder)

	code, _, stderr = onCPU("aggregate", in("p"), "--params", "rv", "--keep", in("nodes"), "--proof", in("out"))
	if code != 0 || !strings.Contains(stderr, "node 1: "+in("p")+": kept in") {
		t.Fatalf("exit code %d, %s; want a kept node", code, stderr)
	}
	if _, err := os.Stat(in("nodes")); !os.IsNotExist(err) {
		t.Errorf("the nodes are still there: %v", err)
	}
	want := "valid: 128 proven bits\naggregated  1\nprogram     "
	for _, args := range [][]string{{"--of", in("p")}, {"--elf", elf}} {
		code, stdout, stderr := onCPU(append([]string{"verify", in("out")}, args...)...)
		if code != 0 || !strings.HasPrefix(stdout, want) {
			t.Errorf("verify %q: exit code %d, %s%s", args, code, stdout, stderr)
		}
	}
	deeper(t, in("out"))
	changes := map[string]func(f *aggregate.File){
		"proof rejected: statement: it is about": func(f *aggregate.File) { f.Tree.Run.Cycles++ },
		"of kind 1, and the file's of kind 2": func(f *aggregate.File) {
			f.Tree = &aggregate.Tree{Children: []*aggregate.Tree{f.Tree, f.Tree}}
		},
		"proof rejected: program":  func(f *aggregate.File) { f.Proof = read(t, in("p")) },
		"proof rejected: decoding": func(f *aggregate.File) { f.Proof = f.Proof[1:] },
	}
	for want, change := range changes {
		var file aggregate.File
		must(t, file.UnmarshalBinary(bytes.Clone(read(t, in("out")))))
		change(&file)
		data, err := file.MarshalBinary()
		must(t, err)
		must(t, os.WriteFile(in("changed"), data, 0o644))
		if code, _, stderr := onCPU("verify", in("changed"), "--elf", elf); code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("exit code %d, %s; want %q", code, stderr, want)
		}
	}
}

// interrupted proves the node of a proof's aggregation like an aggregation that ends before it writes its proof.
func interrupted(t *testing.T, path, folder string) {
	t.Helper()
	var log bytes.Buffer
	n, err := (&program{stderr: &log, backends: cpuAlone}).openNodes(flagsOf(new(program), folder, "rv"))
	must(t, err)
	child, err := aggregate.Read(t.Context(), path, read(t, path), aggregate.Options{})
	must(t, err)
	_, err = (&aggregate.Builder{Prover: n, ID: aggregate.ID()}).Batch(t.Context(), []*aggregate.Child{child})
	must(t, err)
	must(t, n.lanes.shutdown())
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
