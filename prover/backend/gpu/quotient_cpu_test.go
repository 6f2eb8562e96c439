package gpu

import (
	"errors"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// quotientReference is a proof on the CPU up to the quotient: the extensions that it committed to, and the quotient's
// coefficients.
type quotientReference struct {
	shape  backend.Shape
	phases [backend.PhaseCount][][][]goldilocks.Element // by table and column
	input  backend.QuotientInput
}

func proveOnCPU(t *testing.T, name string, size int) *quotientReference {
	t.Helper()
	program, shape := shapeOf(t, name, size)
	r := &quotientReference{shape: shape}
	b := cpu.New(parallel.New(0))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, err := b.Prepare(shape)
	must(err)
	witness, err := program.Synthetic(size, 1, slices.Min(shape.LogHeights))
	must(err)
	random := randomElements(9, 9)
	r.input = backend.QuotientInput{Public: witness.Public(), LogUp: backend.LogUpChallenges{Alpha: goldilocks.Extension(random[0:3]), Beta: goldilocks.Extension(random[3:6])},
		Constraint: goldilocks.Extension(random[6:9])}
	var committed backend.Commitments
	commit := func(phase backend.Phase, columns backend.Columns) {
		keep := make([][]int, len(shape.Machine.Tables))
		for i, table := range shape.Machine.Tables {
			keep[i] = backend.KeptColumns(table, phase)
		}
		committed[phase], _, err = b.Commit(ctx, phase, columns, keep)
		must(err)
		r.phases[phase] = cpu.Matrices(committed[phase])
	}
	if backend.Present(shape.Machine, backend.Preprocessed) {
		committed[backend.Preprocessed], _, err = b.Preprocessed(ctx)
		must(err)
		r.phases[backend.Preprocessed] = cpu.Matrices(committed[backend.Preprocessed])
	}
	main, err := b.Trace(ctx, witness)
	must(err)
	must(b.Count(ctx, main, committed[backend.Preprocessed], r.input.Public))
	commit(backend.Main, main)
	r.input.Claimed = make([]goldilocks.Extension, len(shape.Machine.Tables))
	if backend.Present(shape.Machine, backend.Auxiliary) {
		var auxiliary backend.Columns
		auxiliary, r.input.Claimed, err = b.LogUp(ctx, committed, r.input.Public, r.input.LogUp)
		must(err)
		commit(backend.Auxiliary, auxiliary)
	}
	quotient, err := b.Quotient(ctx, committed, r.input)
	must(err)
	r.phases[backend.Quotient] = cpu.Matrices(quotient)
	return r
}

// extension puts the CPU's extensions of a phase on the device.
func (r *quotientReference) extension(t *testing.T, c *proverContext, phase backend.Phase) *commitment {
	t.Helper()
	var columns *columns
	err := c.stage("test", func(*cuda.Scope) (err error) {
		if columns, err = c.newColumns(phase); err != nil {
			return err
		}
		for i, table := range r.phases[phase] {
			var all []uint64
			for _, values := range table {
				all = append(all, words(values)...)
			}
			if len(all) > 0 {
				err = errors.Join(err, c.upload(columns.tables[i].Span, all))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return &commitment{state: columns.state, matrices: columns.matrices}
}

// On a witness that the constraints accept, the quotient is the CPU's.
func TestQuotientIsTheOneOfTheCPU(t *testing.T) {
	for name, size := range map[string]int{"fib": 32, "keccak": 2} {
		t.Run(name, func(t *testing.T) {
			r := proveOnCPU(t, name, size)
			everyDevice(t, name == "fib", func(t *testing.T, b *Backend) {
				c := prepare(t, b, r.shape)
				var committed backend.Commitments
				for phase := range backend.Quotient {
					if r.phases[phase] != nil {
						committed[phase] = r.extension(t, c, phase)
						defer b.Release(c, committed[phase])
					}
				}
				quotient, err := b.Quotient(c, committed, r.input)
				if err != nil {
					t.Fatal(err, b.Finding())
				}
				defer b.Release(c, quotient)
				r.compare(t, c, quotient.(*columns))
			})
		})
	}
}

func (r *quotientReference) compare(t *testing.T, c *proverContext, got *columns) {
	t.Helper()
	for i, table := range r.phases[backend.Quotient] {
		for j := range table {
			want := table[j][:c.height(i)]
			part, err := got.tables[i].Part(uint32(j), 1, uint64(len(want)))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(downloaded(t, c, part.Span), words(want)) {
				t.Fatalf("table %s: coefficients of column %d differ from the CPU's", r.shape.Machine.Tables[i].Name, j)
			}
		}
	}
}
