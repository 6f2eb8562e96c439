package riscv_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// The caps in the source are those of the fixed tables: at every blowup of the presets, and at every height that is
// folded from them.
func TestFixedCaps(t *testing.T) {
	p, err := riscv.Known(circuit.Image{Entry: 0x1000}, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	m := p.Machine()
	type kind struct {
		hash   merkle.Hash
		blowup int
	}
	kinds := map[kind]bool{}
	for _, preset := range protocol.Presets() {
		params := preset.Params
		if _, ok := m.FixedCap(params.Hash, params.LogBlowup, params.CapHeight); !ok {
			t.Errorf("preset %s: its cap is not in the source", preset.Name)
		}
		kinds[kind{params.Hash, params.LogBlowup}] = true
		params.Hash = merkle.Blake3
		for _, other := range params.KeyParams() {
			if _, ok := m.FixedCap(other.Hash, other.LogBlowup, other.CapHeight); !ok {
				t.Errorf("%v: the cap of the key is not in the source", other)
			}
			kinds[kind{other.Hash, other.LogBlowup}] = true
		}
	}
	for k := range kinds {
		if testing.Short() && k.blowup > 2 {
			continue // 2^20 rows are committed to at blowup 16
		}
		params, name, listed := protocol.Default(), fmt.Sprintf("caps_%d.txt", 1<<k.blowup), 4
		if k.hash == merkle.Blake3 {
			name, listed = fmt.Sprintf("caps_blake3_%d.txt", 1<<k.blowup), protocol.KeyCapHeight
		}
		params.Hash, params.LogBlowup = k.hash, k.blowup
		for params.CapHeight = listed; params.CapHeight >= 0; params.CapHeight -= listed {
			tree, err := setup.ComputeFixedTree(m, params)
			if err != nil {
				t.Fatal(err)
			}
			want := tree.Cap()
			if *update && params.CapHeight == listed {
				if err := os.WriteFile(name, []byte(source(want)), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if have, ok := m.FixedCap(k.hash, k.blowup, params.CapHeight); !ok || pin.On() && !slices.Equal(have, want) {
				t.Errorf("%v, log blowup %d, cap height %d: the source has another cap: if that is meant, -update", k.hash,
					k.blowup, params.CapHeight)
			}
			if k.blowup > 1 {
				break // folding is the same for all
			}
		}
	}
	for _, none := range [][2]int{{3, 4}, {4, 4}, {1, 5}, {2, 10}} {
		if _, ok := m.FixedCap(merkle.Keccak, none[0], none[1]); ok {
			t.Errorf("log blowup %d, cap height %d: the source cannot have it", none[0], none[1])
		}
	}
	if _, ok := m.FixedCap(merkle.Blake3, 1, protocol.KeyCapHeight+1); ok {
		t.Error("the source cannot have a cap above its keys'")
	}
}

// source is a cap as the source has it.
func source(nodes []merkle.Digest) string {
	var b strings.Builder
	for _, node := range nodes {
		fmt.Fprintf(&b, "%x\n", node[:])
	}
	return b.String()
}
