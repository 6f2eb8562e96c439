package setup

import (
	"context"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

func program(t *testing.T) *circuit.Machine {
	t.Helper()
	p, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	return p.Machine()
}

func programParams(logBlowup, capHeight int) protocol.Params {
	params := protocol.Default()
	params.Hash, params.LogBlowup, params.CapHeight = merkle.Blake3, logBlowup, capHeight
	return params
}

// One id stands for a program under all parameters with BLAKE3: the tree of each blowup is the left part of the next
// one's. The whole tree at the largest blowup, computed at once, has the root that the parts lead to.
func TestOneProgramID(t *testing.T) {
	m := program(t)
	pool := parallel.New(0)
	var id merkle.Digest
	for logBlowup := protocol.MaxLogBlowup; logBlowup >= 1; logBlowup-- {
		for _, capHeight := range []int{0, 4, protocol.MaxCapHeight} {
			params := programParams(logBlowup, capHeight)
			key, err := NewKeyOn(context.Background(), pool, m, params)
			if err != nil {
				t.Fatal(err)
			}
			if len(key.Program.Larger) != protocol.MaxLogBlowup-logBlowup {
				t.Fatalf("blowup 2^%d: %d siblings", logBlowup, len(key.Program.Larger))
			}
			tree, err := preprocessedTree(context.Background(), pool, m, params, protocol.Program)
			if err != nil {
				t.Fatal(err)
			}
			for i, node := range tree.Cap() {
				if key.Program.Cap[i] != node {
					t.Fatalf("blowup 2^%d, cap height %d: node %d of the cap differs from the tree's", logBlowup, capHeight, i)
				}
			}
			if id == (merkle.Digest{}) {
				id = key.ProgramID()
			}
			if got := key.ProgramID(); got != id {
				t.Errorf("blowup 2^%d, cap height %d: id %x, want %x", logBlowup, capHeight, got, id)
			}
		}
	}
}

// A header of another blowup's tree, of another layer of the tree or with another sibling is refused under the id.
func TestOneProgramIDRefuses(t *testing.T) {
	m := program(t)
	key := func(logBlowup, capHeight int) *protocol.Key {
		key, err := NewKey(m, programParams(logBlowup, capHeight))
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	known := key(2, 3)
	refused := func(name string, change func(k *protocol.ProgramKey)) {
		changed := *known.Program
		change(&changed)
		if _, err := known.OfProgram(known.ProgramID(), &changed); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := known.OfProgram(known.ProgramID(), known.Program); err != nil {
		t.Fatal(err)
	}
	refused("the layer below the cap", func(k *protocol.ProgramKey) { k.Cap = key(2, 4).Program.Cap })
	refused("the layer above the cap", func(k *protocol.ProgramKey) { k.Cap = key(2, 2).Program.Cap })
	refused("no cap", func(k *protocol.ProgramKey) { k.Cap = nil })
	refused("three nodes", func(k *protocol.ProgramKey) { k.Cap = k.Cap[:3] })
	refused("the tree of another blowup", func(k *protocol.ProgramKey) { *k = *key(1, 3).Program })
	refused("the larger tree with siblings of the smaller", func(k *protocol.ProgramKey) { k.Cap = key(3, 3).Program.Cap })
	refused("the larger tree with its own siblings", func(k *protocol.ProgramKey) { *k = *key(3, 3).Program })
	refused("a sibling less", func(k *protocol.ProgramKey) { k.Larger = k.Larger[:1] })
	refused("another sibling", func(k *protocol.ProgramKey) { k.Larger = []merkle.Digest{k.Larger[0], {1}} })
	refused("siblings exchanged", func(k *protocol.ProgramKey) { k.Larger = []merkle.Digest{k.Larger[1], k.Larger[0]} })
}
