package gpu

import (
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tree"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// stepped is a proof of a tour up to a step.
func stepped(t *testing.T, b *Backend, last backend.Step) (*proof, machine.Execution) {
	t.Helper()
	program, shape := shapeOf(t, walk.name, walk.size)
	execution := execute(t, program, walk.size, walk.seed, testParams(t))
	shape.Instances = execution.Instances()
	p := begin(t, b, program.Fillers(), shape)
	z := goldilocks.Extension{3, 1, 4}
	commit := func(phase protocol.Phase) func() error {
		return func() error { _, err := p.Commit(phase); return err }
	}
	steps := []func() error{
		backend.StepTrace:      func() error { return p.Trace(execution) },
		backend.StepCount:      func() error { return p.Count(p.machine.Messages(execution.Public())) },
		backend.StepCommitMain: commit(protocol.Main),
		backend.StepLogUp: func() error {
			_, err := p.LogUp(protocol.LogUpChallenges{Alpha: z, Beta: z})
			return err
		},
		backend.StepCommitAuxiliary: commit(protocol.Auxiliary),
		backend.StepQuotient:        func() error { return p.Quotient(z) },
		backend.StepCommitQuotient:  commit(protocol.Quotient),
		backend.StepOpen:            func() error { _, err := p.Open(z); return err },
		backend.StepDeep:            func() error { return p.Deep(p.openings) },
		backend.StepCommitLayer: func() error {
			for _, logArity := range p.shape.Schedule {
				if _, err := p.CommitLayer(logArity); err != nil {
					return err
				}
				if err := p.Fold(z); err != nil {
					return err
				}
			}
			return nil
		},
		backend.StepFold:  func() error { return nil },
		backend.StepFinal: func() error { _, err := p.Final(); return err },
		backend.StepGrind: func() error { return nil }, // may be left out
	}
	for step, work := range steps[:last] {
		if err := work(); err != nil {
			t.Fatalf("%s: %v", backend.Step(step), err)
		}
	}
	return p, execution
}

// plansOfLayers opens the layers of FRI alone.
func plansOfLayers(t *testing.T, p *proof) *protocol.Plans {
	plans := &protocol.Plans{Layers: make([]*merkle.Plan, p.folding.Layers())}
	for i := range plans.Layers {
		plan, err := merkle.NewPlan(p.shape.LayerShape(i), []uint64{1})
		if err != nil {
			t.Fatal(err)
		}
		plans.Layers[i] = plan
	}
	return plans
}

// What is refused is an error that says what would be right; nothing may follow it, and the next proof is none the
// worse.
func TestStepsRefuse(t *testing.T) {
	b := openBackend(t, Options{Seed: 1})
	plans := func(p *proof) *protocol.Plans { return plansOfLayers(t, p) }
	many := make([]uint64, tree.MostRows+1)
	for i := range many {
		many[i] = uint64(i)
	}
	for _, tc := range []struct {
		name string
		step backend.Step
		call func(p *proof) error
		want string
	}{
		{"a layer of one entry a row", backend.StepCommitLayer, func(p *proof) error {
			_, err := p.CommitLayer(0)
			return err
		}, "rows of 2^1 to 2^4 entries"},
		{"a layer of negative arity", backend.StepCommitLayer, func(p *proof) error {
			_, err := p.CommitLayer(-1)
			return err
		}, "rows of 2^1 to 2^4 entries"},
		{"a layer of 32 entries a row", backend.StepCommitLayer, func(p *proof) error {
			_, err := p.CommitLayer(5)
			return err
		}, "rows of 2^1 to 2^4 entries"},
		{"a plan too few", backend.StepGather, func(p *proof) error {
			plans := plans(p)
			plans.Layers = plans.Layers[1:]
			_, err := p.Gather(plans)
			return err
		}, "and there are"},
		{"a plan of another tree", backend.StepGather, func(p *proof) error {
			plans := plans(p)
			plans.Phases[protocol.Main] = plans.Layers[0]
			_, err := p.Gather(plans)
			return err
		}, "a plan for 1 matrices"},
		{"a plan of too many rows", backend.StepGather, func(p *proof) error {
			plans := plans(p)
			plans.Layers[0].Rows[0] = many
			_, err := p.Gather(plans)
			return err
		}, "a plan for 1025 rows of matrix 0, and 1024 are opened at most"},
		{"a phase of the key", backend.StepCommitMain, func(p *proof) error {
			_, err := p.Commit(protocol.Fixed)
			return err
		}, "which is the key's"},
		{"a step too early", backend.StepCommitMain, func(p *proof) error {
			_, err := p.Open(goldilocks.Extension{1, 2, 3})
			return err
		}, "Commit main is next"},
		{"a message of no row", backend.StepCount, func(p *proof) error {
			bus := p.machine.Tables[3].Lookups[0].Bus
			return p.Count([]circuit.Message{{Bus: bus, Multiplicity: 1, Values: []goldilocks.Element{1 << 40}}})
		}, backend.ErrLookupMiss.Error()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, _ := stepped(t, b, tc.step)
			err := tc.call(p)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
			if b.Lost() != nil || b.Failed(err) {
				t.Errorf("taken for the device's: %v", err)
			}
		})
	}
	p, _ := stepped(t, b, backend.StepGather)
	if _, err := p.Gather(plans(p)); err != nil {
		t.Errorf("in the end: %v", err)
	}
	if _, err := p.Gather(plans(p)); !errors.Is(err, backend.ErrOrder) {
		t.Errorf("gathered twice: %v", err)
	}
}
