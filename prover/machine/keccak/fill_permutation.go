package keccak

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Columns lie far apart in memory, so the table is filled by tiles of
// tilePermutations permutations: the rounds of a tile are computed first, lane
// by lane with the tile's rows next to each other, and then each column gets a
// run of tileRows cells. A tile of scratch fits the second-level cache; a run is
// 24 cache lines.
const (
	tilePermutations = 8
	tileRows         = tilePermutations * rounds
)

// laneRun holds a lane in all rows of a tile.
type laneRun [tileRows]uint64

// permutationTile is the scratch of one tile.
type permutationTile struct {
	input, output, theta [lanes]laneRun
	parity, mixed        [5]laneRun
	chi                  laneRun
}

// fillPermutations writes the keccak-f table. inputs has 25 lanes for each used
// permutation.
func fillPermutations(pool *parallel.Pool, columns [][]goldilocks.Element, inputs []uint64) {
	rows := len(columns[0])
	used := len(inputs) / lanes
	tiles := (rows + tileRows - 1) / tileRows
	pool.For(tiles, 1, func(lo, hi int) {
		tile := new(permutationTile)
		for t := lo; t < hi; t++ {
			first := t * tilePermutations
			for p := range tilePermutations {
				var input [lanes]uint64
				if first+p < used {
					copy(input[:], inputs[lanes*(first+p):])
				}
				tile.run(p, &input)
			}
			tile.write(columns, t*tileRows, min(rows-t*tileRows, tileRows), used-first)
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

// write copies the tile to count rows from first on. used is how many of the
// tile's permutations are exported.
func (t *permutationTile) write(columns [][]goldilocks.Element, first, count, used int) {
	at := func(column int) []goldilocks.Element { return columns[column][first : first+count] }
	for w, word := range words {
		writeWord(at(permutationOutput+w), &t.output, word)
		writeWord(at(permutationInput+w), &t.input, word)
	}
	for i := range at(permutationExport)[:min(max(used, 0)*rounds, count)] {
		at(permutationExport)[i] = 1
	}
	for k := 1; k < 3; k++ {
		writeDigit(at(permutationMod3+k-1), 3, k)
	}
	for k := 1; k < 8; k++ {
		writeDigit(at(permutationMod8+k-1), 8, k)
	}
	for k, z := range iotaBits {
		writeBit(at(permutationChi+k), &t.chi, z)
	}
	for x := range 5 {
		for z := range laneBits {
			writeBit(at(permutationParity+laneBits*x+z), &t.parity[x], z)
			writeBit(at(permutationMixed+laneBits*x+z), &t.mixed[x], z)
		}
	}
	for i := range lanes {
		for z := range laneBits {
			writeBit(at(permutationTheta+laneBits*i+z), &t.theta[i], z)
		}
	}
}

// writeDigit sets the rows of a tile whose number is k modulo m. A tile is a
// multiple of 24 rows, so the counters start anew in each.
func writeDigit(column []goldilocks.Element, m, k int) {
	for row := k; row < len(column); row += m {
		column[row] = 1
	}
}

// writeBit writes bit z of a lane.
func writeBit(column []goldilocks.Element, lane *laneRun, z int) {
	extract(column, lane, uint(z), 1)
}

// extract writes lane >> shift & mask, a value below the field's order.
func extract(column []goldilocks.Element, lane *laneRun, shift uint, mask uint64) {
	done := extractKernel(column, lane[:len(column)], shift, mask)
	for i, v := range lane[done:len(column)] {
		column[done+i] = goldilocks.Element(v >> (shift & (laneBits - 1)) & mask)
	}
}

// writeWord writes a word of a state.
func writeWord(column []goldilocks.Element, state *[lanes]laneRun, w word) {
	lane, shift := w.first/laneBits, uint(w.first%laneBits)
	mask := uint64(1)<<w.bits - 1
	if w.first%laneBits+w.bits <= laneBits {
		extract(column, &state[lane], shift, mask)
		return
	}
	high := state[lane+1][:len(column)]
	for i, v := range state[lane][:len(column)] {
		column[i] = goldilocks.Element((v>>shift | high[i]<<(laneBits-shift)) & mask)
	}
}
