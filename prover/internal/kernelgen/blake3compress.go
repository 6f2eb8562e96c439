package kernelgen

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// compression is the state of a compression in every lane. AVX2 has 16 registers for 32 words, so the message and the
// words v8 to v11, which each step reads once, are in memory.
type compression struct {
	*blakeKernels
	v       [16]value
	third   [4]operand.Mem // AVX2: v8 to v11
	message [16]operand.Op
}

// scratch allocates AVX2's memory for messages and v8 to v11. With AVX-512 it is empty.
func (k *blakeKernels) scratch() operand.Mem {
	if k.set == avx512 {
		return operand.Mem{}
	}
	return k.AllocLocal((16 + 4) * k.width())
}

// newCompression returns a compression of a message in registers or in memory.
func (k *blakeKernels) newCompression(scratch operand.Mem, message [16]operand.Op) *compression {
	c := &compression{blakeKernels: k, message: message}
	for i := range c.third {
		c.third[i] = scratch.Offset((16 + i) * k.width())
	}
	return c
}

// start sets v8 to v11, which are constants.
func (c *compression) start() {
	for i := range 4 {
		word := c.broadcast32(c.iv.Offset(4 * i))
		if c.set == avx512 {
			c.v[8+i] = word
		} else {
			c.VMOVDQU(word, c.third[i])
		}
	}
}

// rounds runs all seven rounds and returns the first eight words of the result.
func (c *compression) rounds() (out [8]value) {
	for _, order := range blakeSchedule() {
		c.halfRound(0, order[:8])
		c.halfRound(1, order[8:])
	}
	for i := range 8 {
		switch {
		case i >= 4 || c.set == avx512:
			c.xorInto(c.v[i], c.v[8+i])
		default:
			c.xorInto(c.v[i], c.third[i])
		}
		out[i] = c.v[i]
	}
	return out
}

// halfRound mixes the four columns (turn 0) or the four diagonals (turn 1), interleaved step by step: within one mix,
// every instruction waits for the previous one.
func (c *compression) halfRound(turn int, order []int) {
	var at [4][4]int // the indices of a, b, c and d of each mix
	for i := range at {
		for row := range 4 {
			at[i][row] = 4*row + (i+turn*row)%4
		}
	}
	each := func(step func(i, a, b, c, d int)) {
		for i, p := range at {
			step(i, p[0], p[1], p[2], p[3])
		}
	}
	for half, rotations := range [2][2]int{{16, 12}, {8, 7}} {
		each(func(i, a, _, _, _ int) { c.addInto32(c.v[a], c.message[order[2*i+half]]) })
		each(func(_, a, b, _, _ int) { c.addInto32(c.v[a], c.v[b]) })
		each(func(_, a, _, _, d int) { c.xorInto(c.v[d], c.v[a]) })
		each(func(_, _, _, _, d int) { c.rotateRight(c.v[d], rotations[0], nil) })
		sums := [4]value{}
		each(func(i, _, _, third, d int) { sums[i] = c.addThird(third, c.v[d]) })
		each(func(i, _, b, _, _ int) { c.xorInto(c.v[b], sums[i]) })
		each(func(i, _, b, _, _ int) { c.rotateRight(c.v[b], rotations[1], sums[i]) })
	}
}

// addThird adds to one of v8 to v11 and returns the sum. With AVX2 the caller may change the sum.
func (c *compression) addThird(i int, x value) value {
	if c.set == avx512 {
		c.addInto32(c.v[i], x)
		return c.v[i]
	}
	sum := c.vector()
	c.VPADDD(c.third[i-8], x, sum)
	c.VMOVDQU(sum, c.third[i-8])
	return sum
}

// rotateRight rotates every lane. With AVX2, a rotation that is not by whole bytes needs the register work.
func (c *compression) rotateRight(v value, by int, work value) {
	switch {
	case c.set == avx512:
		c.VPRORD(imm(by), v, v)
	case by == 16:
		c.VPSHUFB(c.rotate16, v, v)
	case by == 8:
		c.VPSHUFB(c.rotate8, v, v)
	default:
		c.VPSLLD(imm(32-by), v, work)
		c.VPSRLD(imm(by), v, v)
		c.VPOR(work, v, v)
	}
}

// chaining loads the chaining values of a group: word i of all lanes is one register's width after word i-1.
func (c *compression) chaining(from reg.GPVirtual) {
	for i := range 8 {
		c.v[i] = c.load(at(from, i*c.width()))
	}
}

// fresh sets the chaining value to the initial one.
func (c *compression) fresh() {
	for i := range 8 {
		c.v[i] = c.broadcastWord32(blakeIV[i])
	}
}
