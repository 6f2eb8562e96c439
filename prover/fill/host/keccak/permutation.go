package keccak

import (
	circuit "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// pastCaches is the size of a table, in bytes, from which its columns are written by stores that bypass the caches.
// Such a store of a whole line does not read the line first, and little of a table of this size would remain in the
// caches until its columns are transformed.
const pastCaches = 64 << 20

// Columns lie far apart in memory, so the table is filled by tiles of tilePermutations permutations: the rounds of a
// tile are computed first, lane by lane with the tile's rows next to each other, and then each column gets a run of
// tileRows cells. A tile of scratch fits the second-level cache; a run is 24 cache lines.
const (
	tilePermutations = 8
	tileRows         = tilePermutations * rounds
)

// laneRun holds a lane in all rows of a tile.
type laneRun [tileRows]uint64

// permutationTile is the scratch of one tile.
type permutationTile struct {
	past                 bool // whether stores bypass the caches
	input, output, theta [lanes]laneRun
	parity, mixed        [5]laneRun
	chi                  laneRun
}

// FillPermutations writes the keccak-f table. inputs has 25 lanes for each used permutation.
func FillPermutations(l *circuit.PermutationLayout, pool *parallel.Pool,
	columns [][]goldilocks.Element, inputs []uint64) {
	rows := len(columns[0])
	used := len(inputs) / lanes
	tiles := (rows + tileRows - 1) / tileRows
	pool.For(tiles, 1, func(lo, hi int) {
		tile := &permutationTile{past: len(columns)*rows*8 >= pastCaches}
		for t := lo; t < hi; t++ {
			first := t * tilePermutations
			for p := range tilePermutations {
				var input [lanes]uint64
				if first+p < used {
					copy(input[:], inputs[lanes*(first+p):])
				}
				tile.run(p, &input)
			}
			tile.write(l, columns, t*tileRows, min(rows-t*tileRows, tileRows), used-first)
		}
	})
}

// run computes permutation p of the tile, round 23 in its first row.
func (t *permutationTile) run(p int, input *[lanes]uint64) {
	state := *input
	var round roundTrace
	for r := range rounds {
		round.run(&state, r)
		t.put((p+1)*rounds-1-r, input, &round)
		state = round.output
	}
}

// put stores a round in a row of the tile.
func (t *permutationTile) put(row int, input *[lanes]uint64, round *roundTrace) {
	for i := range lanes {
		t.input[i][row] = input[i]
		t.output[i][row] = round.output[i]
		t.theta[i][row] = round.theta[i]
	}
	for x := range 5 {
		t.parity[x][row], t.mixed[x][row] = round.parity[x], round.mixed[x]
	}
	t.chi[row] = round.chi
}

// write copies the tile to count rows from first on. used is the number of the tile's permutations that are exported.
func (t *permutationTile) write(l *circuit.PermutationLayout, columns [][]goldilocks.Element, first, count, used int) {
	at := func(column int) []goldilocks.Element { return columns[column][first : first+count] }
	for w, word := range l.Words {
		writeWord(at(l.Output+w), &t.output, word, t.past)
		writeWord(at(l.Input+w), &t.input, word, t.past)
	}
	export := at(l.Export)
	clear(export[fillOnes(export, max(used, 0)*rounds):])
	for k := 1; k < 3; k++ {
		writeDigit(at(l.Mod3+k-1), 3, k)
	}
	for k, z := range circuit.IotaBits {
		t.writeBit(at(l.Chi+k), &t.chi, z)
	}
	for x := range 5 {
		for z := range laneBits {
			t.writeBit(at(l.Parity+laneBits*x+z), &t.parity[x], z)
			if l.Mixed >= 0 {
				t.writeBit(at(l.Mixed+laneBits*x+z), &t.mixed[x], z)
			}
		}
	}
	for i := range lanes {
		for z := range laneBits {
			t.writeBit(at(l.Theta+laneBits*i+z), &t.theta[i], z)
		}
	}
	if t.past {
		fencePast()
	}
}

// fillOnes sets the first n cells of a column, or all if it has fewer, and returns their number.
func fillOnes(column []goldilocks.Element, n int) int {
	n = min(n, len(column))
	for row := range column[:n] {
		column[row] = 1
	}
	return n
}

// writeDigit sets the rows of a tile whose number is k modulo m to 1 and the others to 0. A tile is a multiple of 24
// rows, so the counter restarts in each.
func writeDigit(column []goldilocks.Element, m, k int) {
	clear(column)
	for row := k; row < len(column); row += m {
		column[row] = 1
	}
}

// writeBit writes bit z of a lane.
func (t *permutationTile) writeBit(column []goldilocks.Element, lane *laneRun, z int) {
	extract(column, lane, uint(z), 1, t.past)
}

// extract writes lane >> shift & mask, a value below the field's order.
func extract(column []goldilocks.Element, lane *laneRun, shift uint, mask uint64, past bool) {
	done := extractKernel(column, lane[:len(column)], shift, mask, past)
	for i, v := range lane[done:len(column)] {
		column[done+i] = goldilocks.Element(v >> (shift & (laneBits - 1)) & mask)
	}
}

// writeWord writes a word of a state.
func writeWord(column []goldilocks.Element, state *[lanes]laneRun, w circuit.Word, past bool) {
	lane, shift := w.First/laneBits, uint(w.First%laneBits)
	mask := uint64(1)<<w.Bits - 1
	if w.First%laneBits+w.Bits <= laneBits {
		extract(column, &state[lane], shift, mask, past)
		return
	}
	high := state[lane+1][:len(column)]
	for i, v := range state[lane][:len(column)] {
		column[i] = goldilocks.Element((v>>shift | high[i]<<(laneBits-shift)) & mask)
	}
}
