package kernelgen

import (
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// keccakKernels generates Keccak-f[1600] on eight states at once, and on one, for package keccak. There are no kernels
// for AVX2, which lacks 64-bit rotations and three-input logic: package keccak uses circl's four lanes there.
func keccakKernels(set instructionSet) ([]file, error) {
	if set != avx512 {
		return nil, nil
	}
	b := newBuilder(set)
	constants := b.StaticGlobal("roundConstantsAVX512")
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, c := range roundConstants() {
		b.AppendDatum(operand.U64(c))
	}

	b.absorbKernel(constants)
	b.hashRowsKernel(constants)
	b.hashNodesKernel("hashPairs", "(dst, children *byte, n int)",
		"hashes 8n pairs of digests, 64 bytes each, to 8n digests of 32 bytes.", constants)
	b.hashNodesKernel("hashTriples", "(dst, children, extra *byte, n int)",
		"hashes 8n pairs of digests, each followed by an extra digest, to 8n digests.", constants)
	states := b.newStateConstants(constants)
	b.permuteKernel(states)
	b.chainKernel("chain", "(state, blocks, inputs *uint64, n int)",
		"adds n blocks of 17 words to one state and permutes after each; the 25 words that a permutation gets go to inputs.",
		states)
	b.chainKernel("absorbBytes", "(state *uint64, blocks *byte, n int)",
		"adds n blocks of 136 bytes to one state and permutes after each.", states)
	return b.files("prover/keccak", "permute", "keccak")
}

const (
	rateWords = 17
	// The first and the last bit of the padding, as words.
	padFirst, padLast = 0x01, 0x80 << 56
)

// absorbKernel keeps the states in memory between calls.
func (b *builder) absorbKernel(constants operand.Mem) {
	b.kernelOf("absorb", "(state *uint64, words **uint64, blocks, offset int)",
		"adds blocks of 17 words to eight states and permutes after each. Word w of lane l of a state is at 8*w + l, and "+
			"of block k at words[17*k+w] + offset bytes + 8*l.")
	state, words, blocks, offset := b.argument("state"), b.argument("words"), b.argument("blocks"), b.argument("offset")
	a := make([]value, 25)
	for i := range a {
		a[i] = b.load(at(state, 64*i))
	}
	b.countdown(blocks, func() { b.absorbBlock(a, words, offset, constants, 0) })
	for i := range a {
		b.store(a[i], at(state, 64*i))
	}
	b.end()
}

// permuteKernel permutes one state.
func (b *builder) permuteKernel(constants *stateConstants) {
	b.kernelOf("permute", "(state *uint64)", "permutes one state.")
	state := b.argument("state")
	s := b.newStateKernel(constants)
	a := s.loadState(state)
	s.permuteState(a)
	s.storeState(a, state)
	b.end()
}

// chainKernel absorbs blocks into one state that stays in registers.
func (b *builder) chainKernel(name, signature, doc string, constants *stateConstants) {
	b.kernelOf(name, signature, doc)
	state, blocks, n := b.argument("state"), b.argument("blocks"), b.argument("n")
	var inputs reg.GPVirtual
	if strings.Contains(signature, "inputs") {
		inputs = b.argument("inputs")
	}
	s := b.newStateKernel(constants)
	a := s.loadState(state)
	b.countdown(n, func() {
		for y, lanes := range []reg.Register{s.all, s.all, s.all, s.two} {
			b.VPXORQ(at(blocks, 40*y), a[y], lanes, a[y])
		}
		b.ADDQ(operand.U32(8*rateWords), blocks)
		if inputs != nil {
			s.storeState(a, inputs)
			b.ADDQ(operand.U32(8*25), inputs)
		}
		s.permuteState(a)
	})
	s.storeState(a, state)
	b.end()
}

func (s *stateKernel) loadState(from reg.GPVirtual) []value {
	a := make([]value, 5)
	for y := range a {
		a[y] = s.vector()
		s.VMOVDQU64_Z(at(from, 40*y), s.all, a[y])
	}
	return a
}

func (s *stateKernel) storeState(a []value, to reg.GPVirtual) {
	for y := range a {
		s.VMOVDQU64(a[y], s.all, at(to, 40*y))
	}
}

// rowsAhead is the prefetch distance for narrow rows: a call reads few rows of each column, too few for the hardware
// prefetcher to follow some fifty columns.
const rowsAhead = 64

// absorbBlock adds the words at 17 addresses plus offset bytes, permutes, and advances words past the addresses.
func (b *builder) absorbBlock(a []value, words, offset reg.GPVirtual, constants operand.Mem, ahead int) {
	for w := range rateWords {
		b.absorbWord(a[w], words, offset, w, ahead)
	}
	b.ADDQ(operand.U32(rateWords*8), words)
	b.permute(a, constants)
}

// absorbWord adds word number w, and prefetches the one ahead rows later, unless ahead is 0.
func (b *builder) absorbWord(lane value, words, offset reg.GPVirtual, w, ahead int) {
	p := b.GP64()
	b.MOVQ(at(words, 8*w), p)
	if ahead > 0 {
		b.PREFETCHT0(atIndex(p, offset, 8*ahead))
	}
	b.VPXORQ(atIndex(p, offset, 0), lane, lane)
}

// hashRowsKernel hashes rows with states that stay in registers.
func (b *builder) hashRowsKernel(constants operand.Mem) {
	b.kernelOf("hashRows", "(dst *byte, columns **uint64, blocks, rest, n int)",
		"hashes 8n rows of 17*blocks + rest columns, rest below 17, to 8n digests of 32 bytes. columns are the addresses of "+
			"the first row.")
	dst, blocks, rest, n := b.argument("dst"), b.argument("blocks"), b.argument("rest"), b.argument("n")
	offset := b.GP64()
	b.XORQ(offset, offset)
	b.countdown(n, func() {
		a := make([]value, 25)
		for i := range a {
			a[i] = b.zero()
		}
		words, left, short, padded := b.argument("columns"), b.GP64(), b.label("short"), b.label("padded")
		b.MOVQ(blocks, left)
		b.TESTQ(left, left)
		b.JZ(operand.LabelRef(short))
		b.countdown(left, func() { b.absorbBlock(a, words, offset, constants, rowsAhead) })
		b.Label(short)
		ends := make([]string, rateWords)
		for w := range ends {
			ends[w] = b.label("end")
			b.CMPQ(rest, imm(w))
			b.JEQ(operand.LabelRef(ends[w]))
			if w < rateWords-1 {
				b.absorbWord(a[w], words, offset, w, rowsAhead)
			}
		}
		first, last := b.constant("padFirst", padFirst), b.constant("padLast", padLast)
		for w, end := range ends {
			b.Label(end)
			b.VPXORQ_BCST(first, a[w], a[w])
			if w < rateWords-1 {
				b.JMP(operand.LabelRef(padded))
			}
		}
		b.Label(padded)
		b.VPXORQ_BCST(last, a[rateWords-1], a[rateWords-1])
		b.permute(a, constants)
		b.storeDigests(a, dst)
		b.ADDQ(operand.U32(64), offset)
	})
	b.end()
}

// hashNodesKernel hashes pairs of digests or, if the signature has extra, pairs followed by an extra digest.
func (b *builder) hashNodesKernel(name, signature, doc string, constants operand.Mem) {
	b.kernelOf(name, signature, doc)
	words := 8
	var extra reg.GPVirtual
	if strings.Contains(signature, "extra") {
		words, extra = 12, b.argument("extra")
	}
	dst, children, n := b.argument("dst"), b.argument("children"), b.argument("n")
	b.countdown(n, func() {
		a, rows := make([]value, 25), make([]value, 8)
		for l := range rows {
			rows[l] = b.load(at(children, 64*l))
		}
		copy(a, b.transpose(rows))
		if extra != nil {
			for l := range rows {
				rows[l] = b.vector()
				b.VBROADCASTI64X4(at(extra, 32*l), rows[l]) // the upper half only completes the square
			}
			copy(a[8:12], b.transpose(rows))
			b.ADDQ(operand.U32(8*32), extra)
		}
		for i := words; i < 25; i++ {
			switch i {
			case words:
				a[i] = b.broadcastWord(padFirst)
			case rateWords - 1:
				a[i] = b.broadcastWord(padLast)
			default:
				a[i] = b.zero()
			}
		}
		b.permute(a, constants)
		b.storeDigests(a, dst)
		b.ADDQ(operand.U32(8*64), children)
	})
	b.end()
}

// storeDigests writes the eight digests of a state and advances dst past them.
func (b *builder) storeDigests(a []value, dst reg.GPVirtual) {
	// The other lanes of the transposed state only complete the square.
	for l, digest := range b.transpose(a[:8]) {
		b.VMOVDQU64(digest.AsY(), at(dst, 32*l))
	}
	b.ADDQ(operand.U32(8*32), dst)
}

// unrolledRounds is the number of rounds in one iteration of the permutation's loop. The step pi only renames
// registers; at the end of an iteration the lanes are moved back.
const unrolledRounds = 4

// permute applies Keccak-f[1600] to the lanes (x, y) in a[x + 5*y].
func (b *builder) permute(a []value, constants operand.Mem) {
	constant, rounds := b.GP64(), b.GP64()
	b.LEAQ(constants, constant)
	b.MOVQ(operand.U32(24/unrolledRounds), rounds)
	b.countdown(rounds, func() {
		lanes := make([]value, 25)
		copy(lanes, a)
		for r := range unrolledRounds {
			lanes = b.round(lanes, at(constant, 8*r))
		}
		b.ADDQ(operand.U32(8*unrolledRounds), constant)
		b.moveTo(a, lanes)
	})
}

// round applies a round of Keccak-f (FIPS 202, 3.2) in place, and returns the registers in the order of the permuted
// lanes.
func (b *builder) round(a []value, constant operand.Mem) []value {
	theta := make([]value, 5)
	for x := range theta {
		theta[x] = b.vector()
		b.VMOVDQA64(a[x], theta[x])
		b.ternary(xor3, theta[x], a[x+5], a[x+10])
		b.ternary(xor3, theta[x], a[x+15], a[x+20])
	}
	lanes := make([]value, 25)
	for x := range 5 {
		rotated := b.vector()
		b.VPROLQ(imm(1), theta[(x+1)%5], rotated)
		for y := range 5 {
			lane := a[x+5*y]
			b.ternary(xor3, lane, theta[(x+4)%5], rotated)
			if r := rotation(x, y); r != 0 {
				b.VPROLQ(imm(r), lane, lane)
			}
			lanes[y+5*((2*x+3*y)%5)] = lane // pi
		}
	}
	for y := range 5 {
		b.chi(lanes[5*y : 5*y+5])
	}
	b.VPXORQ_BCST(constant, lanes[0], lanes[0])
	return lanes
}

// moveTo moves the registers from, a permutation of to, to their destinations, cycle by cycle.
func (b *builder) moveTo(to, from []value) {
	index := func(v value) int {
		for i := range to {
			if to[i].ID() == v.ID() {
				return i
			}
		}
		panic("kernelgen: not a permutation")
	}
	moved := make([]bool, len(to))
	for start := range to {
		if moved[start] || index(from[start]) == start {
			continue
		}
		saved := b.vector()
		b.VMOVDQA64(to[start], saved)
		for i := start; ; {
			moved[i] = true
			next := index(from[i])
			if next == start {
				b.VMOVDQA64(saved, to[i])
				break
			}
			b.VMOVDQA64(from[i], to[i])
			i = next
		}
	}
}

// rotation returns the offset of the step rho for lane (x, y) (FIPS 202, 3.2.2).
func rotation(x, y int) int {
	u, v := 1, 0
	for t := range 24 {
		if u == x && v == y {
			return (t + 1) * (t + 2) / 2 % 64
		}
		u, v = v, (2*u+3*v)%5
	}
	return 0
}

// roundConstants returns the constants of the step iota (FIPS 202, 3.2.5): bit 2^j - 1 of constant i is bit j + 7i of
// the sequence of x^8 + x^6 + x^5 + x^4 + 1.
func roundConstants() (constants [24]uint64) {
	state := byte(1)
	for i := range constants {
		for j := range 7 {
			constants[i] |= uint64(state&1) << (1<<j - 1)
			carry := state >> 7
			state = state<<1 ^ carry*0x71
		}
	}
	return constants
}
