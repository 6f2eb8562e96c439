package kernelgen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// interleave32 transposes the 4 by 4 words in each 128 bits of four registers: register i of the result has words i
// of all of them.
func (b *builder) interleave32(x []value) []value {
	pairs := [4]value{b.vector(), b.vector(), b.vector(), b.vector()}
	b.VPUNPCKLDQ(x[1], x[0], pairs[0])
	b.VPUNPCKHDQ(x[1], x[0], pairs[1])
	b.VPUNPCKLDQ(x[3], x[2], pairs[2])
	b.VPUNPCKHDQ(x[3], x[2], pairs[3])
	out := []value{b.vector(), b.vector(), b.vector(), b.vector()}
	for i := range 2 {
		b.VPUNPCKLQDQ(pairs[2+i], pairs[i], out[2*i])
		b.VPUNPCKHQDQ(pairs[2+i], pairs[i], out[2*i+1])
	}
	return out
}

// quarters combines 128-bit quarters of two registers with an AVX-512 shuffle: two quarters of x, then two of y.
func (b *builder) quarters(x, y value, which int) value {
	v := b.vector()
	b.VSHUFI32X4(imm(which), y, x, v)
	return v
}

// Selections for quarters, the same quarters of either register.
const (
	firstQuarters  = 0b01_00_01_00
	secondQuarters = 0b11_10_11_10
	evenQuarters   = 0b10_00_10_00
	oddQuarters    = 0b11_01_11_01
)

// halvesOf combines 128-bit halves of two registers with AVX2: the first or the second half of both.
func (b *builder) halvesOf(x, y value, second bool) value {
	v, which := b.vector(), 0x20
	if second {
		which = 0x31
	}
	b.VPERM2I128(imm(which), y, x, v)
	return v
}

// loadPairs32 loads pairs of digests, 64 bytes for each lane: word i of the message has words i of all lanes.
func (k *blakeKernels) loadPairs32(from reg.GPVirtual, scratch operand.Mem) (message [16]operand.Op) {
	if k.set == avx2 {
		for half := range 2 {
			for i, word := range k.square8(from, 64, 32*half) {
				message[8*half+i] = k.hold(word, scratch, 8*half+i)
			}
		}
		return message
	}
	var columns [4][]value // of four lanes each: register i has the words i, 4+i, 8+i and 12+i
	for g := range columns {
		rows := make([]value, 4)
		for l := range rows {
			rows[l] = k.load(at(from, 64*(4*g+l)))
		}
		columns[g] = k.interleave32(rows)
	}
	for i := range 4 {
		low := [2]value{k.quarters(columns[0][i], columns[1][i], firstQuarters),
			k.quarters(columns[2][i], columns[3][i], firstQuarters)}
		high := [2]value{k.quarters(columns[0][i], columns[1][i], secondQuarters),
			k.quarters(columns[2][i], columns[3][i], secondQuarters)}
		message[i] = k.quarters(low[0], low[1], evenQuarters)
		message[4+i] = k.quarters(low[0], low[1], oddQuarters)
		message[8+i] = k.quarters(high[0], high[1], evenQuarters)
		message[12+i] = k.quarters(high[0], high[1], oddQuarters)
	}
	return message
}

// loadDigests32 loads a digest for each lane: register i has words i of all lanes.
func (k *blakeKernels) loadDigests32(from reg.GPVirtual) (words [8]value) {
	if k.set == avx2 {
		return k.square8(from, 32, 0)
	}
	var columns [2][]value // of eight lanes each: the words i and 4+i of four lanes, then of four more
	for g := range columns {
		rows := make([]value, 4)
		for l := range rows {
			rows[l] = k.vector()
			k.VBROADCASTI64X4(at(from, 32*(8*g+l)), rows[l]) // the upper half is replaced next
			k.VINSERTI64X4(imm(1), at(from, 32*(8*g+4+l)), rows[l], rows[l])
		}
		columns[g] = k.interleave32(rows)
	}
	for i := range 4 {
		words[i] = k.quarters(columns[0][i], columns[1][i], evenQuarters)
		words[4+i] = k.quarters(columns[0][i], columns[1][i], oddQuarters)
	}
	return words
}

// square8 loads eight words from each of eight addresses, stride bytes apart, transposed.
func (k *blakeKernels) square8(from reg.GPVirtual, stride, offset int) [8]value {
	rows := make([]value, 8)
	for l := range rows {
		rows[l] = k.load(at(from, stride*l+offset))
	}
	return k.transpose32(rows)
}

// transpose32 transposes eight AVX2 registers of eight words.
func (k *blakeKernels) transpose32(rows []value) (columns [8]value) {
	first, second := k.interleave32(rows[:4]), k.interleave32(rows[4:])
	for i := range 4 {
		columns[i] = k.halvesOf(first[i], second[i], false)
		columns[4+i] = k.halvesOf(first[i], second[i], true)
	}
	return columns
}

// storeDigests32 writes the digests of all lanes and advances dst past them.
func (k *blakeKernels) storeDigests32(words [8]value, dst reg.GPVirtual) {
	if k.set == avx2 {
		for l, digest := range k.transpose32(words[:]) {
			k.store(digest, at(dst, 32*l))
		}
	} else {
		// Quarter q of first[l] and of second[l] are the halves of the digest of lane 4q + l.
		first, second := k.interleave32(words[:4]), k.interleave32(words[4:])
		for half, order := range k.digestPairs {
			pick := k.load(order)
			for l := range 4 {
				pair := k.vector()
				k.VMOVDQA64(first[l], pair)
				k.VPERMT2Q(second[l], pick, pair)
				k.VMOVDQU64(pair.AsY(), at(dst, 32*(8*half+l)))
				k.VEXTRACTI64X4(imm(1), pair, at(dst, 32*(8*half+4+l)))
			}
		}
	}
	k.ADDQ(operand.U32(uint32(32*k.lanes32())), dst)
}
