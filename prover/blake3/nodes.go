package blake3

import "fmt"

// HashNodes sets dst[i] to the node over children[2i] and children[2i+1], joined by extra[i] if extra is not nil. dst
// must not overlap its sources.
func HashNodes(dst, children, extra []Digest) {
	if len(children) != 2*len(dst) || (extra != nil && len(extra) != len(dst)) {
		panic(fmt.Sprintf("blake3: %d nodes from %d children and %d extra digests", len(dst), len(children), len(extra)))
	}
	for i := hashNodesFast(dst, children, extra); i < len(dst); i++ {
		c, block := IV, joined(&children[2*i], &children[2*i+1])
		Compress(&c, &block, 0, blockBytes, parentNode)
		if extra != nil {
			block = joined(&extra[i], new(Digest))
			Compress(&c, &block, 0, uint32(len(extra[i])), parentNode|rootNode)
		}
		dst[i] = c.Digest()
	}
}

// joined returns the block of two digests.
func joined(left, right *Digest) (block Block) {
	l, r := ChainingOf(left), ChainingOf(right)
	copy(block[:], l[:])
	copy(block[len(l):], r[:])
	return block
}
