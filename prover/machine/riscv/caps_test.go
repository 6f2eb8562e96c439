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
	blowups := map[int]bool{}
	for _, preset := range protocol.Presets() {
		params := preset.Params
		if _, ok := m.FixedCap(params.LogBlowup, params.CapHeight); !ok {
			t.Errorf("preset %s: its cap is not in the source", preset.Name)
		}
		blowups[params.LogBlowup] = true
	}
	for blowup := range blowups {
		params := protocol.Default()
		params.LogBlowup = blowup
		for params.CapHeight = 4; params.CapHeight >= 0; params.CapHeight -= 4 {
			tree, err := setup.ComputeFixedTree(m, params)
			if err != nil {
				t.Fatal(err)
			}
			want := tree.Cap()
			if *update && params.CapHeight == 4 {
				if err := os.WriteFile(fmt.Sprintf("caps_%d.txt", 1<<blowup), []byte(source(want)), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if have, ok := m.FixedCap(blowup, params.CapHeight); !ok || pin.On() && !slices.Equal(have, want) {
				t.Errorf("log blowup %d, cap height %d: the source has another cap: if that is meant, -update", blowup,
					params.CapHeight)
			}
			if blowup > 1 {
				break // folding is the same for all
			}
		}
	}
	for _, none := range [][2]int{{3, 4}, {4, 4}, {1, 5}, {2, 10}} {
		if _, ok := m.FixedCap(none[0], none[1]); ok {
			t.Errorf("log blowup %d, cap height %d: the source cannot have it", none[0], none[1])
		}
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
