package packed

import "errors"

// inflate decompresses a DEFLATE stream (RFC 1951). Package compress/flate would also link its compressor, several
// times as much code.
func inflate(data []byte) ([]byte, error) {
	in := &bitReader{data: data}
	var out []byte
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
	if in.err == nil && (len(data)-in.at>>3 > 1 || in.bits(-in.at&7) != 0) {
		in.err = errDeflate // trailing bytes or bits
	}
	return out, in.err
}

var errDeflate = errors.New("inflate: the stream ends early or is invalid")

// bitReader reads bits, the lowest of each byte first. After an error, which it keeps, it reads zeros.
type bitReader struct {
	data []byte
	at   int // the next bit
	err  error
}

//go:noinline
func (r *bitReader) bits(count int) (v uint) {
	for i := range count {
		if r.at>>3 >= len(r.data) {
			r.err = errDeflate
			return 0
		}
		v |= uint(r.data[r.at>>3]>>(r.at&7)&1) << i
		r.at++
	}
	return v
}

// stored appends the bytes of a block that is not compressed: their number, its complement, and the bytes.
func (r *bitReader) stored(out []byte) []byte {
	padding, count, complement := r.bits(-r.at&7), r.bits(16), r.bits(16)
	if padding != 0 || count^complement != 1<<16-1 {
		r.err = errDeflate
	}
	for ; count > 0 && r.err == nil; count-- {
		out = append(out, byte(r.bits(8)))
	}
	return out
}

// maxCodeBits is the length of the longest code.
const maxCodeBits = 15

// huffman is a canonical Huffman code: the number of codes of each length, and the symbols in the order of their codes.
type huffman struct {
	counts  [maxCodeBits + 1]int
	symbols []int
}

func newHuffman(lengths []uint8) *huffman {
	h := new(huffman)
	for bits := 1; bits <= maxCodeBits; bits++ {
		for symbol, length := range lengths {
			if int(length) == bits {
				h.symbols = append(h.symbols, symbol)
				h.counts[bits]++
			}
		}
	}
	return h
}

// symbol reads a code. Codes of one length are consecutive numbers, and follow from the codes one bit shorter.
func (r *bitReader) symbol(h *huffman) int {
	code, first, index := 0, 0, 0
	for bits := 1; bits <= maxCodeBits; bits++ {
		code |= int(r.bits(1))
		if offset := code - first; offset < 0 {
			break // the code is over-subscribed
		} else if offset < h.counts[bits] {
			return h.symbols[index+offset]
		}
		index, first = index+h.counts[bits], (first+h.counts[bits])<<1
		code <<= 1
	}
	r.err = errDeflate
	return endOfBlock
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
	h := newHuffman(codes[:])
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
	literal, distance := newHuffman(lengths.literals), newHuffman(lengths.distances)
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
		for range count {
			out = append(out, out[len(out)-back])
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
