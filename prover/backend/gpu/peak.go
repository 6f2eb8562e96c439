package gpu

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/fri"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// PredictPeak returns the device memory, in bytes, that the arenas of a shape take with these fillers. It needs no
// device. It excludes the context, kernels and staging memory.
func PredictPeak(fillers *machine.Fillers, shape *protocol.Shape) (uint64, error) {
	return predict(fillers, shape, false)
}

// PredictLeast returns the least device memory, in bytes, with which a proof of the shape is possible. With less memory
// than [PredictPeak], extensions are recomputed, which takes longer.
func PredictLeast(fillers *machine.Fillers, shape *protocol.Shape) (uint64, error) {
	whole, err := predict(fillers, shape, false)
	if err != nil {
		return 0, err
	}
	lean, err := predict(fillers, shape, true)
	return min(whole, lean), err
}

func predict(fillers *machine.Fillers, shape *protocol.Shape, lean bool) (uint64, error) {
	code, err := predicted.of(fillers)
	if err != nil {
		return 0, err
	}
	resident, err := predictResident(shape.Machine, shape.Params, cuda.ArenaOptions{})
	if err != nil {
		return 0, err
	}
	proof, err := predictProof(shape, code, cuda.ArenaOptions{}, lean)
	return resident + proof, err
}

// generated caches the code of the last machine: a plan predicts several proofs of one machine, and generating the code
// of rv64im takes 0.15 s.
type generated struct {
	sync.Mutex
	last *program
}

var predicted generated

func (g *generated) of(fillers *machine.Fillers) (*program, error) {
	g.Lock()
	defer g.Unlock()
	if g.last == nil || g.last.fillers != fillers {
		own, err := newProgram(context.Background(), fillers)
		if err != nil {
			return nil, err
		}
		g.last = own
	}
	return g.last, nil
}

// predictProof rehearses a proof on an arena of the same kind without a device.
func predictProof(shape *protocol.Shape, code *program, options cuda.ArenaOptions, lean bool) (uint64, error) {
	r := &rehearsal{arena: cuda.PlanArena(options), shape: shape, code: code, lean: lean}
	if err := r.prove(); err != nil {
		return 0, fmt.Errorf("predicting the peak of device memory: %w", err)
	}
	return r.arena.Peak(), nil
}

// predictResident rehearses the memory that stays on the device with a machine.
func predictResident(m *circuit.Machine, params protocol.Layout, options cuda.ArenaOptions) (uint64, error) {
	r := &rehearsal{arena: cuda.PlanArena(options), shape: keyShape(m, params)}
	if err := r.keys(m); err != nil {
		return 0, fmt.Errorf("predicting the device memory of preprocessed columns: %w", err)
	}
	return r.arena.Peak(), nil
}

// rehearsal takes and returns memory in the order of a proof. Each step calls the function with which the stage itself
// takes its memory.
type rehearsal struct {
	arena  *cuda.Arena
	shape  *protocol.Shape
	code   *program
	lean   bool
	held   []*cuda.Scope // results, which the end of the proof returns
	phases [protocol.PhaseCount]*matrices
}

// stage takes a stage's working memory and returns it.
func (r *rehearsal) stage(take func(scope *cuda.Scope) error) error {
	scope := r.arena.Scope("stage")
	return errors.Join(take(scope), scope.End())
}

// result begins a lifetime that ends with the proof.
func (r *rehearsal) result() *cuda.Scope {
	scope := r.arena.Scope("result")
	r.held = append(r.held, scope)
	return scope
}

// columns takes the columns of a phase.
func (r *rehearsal) columns(phase protocol.Phase) (err error) {
	if r.shape.Present(phase) {
		r.phases[phase], err = takeMatrices(r.result(), r.shape, phase, r.lean)
	}
	return err
}

// commit commits to the columns of a phase. take takes the memory for kept columns.
func (r *rehearsal) commit(phase protocol.Phase, take func() ([]keptHeight, error)) error {
	if !r.shape.Present(phase) {
		return nil
	}
	return r.stage(func(scope *cuda.Scope) error {
		if _, err := take(); err != nil {
			return err
		}
		_, err := takeCommit(r.phases[phase].scope, scope, r.shape, phase, r.lean)
		return err
	})
}

// takeKept takes the same memory as mainColumns.takeKept.
func (r *rehearsal) takeKept(scope *cuda.Scope) ([]keptHeight, error) {
	if err := r.columns(protocol.Auxiliary); err != nil {
		return nil, err
	}
	return takeKept(scope, r.phases[protocol.Auxiliary], keptHeights(r.shape, protocol.Main))
}

// keys takes the same memory as openMachine.commitKeys, all in one scope.
func (r *rehearsal) keys(m *circuit.Machine) (err error) {
	scope := r.arena.Scope("machine")
	if _, err := scope.Take("transform tables", kernels.TransformTableBytes); err != nil {
		return err
	}
	if err := eachIndex(m, func(entry *air.Entry) error { _, err := takeIndex(scope, entry); return err }); err != nil {
		return err
	}
	for _, phase := range []protocol.Phase{protocol.Fixed, protocol.Program} {
		if r.shape == nil || !r.shape.Present(phase) {
			continue
		}
		if r.phases[phase], err = takeMatrices(scope, r.shape, phase, false); err != nil {
			return err
		}
		take := func() ([]keptHeight, error) { return takeKept(scope, nil, keptHeights(r.shape, phase)) }
		if err := r.commit(phase, take); err != nil {
			return err
		}
	}
	return nil
}

func (r *rehearsal) prove() error {
	lifetime, kept := r.result(), r.result()
	stage := func(take func(scope *cuda.Scope) error) func() error { return func() error { return r.stage(take) } }
	for _, step := range []func() error{
		func() error { _, err := takePoints(lifetime, r.shape); return err },
		func() error { _, err := takeSums(lifetime, r.shape); return err },
		func() error { _, err := takeList(lifetime, r.shape); return err },
		func() error { _, err := takeConstraintWords(lifetime, r.shape, r.code, r.lean); return err },
		func() error { return r.columns(protocol.Main) },
		func() error { _, err := takeCounted(kept, r.shape); return err },
		stage(func(scope *cuda.Scope) error { _, err := takeTrace(scope, r.code.fillers, r.shape); return err }),
		stage(func(scope *cuda.Scope) error { _, err := takeCount(scope, r.shape); return err }),
		func() error { return r.commit(protocol.Main, func() ([]keptHeight, error) { return r.takeKept(kept) }) },
		stage(func(scope *cuda.Scope) error { _, err := takeLogUp(scope, r.shape, logUpGroups(r.shape)); return err }),
		func() error { return kept.End() },
		func() error { return r.commit(protocol.Auxiliary, keepNothing) },
		func() error { return r.columns(protocol.Quotient) },
		stage(func(scope *cuda.Scope) error { _, err := takeQuotient(scope, r.shape, r.code, r.lean); return err }),
		func() error { return r.commit(protocol.Quotient, keepNothing) },
		stage(r.open),
		r.fold,
		stage(func(scope *cuda.Scope) error { _, err := takeGrind(scope); return err }),
		r.gather,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, scope := range r.held {
		if err := scope.End(); err != nil {
			return err
		}
	}
	return nil
}

// open takes the working memory of openings.
func (r *rehearsal) open(scope *cuda.Scope) error {
	plan, err := planOpen(countOpened(r.shape))
	if err == nil {
		_, err = takeOpen(scope, plan)
	}
	return err
}

// fold takes the codewords, then layer after layer the tree and the folded codeword, and returns the codeword that
// joins.
func (r *rehearsal) fold() error {
	codewords := r.result()
	words, err := fri.TakeCodewords(codewords, r.shape)
	if err != nil {
		return err
	}
	if _, err := fri.TakeRecords(codewords, r.shape); err != nil {
		return err
	}
	plan, err := planDeep(countOpened(r.shape))
	if err != nil {
		return err
	}
	if err := r.stage(func(scope *cuda.Scope) error { _, err := takeDeep(scope, plan); return err }); err != nil {
		return err
	}
	logSize := r.shape.MaxLogSize()
	for _, logArity := range r.shape.Schedule {
		layer := r.result()
		if _, err := fri.TakeLayer(layer, r.shape, logSize, logArity); err != nil {
			return err
		}
		folded, err := fri.TakeFolded(codewords, logSize-logArity)
		if err != nil {
			return err
		}
		if err := codewords.Move(words[logSize], layer); err != nil {
			return err
		}
		logSize -= logArity
		if joined, ok := words[logSize]; ok {
			if err := r.arena.Return(joined); err != nil {
				return err
			}
		}
		words[logSize] = folded
	}
	return r.stage(func(scope *cuda.Scope) error { _, err := fri.TakeFinal(scope, logSize); return err })
}

// gather takes the memory for opening all trees at once.
func (r *rehearsal) gather() error {
	return r.stage(func(scope *cuda.Scope) error {
		if r.lean {
			if _, err := takeRows(scope, r.shape); err != nil {
				return err
			}
		}
		_, err := tree.Take(scope, treeShapes(r.shape))
		return err
	})
}
