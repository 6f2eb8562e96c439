package gpu

import (
	"reflect"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// A committer is the part of a backend that commits.
type committer interface {
	Commit(ctx backend.Context, phase backend.Phase, columns backend.Columns, keep [][]int) (backend.Commitment, []merkle.Digest, error)
}

// commitRandom commits to random main columns on a backend. put writes a table's column.
func commitRandom(t *testing.T, b committer, ctx backend.Context, shape *backend.Shape, columns backend.Columns, put func(table, column int, values []goldilocks.Element)) (backend.Commitment, []merkle.Digest) {
	t.Helper()
	keep := make([][]int, len(shape.Machine.Tables))
	for i, table := range shape.Machine.Tables {
		keep[i] = backend.KeptColumns(table, backend.Main)
		for j := range table.Main {
			put(i, j, randomElements(uint64(i)<<32+uint64(j), 1<<shape.LogHeights[i]))
		}
	}
	commitment, digests, err := b.Commit(ctx, backend.Main, columns, keep)
	if err != nil {
		t.Fatal(err)
	}
	return commitment, digests
}

// A commitment has the cap, the extension, the kept columns and the openings that the CPU's has.
func TestCommit(t *testing.T) {
	for name, size := range map[string]int{"fib": 32, "keccak": 2} {
		t.Run(name, func(t *testing.T) {
			program, shape := shapeOf(t, name, size)
			reference := cpu.New(parallel.New(0))
			want, err := reference.Prepare(shape)
			if err != nil {
				t.Fatal(err)
			}
			witness, err := program.Synthetic(size, 1, slices.Min(shape.LogHeights))
			if err != nil {
				t.Fatal(err)
			}
			columns, err := reference.Trace(want, witness)
			if err != nil {
				t.Fatal(err)
			}
			matrices := cpu.Matrices(columns)
			wantCommitment, wantCap := commitRandom(t, reference, want, &shape, columns,
				func(table, column int, values []goldilocks.Element) { copy(matrices[table][column], values) })
			everyDevice(t, name == "fib", func(t *testing.T, b *Backend) {
				compareCommitment(t, b, shape, wantCap, reference, want, wantCommitment, matrices)
			})
		})
	}
}

func compareCommitment(t *testing.T, b *Backend, shape backend.Shape, wantCap []merkle.Digest, reference *cpu.Backend, want backend.Context, wantCommitment backend.Commitment, matrices [][][]goldilocks.Element) {
	c := prepare(t, b, shape)
	var columns *columns
	err := c.stage("test", func(*cuda.Scope) (err error) {
		columns, err = c.newColumns(backend.Main)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	opaque, gotCap := commitRandom(t, b, c, &shape, columns, func(table, column int, values []goldilocks.Element) {
		err := c.stage("test", func(*cuda.Scope) error {
			part, err := columns.tables[table].Part(uint32(column), 1, uint64(len(values)))
			if err != nil {
				return err
			}
			return c.upload(part.Span, words(values))
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	defer b.Release(c, opaque)
	handle := opaque.(*commitment)
	if !slices.Equal(gotCap, wantCap) {
		t.Fatalf("the cap is %x, the CPU's %x", gotCap, wantCap)
	}
	for table, columns := range matrices {
		for column, values := range columns {
			part, err := handle.tables[table].Part(uint32(column), 1, uint64(len(values)))
			if err != nil {
				t.Fatal(err)
			}
			if got := downloaded(t, c, part.Span); !slices.Equal(got, words(values)) {
				t.Fatalf("table %d, column %d: another extension than the CPU's", table, column)
			}
		}
	}
	shapeOfTree := shape.TreeShape(backend.Main)
	positions := make([]uint64, 600) // more than one round, with repeats
	for i, e := range randomElements(5, len(positions)) {
		positions[i] = uint64(e) % (1 << shapeOfTree.LogHeight())
	}
	plan, err := merkle.NewPlan(shapeOfTree, positions)
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Gather(c, opaque, plan)
	if err != nil {
		t.Fatal(err)
	}
	wantOpening, err := reference.Gather(want, wantCommitment, plan)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, wantOpening) {
		t.Error("the opening differs from the CPU's")
	}
	if err := plan.Verify(gotCap, got); err != nil {
		t.Error(err)
	}
}

// downloaded reads device memory.
func downloaded(t *testing.T, c *proverContext, span cuda.Span) (words []uint64) {
	t.Helper()
	err := c.stage("test", func(*cuda.Scope) (err error) {
		words, err = c.download(span)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func words(elements []goldilocks.Element) []uint64 {
	words := make([]uint64, len(elements))
	for i, e := range elements {
		words[i] = uint64(e)
	}
	return words
}
