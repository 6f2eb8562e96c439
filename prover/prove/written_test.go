package prove_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
)

// writing is a backend that writes the openings itself if front is given: the bytes of a proof before the openings.
type writing struct{ backend.Backend }

func (b writing) Open(f *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	return backendtest.Hooked{Backend: b.Backend, Hooks: &backendtest.Hooks{Gather: writeOpened}}.Open(f, params, budget)
}

func writeOpened(_ *protocol.Plans, front func() []byte, gathered *backend.Gathered) error {
	if front == nil {
		return nil
	}
	empty, err := new(protocol.Proof).MarshalBinary()
	if err != nil {
		return err
	}
	const none = protocol.PhaseCount*8 + 4 // openings without matrices and siblings, and no layers
	opened, err := (&protocol.Proof{Trees: gathered.Phases, Layers: gathered.Layers}).MarshalBinary()
	*gathered = backend.Gathered{Written: append(bytes.Clone(front()), opened[len(empty)-none:]...)}
	return err
}

// A backend that writes the openings is asked to do so if requested, and receives all earlier bytes. Its file equals
// the proof's, or a shard's part of the set's. Other proofs do not change.
func TestWrittenProofs(t *testing.T) {
	program := tourProgram(t)
	key := newKey(t, program.Fillers(), testParams(t))
	input := run.Input{Size: 60, Seed: 1, MinLogHeight: 5}
	list, err := run.Shards(t.Context(), program, input, run.Even(2))
	if err != nil {
		t.Fatal(err)
	}
	var want, wantSet []byte
	for _, c := range []struct {
		on              backend.Backend
		encode, written bool
	}{
		{cpu.New(parallel.New(1)), true, false},
		{writing{cpu.New(parallel.New(1))}, false, false},
		{writing{cpu.New(parallel.New(1))}, true, true},
	} {
		open := func() *prove.Prover {
			p, err := newProverOn(key, c.on)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { p.Close() })
			return p
		}
		p := open()
		for range 2 { // the second in the memory of the first
			proof, _, err := p.Prove(t.Context(), execute(t, program, input), prove.Options{Encode: c.encode})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = encode(t, proof)
			}
			if c.written != bytes.Equal(proof.Written(), want) || c.written != (proof.Layers == nil) {
				t.Errorf("%T, asked to encode %t: wrote %d bytes", c.on, c.encode, len(proof.Written()))
			}
			if !bytes.Equal(encode(t, proof), want) {
				t.Errorf("%T, asked to encode %t: encoded as other bytes", c.on, c.encode)
			}
			if _, err := (&protocol.Set{Shards: []*protocol.Proof{proof}}).MarshalBinary(); (err != nil) != c.written {
				t.Errorf("%T, asked to encode %t, as a set: %v", c.on, c.encode, err)
			}
		}

		var shards []*prove.Shard
		var commitments []protocol.Commitment
		for number, execution := range list {
			shard, err := open().BeginShard(t.Context(), execution, number, prove.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if c.encode {
				shard.Encode()
			}
			shards, commitments = append(shards, shard), append(commitments, shard.Commitment())
		}
		set := new(protocol.Set)
		for _, shard := range shards {
			proof, _, err := shard.Prove(key.Common(list[0].Public(), commitments, nil))
			if err != nil {
				t.Fatal(err)
			}
			set.Shards = append(set.Shards, proof)
			if _, err := proof.MarshalBinary(); (err != nil &&
				strings.Contains(err.Error(), "not a file by itself")) != c.written ||
				c.written != (proof.Written() != nil) {
				t.Errorf("%T, asked to encode %t: wrote %d bytes of a shard, encoded by itself: %v", c.on, c.encode,
					len(proof.Written()), err)
			}
		}
		got, err := set.AppendOn(parallel.New(2), []byte("set"))
		if wantSet == nil {
			wantSet = got
		}
		if err != nil || !bytes.Equal(got, wantSet) {
			t.Errorf("%T, asked to encode %t: another set (%v)", c.on, c.encode, err)
		}
	}
}
