package keccak

import (
	"encoding/binary"
	"fmt"
)

// HashNodes sets dst[i] to the digest of children[2i] || children[2i+1] or, if extra is not nil, of children[2i] ||
// children[2i+1] || extra[i]. dst must not overlap its sources.
func HashNodes(dst, children, extra []Digest) {
	if len(children) != 2*len(dst) || (extra != nil && len(extra) != len(dst)) {
		panic(fmt.Sprintf("keccak: %d nodes from %d children and %d extra digests", len(dst), len(children), len(extra)))
	}
	done := hashNodes8(dst, children, extra)
	done += hashNodes4(dst[done:], children[2*done:], tail(extra, done))
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
