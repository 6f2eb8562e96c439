package keccak

import (
	"encoding/binary"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/cpufeature"
)

// HashNodes sets dst[i] to the digest of children[2i] || children[2i+1] or, if extra is not nil, of children[2i] ||
// children[2i+1] || extra[i]. dst must not overlap its sources.
func HashNodes(dst, children, extra []Digest) {
	if len(children) != 2*len(dst) || (extra != nil && len(extra) != len(dst)) {
		panic(fmt.Sprintf("keccak: %d nodes from %d children and %d extra digests", len(dst), len(children), len(extra)))
	}
	done := hashNodes8(dst, children, extra)
	if cpufeature.Active() >= cpufeature.AVX2 {
		for ; done+4 <= len(dst); done += 4 {
			hashNodes4(dst[done:done+4], children[2*done:], tail(extra, done))
		}
	}
	for ; done < len(dst); done++ {
		dst[done] = hashNode(&children[2*done], &children[2*done+1], tail(extra, done))
	}
}

func tail(extra []Digest, i int) []Digest {
	if extra == nil {
		return nil
	}
	return extra[i:]
}

func hashNode(left, right *Digest, extra []Digest) Digest {
	var state [25]uint64
	words := 8
	for i := range 4 {
		state[i] = binary.LittleEndian.Uint64(left[8*i:])
		state[4+i] = binary.LittleEndian.Uint64(right[8*i:])
	}
	if extra != nil {
		words = 12
		for i := range 4 {
			state[8+i] = binary.LittleEndian.Uint64(extra[0][8*i:])
		}
	}
	state[words] ^= padFirst
	state[rateWords-1] ^= padLast
	Permute(&state)
	return squeeze(&state)
}

// hashNodes4 takes the first 8 children and, unless extra is nil, the first 4
// extra digests.
func hashNodes4(dst, children, extra []Digest) {
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
