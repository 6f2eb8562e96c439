package keccak

import (
	"encoding/binary"
	"fmt"

	"github.com/cloudflare/circl/simd/keccakf1600"

	"github.com/chiasmus/chiasmus/prover/cpufeature"
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
	if cpufeature.Active() >= cpufeature.AVX2 {
		for ; done+4 <= len(dst); done += 4 {
			hashRows4(dst[done:done+4], columns, first+done)
		}
	}
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

// state4 is four interleaved states: word w of lane l is at 4*w + l.
type state4 struct {
	x4    keccakf1600.StateX4
	words []uint64
}

func newState4() *state4 {
	var s state4
	s.words = s.x4.Initialize(false)
	return &s
}

func (s *state4) absorb(word int, values *[4]goldilocks.Element) {
	lanes := (*[4]uint64)(s.words[4*word:])
	for l, v := range values {
		lanes[l] ^= uint64(v)
	}
}

func (s *state4) pad(word int) {
	for l := range 4 {
		s.words[4*word+l] ^= padFirst
		s.words[4*(rateWords-1)+l] ^= padLast
	}
}

func (s *state4) squeeze(dst []Digest) {
	for l := range dst {
		for w := range 4 {
			binary.LittleEndian.PutUint64(dst[l][8*w:], s.words[4*w+l])
		}
	}
}

func hashRows4(dst []Digest, columns [][]goldilocks.Element, row int) {
	s := newState4()
	for len(columns) >= rateWords {
		for w, column := range columns[:rateWords] {
			s.absorb(w, (*[4]goldilocks.Element)(column[row:]))
		}
		s.x4.Permute()
		columns = columns[rateWords:]
	}
	for w, column := range columns {
		s.absorb(w, (*[4]goldilocks.Element)(column[row:]))
	}
	s.pad(len(columns))
	s.x4.Permute()
	s.squeeze(dst)
}
