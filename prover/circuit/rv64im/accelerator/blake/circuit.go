package blake

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
)

// part is a message between a call's row and the rounds: 16 limbs of the first state, of the block, or of the last
// state. The time of the call and the number among the call's parts identify it.
type part struct {
	Time, Number air.Expr
	Limbs        [16]air.Expr
}

// circuit declares a function.
type circuit struct {
	*Function
	lookups accelerator.Lookups
	parts   air.CallBus[part]
}

func (f *Function) declare(all *air.Buses, lookups accelerator.Lookups) accelerator.Circuit {
	f.check()
	c := &circuit{f, lookups, air.NewCall[part](all, f.Table+"P")}
	return accelerator.Circuit{Call: c.call, Work: c.work}
}

// firstOut returns the number of the last state's first part. The parts of the first state and of the block have the
// numbers below.
func (c *circuit) firstOut() int { return 2 * c.Limbs }

// each splits limbs into parts, numbered from first, and calls do for each.
func (c *circuit) each(b *air.Builder, first int, time air.Expr, limbs []air.Expr, do func(p part)) {
	for i := 0; i < len(limbs); i += 16 {
		do(part{time, b.Constant(uint64(first + i/16)), [16]air.Expr(limbs[i:])})
	}
}

// call declares the row of a call, which sends the first state, the block and the last state. The last state is in
// columns of bytes, and the result is the exclusive or of its halves.
func (c *circuit) call(b *air.Builder, m, ts air.Expr, read, written []air.Expr) {
	l := c.Limbs
	d, block, chaining := read[:4*l], read[4*l:20*l], read[20*l:28*l]
	state := append([]air.Expr{}, chaining...)
	for _, word := range c.IV {
		for k := range l {
			state = append(state, b.Constant(word>>(LimbBits*k)&(1<<LimbBits-1)))
		}
	}
	state = append(state, d...)

	last := b.MainColumns("last", Words*c.Bytes())
	half := len(last) / 2
	result := c.xor(b, m, "result", last[:half], last[half:])
	if c.Feed {
		old := b.MainColumns("chaining", half)
		for i, limb := range c.limbsOf(b, old) {
			b.AssertEqual(fmt.Sprintf("limb %d of the chaining value", i), limb, chaining[i])
		}
		result = c.xor(b, m, "fed", result, old)
	}
	for i, limb := range c.limbsOf(b, result) {
		b.AssertEqual(fmt.Sprintf("limb %d of the result", i), limb, written[i])
	}
	send := func(p part) { c.parts.Call(b, m, p) }
	c.each(b, 0, ts, append(state, block...), send)
	c.each(b, c.firstOut(), ts, c.limbsOf(b, last), send)
}

// xor declares columns that are the exclusive or of x and y, and that all three consist of bytes.
func (c *circuit) xor(b *air.Builder, m air.Expr, name string, x, y []air.Expr) []air.Expr {
	z := b.MainColumns(name, len(x))
	for i := range z {
		c.lookups.Bytes(b, m, b.Constant(accelerator.OpXor), x[i], y[i], z[i])
	}
	return z
}

// limbsOf packs bytes into limbs.
func (c *circuit) limbsOf(b *air.Builder, bytes []air.Expr) (limbs []air.Expr) {
	for i := 0; i < len(bytes); i += limbBytes {
		limbs = append(limbs, b.Pack(8, bytes[i:i+limbBytes]...))
	}
	return limbs
}
