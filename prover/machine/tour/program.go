package tour

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/run"
)

type program struct {
	of      Map
	fillers *machine.Fillers
}

func (p *program) Machine() *circuit.Machine { return p.fillers.Machine }

func (p *program) Fillers() *machine.Fillers { return p.fillers }

// Run follows the choices, and cuts the walk into shards.
func (p *program) Run(_ context.Context, input run.Input) (*run.Run, error) {
	whole, err := p.execute(input)
	if err != nil {
		return nil, err
	}
	if input.Cut.Whole() {
		return run.Whole(whole.public, whole), nil
	}
	shards, err := p.shards(whole, input)
	if err != nil {
		return nil, err
	}
	return run.Known(whole.public, shards...), nil
}

// Estimate always fails: the heights of the tables depend on the choices, not only on their number.
func (p *program) Estimate(int, int, *run.Sample) ([]circuit.Instance, error) {
	return nil, fmt.Errorf("tour: %w", run.ErrRunFirst)
}

// execute follows the public bytes of the input, or samples choices.
func (p *program) execute(input run.Input) (*execution, error) {
	choices := input.Public
	if input.Synthetic() {
		random := rand.New(rand.NewPCG(input.Seed, uint64(input.Size)))
		place := p.of.Entry
		for range input.Size {
			roads := p.of.Places[place].Roads
			c := random.IntN(len(roads) + 1)
			if c == len(roads) {
				c = resting
			} else {
				place = roads[c].Next
			}
			choices = append(choices, byte(c))
		}
	}
	return p.walk(choices, input.MinLogHeight)
}

func (p *program) Size(public circuit.Public, _ []circuit.Instance) (int, error) {
	return len(public.Data), nil
}

func (p *program) Claim(public circuit.Public, _ int) string {
	return fmt.Sprintf("program %x\nchoices %d %x\nend %d\ntotal %d", p.fillers.Machine.Program.Digest, len(public.Data),
		sha256.Sum256(public.Data),
		uint64(public.Values[PublicEnd]), uint64(public.Values[PublicTotal]))
}

func (p *program) Describe(public circuit.Public) []circuit.Field {
	return []circuit.Field{
		{Name: "end", Value: strconv.FormatUint(uint64(public.Values[PublicEnd]), 10)},
		{Name: "total", Value: strconv.FormatUint(uint64(public.Values[PublicTotal]), 10)},
	}
}
