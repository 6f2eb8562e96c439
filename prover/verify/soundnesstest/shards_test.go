package soundnesstest

import (
	"context"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// shards are a run in shards, of a machine whose tables can be changed.
type shards struct {
	key  *protocol.Key
	list []*machine.Shard

	// number and commitments replace the provers' values; nil keeps the true values.
	number      func(i int) int
	commitments func([]protocol.Commitment)
	cheater     func(i int) *cheater
}

// toured is a walk in shards.
func toured(t testing.TB, seed uint64, count int) shards {
	t.Helper()
	program, err := tourProgram()
	must(err)
	list, err := run.Shards(t.Context(), program, run.Input{
		Size:         60,
		Seed:         seed,
		MinLogHeight: params().MinLogHeight,
	}, run.Even(count))
	if err != nil {
		t.Fatal(err)
	}
	return shards{key: newKey(t, program.Fillers()), list: list}
}

// prove makes the proofs of all shards.
func (s shards) prove(t testing.TB) *protocol.Set {
	t.Helper()
	var (
		begun       []*prove.Shard
		commitments []protocol.Commitment
	)
	for i, execution := range s.list {
		backing := new(cheater)
		if s.cheater != nil {
			backing = s.cheater(i)
		}
		prover := newProver(t, s.key, backing)
		number := i
		if s.number != nil {
			number = s.number(i)
		}
		shard, err := prover.BeginShard(context.Background(), execution, number, prove.Options{})
		if err != nil {
			t.Fatal(err)
		}
		begun, commitments = append(begun, shard), append(commitments, shard.Commitment())
	}
	if s.commitments != nil {
		s.commitments(commitments)
	}
	common := s.key.Common(s.list[0].Public(), commitments, nil)
	set := new(protocol.Set)
	for _, shard := range begun {
		proof, _, err := shard.Prove(common)
		if err != nil {
			t.Fatal(err)
		}
		set.Shards = append(set.Shards, proof)
	}
	return set
}

// refused requires that one of the checks rejects the set, in memory and from its encoding, and that the second
// verifier refuses it too.
func refused(t testing.TB, set *protocol.Set, key *protocol.Key, by ...verify.Check) {
	t.Helper()
	err := verify.Set(set, key)
	if check, ok := verify.RejectedBy(err); !ok || !slices.Contains(by, check) {
		t.Errorf("verification says %v, want a rejection by %q", err, by)
	}
	encoded, err := set.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var decoded protocol.Set
	if decoded.UnmarshalBinary(encoded) == nil && verify.Set(&decoded, key) == nil &&
		!slices.Contains(by, verify.CheckPublic) {
		t.Error("the set is accepted after it was written and read")
	}
	if err := second(key).Verify(encoded); err == nil && !slices.Contains(by, verify.CheckPublic) {
		t.Error("the second verifier accepts the set")
	}
}

// believed requires that both verifiers accept a set.
func (s shards) believed(t testing.TB, set *protocol.Set) {
	t.Helper()
	if err := verify.Set(set, s.key); err != nil {
		t.Error(err)
	}
	encoded, err := set.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := second(s.key).Verify(encoded); err != nil {
		t.Errorf("the second verifier: %v", err)
	}
}

// copied is a set of copies, which may be changed.
func copied(set *protocol.Set) *protocol.Set {
	changed := new(protocol.Set)
	for _, shard := range set.Shards {
		proof := *shard
		proof.Claimed, proof.Instances = slices.Clone(proof.Claimed), slices.Clone(proof.Instances)
		proof.MainCap = slices.Clone(proof.MainCap)
		changed.Shards = append(changed.Shards, &proof)
	}
	return changed
}

// A finished set with a part that comes from or moved to another place.
func TestSetsOfOtherShards(t *testing.T) {
	s := toured(t, 1, 3)
	honest, other := s.prove(t), toured(t, 2, 3).prove(t)
	s.believed(t, honest)
	two := toured(t, 1, 2).prove(t)
	argument := []verify.Check{verify.CheckQuotient, verify.CheckFolds, verify.CheckNonce, verify.CheckOpenings,
		verify.CheckLayers, verify.CheckSums}
	for _, tc := range []struct {
		name   string
		change func(list []*protocol.Proof) []*protocol.Proof
		by     []verify.Check
	}{
		{"a shard twice", func(l []*protocol.Proof) []*protocol.Proof { return append(l, l[1]) }, argument},
		{"a shard in another's place", func(l []*protocol.Proof) []*protocol.Proof {
			return []*protocol.Proof{l[0], l[1],
				l[1]}
		},
			argument},
		{"a shard left out", func(l []*protocol.Proof) []*protocol.Proof { return l[:2] }, argument},
		{"one shard alone", func(l []*protocol.Proof) []*protocol.Proof { return l[:1] }, []verify.Check{verify.CheckShards}},
		{"none", func(l []*protocol.Proof) []*protocol.Proof { return append(l[:0:0], slices.Repeat(l[:1], 257)...) },
			[]verify.Check{verify.CheckShards}},
		{"another order", func(l []*protocol.Proof) []*protocol.Proof { return []*protocol.Proof{l[0], l[2], l[1]} },
			argument},
		{"a shard of another run", func(l []*protocol.Proof) []*protocol.Proof {
			theirs := *other.Shards[2]
			theirs.Public = l[0].Public
			return []*protocol.Proof{l[0], l[1], &theirs}
		}, argument},
		{"the shards of two sets", func(l []*protocol.Proof) []*protocol.Proof {
			return []*protocol.Proof{two.Shards[0],
				l[1], l[2]}
		},
			argument},
		{"swapped caps", func(l []*protocol.Proof) []*protocol.Proof {
			l[1].MainCap, l[2].MainCap = l[2].MainCap, l[1].MainCap
			return l
		}, argument},
		{"a changed cap", func(l []*protocol.Proof) []*protocol.Proof { l[2].MainCap[0][0] ^= 1; return l }, argument},
		{"a sum moved to another shard", func(l []*protocol.Proof) []*protocol.Proof {
			l[1].Claimed[0], l[2].Claimed[0] = l[1].Claimed[0].Add(goldilocks.Extension{1}),
				l[2].Claimed[0].Sub(goldilocks.Extension{1})
			return l
		}, []verify.Check{verify.CheckQuotient, verify.CheckFolds, verify.CheckNonce}},
		{"a sum changed", func(l []*protocol.Proof) []*protocol.Proof {
			l[1].Claimed[0] = l[1].Claimed[0].Add(goldilocks.Extension{0, 1})
			return l
		}, []verify.Check{verify.CheckSums}},
		{"another height", func(l []*protocol.Proof) []*protocol.Proof { l[1].Instances[0].LogHeight++; return l },
			append(argument, verify.CheckShape)},
		{"a shard that states something else", func(l []*protocol.Proof) []*protocol.Proof {
			l[1].Public = circuit.Public{Values: slices.Clone(l[1].Public.Values), Data: l[1].Public.Data}
			l[1].Public.Values[tour.PublicTotal]++
			return l
		}, []verify.Check{verify.CheckPublic}},
		{"all state something else", func(l []*protocol.Proof) []*protocol.Proof {
			public := circuit.Public{Values: slices.Clone(l[0].Public.Values), Data: l[0].Public.Data}
			public.Values[tour.PublicTotal]++
			for _, p := range l {
				p.Public = public
			}
			return l
		}, argument},
		{"another program", func(l []*protocol.Proof) []*protocol.Proof {
			program := *l[0].Program
			program.Image[0] ^= 1
			for _, p := range l {
				p.Program = &program
			}
			return l
		}, []verify.Check{verify.CheckProgram}},
		{"other parameters", func(l []*protocol.Proof) []*protocol.Proof {
			for _, p := range l {
				p.Params.Queries--
			}
			return l
		}, []verify.Check{verify.CheckParams}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			changed := copied(honest)
			changed.Shards = tc.change(changed.Shards)
			refused(t, changed, s.key, tc.by...)
		})
	}
	// A shard is not a proof, and proofs are not shards.
	if err := verify.Proof(honest.Shards[0], s.key); err == nil {
		t.Error("a shard is accepted as a proof")
	}
}

// Provers that commit to a lie from the start. Everything else is honest.
func TestShardsBoundToALie(t *testing.T) {
	argument := []verify.Check{verify.CheckQuotient, verify.CheckFolds}
	t.Run("numbers", func(t *testing.T) {
		s := toured(t, 1, 3)
		s.number = func(i int) int { return []int{0, 2, 1}[i] }
		refused(t, s.prove(t), s.key, argument...)
	})
	t.Run("a cap that is not the shard's", func(t *testing.T) {
		s := toured(t, 1, 2)
		s.commitments = func(list []protocol.Commitment) {
			list[1].MainCap = slices.Repeat([]merkle.Digest{{1}}, len(list[1].MainCap))
		}
		refused(t, s.prove(t), s.key, append(argument, verify.CheckSums)...)
	})
	t.Run("a shard of another run", func(t *testing.T) {
		s, other := toured(t, 1, 3), toured(t, 2, 3)
		public := s.list[0].Public()
		s.list[1] = (&machine.Mutated{Execution: other.list[1].Execution, Claim: &public}).InPlaceOf(other.list[1])
		refused(t, s.prove(t), s.key, verify.CheckSums)
	})
	t.Run("a shard twice", func(t *testing.T) {
		s := toured(t, 1, 3)
		s.list = append(s.list, s.list[1])
		refused(t, s.prove(t), s.key, verify.CheckSums)
	})
	t.Run("a shard left out", func(t *testing.T) {
		s := toured(t, 1, 3)
		s.list = s.list[:2]
		refused(t, s.prove(t), s.key, verify.CheckSums)
	})
	t.Run("sums that cancel over shards without messages", func(t *testing.T) {
		s := toured(t, 1, 2)
		s.cheater = func(i int) *cheater {
			return &cheater{logUp: func(_ matrices, sums []goldilocks.Extension) {
				one := goldilocks.Extension{1}
				if i == 1 {
					one = one.Neg()
				}
				sums[0] = sums[0].Add(one)
			}}
		}
		refused(t, s.prove(t), s.key, verify.CheckQuotient)
	})
}

// toyShards are two shards, with changes to their squares. Two tables of the toy machine count once: the last shard has
// all counted instances, the other none. With asks, the idle instances' lookups are answered all the same.
func toyShards(t testing.TB, asks bool, change func(shard int, squares [][]goldilocks.Element)) shards {
	t.Helper()
	s := shards{key: newKey(t, toy())}
	for i := range 2 {
		execution := changing(squares, func(columns [][]goldilocks.Element) { change(i, columns) })
		shard := &machine.Shard{Execution: execution, Last: i == 1}
		for row := range toyActive {
			if !shard.Last && !asks {
				shard.Unanswered = append(shard.Unanswered, send(toy().Machine, smallBus, 1, toyX(row)))
			}
		}
		s.list = append(s.list, shard)
	}
	return s
}

// For tables that a machine has once, only the last shard's instance counts, whatever the others contain.
func TestWhatCountsOnce(t *testing.T) {
	s := toyShards(t, false, func(int, [][]goldilocks.Element) {})
	s.believed(t, s.prove(t))
	s = toyShards(t, false, func(shard int, columns [][]goldilocks.Element) {
		if shard == 0 {
			columns[squaresOn][toyActive+1] = 1 // no table receives it
		}
	})
	s.believed(t, s.prove(t))
	for name, list := range map[string][]func(columns [][]goldilocks.Element){
		"what the last shard says too often": {nil,
			func(columns [][]goldilocks.Element) { columns[squaresOn][toyActive+1] = 1 }},
		// If all counted, it would cancel.
		"two tables that cancel together": {
			func(columns [][]goldilocks.Element) {
				columns[squaresX][toyActive], columns[squaresY][toyActive] = toyX(4), toyX(4).Square()
			},
			func(columns [][]goldilocks.Element) { columns[squaresOn][4] = 0 },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := toyShards(t, list[0] != nil, func(shard int, columns [][]goldilocks.Element) {
				if list[shard] != nil {
					list[shard](columns)
				}
			})
			refused(t, s.prove(t), s.key, verify.CheckSums)
		})
	}
	t.Run("lookups whose sum does not count", func(t *testing.T) {
		s := toyShards(t, true, func(int, [][]goldilocks.Element) {})
		refused(t, s.prove(t), s.key, verify.CheckSums)
	})
}

// Bounds apply to all shards together: half of them would be within. The verifier's own message counts once.
func TestBoundsOfAllShards(t *testing.T) {
	set := toyShards(t, false, func(int, [][]goldilocks.Element) {}).prove(t)
	for bound, refused := range map[uint64]bool{
		goldilocks.Modulus>>(toyStepsLog+1) - 1: false,
		goldilocks.Modulus >> (toyStepsLog + 1): true,
	} {
		key := newKey(t, newToy(toyOptions{stepBound: bound}))
		changed := copied(set)
		for _, shard := range changed.Shards {
			shard.MachineDigest = key.Digest
		}
		err := verify.Set(changed, key)
		if check, _ := verify.RejectedBy(err); (check == verify.CheckBuses) != refused || err == nil {
			t.Errorf("bound %d: %v, want a rejection by %q: %v", bound, err, verify.CheckBuses, refused)
		}
		data, err := changed.MarshalBinary()
		must(err)
		if second(key).Verify(data) == nil {
			t.Errorf("bound %d: the second verifier accepts it", bound)
		}
	}
}
