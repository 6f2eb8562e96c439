package blake3

// CompressNonces sets dst[i] to the compression of a block whose first two words are the nonce first+i, low word first.
func CompressNonces(dst []Chaining, c *Chaining, block *Block, first, counter uint64, length, flags uint32) {
	for i := compressNoncesFast(dst, c, block, first, counter, length, flags); i < len(dst); i++ {
		b := *block
		nonce := first + uint64(i)
		b[0], b[1] = uint32(nonce), uint32(nonce>>32)
		dst[i] = *c
		Compress(&dst[i], &b, counter, length, flags)
	}
}
