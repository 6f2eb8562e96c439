package riscv_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// The caps in the source are those of the fixed tables: at every blowup of the presets, and at every height that is
// folded from them.
func TestFixedCaps(t *testing.T) {
	p, err := riscv.Known(machine.Image{Entry: 0x1000}, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	m := p.Machine()
	blowups := map[int]bool{}
	for _, preset := range stark.Presets() {
		params := preset.Params
		if _, ok := m.FixedCap(params.LogBlowup, params.CapHeight); !ok {
			t.Errorf("preset %s: its cap is not in the source", preset.Name)
		}
		blowups[params.LogBlowup] = true
	}
	for blowup := range blowups {
		params := stark.Default()
		params.LogBlowup = blowup
		for params.CapHeight = 4; params.CapHeight >= 0; params.CapHeight -= 4 {
			tree, err := stark.ComputeFixedTree(m, params)
			if err != nil {
				t.Fatal(err)
			}
			want := tree.Cap()
			if blowup == 1 && params.CapHeight > 0 {
				checkFixedLayer(t, m.FixedLayer(blowup), tree.Layer(12))
			}
			if have, ok := m.FixedCap(blowup, params.CapHeight); !ok || !slices.Equal(have, want) {
				t.Errorf("log blowup %d, cap height %d: the source has another cap, want\n%s", blowup, params.CapHeight, source(want))
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

// checkFixedLayer compares the layer in the source.
func checkFixedLayer(t *testing.T, have, want []merkle.Digest) {
	t.Helper()
	if slices.Equal(have, want) {
		return
	}
	if !*update {
		t.Error("the source has another layer of the fixed tables' tree: -update writes it anew")
		return
	}
	var file []byte
	for _, digest := range want {
		file = append(file, digest[:]...)
	}
	if err := os.WriteFile("layer_2.bin", file, 0o644); err != nil {
		t.Fatal(err)
	}
}

// A prover of one proof that is given another layer commits to other columns than the key, and is refused.
func TestWrongFixedLayer(t *testing.T) {
	p, err := riscv.New(riscvtest.Guest(t, "fib"))
	if err != nil {
		t.Fatal(err)
	}
	wrong := *p.Machine()
	key, err := stark.NewKey(&wrong, stark.Default())
	if err != nil {
		t.Fatal(err)
	}
	wrong.FixedLayer = func(logBlowup int) []merkle.Digest {
		layer := p.Machine().FixedLayer(logBlowup)
		layer[1][0] ^= 1
		return layer
	}
	_, err = stark.NewProver(key, cpu.NewOnce(parallel.New(0)), backend.Budget{})
	if err == nil || !strings.Contains(err.Error(), "commits to other fixed columns") {
		t.Errorf("error %v, want one that says that the columns are others", err)
	}
}

// source is a cap as the source has it.
func source(nodes []merkle.Digest) string {
	var b strings.Builder
	for _, node := range nodes {
		fmt.Fprintf(&b, "\t%x\n", node[:])
	}
	return b.String()
}
