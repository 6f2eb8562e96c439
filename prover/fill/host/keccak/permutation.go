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

// FillPermutations writes a table of permutations. inputs has 25 lanes for each used permutation.
func FillPermutations(form *circuit.Form, pool *parallel.Pool, columns [][]goldilocks.Element, inputs []uint64) {
	to := circuit.PermutationOf(form, columns)
	rows := len(to.Export)
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
			tile.write(form, to, t*tileRows, min(rows-t*tileRows, tileRows), used-first)
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
func (t *permutationTile) write(form *circuit.Form, to *circuit.Permutation[column], first, count, used int) {
	r := run{first, count, t.past}
	r.words(to.Output, form.Words, &t.output)
	r.words(to.Input, form.Words, &t.input)
	export := r.of(to.Export)
	clear(export[fillOnes(export, max(used, 0)*rounds):])
	for i, digit := range to.Mod3 {
		writeDigit(r.of(digit), 3, i+1)
	}
	for i, z := range circuit.IotaBits {
		r.extract(to.Chi[i], &t.chi, uint(z), 1)
	}
	r.parts(to.Parity[:], 1, t.parity[:])
	if form.Mixed {
		r.parts(to.Mixed, 1, t.mixed[:])
	}
	r.parts(to.Theta[:], 1, t.theta[:])
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
