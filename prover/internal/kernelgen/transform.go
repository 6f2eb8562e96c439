package kernelgen

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tileBytes is the size of a row of a tile: 8 elements. With AVX2, a tile is two consecutive halves.
const tileBytes = 64

// transformKernels generates the passes of package ntt. Its type pass defines the parameters.
func transformKernels(set instructionSet) ([]file, error) {
	b := newBuilder(set)
	for logRadix := 3; logRadix <= 6; logRadix++ {
		for _, twiddles := range []twiddleKind{eachTwiddle, sharedTwiddle, noTwiddle} {
			b.passKernel(logRadix, twiddles)
		}
	}
	b.lastKernel()
	b.scaleRowsKernel()
	b.transposeKernels()
	return b.files("prover/ntt", "transform", "ntt")
}

// twiddleKind is the kind of twiddles that multiply the outputs.
type twiddleKind int

const (
	eachTwiddle   twiddleKind = iota // each entry has its own
	sharedTwiddle                    // the 8 entries of a row share one
	noTwiddle
)

// name returns the kind's part of the kernels' names.
func (k twiddleKind) name() string { return [...]string{"", "Shared", "Plain"}[k] }

// size returns the number of bytes of twiddles per row.
func (k twiddleKind) size() int { return [...]int{tileBytes, 8, 0}[k] }

// halves returns the number of registers in a row of a tile.
func (b *builder) halves() int { return tileBytes / b.width() }

// passKernel generates a pass of radix 8*inner. The first stage transforms 8 rows, inner rows apart, for each r0 below
// inner, multiplies output k0 by w^(r0*k0), w being a power of two, and leaves it in scratch. The second stage
// transforms inner rows of scratch for each k0; its output k1 is output k0 + 8*k1 of the pass.
func (b *builder) passKernel(logRadix int, kind twiddleKind) {
	radix := 1 << logRadix
	inner := radix / 8
	b.kernel(fmt.Sprintf("pass%d%s", radix, kind.name()),
		"(dst, src *uint64, offsets *int, stride, srcStep, dstStep, ahead int, twiddles *uint64, twiddleStep int, scratch "+
			"*uint64, tiles int)",
		fmt.Sprintf("runs a pass of radix %d.", radix))
	dst, src, twiddles := b.argument("dst"), b.argument("src"), b.argument("twiddles")
	tiles := b.argument("tiles")

	half := func() {
		if inner == 1 {
			x := b.loadRows(src, 0, inner)
			b.storeOutputs(dst, twiddles, nil, b.transform8(x), kind)
			return
		}
		scratch := b.argument("scratch")
		for r0 := range inner {
			y := b.transform8(b.loadRows(src, r0, inner))
			for k0, v := range y {
				v = b.mulPowerOfTwo(v, 192/radix*r0*k0)
				b.store(v, at(scratch, (k0*inner+r0)*b.width()))
			}
		}
		offsets, k0 := b.argument("offsets"), b.GP64()
		tw := b.GP64()
		b.MOVQ(twiddles, tw)
		b.MOVQ(operand.U32(8), k0)
		b.countdown(k0, func() {
			x := make([]value, inner)
			for r0 := range x {
				x[r0] = b.load(at(scratch, r0*b.width()))
			}
			b.storeOutputs(dst, tw, offsets, b.transformSmall(x), kind)
			b.ADDQ(operand.U32(uint32(inner*b.width())), scratch)
			b.ADDQ(operand.U32(uint32(kind.size())), tw)
			b.ADDQ(operand.U32(8), offsets)
		})
	}

	b.countdown(tiles, func() {
		if b.halves() == 1 {
			half()
		} else {
			h := b.GP64()
			b.MOVQ(operand.U32(uint32(b.halves())), h)
			b.countdown(h, func() {
				half()
				b.advance(b.width(), dst, src)
				if kind == eachTwiddle {
					b.advance(b.width(), twiddles)
				}
			})
			b.advance(-tileBytes, dst, src)
			if kind == eachTwiddle {
				b.advance(-tileBytes, twiddles)
			}
		}
		b.advanceElements(src, "srcStep")
		b.advanceElements(dst, "dstStep")
		b.advanceElements(twiddles, "twiddleStep")
	})
	b.end()
}

// advance advances pointers by a number of bytes.
func (b *builder) advance(bytes int, pointers ...reg.GPVirtual) {
	for _, p := range pointers {
		b.LEAQ(at(p, bytes), p)
	}
}

// advanceElements advances a pointer by the number of elements in an argument.
func (b *builder) advanceElements(p reg.GPVirtual, argument string) {
	step := b.argument(argument)
	b.LEAQ(operand.Mem{Base: p, Index: step, Scale: 8}, p)
}

// loadRows loads the 8 rows r0 + inner*r1 and prefetches the following entries.
func (b *builder) loadRows(src reg.GPVirtual, r0, inner int) []value {
	stride, step, step3 := b.argument("stride"), b.GP64(), b.GP64()
	low, high := b.GP64(), b.GP64()
	b.SHLQ(operand.U8(3), stride) // bytes
	b.IMUL3Q(operand.U32(uint32(inner)), stride, step)
	b.IMUL3Q(operand.U32(uint32(r0)), stride, low)
	b.ADDQ(src, low)
	b.LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, step3)
	b.LEAQ(operand.Mem{Base: low, Index: step, Scale: 4}, high)
	ahead := b.argument("ahead")
	lowAhead, highAhead := b.GP64(), b.GP64()
	b.LEAQ(operand.Mem{Base: low, Index: ahead, Scale: 8}, lowAhead)
	b.LEAQ(operand.Mem{Base: high, Index: ahead, Scale: 8}, highAhead)
	rows := make([]value, 8)
	for r1 := range rows {
		m, next := operand.Mem{Base: low}, lowAhead
		if r1 >= 4 {
			m.Base, next = high, highAhead
		}
		switch r1 % 4 {
		case 1:
			m.Index, m.Scale = step, 1
		case 2:
			m.Index, m.Scale = step, 2
		case 3:
			m.Index, m.Scale = step3, 1
		}
		rows[r1] = b.load(m)
		m.Base = next
		b.PREFETCHT1(m)
	}
	return rows
}

// storeOutputs multiplies outputs by their twiddles and stores them. If offsets is nil, outputs has all outputs of the
// pass, else every eighth.
func (b *builder) storeOutputs(dst, twiddles, offsets reg.GPVirtual, outputs []value, kind twiddleKind) {
	step := 8
	if offsets == nil {
		offsets, step = b.argument("offsets"), 1
	}
	for k, v := range outputs {
		switch m := at(twiddles, k*step*kind.size()); kind {
		case eachTwiddle:
			v = b.mul(v, b.load(m))
		case sharedTwiddle:
			v = b.mul(v, b.broadcast(m))
		}
		offset := b.GP64()
		b.MOVQ(at(offsets, k*step*8), offset)
		b.store(v, operand.Mem{Base: dst, Index: offset, Scale: 8})
	}
}

// scaleRowsKernel gathers rows of a tile and scales them.
func (b *builder) scaleRowsKernel() {
	b.kernel("scaleRows", "(dst, src *uint64, stride, ahead int, factors *uint64, rows int)",
		"sets row r of the tile at dst to factors[r] times that at src[r*stride].")
	dst, src, factors := b.argument("dst"), b.argument("src"), b.argument("factors")
	rows, ahead := b.argument("rows"), b.argument("ahead")
	b.countdown(rows, func() {
		f := b.broadcast(at(factors, 0))
		fh := b.highHalf(f)
		b.PREFETCHT1(operand.Mem{Base: src, Index: ahead, Scale: 8})
		for h := range b.halves() {
			b.store(b.mulBy(b.load(at(src, h*b.width())), f, fh), at(dst, h*b.width()))
		}
		b.advanceElements(src, "stride")
		b.advance(tileBytes, dst)
		b.advance(8, factors)
	})
	b.end()
}

func (b *builder) transformSmall(x []value) []value {
	switch len(x) {
	case 2:
		return []value{b.add(x[0], x[1]), b.sub(x[0], x[1])}
	case 4:
		return b.transform4(x)
	}
	return b.transform8(x)
}

// transform4 returns the transform of 4 points with the root 2^48.
func (b *builder) transform4(x []value) []value {
	e0, f0 := b.add(x[0], x[2]), b.sub(x[0], x[2])
	e1, f1 := b.add(x[1], x[3]), b.mulPowerOfTwo(b.sub(x[1], x[3]), 48)
	return []value{b.add(e0, e1), b.add(f0, f1), b.sub(e0, e1), b.sub(f0, f1)}
}

// transform8 returns the transform of 8 points with the root 2^24.
func (b *builder) transform8(x []value) []value {
	var s, d [4]value
	for j := range 4 {
		s[j] = b.add(x[j], x[j+4])
		d[j] = b.mulPowerOfTwo(b.sub(x[j], x[j+4]), 24*j)
	}
	even, odd := b.transform4(s[:]), b.transform4(d[:])
	return []value{even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]}
}

// lastKernel transforms blocks of 64 elements in place, to bit-reversed order, as many at a time as a register has
// lanes. It transposes the blocks into a tile, and transposes back the second stage's outputs for each k0, which are
// adjacent.
func (b *builder) lastKernel() {
	n := b.lanes()
	b.kernel("transformBlocks", "(data *uint64, offsets *int, tile, scratch *uint64, tiles int)",
		"transforms 8 blocks of 64 elements a tile.")
	data, tiles := b.argument("data"), b.argument("tiles")
	b.IMUL3Q(operand.U32(uint32(b.halves())), tiles, tiles)
	b.countdown(tiles, func() {
		tile := b.argument("tile")
		for square := range 64 / n {
			x := make([]value, n)
			for i := range x {
				x[i] = b.load(at(data, i*blockBytes+square*b.width()))
			}
			for i, v := range b.transpose(x) {
				b.store(v, at(tile, (square*n+i)*b.width()))
			}
		}
		scratch := b.argument("scratch")
		for r0 := range 8 {
			x := make([]value, 8)
			for r1 := range x {
				x[r1] = b.load(at(tile, (r0+8*r1)*b.width()))
			}
			for k0, v := range b.transform8(x) {
				b.store(b.mulPowerOfTwo(v, 3*r0*k0), at(scratch, (8*k0+r0)*b.width()))
			}
		}
		offsets, k0 := b.argument("offsets"), b.GP64()
		b.MOVQ(operand.U32(8), k0)
		b.countdown(k0, func() {
			x, y := make([]value, 8), make([]value, 8)
			for r0 := range x {
				x[r0] = b.load(at(scratch, r0*b.width()))
			}
			for k1, v := range b.transform8(x) {
				y[bits.Reverse8(uint8(k1))>>5] = v
			}
			offset := b.GP64()
			b.MOVQ(at(offsets, 0), offset)
			for part := range 8 / n {
				for i, v := range b.transpose(y[part*n : (part+1)*n]) {
					b.store(v, operand.Mem{Base: data, Index: offset, Scale: 8, Disp: i*blockBytes + part*b.width()})
				}
			}
			b.ADDQ(operand.U32(uint32(8*b.width())), scratch)
			b.ADDQ(operand.U32(8), offsets)
		})
		b.ADDQ(operand.U32(uint32(n*blockBytes)), data)
	})
	b.end()
}

// blockBytes is the size of a block of 64 elements.
const blockBytes = 64 * 8

// transposeKernels generates kernels that move eight blocks of 64 elements into the columns of a tile of 64 rows and
// back.
func (b *builder) transposeKernels() {
	n := b.lanes()
	// A square of n by n elements at a time.
	squares := func(load func(square, group, i int) operand.Mem, store func(square, group, i int) operand.Mem) {
		for square := range 64 / n {
			for group := range 8 / n {
				x := make([]value, n)
				for i := range x {
					x[i] = b.load(load(square, group, i))
				}
				for i, v := range b.transpose(x) {
					b.store(v, store(square, group, i))
				}
			}
		}
	}
	b.kernel("transposeIn", "(rows, src *uint64, offsets *int)",
		"makes the block at src[offsets[i]] column i of rows, in bit-reversed order.")
	src, offsets, rows := b.argument("src"), b.argument("offsets"), b.argument("rows")
	squares(func(square, group, i int) operand.Mem {
		offset := b.GP64()
		b.MOVQ(at(offsets, 8*(group*n+i)), offset)
		return operand.Mem{Base: src, Index: offset, Scale: 8, Disp: square * b.width()}
	}, func(square, group, i int) operand.Mem {
		row := int(bits.Reverse8(uint8(square*n+i)) >> 2)
		return at(rows, row*tileBytes+group*b.width())
	})
	b.end()

	b.kernel("transposeOut", "(dst, rows *uint64, stride int)", "makes column i of rows the block at dst[stride*i].")
	dst := b.argument("dst")
	rows = b.argument("rows")
	stride := b.argument("stride")
	b.SHLQ(operand.U8(3), stride) // bytes
	stride3, stride5, stride7 := b.GP64(), b.GP64(), b.GP64()
	b.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, stride3)
	b.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 4}, stride5)
	b.LEAQ(operand.Mem{Base: stride3, Index: stride, Scale: 4}, stride7)
	squares(func(square, group, i int) operand.Mem {
		return at(rows, (square*n+i)*tileBytes+group*b.width())
	}, func(square, group, i int) operand.Mem {
		m := operand.Mem{Base: dst, Disp: square * b.width()}
		switch block := group*n + i; block {
		case 0:
		case 3, 6:
			m.Index, m.Scale = stride3, uint8(block/3)
		case 5:
			m.Index, m.Scale = stride5, 1
		case 7:
			m.Index, m.Scale = stride7, 1
		default:
			m.Index, m.Scale = stride, uint8(block)
		}
		return m
	})
	b.end()
}

// transpose exchanges registers and lanes.
func (b *builder) transpose(x []value) []value {
	n := len(x)
	pairs := make([]value, n) // lane l of pairs 2j and 2j+1: from registers 2j, 2j+1
	for j := 0; j < n; j += 2 {
		pairs[j], pairs[j+1] = b.vector(), b.vector()
		b.VPUNPCKLQDQ(x[j+1], x[j], pairs[j])
		b.VPUNPCKHQDQ(x[j+1], x[j], pairs[j+1])
	}
	y := make([]value, n)
	if n == 4 {
		for j := range 2 {
			y[j], y[j+2] = b.vector(), b.vector()
			b.VPERM2I128(imm(0x20), pairs[j+2], pairs[j], y[j])
			b.VPERM2I128(imm(0x31), pairs[j+2], pairs[j], y[j+2])
		}
		return y
	}
	// Quarters 0 and 2 of both sources, or quarters 1 and 3.
	shuffle := func(odd bool, x0, x1 value) value {
		r, selection := b.vector(), 0x88
		if odd {
			selection = 0xdd
		}
		b.VSHUFI64X2(imm(selection), x1, x0, r)
		return r
	}
	for j := range 2 {
		for _, odd := range []bool{false, true} {
			low, high := shuffle(odd, pairs[j], pairs[j+2]), shuffle(odd, pairs[j+4], pairs[j+6])
			first := j
			if odd {
				first += 2
			}
			y[first], y[first+4] = shuffle(false, low, high), shuffle(true, low, high)
		}
	}
	return y
}
