package backendtest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// returned is what one stage returned.
type returned struct {
	stage string
	value any
}

// walk takes proofs through their stages with challenges drawn from a seed, and notes what the stages return.
type walk struct {
	machine *machine.Fillers
	shape   *protocol.Shape
	random  *rand.Rand
	noted   []returned
	last    int  // the number of stages to take, if fewer than all
	fewer   bool // plan one layer too few
}

// errAbandoned ends a walk before its last stage.
var errAbandoned = fmt.Errorf("abandoned")

// newWalk returns a walk for proofs of an execution.
func newWalk(fillers *machine.Fillers, execution machine.Execution, layout protocol.Layout) *walk {
	return &walk{machine: fillers, shape: protocol.NewShape(fillers.Machine, layout, execution.Instances()),
		random: rand.New(rand.NewPCG(3, 5)), last: 1 << 20}
}

func (w *walk) element() goldilocks.Element {
	return goldilocks.Element(w.random.Uint64N(goldilocks.Modulus))
}

func (w *walk) extension() goldilocks.Extension {
	return goldilocks.Extension{w.element(), w.element(), w.element()}
}

// note notes what a stage returned. Its error ends the walk.
func (w *walk) note(stage string, value any, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", stage, err)
	}
	w.noted = append(w.noted, returned{stage, value})
	if len(w.noted) == w.last {
		return errAbandoned
	}
	return nil
}

// take takes one proof through all stages, and closes it.
func (w *walk) take(p backend.Prover, execution machine.Execution) error {
	begun, err := p.Begin(w.shape.Instances)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer begun.Close()
	main, err := w.toMain(begun, execution)
	if err != nil {
		return err
	}
	claimed, auxiliary, err := main.LogUp(protocol.LogUpChallenges{Alpha: w.extension(), Beta: w.extension()})
	if err := w.note("LogUp", slices.Clone(claimed), err); err != nil {
		return err
	}
	witness, err := commit(w, protocol.Auxiliary, auxiliary)
	if err != nil {
		return err
	}
	columns, err := witness.Quotient(w.extension())
	if err := w.note("Quotient", nil, err); err != nil {
		return err
	}
	committed, err := commit(w, protocol.Quotient, columns)
	if err != nil {
		return err
	}
	queries, err := w.fold(committed)
	if err != nil {
		return err
	}
	return w.query(queries)
}

// toMain takes a proof to its committed main columns.
func (w *walk) toMain(begun backend.Proof, execution machine.Execution) (backend.Main, error) {
	traced, err := begun.Trace(execution)
	if err := w.note("Trace", nil, err); err != nil {
		return nil, err
	}
	counted, err := traced.Count(w.machine.Machine.Messages(execution.Public()))
	if err := w.note("Count", nil, err); err != nil {
		return nil, err
	}
	return commit(w, protocol.Main, counted)
}

func commit[Next any](w *walk, phase protocol.Phase, columns backend.Columns[Next]) (Next, error) {
	digests, next, err := columns.Commit()
	return next, w.note("Commit to "+phase.String()+" columns", slices.Clone(digests), err)
}

// fold opens the columns, combines them and folds the codeword.
func (w *walk) fold(committed backend.Committed) (backend.Queries, error) {
	openings, opened, err := committed.Open(w.extension())
	if err := w.note("Open", openings, err); err != nil {
		return nil, err
	}
	codeword, err := opened.Deep(w.coefficients(openings))
	if err := w.note("Deep", nil, err); err != nil {
		return nil, err
	}
	for number, logArity := range w.shape.Schedule {
		digests, layer, err := codeword.Commit(logArity)
		if err := w.note(fmt.Sprint("Commit to layer ", number), slices.Clone(digests), err); err != nil {
			return nil, err
		}
		codeword, err = layer.Fold(w.extension())
		if err := w.note(fmt.Sprint("Fold ", number), nil, err); err != nil {
			return nil, err
		}
	}
	final, queries, err := codeword.Final()
	return queries, w.note("Final", slices.Clone(final), err)
}

// coefficients draws one coefficient for each opened value.
func (w *walk) coefficients(openings protocol.Openings) (all protocol.Openings) {
	draw := func(values []goldilocks.Extension) []goldilocks.Extension {
		drawn := make([]goldilocks.Extension, len(values))
		for i := range drawn {
			drawn[i] = w.extension()
		}
		return drawn
	}
	for phase, entries := range openings {
		for _, entry := range entries {
			all[phase] = append(all[phase], protocol.Opened{Current: draw(entry.Current), Next: draw(entry.Next)})
		}
	}
	return all
}

// query grinds and opens all trees at positions that are drawn, some of them twice.
func (w *walk) query(queries backend.Queries) error {
	const bits = 5
	var seed [32]byte
	seed[0], seed[31] = byte(w.random.Uint32()), byte(w.random.Uint32())
	nonce, hashes, err := queries.Grind(seed, bits)
	if err := w.note("Grind", []uint64{nonce, hashes}, err); err != nil {
		return err
	}
	if err := smallest(w.shape.Params.Hash, seed, bits, nonce, hashes); err != nil {
		return err
	}
	plans, err := w.plans()
	if err != nil {
		return err
	}
	if w.fewer {
		plans.Layers = plans.Layers[1:]
	}
	gathered, err := queries.Gather(plans, nil)
	if err != nil {
		return w.note("Gather", nil, err)
	}
	if gathered.Written != nil {
		return fmt.Errorf("Gather: it writes a file, and none is wanted")
	}
	return w.note("Gather", *gathered, nil)
}

// plans opens every tree.
func (w *walk) plans() (*protocol.Plans, error) {
	plan := func(shape merkle.Shape) (*merkle.Plan, error) {
		var positions []uint64
		for range 12 {
			positions = append(positions, w.random.Uint64N(1<<shape.LogHeight()))
		}
		return merkle.NewPlan(shape, append(positions, positions[0]))
	}
	plans := new(protocol.Plans)
	for phase := range protocol.Phase(protocol.PhaseCount) {
		if !w.shape.Present(phase) {
			continue
		}
		own, err := plan(w.shape.TreeShape(phase))
		if err != nil {
			return nil, err
		}
		plans.Phases[phase] = own
	}
	for i := range w.shape.Schedule {
		own, err := plan(w.shape.LayerShape(i))
		if err != nil {
			return nil, err
		}
		plans.Layers = append(plans.Layers, own)
	}
	return plans, nil
}
