package verifiertest

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/protocol/soundness"
)

// The verifier in C requires 128 bits exactly where package soundness proves them, over parameters, heights, tables and
// public messages. The proofs are fabricated, so all are refused, by that check or by a later one.
func TestBits(t *testing.T) {
	native := start(t)
	const seed = 7
	random := rand.New(rand.NewPCG(seed, 0))
	fib, run := cached(t, "fib-3"), cached(t, "rv64im-3")
	counts := map[bool]int{}
	for n := range 1500 {
		s := fib
		if n%2 == 1 {
			s = run
		}
		var proof protocol.Proof
		must(t, proof.UnmarshalBinary(s.file))
		drawParams(&proof.Params, random)
		if s == fib {
			proof.Instances[0].LogHeight = 5 + random.IntN(20-5)
		} else {
			drawInstances(s, &proof, random)
			proof.Program = headerUnder(proof.Params, *proof.Program)
		}
		key := *s.key
		key.Params = proof.Params
		report, err := key.Security(proof.Instances, proof.Public)
		if err != nil {
			continue // no list of instances
		}
		file, err := proof.MarshalBinary()
		must(t, err)
		proven := report.Bits() >= soundness.HashBits
		key.Program = proof.Program
		have := native.verify(t, file, key.ProgramID(), false)
		if have == accepted || (have != "VERIFIER_SECURITY") != proven {
			t.Errorf("draw %d of seed %d: %v, %d bits proven (%.9f by %s): %s", n, seed, proof.Params, report.Bits(),
				report.Best().Bits, report.Best().Name, have)
		}
		counts[proven]++
	}
	if counts[true] < 200 || counts[false] < 200 {
		t.Errorf("%d lists are proven and %d are not, want 200 of each", counts[true], counts[false])
	}
}

// drawParams samples parameters with about 128 bits of security.
func drawParams(p *protocol.Params, random *rand.Rand) {
	p.LogBlowup = 1 + random.IntN(4)
	p.GrindingBits = 12 + random.IntN(12)
	enough := []int{0, 219, 110, 74, 54}[p.LogBlowup]
	p.Queries = enough + random.IntN(enough/4) - enough/16
	p.LogArity, p.LogFinalLength, p.CapHeight = 1+random.IntN(4), random.IntN(8), random.IntN(7)
	p.MinLogHeight = 1
}

// headerUnder is a program header in the format that parameters require.
func headerUnder(p protocol.Params, of protocol.ProgramKey) *protocol.ProgramKey {
	height := p.CapHeight
	for _, h := range of.LogHeights {
		height = min(height, h+p.LogBlowup)
	}
	of.Cap, of.Larger = make([]merkle.Digest, 1<<height), make([]merkle.Digest, p.LargerTrees())
	return &of
}

// drawInstances samples heights, and sometimes several instances of a table.
func drawInstances(s *subject, proof *protocol.Proof, random *rand.Rand) {
	var list []circuit.Instance
	for _, instance := range proof.Instances {
		table := s.key.Machine.Tables[instance.Table]
		if table.Kind == air.NoPreprocessed {
			instance.LogHeight = table.MinLogHeight + random.IntN(min(table.MaxLogHeight, 23)-table.MinLogHeight+1)
		}
		list = append(list, instance)
		for n := random.IntN(4) - 1; n > 0 && table.MaxInstances > 2; n-- {
			list = append(list, instance)
		}
	}
	proof.Instances = list
}

// The same for runs in shards, which share LogUp's challenges: the weakest shard decides the strength. Shards of tour
// have up to 2^20 rows, so that the shared challenges are sometimes the limit.
func TestBitsOfShards(t *testing.T) {
	native := start(t)
	const seed = 8
	random := rand.New(rand.NewPCG(seed, 0))
	s := cached(t, "tour-shards-3")
	counts := map[bool]int{}
	for n := range 400 {
		var set protocol.Set
		must(t, set.UnmarshalBinary(s.file))
		params := set.Shards[0].Params
		drawParams(&params, random)
		key := *s.key
		key.Params, key.Program = params, headerUnder(params, *s.key.Program)
		var lists [][]circuit.Instance
		for _, shard := range set.Shards {
			shard.Params, shard.Program = params, key.Program
			for i := range shard.Instances {
				table := key.Machine.Tables[shard.Instances[i].Table]
				if table.Kind == air.NoPreprocessed && table.MaxInstances == 1 {
					shard.Instances[i].LogHeight = min(table.MaxLogHeight, 8+random.IntN(13))
				}
			}
			lists = append(lists, shard.Instances)
		}
		report, err := key.SecurityOfShards(lists, set.Shards[0].Public)
		if err != nil {
			continue
		}
		file, err := set.MarshalBinary()
		must(t, err)
		proven := report.Bits() >= soundness.HashBits
		have := native.verify(t, file, key.ProgramID(), false)
		if have == accepted || (have != "VERIFIER_SECURITY") != proven {
			t.Errorf("draw %d of seed %d: %v, %d bits proven (%.9f by %s): %s", n, seed, params, report.Bits(),
				report.Best().Bits, report.Best().Name, have)
		}
		counts[proven]++
	}
	if counts[true] < 50 || counts[false] < 50 {
		t.Errorf("%d runs are proven and %d are not, want 50 of each", counts[true], counts[false])
	}
}
