package blake3

// CompressCounters sets dst[i] to the compression of a block under a chaining value with the counter first+i.
func CompressCounters(dst []Chaining, c *Chaining, block *Block, first uint64, length, flags uint32) {
	compressMany(dst, c, block, variants{counter: first, step: 1}, length, flags)
}

// CompressNonces sets dst[i] to the compression of a block whose first two words are the nonce first+i, low word first.
func CompressNonces(dst []Chaining, c *Chaining, block *Block, first, counter uint64, length, flags uint32) {
	compressMany(dst, c, block, variants{nonces: true, nonce: first, counter: counter}, length, flags)
}

// variants are compressions that differ in the counter, which increases by step, or in the nonce.
type variants struct {
	counter, step uint64
	nonces        bool // the first two words are a nonce, which increases by one
	nonce         uint64
}

// compressMany compresses a variant of a block for each chaining value.
func compressMany(dst []Chaining, c *Chaining, block *Block, v variants, length, flags uint32) {
	for i := compressManyFast(dst, c, block, v, length, flags); i < len(dst); i++ {
		b := *block
		if v.nonces {
			nonce := v.nonce + uint64(i)
			b[0], b[1] = uint32(nonce), uint32(nonce>>32)
		}
		dst[i] = *c
		Compress(&dst[i], &b, v.counter+v.step*uint64(i), length, flags)
	}
}
