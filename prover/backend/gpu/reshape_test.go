package gpu

import (
	"errors"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// A predicted run with fewer rows than predicted fills the tables of its own instances, with the rows of the finished
// run. If the proof of these instances takes more memory than there is, the error says that the run differs from the
// prediction.
func TestReshape(t *testing.T) {
	b := openBackend(t, Options{Seed: 3})
	fib := guest{file: riscvtest.Guest(t, "fib"), private: riscvtest.Numbers(1200)}
	for _, tc := range []struct {
		name string
		peak uint64
		want error
	}{
		{"it fits", 1, nil},
		{"its proof takes more memory", 1 << 60, machine.ErrPrediction},
	} {
		t.Run(tc.name, func(t *testing.T) {
			program := inParts(t, fib)
			input := run.Input{Data: riscvtest.Numbers(300), MinLogHeight: 8, Speculate: true}
			execution, err := run.Execute(t.Context(), program, input)
			if err != nil {
				t.Fatal(err)
			}
			_, own := guestRun(t, guest{file: fib.file, private: riscvtest.Numbers(300)})
			predicted := slices.Clone(execution.Instances())
			if slices.Equal(predicted, own.Instances()) {
				t.Fatal("the run has the predicted instances")
			}
			o := openFillers(t, b, program.Fillers())
			if o.program, err = newProgram(t.Context(), program.Fillers()); err != nil {
				t.Fatal(err)
			}
			p := proofWith(t, o, execution, kernels.TransformTableBytes+1<<26)
			o.predictions = []prediction{{protocol.NewShape(o.machine, o.params, own.Instances()), tc.peak}}
			tables := p.arena.Scope("tables")
			t.Cleanup(func() { _ = b.device.Bound("release", tables.End) })
			err = b.device.Bound("transforms", func() (err error) {
				o.transforms, err = kernels.NewTransforms(o.set, b.device.Stream, tables, uint64(goldilocks.Generator))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Trace(execution)
			if !errors.Is(err, tc.want) {
				t.Fatalf("%v, want %v", err, tc.want)
			}
			if err != nil {
				return
			}
			if !slices.Equal(execution.Instances(), own.Instances()) || !slices.Equal(p.shape.Instances, own.Instances()) {
				t.Errorf("instances %v, want %v", execution.Instances(), own.Instances())
			}
			for _, m := range mismatches(t, p, own) {
				t.Error(m)
			}
		})
	}
}
