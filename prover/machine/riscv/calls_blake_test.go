package riscv_test

import (
	"fmt"
	"math/big"
	"math/bits"
)

// The model of BLAKE's compression functions, from RFC 7693 and from the paper on BLAKE3.

// blakeFunction is a compression function on words of 32 or 64 bits.
type blakeFunction struct {
	table     string
	code      uint64
	bits      int
	rotations [4]int
	orders    [][16]int // of the block's words, by round
	feed      bool      // the old chaining value is added to the result
}

// blake2bModel has the permutations of RFC 7693, 2.7, of which rounds 10 and 11 repeat the first two.
func blake2bModel() blakeFunction {
	sigma := [][16]int{
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
		{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
		{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
		{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
		{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
		{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
		{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
		{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
		{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
		{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
	}
	return blakeFunction{"BLAKE2B", 0x140, 64, [4]int{32, 24, 16, 63}, append(sigma, sigma[:2]...), true}
}

// blake3Model permutes the words of the block between rounds (the paper, table 2).
func blake3Model() blakeFunction {
	f := blakeFunction{"BLAKE3", 0x141, 32, [4]int{16, 12, 8, 7}, nil, false}
	permutation := [16]int{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8}
	var order [16]int
	for i := range order {
		order[i] = i
	}
	for range 7 {
		f.orders = append(f.orders, order)
		old := order
		for i, k := range permutation {
			order[i] = old[k]
		}
	}
	return f
}

// constant returns the first bits of the fractional part of the square root of a prime.
func (f blakeFunction) constant(prime int64) uint64 {
	root := new(big.Int).Lsh(big.NewInt(prime), uint(2*f.bits))
	return digits(root.Sqrt(root), uint(f.bits), 1)[0]
}

// unpack splits words of memory into the function's words.
func (f blakeFunction) unpack(memory []uint64) []uint64 {
	if f.bits == 64 {
		return memory
	}
	return limbs(memory)
}

func (f blakeFunction) pack(words []uint64) (memory []uint64) {
	if f.bits == 64 {
		return words
	}
	for i := 0; i < len(words); i += 2 {
		memory = append(memory, words[i]|words[i+1]<<32)
	}
	return memory
}

// blakes calls both functions, with operands that overlap.
func (m *callModel) blakes() {
	for _, f := range []blakeFunction{blake2bModel(), blake3Model()} {
		m.blake(f, 0, 64, 256)
		m.blake(f, 0, 64, 256)
		m.blake(f, 128, 128, 128)
		m.blake(f, 1056, 1024, 1088)
	}
}

// blake calls the function with the chaining value, the block and the last four words of the state at these distances.
func (m *callModel) blake(f blakeFunction, chaining, block, last int64) {
	words := uint64(f.bits / 8) // of memory, for 8 words of the function
	m.call(f.table, f.code, []operand{{2, words / 2, 0}, {1, 2 * words, 1}, {0, words, 2}},
		[]int64{chaining, block, last}, func(read []uint64) ([]uint64, cells) {
			list := f.unpack(read)
			h, v := list[20:], append([]uint64{}, list[20:]...)
			for _, prime := range []int64{2, 3, 5, 7} {
				v = append(v, f.constant(prime))
			}
			v = append(v, list[:4]...)
			for round := range f.orders {
				m.rows[f.table+"F"] = append(m.rows[f.table+"F"], f.round(v, list[4:20], round, 4*(m.cycle()-1)))
			}
			row, written := cells{}, make([]uint64, 8)
			f.bytes(row, "last", 0, v...)
			for i := range written {
				written[i] = v[i] ^ v[i+8]
				f.bytes(row, "result", i, written[i])
				if f.feed {
					written[i] ^= h[i]
					f.bytes(row, "chaining", i, h[i])
					f.bytes(row, "fed", i, written[i])
				}
			}
			return f.pack(written), row
		})
}

// bytes writes the bytes of words, of which the first is word at of the columns.
func (f blakeFunction) bytes(row cells, name string, at int, words ...uint64) {
	for _, w := range words {
		for i := range f.bits / 8 {
			row[fmt.Sprintf("%s[%d]", name, at*f.bits/8+i)] = w >> (8 * i) & 0xff
		}
		at++
	}
}

// limbs writes the limbs of words.
func (f blakeFunction) limbs(row cells, name string, words []uint64) {
	if f.bits == 64 {
		words = limbs(words)
	}
	row.list(name, words...)
}

// right rotates a word to the right.
func (f blakeFunction) right(x uint64, by int) uint64 {
	if f.bits == 64 {
		return bits.RotateLeft64(x, -by)
	}
	return turn(x, by)
}

// sum adds words modulo 2^32 or 2^64.
func (f blakeFunction) sum(words ...uint64) (sum uint64) {
	for _, w := range words {
		sum += w
	}
	return sum << (64 - f.bits) >> (64 - f.bits)
}

// round changes the state, and returns the row of the round.
func (f blakeFunction) round(v, block []uint64, round int, time uint64) cells {
	row, ordered := cells{"time": time}, make([]uint64, 16)
	for i := range f.orders {
		row[fmt.Sprintf("place[%d]", i)] = boolean(i == round)
	}
	for i, k := range f.orders[round] {
		ordered[i] = block[k]
	}
	f.limbs(row, "a", v[:4])
	f.bytes(row, "b", 0, v[4:8]...)
	f.limbs(row, "c", v[8:12])
	f.bytes(row, "d", 0, v[12:]...)
	f.limbs(row, "m", ordered)
	for i, at := range [8][4]int{
		{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
		{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
	} {
		f.quarter(row, i, &v[at[0]], &v[at[1]], &v[at[2]], &v[at[3]], ordered[2*i], ordered[2*i+1])
	}
	return row
}

// quarter is a quarter round with its columns: the two halves of function G of RFC 7693, 3.1.
func (f blakeFunction) quarter(row cells, i int, a, b, c, d *uint64, x, y uint64) {
	half := func(word uint64, number string, turnD, turnB int) (turned uint64) {
		*a = f.sum(*a, *b, word)
		f.bytes(row, "a"+number, i, *a)
		odd, even := "x1", "x2"
		if number == "2" {
			odd, even = "x3", "x4"
		}
		f.bytes(row, odd, i, *d^*a)
		*d = f.right(*d^*a, turnD)
		*c = f.sum(*c, *d)
		f.bytes(row, "c"+number, i, *c)
		f.bytes(row, even, i, *b^*c)
		*b = f.right(*b^*c, turnB)
		return *b
	}
	b1 := half(x, "1", f.rotations[0], f.rotations[1])
	if f.bits == 32 { // a rotation by whole bytes has no columns
		f.bytes(row, "b1", i, b1)
	}
	f.bytes(row, "b2", i, half(y, "2", f.rotations[2], f.rotations[3]))
}
