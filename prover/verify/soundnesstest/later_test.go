package soundnesstest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// The rules of instances hold for each shard. If only a later shard violates them, both verifiers refuse the set for
// that, before any other resulting error.
func TestRulesOfLaterShards(t *testing.T) {
	s := toured(t, 1, 3)
	honest := s.prove(t)
	last := len(s.key.Machine.Tables) - 1
	list := honest.Shards[0].Instances
	tooTall := s.key.Machine.Tables[list[len(list)-1].Table].MaxLogHeight + 1
	for _, rule := range []struct {
		name   string
		change func(list []circuit.Instance) []circuit.Instance
		second string // of the second verifier's error
	}{
		{"out of order", func(l []circuit.Instance) []circuit.Instance {
			l[0], l[len(l)-1] = l[len(l)-1], l[0]
			return l
		}, "out of order"},
		{"one left out", func(l []circuit.Instance) []circuit.Instance {
			return slices.DeleteFunc(l, func(i circuit.Instance) bool { return s.key.Machine.Tables[i.Table].MinInstances > 0 })
		}, "0 instances"},
		{"too many of a table", func(l []circuit.Instance) []circuit.Instance {
			return append(l, slices.Repeat(l[len(l)-1:], 20)...)
		}, "22 instances"},
		{"too tall", func(l []circuit.Instance) []circuit.Instance {
			l[len(l)-1].LogHeight = tooTall
			return l
		}, fmt.Sprintf("log height %d", tooTall)},
		{"of a table that is not there", func(l []circuit.Instance) []circuit.Instance {
			l[len(l)-1].Table = last + 1
			return l
		}, fmt.Sprintf("of table %d", last+1)},
	} {
		for i := range honest.Shards {
			changed := copied(honest)
			changed.Shards[i].Instances = rule.change(changed.Shards[i].Instances)
			err := verify.Set(changed, s.key)
			shard := fmt.Sprintf("shard %d", i)
			if check, _ := verify.RejectedBy(err); check != verify.CheckInstances || !strings.Contains(err.Error(), shard) {
				t.Errorf("%s, %s: verification says %v, want a rejection by %q", shard, rule.name, err, verify.CheckInstances)
			}
			encoded, err := changed.MarshalBinary()
			must(err)
			err = second(s.key).Verify(encoded)
			if err == nil || !strings.Contains(err.Error(), shard) || !strings.Contains(err.Error(), rule.second) {
				t.Errorf("%s, %s: the second verifier says %v, want words with %q", shard, rule.name, err, rule.second)
			}
		}
	}
}

// The machine, program and parameters are checked in each shard.
func TestStatementsOfLaterShards(t *testing.T) {
	s := toured(t, 1, 3)
	honest := s.prove(t)
	for check, change := range map[verify.Check]func(p *protocol.Proof){
		verify.CheckMachine: func(p *protocol.Proof) { p.MachineDigest[0] ^= 1 },
		verify.CheckParams:  func(p *protocol.Proof) { p.Params.Queries-- },
		verify.CheckProgram: func(p *protocol.Proof) {
			program := *p.Program
			program.Image[0] ^= 1
			p.Program = &program
		},
		verify.CheckShape: func(p *protocol.Proof) { p.Claimed = p.Claimed[1:] },
	} {
		for i := range honest.Shards {
			changed := copied(honest)
			change(changed.Shards[i])
			err := verify.Set(changed, s.key)
			if by, _ := verify.RejectedBy(err); by != check || !strings.Contains(err.Error(), fmt.Sprintf("shard %d", i)) {
				t.Errorf("shard %d: verification says %v, want a rejection by %q", i, err, check)
			}
		}
	}
}
