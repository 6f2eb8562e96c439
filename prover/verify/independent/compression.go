package independent

import (
	"encoding/binary"
	"math/bits"
)

// Section 14: BLAKE3's compression and protocol 3's uses of it.

// words are 32 bytes as eight words.
type words [8]uint32

// initial is the initial chaining value IV.
var initial = words{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

func wordsOf(b []byte) (w words) {
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}

func (w words) digest() (d Digest) {
	for i, word := range w {
		binary.LittleEndian.PutUint32(d[4*i:], word)
	}
	return d
}

// compress returns C: seven rounds of eight mixings, with the message words permuted between rounds.
func compress(cv words, m [16]uint32, counter uint64, length, flags uint32) words {
	var s [16]uint32
	copy(s[:], cv[:])
	copy(s[8:], initial[:4])
	s[12], s[13], s[14], s[15] = uint32(counter), uint32(counter>>32), length, flags
	for round := range 7 {
		if round > 0 {
			old := m
			for i, from := range [16]int{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8} {
				m[i] = old[from]
			}
		}
		for i := range 8 {
			a, b, c, d := i%4, 4+i%4, 8+i%4, 12+i%4
			if i >= 4 { // diagonals
				b, c, d = 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4
			}
			s[a] += s[b] + m[2*i]
			s[d] = bits.RotateLeft32(s[d]^s[a], 16)
			s[c] += s[d]
			s[b] = bits.RotateLeft32(s[b]^s[c], 20)
			s[a] += s[b] + m[2*i+1]
			s[d] = bits.RotateLeft32(s[d]^s[a], 24)
			s[c] += s[d]
			s[b] = bits.RotateLeft32(s[b]^s[c], 25)
		}
	}
	for i := range cv {
		cv[i] = s[i] ^ s[i+8]
	}
	return cv
}

// items32 are the 32-byte items of messages and lists.
type items32 [][32]byte

func digestItems(nodes digests) (list items32) {
	for i := range nodes.len() {
		list = append(list, nodes.at(i))
	}
	return list
}

func extensionItems(values extensions) (list items32) {
	for i := range values.len() {
		var item [32]byte
		copy(item[:], values[24*i:24*i+24])
		list = append(list, item)
	}
	return list
}

func numberItems(numbers ...uint64) (list items32) {
	for _, n := range numbers {
		var item [32]byte
		binary.LittleEndian.PutUint64(item[:], n)
		list = append(list, item)
	}
	return list
}

// byteItems pads a byte string with zeros to whole items.
func byteItems(text []byte) (list items32) {
	for len(text) > 0 {
		var item [32]byte
		text = text[copy(item[:], text):]
		list = append(list, item)
	}
	return list
}

// chain compresses items, two per block, block i with counter i + 2^32 tag.
func chain(cv words, tag uint64, list items32, every, first, last uint32) words {
	for i := 0; i < len(list); i += 2 {
		var m [16]uint32
		flags, length := every, uint32(0)
		for k, item := range list[i:min(i+2, len(list))] {
			half := wordsOf(item[:])
			copy(m[8*k:], half[:])
			length += 32
		}
		if i == 0 {
			flags |= first
		}
		if i+2 >= len(list) {
			flags |= last
		}
		cv = compress(cv, m, uint64(i/2)+tag<<32, length, flags)
	}
	return cv
}

// listDigest returns the digest of a list of a kind, or zeros for an empty list.
func listDigest(kind uint64, list items32) Digest {
	if len(list) == 0 {
		return Digest{}
	}
	return chain(initial, kind, list, 128, 1, 2).digest()
}

// hasher hashes the trees of a proof: section 4 or section 14.
type hasher interface {
	// leaf returns the digest of a row, given in several parts. Rows of FRI layers are extension elements.
	leaf(parts [][]byte, layer bool) Digest
	// node returns the digest of two children and, unless joins is nil, the joining rows.
	node(left, right Digest, joins *Digest) Digest
}

type keccakHasher struct{}

func (keccakHasher) leaf(parts [][]byte, _ bool) Digest { return keccak(parts...) }

func (keccakHasher) node(left, right Digest, joins *Digest) Digest {
	if joins == nil {
		return keccak(left[:], right[:])
	}
	return keccak(left[:], right[:], joins[:])
}

type blakeHasher struct{}

func (blakeHasher) leaf(parts [][]byte, layer bool) Digest {
	var lanes []uint64
	counter, filled := uint64(0), 0
	for _, part := range parts {
		for row := elements(part); row.len() > 0; row = row[8:] {
			lanes = append(lanes, row.at(0))
			if filled++; layer && filled%3 == 0 {
				lanes = append(lanes, 0)
			}
		}
	}
	for len(lanes)%8 > 0 {
		lanes = append(lanes, 0)
	}
	if layer {
		counter = 1
	}
	cv := initial
	for i := 0; i < len(lanes); i += 8 {
		var m [16]uint32
		for k, lane := range lanes[i : i+8] {
			m[2*k], m[2*k+1] = uint32(lane), uint32(lane>>32)
		}
		flags := uint32(0)
		if i == 0 {
			flags |= 1
		}
		if i+8 == len(lanes) {
			flags |= 2 + 8
		}
		cv = compress(cv, m, counter, 64, flags)
	}
	return cv.digest()
}

func (blakeHasher) node(left, right Digest, joins *Digest) Digest {
	var m [16]uint32
	l, r := wordsOf(left[:]), wordsOf(right[:])
	copy(m[:], l[:])
	copy(m[8:], r[:])
	cv := compress(initial, m, 0, 64, 4)
	if joins != nil {
		rows := wordsOf(joins[:])
		m = [16]uint32{}
		copy(m[:], rows[:])
		cv = compress(cv, m, 0, 32, 4+8)
	}
	return cv.digest()
}
