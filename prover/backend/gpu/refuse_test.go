package gpu

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/tree"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// walked is a proof of a tour with its trace.
func walked(t *testing.T, b *Backend) (*traced, machine.Execution) {
	t.Helper()
	program, shape := shapeOf(t, walk.name, walk.size)
	execution := execute(t, program, walk.size, walk.seed, testParams(t))
	shape.Instances = execution.Instances()
	next, err := begin(t, b, program.Fillers(), shape).Trace(execution)
	if err != nil {
		t.Fatal(err)
	}
	return next.(*traced), execution
}

// must unwraps a result that cannot fail in a test.
func must[T any](value T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// behind returns the second of two results.
func behind[A, T any](_ A, value T, err error) func(t *testing.T) T { return must(value, err) }

// combined is such a proof with its codewords.
func combined(t *testing.T, b *Backend) *foldable {
	t.Helper()
	p, execution := walked(t, b)
	z := goldilocks.Extension{3, 1, 4}
	main := behind(must(p.Count(p.machine.Messages(execution.Public())))(t).Commit())(t)
	auxiliary := behind(main.LogUp(protocol.LogUpChallenges{Alpha: z, Beta: z}))(t)
	quotient := must(behind(auxiliary.Commit())(t).Quotient(z))(t)
	openings, opened, err := behind(quotient.Commit())(t).Open(z)
	if err != nil {
		t.Fatal(err)
	}
	return must(opened.Deep(openings))(t).(*foldable)
}

// folded is such a proof to be queried.
func folded(t *testing.T, b *Backend) *queries {
	t.Helper()
	own := combined(t, b)
	codeword := backend.Codeword(own)
	for _, logArity := range own.shape.Schedule {
		layer := behind(codeword.Commit(logArity))(t)
		codeword = must(layer.Fold(goldilocks.Extension{3, 1, 4}))(t)
	}
	return behind(codeword.Final())(t).(*queries)
}

// plansOfLayers opens only the layers of FRI.
func plansOfLayers(t *testing.T, p *queries) *protocol.Plans {
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

// Rejected arguments are errors that say what would be right, and do not affect the next proof.
func TestStepsRefuse(t *testing.T) {
	b := openBackend(t, Options{Seed: 1})
	many := make([]uint64, tree.MostRows+1)
	for i := range many {
		many[i] = uint64(i)
	}
	layer := func(logArity int) func() error {
		return func() error { _, _, err := combined(t, b).Commit(logArity); return err }
	}
	gather := func(change func(plans *protocol.Plans)) func() error {
		return func() error {
			p := folded(t, b)
			plans := plansOfLayers(t, p)
			change(plans)
			_, err := p.Gather(plans, nil)
			return err
		}
	}
	for _, tc := range []struct {
		name string
		call func() error
		want string
	}{
		{"a layer of one entry a row", layer(0), "rows of 2^1 to 2^4 entries"},
		{"a layer of negative arity", layer(-1), "rows of 2^1 to 2^4 entries"},
		{"a layer of 32 entries a row", layer(5), "rows of 2^1 to 2^4 entries"},
		{"a plan too few", gather(func(plans *protocol.Plans) { plans.Layers = plans.Layers[1:] }), "and there are"},
		{"a plan of another tree", gather(func(plans *protocol.Plans) { plans.Phases[protocol.Main] = plans.Layers[0] }),
			"a plan for 1 matrices"},
		{"a plan of too many rows", gather(func(plans *protocol.Plans) { plans.Layers[0].Rows[0] = many }),
			"a plan for 1025 rows of matrix 0, and 1024 are opened at most"},
		{"a message of no row", func() error {
			p, _ := walked(t, b)
			bus := p.machine.Tables[3].Lookups[0].Bus
			_, err := p.Count([]circuit.Message{{Bus: bus, Multiplicity: 1, Values: []goldilocks.Element{1 << 40}}})
			return err
		}, backend.ErrLookupMiss.Error()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := tc.call()
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
			if b.Lost() != nil || b.Failed(err) {
				t.Errorf("taken for the device's: %v", err)
			}
		})
	}
	if err := gather(func(*protocol.Plans) {})(); err != nil {
		t.Errorf("in the end: %v", err)
	}
}
