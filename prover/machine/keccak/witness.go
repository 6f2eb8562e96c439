package keccak

import (
	"encoding/binary"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// witness is a file and its absorption.
type witness struct {
	data       []byte          // the file, but for what lastBlock has of it
	lastBlock  [rateBytes]byte // padded
	length     int
	inputs     []uint64 // of each permutation, 25 lanes each
	digest     [lanes]uint64
	public     []goldilocks.Element
	logHeights []int
}

// newWitness absorbs the file. It keeps data, which must not change.
func newWitness(data []byte, logHeights []int) machine.Witness {
	count := permutationsFor(len(data))
	full := (count - 1) * rateBytes
	w := &witness{data: data[:full], length: len(data), inputs: make([]uint64, lanes*count), logHeights: logHeights}
	copy(w.lastBlock[:], data[full:])
	w.lastBlock[len(data)-full] ^= 0x01
	w.lastBlock[rateBytes-1] ^= 0x80

	var state [lanes]uint64
	for p := range count {
		block := w.block(p)
		for i := range rateLanes {
			state[i] ^= binary.LittleEndian.Uint64(block[8*i:])
		}
		copy(w.inputs[lanes*p:], state[:])
		keccak.Permute(&state)
	}
	w.digest = state
	w.public = make([]goldilocks.Element, publicCount)
	for i := range publicLimbs {
		w.public[i] = goldilocks.Element(state[i/4] >> (i % 4 * limbBits) & (1<<limbBits - 1))
	}
	w.public[publicLength] = goldilocks.Element(len(data))
	return w
}

// permutations is the number of blocks.
func (w *witness) permutations() int { return len(w.inputs) / lanes }

// block is a block of the padded file.
func (w *witness) block(p int) []byte {
	if p == w.permutations()-1 {
		return w.lastBlock[:]
	}
	return w.data[p*rateBytes : (p+1)*rateBytes]
}

func (w *witness) Public() []goldilocks.Element { return w.public }

func (w *witness) LogHeights() []int { return w.logHeights }

// Records of the keccak-f table are the inputs of the permutations that the
// sponge uses, 25 lanes each. All further permutations of the table have input
// zero and are not exported.
//
// Records of the sponge table are the file's length, the 25 lanes of the last
// permutation's output, and then for each permutation its 25 input lanes and the
// 17 lanes of the padded block that went into them. Further rows are inert.
func (w *witness) Records(table int) []uint64 {
	switch table {
	case tableSponge:
		return w.spongeRecords()
	case tablePermutation:
		return w.inputs
	}
	return nil
}

func (w *witness) spongeRecords() []uint64 {
	count := w.permutations()
	records := make([]uint64, 0, 1+lanes+count*(lanes+rateLanes))
	records = append(records, uint64(w.length))
	records = append(records, w.digest[:]...)
	for p := range count {
		records = append(records, w.inputs[lanes*p:lanes*(p+1)]...)
		block := w.block(p)
		for i := range rateLanes {
			records = append(records, binary.LittleEndian.Uint64(block[8*i:]))
		}
	}
	return records
}

func (w *witness) Fill(pool *parallel.Pool, table int, columns [][]goldilocks.Element) error {
	widths := [...]int{tableSponge: spongeWidth, tablePermutation: permutationWidth, tableXor: 1}
	if table < 0 || table >= len(widths) {
		return fmt.Errorf("keccak: no table %d", table)
	}
	rows := 1 << w.logHeights[table]
	if len(columns) != widths[table] {
		return fmt.Errorf("keccak: %d columns of table %d, want %d", len(columns), table, widths[table])
	}
	for i, column := range columns {
		if len(column) != rows {
			return fmt.Errorf("keccak: column %d of table %d has %d rows, want %d", i, table, len(column), rows)
		}
	}
	switch table {
	case tableSponge:
		w.fillSponge(pool, columns)
	case tablePermutation:
		fillPermutations(pool, columns, w.inputs)
	}
	return nil
}
