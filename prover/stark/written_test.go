package stark_test

import (
	"bytes"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// writing is the CPU backend, which here writes two bytes for all that is opened.
type (
	writing       struct{ backend.Backend }
	writingProver struct{ backend.Prover }
	writingProof  struct{ backend.Proof }
)

func (b writing) Open(m *machine.Machine, params backend.Params, budget backend.Budget) (backend.Prover, error) {
	opened, err := b.Backend.Open(m, params, budget)
	return writingProver{opened}, err
}

func (p writingProver) Begin(instances []machine.Instance) (backend.Proof, error) {
	begun, err := p.Prover.Begin(instances)
	return writingProof{begun}, err
}

func (p writingProof) GatherEncoded(plans *backend.Plans, front func() []byte) ([]byte, error) {
	_, err := p.Gather(plans)
	return append(bytes.Clone(front()), "{}"...), err
}

// A backend that writes what is opened is asked to where that is wanted, gets all that comes before, and its file is the
// proof's. Other backends, and proofs of shards, are as they were.
func TestWrittenProofs(t *testing.T) {
	program := tourProgram(t)
	key := newKey(t, program.Machine(), testParams(t))
	list, err := program.(machine.Sharded).Shards(t.Context(), machine.Input{Size: 60, Seed: 1, MinLogHeight: 5}, machine.Even(2))
	if err != nil {
		t.Fatal(err)
	}
	input := machine.Input{Size: 60, Seed: 2, MinLogHeight: 5}
	honest := prove(t, key, execute(t, program, input), 1)
	whole := encode(t, honest)
	bare := *honest
	bare.Trees, bare.Layers = [backend.PhaseCount]merkle.Opening{}, nil
	front := encode(t, &bare)
	front = front[:len(front)-backend.PhaseCount*8-4] // without the numbers of what is opened

	for _, c := range []struct {
		on     backend.Backend
		encode bool
		want   []byte
	}{
		{cpu.New(parallel.New(1)), true, nil},
		{writing{cpu.New(parallel.New(1))}, false, nil},
		{writing{cpu.New(parallel.New(1))}, true, append(front, "{}"...)},
	} {
		p, err := stark.NewProver(key, c.on, backend.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second in the memory of the first
			proof, _, err := p.Prove(t.Context(), execute(t, program, input), stark.Options{Encode: c.encode})
			if err != nil {
				t.Fatal(err)
			}
			if got := proof.Written(); !bytes.Equal(got, c.want) {
				t.Errorf("%T, asked to encode %t: wrote %d bytes, want %d", c.on, c.encode, len(got), len(c.want))
			}
			want := whole
			if c.want != nil {
				want = c.want
			}
			if got := encode(t, proof); !bytes.Equal(got, want) {
				t.Errorf("%T, asked to encode %t: encoded as %d bytes, want %d", c.on, c.encode, len(got), len(want))
			}
		}
		shard, err := p.BeginShard(t.Context(), list[0], 0, stark.Options{Encode: c.encode})
		if err != nil {
			t.Fatal(err)
		}
		commitments := []stark.Commitment{shard.Commitment(), shard.Commitment()}
		proof, _, err := shard.Prove(key.Common(list[0].Public(), commitments, nil))
		if err != nil || proof.Written() != nil || len(proof.Layers) == 0 {
			t.Errorf("%T, asked to encode %t: a shard was written, or lacks what is opened (%v)", c.on, c.encode, err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
