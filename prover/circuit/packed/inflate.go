package packed

import (
	"errors"
	"math/bits"
	"slices"
)

// usualRatio is a little more than the ratio of a packed machine's streams to their compressed size.
const usualRatio = 9

// inflate decompresses a DEFLATE stream (RFC 1951). Package compress/flate would also link its compressor, several
// times as much code.
func inflate(data []byte) ([]byte, error) {
	in := &bitReader{data: data}
	out := make([]byte, 0, usualRatio*len(data))
	for last := uint(0); last == 0 && in.err == nil; {
		last = in.bits(1)
		switch in.bits(2) {
		case 0:
			out = in.stored(out)
		case 1:
			out = in.block(out, fixedLengths())
		case 2:
			out = in.block(out, in.lengths())
		default:
			in.err = errDeflate
		}
	}
	if in.err == nil && (len(in.data) > 0 || in.left > 7 || in.next != 0) {
		in.err = errDeflate // trailing bytes or bits
	}
	return out, in.err
}

var errDeflate = errors.New("inflate: the stream ends early or is invalid")

// bitReader reads bits, the lowest of each byte first. After an error, which it keeps, it reads zeros.
type bitReader struct {
	data []byte // after the bits in next
	next uint64 // the next bits, then zeros
	left int    // the number of bits in next
	err  error
}

// peek returns the next bits, at most 32, without consuming them. Zeros follow the data.
func (r *bitReader) peek(count int) uint {
	for r.left < count && len(r.data) > 0 {
		r.next |= uint64(r.data[0]) << r.left
		r.data, r.left = r.data[1:], r.left+8
	}
	return uint(r.next & (1<<count - 1))
}

// drop consumes bits that peek has returned.
func (r *bitReader) drop(count int) {
	if count > r.left {
		r.err, r.next, r.left = errDeflate, 0, count
	}
	r.next, r.left = r.next>>count, r.left-count
}

//go:noinline
func (r *bitReader) bits(count int) uint {
	v := r.peek(count)
	r.drop(count)
	return v
}

// stored appends the bytes of a block that is not compressed: their number, its complement, and the bytes.
func (r *bitReader) stored(out []byte) []byte {
	padding, count, complement := r.bits(r.left&7), r.bits(16), r.bits(16)
	if padding != 0 || count^complement != 1<<16-1 {
		r.err = errDeflate
	}
	for ; count > 0 && r.err == nil; count-- {
		out = append(out, byte(r.bits(8)))
	}
	return out
}

// huffman is a canonical Huffman code: a table with the code word that begins each sequence of bits.
type huffman struct {
	bits  int // the length of the longest code word
	words []word
}

// word is a symbol and the length of its code word, or zero for bits that begin none.
type word struct {
	symbol uint16
	length uint8
}

// newHuffman returns the code with these lengths by symbol. Code words of one length are consecutive numbers. They
// follow from the code words that are one bit shorter.
func (r *bitReader) newHuffman(lengths []uint8) *huffman {
	h := &huffman{bits: int(slices.Max(lengths))}
	h.words = make([]word, 1<<h.bits)
	for length, code := 1, uint(0); length <= h.bits; length, code = length+1, code<<1 {
		for symbol := range lengths {
			if int(lengths[symbol]) != length {
				continue
			}
			if code>>length > 0 {
				r.err = errDeflate // the lengths leave no code word
				return h
			}
			for at := bits.Reverse16(uint16(code)) >> (16 - length); int(at) < len(h.words); at += 1 << length {
				h.words[at] = word{uint16(symbol), uint8(length)}
			}
			code++
		}
	}
	return h
}

// symbol reads a code word.
func (r *bitReader) symbol(h *huffman) int {
	w := h.words[r.peek(h.bits)]
	if w.length == 0 {
		r.err = errDeflate
		return endOfBlock
	}
	r.drop(int(w.length))
	return int(w.symbol)
}

// The alphabet: literal bytes, the end of a block, lengths of copies.
const (
	endOfBlock = 256
	literals   = 286
	distances  = 30
)

// codeLengths are the lengths of the codes of a block, of literals and of distances.
type codeLengths struct{ literals, distances []uint8 }

func fixedLengths() codeLengths {
	lengths := make([]uint8, 288)
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	five := make([]uint8, distances)
	for i := range five {
		five[i] = 5
	}
	return codeLengths{lengths, five}
}

// lengths reads the lengths of a block's codes, which are themselves compressed.
func (r *bitReader) lengths() codeLengths {
	nLiterals, nDistances, nCodes := int(r.bits(5))+257, int(r.bits(5))+1, int(r.bits(4))+4
	order := [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	var codes [19]uint8
	for _, symbol := range order[:nCodes] {
		codes[symbol] = uint8(r.bits(3))
	}
	h := r.newHuffman(codes[:])
	var list []uint8
	for len(list) < nLiterals+nDistances && r.err == nil {
		symbol := r.symbol(h)
		value, repeat := uint8(symbol), 1
		switch symbol {
		case 16:
			if len(list) == 0 {
				r.err = errDeflate
				break
			}
			value, repeat = list[len(list)-1], 3+int(r.bits(2))
		case 17:
			value, repeat = 0, 3+int(r.bits(3))
		case 18:
			value, repeat = 0, 11+int(r.bits(7))
		}
		for range repeat {
			list = append(list, value)
		}
	}
	if r.err != nil || len(list) != nLiterals+nDistances || nLiterals > literals || nDistances > distances {
		r.err = errDeflate
		return fixedLengths()
	}
	return codeLengths{list[:nLiterals], list[nLiterals:]}
}

// block decodes a block and appends its bytes: literals, and copies of earlier output.
func (r *bitReader) block(out []byte, lengths codeLengths) []byte {
	literal, distance := r.newHuffman(lengths.literals), r.newHuffman(lengths.distances)
	for r.err == nil {
		symbol := r.symbol(literal)
		switch {
		case symbol < endOfBlock:
			out = append(out, byte(symbol))
			continue
		case symbol == endOfBlock:
			return out
		}
		count, far := r.copied(symbol), r.symbol(distance)
		if symbol >= literals || far >= distances {
			r.err = errDeflate
			return out
		}
		back := r.distance(far)
		if back > len(out) {
			r.err = errDeflate
			return out
		}
		for from := out[len(out)-back:]; count > 0; count -= len(from) { // the copy may overlap itself
			from = from[:min(len(from), count)]
			out = append(out, from...)
		}
	}
	return out
}

// copied reads the length of a copy: symbols in groups of four, whose lengths have one more extra bit each.
func (r *bitReader) copied(symbol int) int {
	i := symbol - endOfBlock - 1
	switch {
	case i < 8:
		return 3 + i
	case i == 28:
		return 258
	}
	extra := i/4 - 1
	return 3 + (4+i%4)<<extra + int(r.bits(extra))
}

// distance reads the distance from the end of the output to the start of a copy: symbols in groups of two, whose
// distances have one more extra bit each.
func (r *bitReader) distance(symbol int) int {
	if symbol < 4 {
		return 1 + symbol
	}
	extra := symbol/2 - 1
	return 1 + (2+symbol%2)<<extra + int(r.bits(extra))
}
