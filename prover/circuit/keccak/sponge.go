package keccak

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
)

// The sponge table absorbs a block of 136 bytes a row: mixed = state ^ block,
// then (mixed, capacity) goes through the permutation and comes out as output,
// which is the next row's state and capacity.
//
// Nibbles of state, block and mixed are 4-bit numbers with mixed = state ^ block
// because every row looks all of them up in xor4. A row is active or inert; the
// active rows come first and the last of them is final. In the final row two
// one-hot numbers, lane and byte, say where the padding begins; in all others
// they are zero, so that final is the sum of either. length counts the bytes
// of the blocks before the row.
//
// Why this is Keccak-256:
//
//  1. lane is boolean, so final is the number of set lanes, and active is 1 minus the number of lanes set in the rows
//     before. The last row says that active equals final: one lane is set in the whole table. Hence exactly one row is
//     final, active is 1 up to it and 0 after it. The first row has state and capacity zero and length 0; an active row
//     that is not final is followed by one whose state and capacity are its output.
//  2. Every active row sends its permutation, so output is the permutation
//     of (mixed, capacity): the capacity goes in unchanged.
//  3. A row that is not final absorbs 136 bytes of the file. In the final row
//     the file ends before byte 8*lane + byte = length mod 136; from there the
//     block is 0x01, zeros, and 0x80 added to byte 135.
//  4. In the final row, the digest is the output's first 256 bits and the
//     public length is length plus the bytes before the padding. length stays
//     far below the field's order, and the verifier checks that the public one
//     is below 2^40.

// SpongeLayout has the index of the first column of each group of main columns of the sponge table.
type SpongeLayout struct {
	State, Block, Mixed, Capacity, Output, Active, Lane, Byte, Length int
}

func newSpongeLayout(t *air.Table) SpongeLayout {
	return SpongeLayout{
		State: t.Column("state"), Block: t.Column("block"), Mixed: t.Column("mixed"), Capacity: t.Column("capacity"),
		Output: t.Column("output"),
		Active: t.Column("active"), Lane: t.Column("lane"), Byte: t.Column("byte"), Length: t.Column("length"),
	}
}

// The public values: the digest's limbs, then the length.
const (
	PublicLimbs  = DigestBytes * 8 / LimbBits
	PublicLength = PublicLimbs
	PublicCount  = PublicLimbs + 1
)

type spongeColumns struct {
	b                   *air.Builder
	state, block, mixed []air.Expr // nibbles of the rate, by bit/4
	capacity, output    []air.Expr // words
	active              air.Expr
	lane, byte          []air.Expr
	length              air.Expr

	final     air.Expr
	continues air.Expr // 1 in active rows that are not final
}

func declareSponge(permutations air.CallBus[permutationMessage], xor air.LookupBus[xorMessage]) (*air.Table, error) {
	b := air.NewTable("sponge")
	c := &spongeColumns{b: b}
	c.state = b.MainColumns("state", RateNibbles)
	c.block = b.MainColumns("block", RateNibbles)
	c.mixed = b.MainColumns("mixed", RateNibbles)
	c.capacity = b.MainColumns("capacity", CapacityWords)
	c.output = b.MainColumns("output", StateWords)
	c.active = b.Main("active")
	c.lane = b.MainColumns("lane", RateLanes)
	c.byte = b.MainColumns("byte", 8)
	c.length = b.Main("length")
	c.final = b.Sum(c.lane...)
	c.continues = c.active.Sub(c.final)

	c.rows()
	c.absorb()
	c.padding()
	c.publics()
	message := permutationMessage{Output: [StateWords]air.Expr(c.output)}
	copy(message.Input[copy(message.Input[:], c.packed(c.mixed)):], c.capacity)
	permutations.Call(b, c.active, message) // active is 0 or 1 by point 1
	for k := range RateNibbles {
		xor.Ask(b, b.Constant(1), xorMessage{c.state[k], c.block[k], c.mixed[k]})
	}
	return b.Build()
}

// packed returns the rate's words as packings of its nibbles.
func (c *spongeColumns) packed(nibbles []air.Expr) []air.Expr {
	packed := make([]air.Expr, RateWords)
	for w := range packed {
		first := Words[w].First / 4
		packed[w] = c.b.Pack(4, nibbles[first:first+Words[w].Bits/4]...)
	}
	return packed
}

// rows declares which rows are active and which one is final: point 1.
func (c *spongeColumns) rows() {
	b := c.b
	for i, lane := range c.lane {
		b.AssertBoolean(fmt.Sprintf("lane[%d] is boolean", i), lane)
	}
	for i, byte := range c.byte {
		b.AssertBoolean(fmt.Sprintf("byte[%d] is boolean", i), byte)
	}
	b.AssertEqual("lane and byte are set together", b.Sum(c.byte...), c.final)
	b.WhenFirst().AssertEqual("the first row is active", c.active, b.Constant(1))
	b.WhenTransition().AssertEqual("active goes on until the final row", c.active.Next(), c.continues)
	b.WhenLast().AssertZero("the last row is final or inert", c.continues)
}

// absorb starts with zeros and passes the output to the next row: points 1 and 3.
func (c *spongeColumns) absorb() {
	b := c.b
	passes := b.WhenTransition().When(c.continues)
	next := make([]air.Expr, RateNibbles)
	for k, nibble := range c.state {
		next[k] = nibble.Next()
	}
	nextState := c.packed(next)
	for w, word := range c.packed(c.state) {
		b.WhenFirst().AssertZero(fmt.Sprintf("word %d of the state starts at zero", w), word)
		passes.AssertEqual(fmt.Sprintf("word %d of the state is the output", w), nextState[w], c.output[w])
	}
	for w, word := range c.capacity {
		b.WhenFirst().AssertZero(fmt.Sprintf("capacity[%d] starts at zero", w), word)
		passes.AssertEqual(fmt.Sprintf("capacity[%d] is the output", w), word.Next(), c.output[RateWords+w])
	}
	b.WhenFirst().AssertZero("length starts at zero", c.length)
	b.WhenTransition().AssertEqual("length grows by a full block", c.length.Next(),
		c.length.Add(c.continues.Scale(RateBytes)))
}

// padding fixes the bytes of the final block from the start of the padding on: point 3. here is 1 in the byte where it
// begins, from is 1 there and in all later bytes.
func (c *spongeColumns) padding() {
	b := c.b
	before := b.Constant(0) // the padding begins in an earlier lane
	for i, lane := range c.lane {
		reached := b.Constant(0) // in this lane: at this byte or an earlier one
		for j, byte := range c.byte {
			k := 8*i + j
			low, high := c.block[2*k], c.block[2*k+1]
			reached = reached.Add(byte)
			here := lane.Mul(byte)
			from := before.Add(lane.Mul(reached))
			b.AssertZero(fmt.Sprintf("padding, low nibble of byte %d", k), from.Mul(low).Sub(here))
			if k == RateBytes-1 {
				b.AssertZero(fmt.Sprintf("padding, high nibble of byte %d", k), c.final.Mul(high.SubConstant(8)))
			} else {
				b.AssertZero(fmt.Sprintf("padding, high nibble of byte %d", k), from.Mul(high))
			}
		}
		before = before.Add(lane)
	}
}

// publics constrains the public values: point 4.
func (c *spongeColumns) publics() {
	b := c.b
	final := b.When(c.final)
	for w := range DigestWords {
		var limbs []air.Expr
		for bit := Words[w].First; bit < Words[w].First+Words[w].Bits; bit += LimbBits {
			limbs = append(limbs, b.Public(bit/LimbBits))
		}
		final.AssertEqual(fmt.Sprintf("word %d of the output is the digest", w), c.output[w], b.Pack(LimbBits, limbs...))
	}
	bytes := c.length
	for i, lane := range c.lane {
		bytes = bytes.Add(lane.Scale(uint64(8 * i)))
	}
	for j, byte := range c.byte {
		bytes = bytes.Add(byte.Scale(uint64(j)))
	}
	final.AssertEqual("length is the public length", bytes, b.Public(PublicLength))
}
