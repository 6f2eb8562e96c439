package keccak

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/air/columns"
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

// Sponge has the columns of the sponge table.
type Sponge[T any] struct {
	State    [RateNibbles]T   `column:"state[]"` // nibbles of the rate, by bit/4
	Block    [RateNibbles]T   `column:"block[]"`
	Mixed    [RateNibbles]T   `column:"mixed[]"`
	Capacity [CapacityWords]T `column:"capacity[]"` // words
	Output   [StateWords]T    `column:"output[]"`   // words
	Active   T
	Lane     [RateLanes]T `column:"lane[]"`
	Byte     [8]T         `column:"byte[]"`
	Length   T
}

// SpongeOf returns a struct of the cells of the table's columns, which are given in order.
func SpongeOf[T any](cells []T) *Sponge[T] {
	c := new(Sponge[T])
	columns.Assign(c, cells)
	return c
}

// The public values: the digest's limbs, then the length.
const (
	PublicLimbs  = DigestBytes * 8 / LimbBits
	PublicLength = PublicLimbs
	PublicCount  = PublicLimbs + 1
)

type spongeColumns struct {
	Sponge[air.Expr]
	b *air.Builder

	final     air.Expr
	continues air.Expr // 1 in active rows that are not final
}

func declareSponge(permutations air.CallBus[permutationMessage], xor air.LookupBus[xorMessage]) (*air.Table, error) {
	b := air.NewTable("sponge")
	c := &spongeColumns{b: b}
	c.Sponge, _ = columns.Declare[Sponge[air.Expr]](b)
	c.final = b.Sum(c.Lane[:]...)
	c.continues = c.Active.Sub(c.final)

	c.rows()
	c.absorb()
	c.padding()
	c.publics()
	message := permutationMessage{Output: c.Output}
	copy(message.Input[copy(message.Input[:], c.packed(c.Mixed[:])):], c.Capacity[:])
	permutations.Call(b, c.Active, message) // active is 0 or 1 by point 1
	for k := range RateNibbles {
		xor.Ask(b, b.Constant(1), xorMessage{c.State[k], c.Block[k], c.Mixed[k]})
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
	for i, lane := range c.Lane {
		b.AssertBoolean(fmt.Sprintf("lane[%d] is boolean", i), lane)
	}
	for i, byte := range c.Byte {
		b.AssertBoolean(fmt.Sprintf("byte[%d] is boolean", i), byte)
	}
	b.AssertEqual("lane and byte are set together", b.Sum(c.Byte[:]...), c.final)
	b.WhenFirst().AssertEqual("the first row is active", c.Active, b.Constant(1))
	b.WhenTransition().AssertEqual("active goes on until the final row", c.Active.Next(), c.continues)
	b.WhenLast().AssertZero("the last row is final or inert", c.continues)
}

// absorb starts with zeros and passes the output to the next row: points 1 and 3.
func (c *spongeColumns) absorb() {
	b := c.b
	passes := b.WhenTransition().When(c.continues)
	next := make([]air.Expr, RateNibbles)
	for k, nibble := range c.State {
		next[k] = nibble.Next()
	}
	nextState := c.packed(next)
	for w, word := range c.packed(c.State[:]) {
		b.WhenFirst().AssertZero(fmt.Sprintf("word %d of the state starts at zero", w), word)
		passes.AssertEqual(fmt.Sprintf("word %d of the state is the output", w), nextState[w], c.Output[w])
	}
	for w, word := range c.Capacity {
		b.WhenFirst().AssertZero(fmt.Sprintf("capacity[%d] starts at zero", w), word)
		passes.AssertEqual(fmt.Sprintf("capacity[%d] is the output", w), word.Next(), c.Output[RateWords+w])
	}
	b.WhenFirst().AssertZero("length starts at zero", c.Length)
	b.WhenTransition().AssertEqual("length grows by a full block", c.Length.Next(),
		c.Length.Add(c.continues.Scale(RateBytes)))
}

// padding fixes the bytes of the final block from the start of the padding on: point 3. here is 1 in the byte where it
// begins, from is 1 there and in all later bytes.
func (c *spongeColumns) padding() {
	b := c.b
	before := b.Constant(0) // the padding begins in an earlier lane
	for i, lane := range c.Lane {
		reached := b.Constant(0) // in this lane: at this byte or an earlier one
		for j, byte := range c.Byte {
			k := 8*i + j
			low, high := c.Block[2*k], c.Block[2*k+1]
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
		final.AssertEqual(fmt.Sprintf("word %d of the output is the digest", w), c.Output[w], b.Pack(LimbBits, limbs...))
	}
	bytes := c.Length
	for i, lane := range c.Lane {
		bytes = bytes.Add(lane.Scale(uint64(8 * i)))
	}
	for j, byte := range c.Byte {
		bytes = bytes.Add(byte.Scale(uint64(j)))
	}
	final.AssertEqual("length is the public length", bytes, b.Public(PublicLength))
}
