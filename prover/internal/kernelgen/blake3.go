package kernelgen

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blake3Kernels compute BLAKE3's compression on one chaining value per 32-bit lane, for package blake3: sixteen lanes
// with AVX-512, eight with AVX2. Lanes are independent, so most of a kernel is the same seven rounds. The kernels
// differ in how messages get into lanes (columns of field elements, or adjacent digests) and where results go.
func blake3Kernels(set instructionSet) ([]file, error) {
	b := newBuilder(set)
	k := &blakeKernels{builder: b, iv: b.words32("iv", blakeIV[:4]...)}
	if set == avx2 {
		k.rotate16 = b.bytes32("rotate16", 2)
		k.rotate8 = b.bytes32("rotate8", 1)
	} else {
		k.lowWords = b.words32("lowWords", 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
		k.highWords = b.words32("highWords", 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
		k.digestPairs = [2]operand.Mem{
			b.words("digestsLow", [8]uint64{0, 1, 8, 9, 2, 3, 10, 11}),
			b.words("digestsHigh", [8]uint64{4, 5, 12, 13, 6, 7, 14, 15}),
		}
	}
	k.absorbKernel()
	k.digestsKernel()
	k.pairsKernel()
	k.triplesKernel()
	k.lanesKernel()
	if set == avx512 {
		k.singleKernel()
	}
	return b.files("prover/blake3", "compress", "blake3")
}

var blakeIV = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

// blakeSchedule returns the order in which each round reads the message words: the permutation of the specification
// (table 2), applied once more per round.
func blakeSchedule() (rounds [7][16]int) {
	permutation := [16]int{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8}
	for i := range rounds[0] {
		rounds[0][i] = i
	}
	for r := 1; r < len(rounds); r++ {
		for i, from := range permutation {
			rounds[r][i] = rounds[r-1][from]
		}
	}
	return rounds
}

// The flags of the compressions that kernels set themselves.
const (
	blakeParent    = 4
	blakeRoot      = 8
	blakeNodeBytes = 64
	blakeHalfBytes = 32
)

// blakeKernels generates the kernels of one instruction set.
type blakeKernels struct {
	*builder
	iv                  operand.Mem    // the four words that every compression starts with
	rotate16, rotate8   operand.Mem    // AVX2: orders of bytes
	lowWords, highWords operand.Mem    // AVX-512: the halves of the words in two registers
	digestPairs         [2]operand.Mem // AVX-512: two digests from the registers of their halves
}

// words32 defines 32-bit words in read-only memory.
func (b *builder) words32(name string, words ...uint32) operand.Mem {
	m := b.StaticGlobal(name + b.set.suffix())
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, word := range words {
		b.AppendDatum(operand.U32(word))
	}
	return m
}

// bytes32 defines the byte order that rotates every 32-bit lane of a YMM register right by the given number of bytes.
func (b *builder) bytes32(name string, by int) operand.Mem {
	m := b.StaticGlobal(name + b.set.suffix())
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 32 {
		b.AppendDatum(operand.U8(byte(i%16/4*4 + (i+by)%4)))
	}
	return m
}

// lanes32 is the number of concurrent compressions.
func (b *builder) lanes32() int { return 2 * b.lanes() }

// broadcast32 loads the 32-bit word at m into every lane.
func (b *builder) broadcast32(m operand.Mem) value {
	v := b.vector()
	b.VPBROADCASTD(m, v)
	return v
}

// broadcastWord32 loads a constant into every lane.
func (b *builder) broadcastWord32(word uint32) value {
	r, v := b.GP32(), b.vector()
	b.MOVL(operand.U32(word), r)
	if b.set == avx512 {
		b.VPBROADCASTD(r, v)
		return v
	}
	x := b.XMM()
	b.VMOVD(r, x)
	b.VPBROADCASTD(x, v)
	return v
}

// xorInto sets dst to dst xor x.
func (b *builder) xorInto(dst value, x operand.Op) {
	if b.set == avx512 {
		b.VPXORD(x, dst, dst)
	} else {
		b.VPXOR(x, dst, dst)
	}
}

// addInto32 sets dst to dst + x in lanes of 32 bits.
func (b *builder) addInto32(dst value, x operand.Op) { b.VPADDD(x, dst, dst) }

// absorbKernel hashes blocks of rows' elements, one block at a time over many rows: it reads a column's cache lines in
// order, and the chaining values, 32 bytes a row, stay in the first-level cache. A block reads too little of each
// column for the hardware prefetcher, so the kernel prefetches the words of the next block.
func (k *blakeKernels) absorbKernel() {
	k.kernelOf("absorb", "(cv *uint32, words **uint64, parameters *uint32, groups int)",
		"compresses one block of 8 words, 64 bits each, into the chaining values of groups of lanes. Word w of lane l of "+
			"group g is words[w][g*lanes+l], and zero if words[w] is nil; words[8] to words[15], none of them nil, are "+
			"fetched into the first-level cache in the same places. parameters are the last four words of a "+
			"compression's state, the same in all lanes. Word i of the chaining value of lane l of group g is at "+
			"(8*g+i)*lanes + l.")
	cv, words, parameters, groups := k.argument("cv"), k.argument("words"), k.argument("parameters"), k.argument("groups")
	scratch, offset := k.scratch(), k.GP64()
	k.XORQ(offset, offset)
	k.countdown(groups, func() {
		k.fetchWords(words, offset)
		c := k.newCompression(scratch, k.loadWords(words, offset, scratch))
		c.chaining(cv)
		c.start()
		for i := range 4 {
			c.v[12+i] = k.broadcast32(at(parameters, 4*i))
		}
		for i, word := range c.rounds() {
			k.store(word, at(cv, i*k.width()))
		}
		k.ADDQ(operand.U32(uint32(8*k.width())), cv)
		k.ADDQ(operand.U32(uint32(2*k.width())), offset)
	})
	k.end()
}

// fetchWords prefetches words 8 to 15 of each lane, which follow the words that loadWords loads.
func (k *blakeKernels) fetchWords(words, offset reg.GPVirtual) {
	const line = 64
	for w := range 8 {
		p := k.GP64()
		k.MOVQ(at(words, 8*(8+w)), p)
		for bytes := 0; bytes < 2*k.width(); bytes += line {
			k.PREFETCHT0(atIndex(p, offset, bytes))
		}
	}
}

// loadWords loads eight words of each lane as sixteen halves, the low one first.
func (k *blakeKernels) loadWords(words, offset reg.GPVirtual, scratch operand.Mem) (message [16]operand.Op) {
	var lowWords, highWords value
	if k.set == avx512 {
		lowWords, highWords = k.load(k.lowWords), k.load(k.highWords)
	}
	for w := range 8 {
		p, skip := k.GP64(), k.label("absent")
		low, high := k.zero32(), k.zero32()
		k.MOVQ(at(words, 8*w), p)
		k.TESTQ(p, p)
		k.JZ(operand.LabelRef(skip))
		first, second := k.load(atIndex(p, offset, 0)), k.load(atIndex(p, offset, k.width()))
		if k.set == avx512 {
			k.VMOVDQA64(first, low)
			k.VPERMT2D(second, lowWords, low)
			k.VMOVDQA64(first, high)
			k.VPERMT2D(second, highWords, high)
		} else {
			// Each half of a register has the words of rows 0, 1, 4, 5 (or 2, 3, 6, 7): reorder the pairs of rows.
			k.VSHUFPS(imm(0b10_00_10_00), second, first, low)
			k.VPERMQ(imm(0b11_01_10_00), low, low)
			k.VSHUFPS(imm(0b11_01_11_01), second, first, high)
			k.VPERMQ(imm(0b11_01_10_00), high, high)
		}
		k.Label(skip)
		message[2*w], message[2*w+1] = k.hold(low, scratch, 2*w), k.hold(high, scratch, 2*w+1)
	}
	return message
}

// hold keeps word i of a message; with AVX2, in memory.
func (k *blakeKernels) hold(word value, scratch operand.Mem, i int) operand.Op {
	if k.set == avx512 {
		return word
	}
	m := scratch.Offset(i * k.width())
	k.store(word, m)
	return m
}

// held returns a word kept by hold.
func (k *blakeKernels) held(word operand.Op) value {
	if m, inMemory := word.(operand.Mem); inMemory {
		return k.load(m)
	}
	return word.(value)
}

func (k *blakeKernels) zero32() value {
	v := k.vector()
	if k.set == avx512 {
		k.VPXORD(v, v, v)
	} else {
		k.VPXOR(v, v, v)
	}
	return v
}

// digestsKernel writes chaining values as digests.
func (k *blakeKernels) digestsKernel() {
	k.kernelOf("digests", "(dst *byte, cv *uint32, groups int)",
		"writes the chaining values of groups of lanes, as absorb leaves them, as consecutive digests of 32 bytes.")
	dst, cv, groups := k.argument("dst"), k.argument("cv"), k.argument("groups")
	k.countdown(groups, func() {
		var words [8]value
		for i := range words {
			words[i] = k.load(at(cv, i*k.width()))
		}
		k.storeDigests32(words, dst)
		k.ADDQ(operand.U32(uint32(8*k.width())), cv)
	})
	k.end()
}

// pairsKernel hashes nodes of two children.
func (k *blakeKernels) pairsKernel() {
	k.kernelOf("pairs", "(dst, children *byte, groups int)",
		"hashes pairs of digests, 64 bytes each, to digests of 32 bytes, one per lane of a group.")
	dst, children, groups := k.argument("dst"), k.argument("children"), k.argument("groups")
	scratch := k.scratch()
	k.countdown(groups, func() {
		k.storeDigests32(k.pair(children, scratch), dst)
		k.ADDQ(operand.U32(uint32(64*k.lanes32())), children)
	})
	k.end()
}

// triplesKernel hashes nodes of two children and the digest of the rows that join there.
func (k *blakeKernels) triplesKernel() {
	k.kernelOf("triples", "(dst, children, extra *byte, groups int)",
		"hashes pairs of digests and then, with the result as chaining value, an extra digest for each.")
	dst, children, extra, groups := k.argument("dst"), k.argument("children"), k.argument("extra"), k.argument("groups")
	scratch := k.scratch()
	k.countdown(groups, func() {
		var node [8]operand.Op // AVX2: the upper half of the message; the transposition needs the registers
		for i, word := range k.pair(children, scratch) {
			node[i] = k.hold(word, scratch, 8+i)
		}
		c := k.newCompression(scratch, [16]operand.Op{})
		for i, word := range k.loadDigests32(extra) {
			c.message[i] = k.hold(word, scratch, i)
		}
		for i := range node {
			c.v[i] = k.held(node[i])
		}
		zero := k.zero32()
		for i := len(node); i < len(c.message); i++ {
			c.message[i] = k.hold(zero, scratch, i)
		}
		c.start()
		c.last(blakeHalfBytes, blakeParent|blakeRoot)
		k.storeDigests32(c.rounds(), dst)
		k.ADDQ(operand.U32(uint32(64*k.lanes32())), children)
		k.ADDQ(operand.U32(uint32(32*k.lanes32())), extra)
	})
	k.end()
}

// pair compresses two digests a lane under the initial chaining value.
func (k *blakeKernels) pair(children reg.GPVirtual, scratch operand.Mem) [8]value {
	c := k.newCompression(scratch, k.loadPairs32(children, scratch))
	c.fresh()
	c.start()
	c.last(blakeNodeBytes, blakeParent)
	return c.rounds()
}

// last sets v12 to v15 for a counter of 0.
func (c *compression) last(length, flags uint32) {
	for i, word := range [4]uint32{0, 0, length, flags} {
		c.v[12+i] = c.broadcastWord32(word)
	}
}

// lanesKernel compresses messages that differ between lanes in any word: nonces, and counters of draws.
func (k *blakeKernels) lanesKernel() {
	k.kernelOf("lanes", "(out, cv, message, last *uint32)",
		"compresses one message in each lane. Word i of lane l is at i*lanes + l in out (8 words), message (16) and last "+
			"(4, the end of a compression's state); the chaining value's 8 words are the same in all lanes.")
	out, cv, message, last := k.argument("out"), k.argument("cv"), k.argument("message"), k.argument("last")
	scratch := k.scratch()
	c := k.newCompression(scratch, [16]operand.Op{})
	for i := range c.message {
		c.message[i] = at(message, i*k.width())
	}
	for i := range 8 {
		c.v[i] = k.broadcast32(at(cv, 4*i))
	}
	c.start()
	for i := range 4 {
		c.v[12+i] = k.load(at(last, i*k.width()))
	}
	for i, word := range c.rounds() {
		k.store(word, at(out, i*k.width()))
	}
	k.end()
}
