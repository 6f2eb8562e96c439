package keccak

import (
	"encoding/binary"

	"github.com/cloudflare/circl/simd/keccakf1600"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

// hashRows4 hashes whole groups of four rows and returns the number of rows hashed.
func hashRows4(dst []Digest, columns [][]goldilocks.Element, first int) (done int) {
	for ; hasLanes4() && done+4 <= len(dst); done += 4 {
		hashFourRows(dst[done:done+4], columns, first+done)
	}
	return done
}

// hashNodes4 hashes whole groups of four nodes and returns the number of nodes hashed.
func hashNodes4(dst, children, extra []Digest) (done int) {
	for ; hasLanes4() && done+4 <= len(dst); done += 4 {
		hashFourNodes(dst[done:done+4], children[2*done:], tail(extra, done))
	}
	return done
}

// sum4 hashes whole groups of four counters and returns the number of counters hashed.
func (c *counted) sum4(dst []Digest, first uint64) (done int) {
	for ; hasLanes4() && done+4 <= len(dst); done += 4 {
		c.sumFour(dst[done:done+4], first+uint64(done))
	}
	return done
}

func hasLanes4() bool { return cpufeature.Active() >= cpufeature.AVX2 }

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

func hashFourRows(dst []Digest, columns [][]goldilocks.Element, row int) {
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

// hashFourNodes takes the first 8 children and, unless extra is nil, the first 4
// extra digests.
func hashFourNodes(dst, children, extra []Digest) {
	s := newState4()
	for l := range 4 {
		for i := range 4 {
			s.words[4*i+l] = binary.LittleEndian.Uint64(children[2*l][8*i:])
			s.words[4*(4+i)+l] = binary.LittleEndian.Uint64(children[2*l+1][8*i:])
		}
		if extra != nil {
			for i := range 4 {
				s.words[4*(8+i)+l] = binary.LittleEndian.Uint64(extra[l][8*i:])
			}
		}
	}
	if extra != nil {
		s.pad(12)
	} else {
		s.pad(8)
	}
	s.x4.Permute()
	s.squeeze(dst)
}

func (c *counted) sumFour(dst []Digest, first uint64) {
	s := newState4()
	for w, word := range c.words {
		for l := range 4 {
			s.words[4*w+l] = word
		}
	}
	for l := range 4 {
		s.words[4*c.at+l], s.words[4*(c.at+1)+l] = c.count(first + uint64(l))
	}
	s.x4.Permute()
	s.squeeze(dst)
}
