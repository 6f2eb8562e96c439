package keccak

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// HashRows sets dst[i] to the digest of row first+i of the matrix with the given columns: its elements in the order of
// the columns. Every column must have at least first+len(dst) rows.
func HashRows(dst []Digest, columns [][]goldilocks.Element, first int) {
	for c, column := range columns {
		if first < 0 || len(column) < first+len(dst) {
			panic(fmt.Sprintf("keccak: column %d has %d rows, asked for rows %d to %d", c, len(column), first, first+len(dst)-1))
		}
	}
	done := hashRows8(dst, columns, first)
	done += hashRows4(dst[done:], columns, first+done)
	for ; done < len(dst); done++ {
		dst[done] = hashRow(columns, first+done)
	}
}

func hashRow(columns [][]goldilocks.Element, row int) Digest {
	var state [25]uint64
	for len(columns) >= rateWords {
		for w, column := range columns[:rateWords] {
			state[w] ^= uint64(column[row])
		}
		Permute(&state)
		columns = columns[rateWords:]
	}
	for w, column := range columns {
		state[w] ^= uint64(column[row])
	}
	state[len(columns)] ^= padFirst
	state[rateWords-1] ^= padLast
	Permute(&state)
	return squeeze(&state)
}
