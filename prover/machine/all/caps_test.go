package all

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/pin"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
)

// pinnedCaps are the folders with the caps of machines that have fixed tables.
var pinnedCaps = map[string]string{"keccak": "../../circuit/keccak", "rv64im": "../../circuit/rv64im/statement"}

// Pinned caps are those of the fixed tables, at every blowup of the presets and at every height that follows from them.
// -all.update rewrites them.
func TestFixedCaps(t *testing.T) {
	for name, folder := range pinnedCaps {
		m, err := Machine(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { testFixedCaps(t, m, folder) })
	}
}

// committed describes how a tree over fixed columns is built.
type committed struct {
	hash   merkle.Hash
	blowup int
}

// pinnedHeights are the heights of the caps in the files: of most presets, and of protocol 3's keys.
var pinnedHeights = map[merkle.Hash]int{merkle.Keccak: 4, merkle.Blake3: protocol.KeyCapHeight}

// committedBy lists how the presets commit to fixed columns, and checks that the caps are pinned.
func committedBy(t *testing.T, m *circuit.Machine) map[committed]bool {
	kinds := map[committed]bool{}
	for _, preset := range protocol.Presets() {
		params := preset.Params
		if _, ok := m.FixedCap(params.Hash, params.LogBlowup, params.CapHeight); !ok && !*update {
			t.Errorf("preset %s: its cap is not pinned", preset.Name)
		}
		kinds[committed{params.Hash, params.LogBlowup}] = true
		params.Hash = merkle.Blake3
		for _, other := range params.KeyParams() {
			if _, ok := m.FixedCap(other.Hash, other.LogBlowup, other.CapHeight); !ok && !*update {
				t.Errorf("%v: the cap of the key is not pinned", other)
			}
			kinds[committed{other.Hash, other.LogBlowup}] = true
		}
	}
	return kinds
}

func testFixedCaps(t *testing.T, m *circuit.Machine, folder string) {
	for k := range committedBy(t, m) {
		if testing.Short() && k.blowup > 2 {
			continue // 2^20 rows are committed to at blowup 16
		}
		params, name := protocol.Default(), fmt.Sprintf("caps_%d.txt", 1<<k.blowup)
		if k.hash == merkle.Blake3 {
			name = fmt.Sprintf("caps_blake3_%d.txt", 1<<k.blowup)
		}
		params.Hash, params.LogBlowup = k.hash, k.blowup
		listed := pinnedHeights[k.hash]
		for params.CapHeight = listed; params.CapHeight >= 0; params.CapHeight -= listed {
			tree, err := setup.ComputeFixedTree(m, params)
			if err != nil {
				t.Fatal(err)
			}
			want := tree.Cap()
			if *update && params.CapHeight == listed {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(capText(want)), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if have, ok := m.FixedCap(k.hash, k.blowup, params.CapHeight); !ok || pin.On() && !slices.Equal(have, want) {
				t.Errorf("%v, log blowup %d, cap height %d: another cap is pinned: if that is meant, -all.update", k.hash,
					k.blowup, params.CapHeight)
			}
			if k.blowup > 1 {
				break // lower caps follow in the same way
			}
		}
	}
	for _, none := range [][2]int{{3, 4}, {4, 4}, {1, 5}, {2, 10}} {
		if _, ok := m.FixedCap(merkle.Keccak, none[0], none[1]); ok {
			t.Errorf("log blowup %d, cap height %d: no such cap is pinned", none[0], none[1])
		}
	}
	if _, ok := m.FixedCap(merkle.Blake3, 1, protocol.KeyCapHeight+1); ok {
		t.Error("no cap above the keys' is pinned")
	}
	if _, ok := m.FixedCap(merkle.Hashes, 1, 4); ok {
		t.Error("no cap of an unknown hash function is pinned")
	}
}

// capText has the nodes of a cap in hexadecimal, one a line.
func capText(nodes []merkle.Digest) string {
	var b strings.Builder
	for _, node := range nodes {
		fmt.Fprintf(&b, "%x\n", node[:])
	}
	return b.String()
}
