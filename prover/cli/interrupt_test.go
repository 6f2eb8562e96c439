package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// guestFile writes a guest to a file.
func guestFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".elf")
	if err := os.WriteFile(path, riscvtest.Guest(t, name), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every command that runs a program ends when it is interrupted, and reports where the program was.
func TestInterruptedRuns(t *testing.T) {
	path := guestFile(t, "fib")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errInterrupted)
	var stderr bytes.Buffer
	p := &program{stderr: &stderr}
	run := &guestRun{elfPath: path, profilePath: filepath.Join(t.TempDir(), "profile")}
	guest, err := loadGuest(path)
	if err != nil {
		t.Fatal(err)
	}
	_, ran := p.execute(ctx, run, guest, memory.Inputs{})
	program, err := openGuest(path)
	if err != nil {
		t.Fatal(err)
	}
	work := &workload{program: program, params: protocol.Default(), input: []byte{}}
	work.guest.elfPath = path
	_, planned := p.plan(ctx, work, "")
	open := func(BackendOptions) (backend.Backend, error) { return cpu.New(parallel.New(1)), nil }
	_, started := p.startOn(&Backend{Name: "cpu", Open: open}, work, &backendFlags{}, BackendOptions{}, false,
		p.derive(ctx, work))
	for name, err := range map[string]error{"run": ran, "plan": planned, "prove": started} {
		if !errors.Is(err, errInterrupted) ||
			!strings.Contains(err.Error(), "fib.elf: interrupted after 0 cycles; the program was at 0x10000 (_start") {
			t.Errorf("%s, interrupted: %v", name, err)
		}
	}
	if _, err := os.Stat(run.profilePath); err != nil {
		t.Errorf("an interrupted run leaves no profile: %v", err)
	}
}

// A proof commits to the number of cells that run predicts.
func TestCellsOfRunAndProof(t *testing.T) {
	path := guestFile(t, "quicksort")
	in := memory.Inputs{Private: riscvtest.Numbers(300, 5)}
	guest, err := loadGuest(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &program{stderr: io.Discard}
	report, err := p.execute(context.Background(), &guestRun{elfPath: path}, guest, in)
	if err != nil {
		t.Fatal(err)
	}
	program, err := openGuest(path)
	if err != nil {
		t.Fatal(err)
	}
	work := &workload{program: program, params: protocol.Default(), input: in.Private}
	_, instances, public, err := work.shape(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	size, err := program.Size(public, instances)
	if err != nil {
		t.Fatal(err)
	}
	key, err := setup.NewKey(program.Machine(), work.params)
	if err != nil {
		t.Fatal(err)
	}
	cells := cellsOf(key.Shape(instances))
	if cells != report.Cells || uint64(size) != report.Cycles || report.Cells == 0 {
		t.Errorf("the proof counts %d cells in %d cycles, the run predicted %d in %d", cells, size, report.Cells,
			report.Cycles)
	}
}
