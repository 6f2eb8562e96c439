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

// reference is a proof on the CPU up to its commitments, with the values of every phase before it was committed.
type reference struct {
	*cpu.Backend
	shape     backend.Shape
	context   backend.Context
	committed backend.Commitments
	values    [backend.PhaseCount][][][]goldilocks.Element // by table and column
}

func randomExtension(seed uint64) goldilocks.Extension {
	return goldilocks.Extension(randomElements(seed, backend.ExtensionDegree))
}

func newReference(t *testing.T, name string, size int) *reference {
	t.Helper()
	program, shape := shapeOf(t, name, size)
	r := &reference{Backend: cpu.New(parallel.New(0)), shape: shape}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	r.context, err = r.Prepare(shape)
	check(err)
	witness, err := program.Synthetic(size, 1, slices.Min(shape.LogHeights))
	check(err)
	if backend.Present(shape.Machine, backend.Preprocessed) {
		r.committed[backend.Preprocessed], _, err = r.Preprocessed(r.context)
		check(err)
		for i, table := range shape.Machine.Tables {
			columns := make([][]goldilocks.Element, len(table.Preprocessed))
			for j := range columns {
				columns[j] = make([]goldilocks.Element, 1<<shape.LogHeights[i])
			}
			if len(columns) > 0 {
				table.FillPreprocessed(columns)
			}
			r.values[backend.Preprocessed] = append(r.values[backend.Preprocessed], columns)
		}
	}
	columns, err := r.Trace(r.context, witness)
	check(err)
	check(r.Count(r.context, columns, r.committed[backend.Preprocessed], witness.Public()))
	r.commit(t, backend.Main, columns)
	challenges := backend.LogUpChallenges{Alpha: randomExtension(1), Beta: randomExtension(2)}
	columns, claimed, err := r.LogUp(r.context, r.committed, witness.Public(), challenges)
	check(err)
	if backend.Present(shape.Machine, backend.Auxiliary) {
		r.commit(t, backend.Auxiliary, columns)
	}
	columns, err = r.Quotient(r.context, r.committed, backend.QuotientInput{Public: witness.Public(), LogUp: challenges, Claimed: claimed, Constraint: randomExtension(3)})
	check(err)
	r.commit(t, backend.Quotient, columns)
	return r
}

// commit keeps the values at the front of the columns and commits.
func (r *reference) commit(t *testing.T, phase backend.Phase, columns backend.Columns) {
	t.Helper()
	keep := make([][]int, len(r.shape.Machine.Tables))
	for i, table := range cpu.Matrices(columns) {
		var copies [][]goldilocks.Element
		for _, column := range table {
			copies = append(copies, slices.Clone(column[:1<<r.shape.LogHeights[i]]))
		}
		r.values[phase] = append(r.values[phase], copies)
		keep[i] = backend.KeptColumns(r.shape.Machine.Tables[i], phase)
	}
	var err error
	if r.committed[phase], _, err = r.Commit(r.context, phase, columns, keep); err != nil {
		t.Fatal(err)
	}
}

// commitAll commits to the same values on the device.
func (r *reference) commitAll(t *testing.T, b *Backend, c *proverContext) (committed backend.Commitments) {
	t.Helper()
	for phase, tables := range r.values {
		if tables == nil {
			continue
		}
		keep := make([][]int, len(tables))
		var columns *columns
		err := c.stage("test", func(*cuda.Scope) (err error) {
			if columns, err = c.newColumns(backend.Phase(phase)); err != nil {
				return err
			}
			columns.coefficients = backend.Phase(phase) == backend.Quotient
			for i, table := range tables {
				keep[i] = backend.KeptColumns(r.shape.Machine.Tables[i], backend.Phase(phase))
				for j, values := range table {
					part, err := columns.tables[i].Part(uint32(j), 1, uint64(len(values)))
					if err != nil {
						return err
					}
					if err := c.upload(part.Span, words(values)); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if committed[phase], _, err = b.Commit(c, backend.Phase(phase), columns, keep); err != nil {
			t.Fatal(err)
		}
	}
	return committed
}

// likeOpenings draws coefficients of the openings' shape.
func likeOpenings(openings backend.Openings) (coefficients backend.Openings) {
	seed := uint64(1 << 40)
	draw := func(list []goldilocks.Extension) []goldilocks.Extension {
		drawn := make([]goldilocks.Extension, len(list))
		for i := range drawn {
			seed++
			drawn[i] = randomExtension(seed)
		}
		return drawn
	}
	for phase, tables := range openings {
		for _, table := range tables {
			coefficients[phase] = append(coefficients[phase], backend.TableOpenings{Current: draw(table.Current), Next: draw(table.Next)})
		}
	}
	return coefficients
}

// From the commitments on to the final polynomial and the opened layers, the device gives what the CPU gives.
func TestOpenDeepFold(t *testing.T) {
	for name, size := range map[string]int{"fib": 32, "keccak": 2} {
		t.Run(name, func(t *testing.T) {
			r := newReference(t, name, size)
			z := randomExtension(4)
			openings, err := r.Open(r.context, r.committed, z)
			if err != nil {
				t.Fatal(err)
			}
			coefficients := likeOpenings(openings)
			everyDevice(t, name == "fib", func(t *testing.T, b *Backend) {
				c := prepare(t, b, r.shape)
				committed := r.commitAll(t, b, c)
				got, err := b.Open(c, committed, z)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, openings) {
					t.Fatal("the openings differ from the CPU's")
				}
				reference, err := r.Deep(r.context, r.committed, z, openings, coefficients)
				if err != nil {
					t.Fatal(err)
				}
				codewords, err := b.Deep(c, committed, z, openings, coefficients)
				if err != nil {
					t.Fatal(err)
				}
				handles := append(compareFolds(t, r, b, c, reference, codewords), codewords)
				for _, commitment := range committed {
					handles = append(handles, commitment)
				}
				b.Release(c, handles...)
				if finding := b.Finding(); finding != "" {
					t.Error(finding)
				}
				if used, fixed := c.arena.Used(), c.fixed.points.Size(); used > fixed+1<<20 {
					t.Errorf("%d bytes are in use after all was released", used)
				}
			})
		})
	}
}

// compareFolds folds to the end on both sides and returns the device's layers.
func compareFolds(t *testing.T, r *reference, b *Backend, c *proverContext, want, got backend.Codewords) (handles []backend.Handle) {
	t.Helper()
	logSize := maxLogSize(&r.shape)
	for round, logArity := range r.shape.Schedule {
		wantLayer, wantCap, err := r.CommitLayer(r.context, want, logArity)
		if err != nil {
			t.Fatal(err)
		}
		gotLayer, gotCap, err := b.CommitLayer(c, got, logArity)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(gotCap, wantCap) {
			t.Fatalf("layer %d of 2^%d: another cap than the CPU's", round, logSize)
		}
		beta := randomExtension(uint64(50 + round))
		if err := r.Fold(r.context, want, wantLayer, beta); err != nil {
			t.Fatal(err)
		}
		if err := b.Fold(c, got, gotLayer, beta); err != nil {
			t.Fatal(err)
		}
		if err := b.Fold(c, got, gotLayer, beta); err == nil {
			t.Error("a layer was folded twice")
		}
		handles = append(handles, gotLayer)
		compareLayers(t, r, b, c, wantLayer, gotLayer, layerShape(&r.shape, logSize, logArity))
		logSize -= logArity
	}
	wantFinal, err := r.Final(r.context, want)
	if err != nil {
		t.Fatal(err)
	}
	gotFinal, err := b.Final(c, got)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(gotFinal, wantFinal) {
		t.Error("the final polynomial differs from the CPU's")
	}
	return handles
}

// compareLayers opens some rows of a folded layer on both sides.
func compareLayers(t *testing.T, r *reference, b *Backend, c *proverContext, want, got backend.Layer, shape merkle.Shape) {
	t.Helper()
	positions := make([]uint64, 9)
	for i, e := range randomElements(5, len(positions)) {
		positions[i] = uint64(e) % (1 << shape.LogHeight())
	}
	plan, err := merkle.NewPlan(shape, positions)
	if err != nil {
		t.Fatal(err)
	}
	wantOpening, err := r.Gather(r.context, want, plan)
	if err != nil {
		t.Fatal(err)
	}
	gotOpening, err := b.Gather(c, got, plan)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(gotOpening, wantOpening) {
		t.Error("a layer's opening differs from the CPU's")
	}
}

// Handles of other contexts, released ones and points of the base field are errors.
func TestOpenDeepFoldRefuse(t *testing.T) {
	r := newReference(t, "fib", 32)
	b := openBackend(t, Options{Seed: 1})
	c, other := prepare(t, b, r.shape), prepare(t, b, r.shape)
	committed := r.commitAll(t, b, c)
	z := randomExtension(4)
	openings, err := b.Open(c, committed, z)
	if err != nil {
		t.Fatal(err)
	}
	codewords, err := b.Deep(c, committed, z, openings, openings)
	if err != nil {
		t.Fatal(err)
	}
	layer, _, err := b.CommitLayer(c, codewords, 1)
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(what string, err error) {
		t.Helper()
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	_, err = b.Open(other, committed, z)
	refuse("openings in another context", err)
	_, err = b.Open(c, committed, goldilocks.Extension{5})
	refuse("openings at a base point", err)
	_, err = b.Deep(other, committed, z, openings, openings)
	refuse("DEEP in another context", err)
	_, err = b.Deep(c, committed, goldilocks.Extension{5}, openings, openings)
	refuse("DEEP at a base point", err)
	_, _, err = b.CommitLayer(other, codewords, 1)
	refuse("a layer in another context", err)
	for _, logArity := range []int{-1, 0, 5} {
		_, _, err = b.CommitLayer(c, codewords, logArity)
		refuse("a layer of no arity that is folded", err)
	}
	refuse("a fold in another context", b.Fold(other, codewords, layer, z))
	_, err = b.Final(other, codewords)
	refuse("a final polynomial in another context", err)
	b.Release(c, layer)
	refuse("a fold of a released layer", b.Fold(c, codewords, layer, z))
	b.Release(c, codewords)
	_, err = b.Final(c, codewords)
	refuse("a final polynomial of released codewords", err)
	for _, commitment := range committed {
		if commitment != nil {
			b.Release(c, commitment)
		}
	}
	_, err = b.Open(c, committed, z)
	refuse("openings of released commitments", err)
}
