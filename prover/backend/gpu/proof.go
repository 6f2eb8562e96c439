package gpu

import (
	"errors"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// proof is the state of one proof on the device from Begin to Close. State that lasts from one stage to the next is in
// the stages' types, in stages.go.
type proof struct {
	*openMachine
	shape   *protocol.Shape
	closed  bool
	arena   *cuda.Arena
	points  kernels.Columns // of the largest extension domain; see begin
	sums    *cuda.Buffer    // list of the sums that compute the openings; see listSums
	list    *cuda.Buffer    // DEEP's columns and coefficients; see listTerms
	weights *cuda.Buffer    // of constraints; see listConstraints
	peak    uint64          // predicted peak of the arena, in bytes
	lean    bool            // see lean.go

	keys   [protocol.PhaseCount]*commitment // to preprocessed columns, by instance
	phases [protocol.PhaseCount]*matrices   // columns, by instance
	held   []func() error                   // free the memory of the stages; Close calls them
}

// scope returns a scope for memory that lives as long as the proof, unless a stage ends it earlier.
func (p *proof) scope(name string) *cuda.Scope {
	scope := p.arena.Scope(name)
	p.held = append(p.held, scope.End)
	return scope
}

// begin starts the proof and computes the domain's points: x[i] is the point s*w^rev(i) of entry i of the largest
// extension domain. Bit k of i selects the root of order 2^(k+1), so every smaller domain is a prefix.
func (p *proof) begin() error {
	p.openMachine.proof = p
	p.arena = p.openMachine.arena
	p.arena.ResetPeak()
	p.bindKeys()
	return p.fillPoints(p.scope("proof"))
}

func (p *proof) fillPoints(scope *cuda.Scope) error {
	points, err := takePoints(scope, p.shape)
	if err != nil {
		return err
	}
	if p.sums, err = takeSums(scope, p.shape); err != nil {
		return err
	}
	if p.list, err = takeList(scope, p.shape); err != nil {
		return err
	}
	if p.weights, err = takeConstraintWords(scope, p.shape, p.program, p.lean); err != nil {
		return err
	}
	p.points = kernels.Columns{Span: points.All(), Stride: points.Size() / wordBytes, Count: 1}
	return p.transforms.Points(p.device.Stream, points.All(), p.shape.MaxLogSize())
}

func takePoints(scope *cuda.Scope, shape *protocol.Shape) (*cuda.Buffer, error) {
	return scope.Take("points of the largest domain", wordBytes<<shape.MaxLogSize())
}

// bindKeys assigns the preprocessed commitments, which are indexed by table, to the tables' instances.
func (p *proof) bindKeys() {
	for _, phase := range []protocol.Phase{protocol.Fixed, protocol.Program} {
		key := p.openMachine.keys[phase]
		if key == nil {
			continue
		}
		bound := &commitment{matrices: &matrices{list: make([]kernels.Columns, len(p.shape.Instances))}, tree: key.tree}
		bound.kept = make([][]kernels.Columns, len(p.shape.Instances))
		tables := keyShape(p.machine, p.params)
		for i, instance := range p.shape.Instances {
			for k, own := range tables.Instances {
				if own.Table == instance.Table {
					bound.list[i] = key.list[k]
					if len(key.kept) > 0 {
						bound.kept[i] = key.kept[k]
					}
				}
			}
		}
		p.keys[phase], p.phases[phase] = bound, bound.matrices
	}
}

// firstStage is the stage with which measuring a proof begins.
const firstStage = "trace"

// stage runs and times a stage of a proof, with working memory in a scope that ends with it. After a failure it first
// drains the device, so that no queued work touches memory that is reused.
func (p *proof) stage(name string, work func(scope *cuda.Scope) error) error {
	return p.device.Bound(name, func() error {
		if err := p.device.Lost(); err != nil {
			return err
		}
		if name == firstStage {
			p.device.Meter.Start(p.openMachine, p.peak+p.resident.Budget(), p.lean)
		}
		scope := p.arena.Scope(name)
		err := p.device.Meter.Time(name, func() error { return work(scope) })
		if err != nil && p.device.Drain() != nil {
			return err // keep the memory taken
		}
		return errors.Join(err, scope.End())
	})
}

// wait waits for the work that a stage has queued, unless err is not nil. Stages that download something wait anyway.
// The others call wait, so that the host's time of a stage is correct, and a fault is reported by the stage that
// caused it.
func (p *proof) wait(err error) error {
	if err != nil {
		return err
	}
	return p.device.Transfer.Synchronize()
}

// columns takes the matrices of a phase.
func (p *proof) columns(phase protocol.Phase) (err error) {
	p.phases[phase], err = takeMatrices(p.scope(phase.String()+" columns"), p.shape, phase, p.lean)
	return err
}

// rows returns the number of rows of an instance.
func (p *proof) rows(instance int) uint64 { return uint64(p.shape.Rows(instance)) }

// Close returns the proof's memory to the arena.
func (p *proof) Close() {
	if p.closed {
		return
	}
	p.closed = true
	if p.openMachine.proof == p {
		p.openMachine.proof = nil
	}
	if p.device.Lost() != nil {
		return
	}
	// Only checked mode calls the driver here, and the next call reports its failures.
	_ = p.device.Bound("release", func() error {
		var err error
		for _, free := range slices.Backward(p.held) {
			err = errors.Join(err, free())
		}
		return err
	})
}
