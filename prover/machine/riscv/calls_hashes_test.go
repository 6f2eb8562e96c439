package riscv_test

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// The hashes of the model of calls, from FIPS 180-4 and FIPS 202.

// permute calls Keccak-f with the state at a distance.
func (m *callModel) permute(state int64) {
	m.call("KECCAK", 0x100, []operand{{0, 25, 2}}, []int64{state}, func(read []uint64) ([]uint64, cells) {
		lanes := [25]uint64(read)
		m.keccak = append(m.keccak, lanes)
		written := keccakRounds(lanes)[23].output
		return written[:], nil
	})
}

// keccakRound is a round with its intermediate states in FIPS 202, 3.2.
type keccakRound struct {
	parity, effect [5]uint64  // theta: the parities of columns, and what is added to them
	theta          [25]uint64 // the state after theta
	chi            uint64     // lane 0 after chi
	output         [25]uint64
}

func keccakRounds(a [25]uint64) (rounds [24]keccakRound) {
	register := byte(1) // of the constants, 3.2.5: x^8 + x^6 + x^5 + x^4 + 1
	for i := range rounds {
		r := &rounds[i]
		for x := range 5 {
			for y := range 5 {
				r.parity[x] ^= a[x+5*y]
			}
		}
		for x := range 5 {
			r.effect[x] = r.parity[(x+4)%5] ^ bits.RotateLeft64(r.parity[(x+1)%5], 1)
			for y := range 5 {
				r.theta[x+5*y] = a[x+5*y] ^ r.effect[x]
			}
		}
		turned := r.theta
		for x, y, t := 1, 0, 0; t < 24; t++ {
			turned[x+5*y] = bits.RotateLeft64(r.theta[x+5*y], (t+1)*(t+2)/2)
			x, y = y, (2*x+3*y)%5
		}
		var moved [25]uint64
		for x := range 5 {
			for y := range 5 {
				moved[x+5*y] = turned[(x+3*y)%5+5*x]
			}
		}
		for x := range 5 {
			for y := range 5 {
				a[x+5*y] = moved[x+5*y] ^ ^moved[(x+1)%5+5*y]&moved[(x+2)%5+5*y]
			}
		}
		r.chi = a[0]
		for j := range 7 {
			a[0] ^= uint64(register&1) << (1<<j - 1)
			carry := register >> 7
			register = register<<1 ^ carry*0x71
		}
		r.output = a
	}
	return rounds
}

// absorbs calls the step of the sponge with each shift. Blocks and states overlap, as far as they may.
func (m *callModel) absorbs() {
	for shift := range int64(8) {
		m.absorbBlock(8*shift, 400+8*shift, shift)
	}
	m.absorbBlock(64, 64, 0) // the block is the state
	m.absorbBlock(64, 96, 7)
	m.absorbBlock(208, 64, 3)
}

// absorbBlock adds the block from byte shift of the words at a distance to the state at another one, and permutes it.
func (m *callModel) absorbBlock(state, words, shift int64) {
	operands := []operand{{2, 0, 0}, {1, 18, 1}, {0, 25, 2}}
	m.call("ABSORB", 0x103, operands, []int64{state, words, shift}, func(read []uint64) ([]uint64, cells) {
		bytes := func(words []uint64) (list []byte) {
			for _, w := range words {
				list = binary.LittleEndian.AppendUint64(list, w)
			}
			return list
		}
		around, old := bytes(read[:18]), bytes(read[18:])
		block := around[shift : shift+136]
		row := cells{}
		for k := range 8 {
			row[fmt.Sprintf("shift[%d]", k)] = boolean(int64(k) == shift)
		}
		for i, v := range append(append([]byte{}, around[:shift]...), around[shift+136:]...) {
			row[fmt.Sprintf("outside[%d]", i)] = uint64(v)
		}
		for i, v := range old[:136] {
			if i%4 < 3 {
				row[fmt.Sprintf("state[%d]", i/4*3+i%4)] = uint64(v)
			}
			old[i] = v ^ block[i]
			row[fmt.Sprintf("block[%d]", i)], row[fmt.Sprintf("mixed[%d]", i)] = uint64(block[i]), uint64(old[i])
		}
		var input [25]uint64
		for i := range input {
			input[i] = binary.LittleEndian.Uint64(old[8*i:])
		}
		m.absorb = append(m.absorb, input)
		written := keccakRounds(input)[23].output
		return written[:], row
	})
}

// rounds are the rows of KECCAKF or ABSORBF: 24 for each permutation of these states, the last round first; then
// permutations of zero states, which no table receives.
func rounds(states [][25]uint64, count int) (rows []cells) {
	for i := 0; len(rows) < count; i++ {
		var input [25]uint64
		export := uint64(0)
		if i < len(states) {
			input, export = states[i], 1
		}
		of := keccakRounds(input)
		for k := 23; k >= 0 && len(rows) < count; k-- {
			r := &of[k]
			row := cells{"export": export}
			at := len(rows) % 3
			row.list("mod3", boolean(at == 1), boolean(at == 2))
			row.list("input", limbs(input[:])...)
			row.list("output", limbs(r.output[:])...)
			for j := range 7 {
				z := 1<<j - 1
				row[fmt.Sprintf("chi[%d]", z)] = r.chi >> z & 1
			}
			for x := range 5 {
				for z := range 64 {
					row[fmt.Sprintf("parity[%d]", 64*x+z)] = r.parity[x] >> z & 1
				}
			}
			for lane, v := range r.theta {
				for z := range 64 {
					row[fmt.Sprintf("theta[%d]", 64*lane+z)] = v >> z & 1
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func boolean(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// shaCall is a call of the compression function.
type shaCall struct {
	time    uint64
	a, e, w []uint64 // 4 words of each before the rounds, and one of each round
}

// compress calls it with state and block at these distances.
func (m *callModel) compress(state, block int64) {
	m.call("SHA256", 0x101, []operand{{1, 8, 1}, {0, 4, 2}}, []int64{state, block}, func(read []uint64) ([]uint64, cells) {
		words, old := limbs(read[:8]), limbs(read[8:])
		c := shaCall{time: 4 * (m.cycle() - 1), w: append(make([]uint64, 4), words...)}
		for i := range 4 {
			c.a, c.e = append(c.a, old[3-i]), append(c.e, old[7-i])
		}
		c.run()
		m.sha256 = append(m.sha256, c)
		row, written := cells{}, make([]uint64, 4)
		for i := range 8 {
			made := c.a[67-i%4]
			if i >= 4 {
				made = c.e[67-i%4]
			}
			sum := old[i] + made
			row[fmt.Sprintf("carry[%d]", i)], row[fmt.Sprintf("high[%d]", i)] = sum>>32, sum>>16&0xffff
			written[i/2] |= sum & 0xffffffff << (32 * (i % 2))
		}
		return written, row
	})
}

func turn(x uint64, by int) uint64 { return uint64(bits.RotateLeft32(uint32(x), -by)) }

func sigma0(x uint64) uint64       { return turn(x, 7) ^ turn(x, 18) ^ x>>3 }
func sigma1(x uint64) uint64       { return turn(x, 17) ^ turn(x, 19) ^ x>>10 }
func bigSigma0(x uint64) uint64    { return turn(x, 2) ^ turn(x, 13) ^ turn(x, 22) }
func bigSigma1(x uint64) uint64    { return turn(x, 6) ^ turn(x, 11) ^ turn(x, 25) }
func chosen(x, y, z uint64) uint64 { return x&y | ^x&z }
func most(x, y, z uint64) uint64   { return x&y | x&z | y&z }

// shaConstant is the first 32 bits of the fractional part of the cube root of a prime, the first for i = 0.
func shaConstant(i int) uint64 {
	prime := int64(1)
	for ; i >= 0; i-- {
		for prime++; !big.NewInt(prime).ProbablyPrime(0); prime++ {
		}
	}
	cube := new(big.Int).Lsh(big.NewInt(prime), 96)
	root := new(big.Int) // the largest number whose cube is not above
	for bit := 40; bit >= 0; bit-- {
		next := new(big.Int).SetBit(root, bit, 1)
		if new(big.Int).Exp(next, big.NewInt(3), nil).Cmp(cube) <= 0 {
			root = next
		}
	}
	return root.Uint64() & 0xffffffff
}

func (c *shaCall) run() {
	for i := range 64 {
		if i >= 16 {
			c.w = append(c.w, (c.w[i-12]+sigma0(c.w[i-11])+c.w[i-3]+sigma1(c.w[i+2]))&0xffffffff)
		}
		a, b, d := c.a[i+3], c.a[i+2], c.a[i+1]
		e, f, g := c.e[i+3], c.e[i+2], c.e[i+1]
		t := c.e[i] + bigSigma1(e) + chosen(e, f, g) + shaConstant(i) + c.w[i+4]
		c.e = append(c.e, (c.a[i]+t)&0xffffffff)
		c.a = append(c.a, (t+bigSigma0(a)+most(a, b, d))&0xffffffff)
	}
}

// schedule are the rows of SHA256F: 17 for each call, and then rows of zeros, whose sums and carries continue.
func (m *callModel) schedule(count int) []cells {
	var a, e, w []uint64
	for _, c := range m.sha256 {
		a, e, w = append(a, c.a...), append(e, c.e...), append(w, c.w...)
	}
	used := len(a) / 4
	padded := func(list []uint64) func(row, j int) uint64 {
		list = append(list, make([]uint64, 4*count-len(list))...)
		return func(row, j int) uint64 { return list[(4*(row+count)+j)%(4*count)] }
	}
	rows, wordA, wordE, wordW := make([]cells, count), padded(a), padded(e), padded(w)
	for at := range rows {
		row := cells{"time": 0}
		row.list("place", make([]uint64, 17)...)
		place := -1
		if at < used {
			place = at % 17
			row["time"], row[fmt.Sprintf("place[%d]", place)] = m.sha256[at/17].time, 1
		}
		for j := range 128 {
			row[fmt.Sprintf("a[%d]", j)] = wordA(at, j/32) >> (j % 32) & 1
			row[fmt.Sprintf("e[%d]", j)] = wordE(at, j/32) >> (j % 32) & 1
			row[fmt.Sprintf("w[%d]", j)] = wordW(at, j/32) >> (j % 32) & 1
		}
		for j := range 4 {
			m.sums(row, at, j, place, wordA, wordE, wordW)
		}
		rows[at] = row
	}
	return rows
}

// sums are the columns of word j of a row that are not bits.
func (m *callModel) sums(row cells, at, j, place int, a, e, w func(row, j int) uint64) {
	put := func(name string, v uint64) { row[fmt.Sprintf("%s[%d]", name, j)] = v }
	begun := func(at int) uint64 { return w(at, j) + sigma0(w(at, j+1)) }
	third := begun(at-3) + w(at-1, j+1)
	put("first", begun(at-1))
	put("second", begun(at-2))
	put("third", third)
	carries := func(name string, sum, made uint64, low uint64, bound bool) {
		if bound {
			put(name+"Low", (sum-made)>>32%low)
			put(name+"High", (sum-made)>>32/low)
			return
		}
		put(name+"Low", 0)
		p := new(big.Int).SetUint64(goldilocks.Modulus)
		high := new(big.Int).Sub(new(big.Int).SetUint64(sum), new(big.Int).SetUint64(made))
		unit := new(big.Int).ModInverse(new(big.Int).SetUint64(low<<32), p)
		put(name+"High", high.Mul(high, unit).Mod(high, p).Uint64())
	}
	inRounds := place >= 0 && place < 16 // the next row is one of rounds
	carries("schedule", third+sigma1(w(at, j+2)), w(at+1, j), 2, inRounds && place >= 4)
	constant, borrow := uint64(0), uint64(0)
	if inRounds {
		constant, borrow = shaConstant(4*place+j), 1<<32
	}
	sum := a(at, j) + e(at, j) + bigSigma1(e(at, j+3)) + chosen(e(at, j+3), e(at, j+2), e(at, j+1)) + constant + w(at+1, j)
	carries("e", sum, e(at+1, j), 3, inRounds)
	sum = e(at+1, j) + borrow + bigSigma0(a(at, j+3)) + most(a(at, j+3), a(at, j+2), a(at, j+1))
	carries("a", sum, a(at+1, j)+a(at, j), 2, inRounds)
}
