package keccak

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/air/columns"
)

// The keccak-f table proves permutations in 24 rows each, round 23 first. A row
// is one round: its input is the output of the round below it, in the next
// row, or, in round 0, the permutation's input, which all its rows hold. Going
// backwards saves columns for the round's input, because a row can read the next
// row and not the one before.
//
// Notation: S is the state before the round, C its column parities, D the
// theta effect D[x,z] = C[x-1,z] ^ C[x+1,z-1], A' = S ^ D the state after
// theta, C' its column parities.
//
// Columns hold A' and C as bits (booleans by constraint) and C'. Then:
//
//  1. C'[x,z] = C[x,z] ^ C[x-1,z] ^ C[x+1,z-1], so C' are bits and
//     C ^ C' = D.
//  2. sum over y of A'[x,y,z], minus C'[x,z], is 0, 2 or 4: the sum is 0 to 5
//     and C' is 0 or 1, so this says that C' are the column parities of A'.
//  3. S is defined as A' ^ C ^ C', bits. Its column parities are those of A'
//     xored five times with D, hence C' ^ D = C. So C are the parities of S,
//     D is the theta effect of S, and A' is theta of S.
//  4. The packing of S equals the words below. Both are packings of at most
//     60 bits, so the bits are equal.
//  5. Output words are packings of chi of rho and pi of A', an expression of
//     degree 3. Where iota may change a bit, in seven places of lane 0, chi has a
//     column of its own, so that iota stays within degree 3.
//
// A one-hot counter modulo 3 and periodic columns of period 8 determine the round of a row: together they distinguish
// 24 rows. The counter starts in the first row and advances in every row. Its first digit is implied by the others.
//
// The permutation is received from the bus in its first row, round 23, if export is 1. Input words and export are held
// through the 24 rows. The last permutation of the table is cut off (24 never divides the height), and its input is
// never compared with a state: export must be 0 in the last row, so it is not served.
//
// A table that can look up whether a number is even has no columns C' (see [DeclareLimbs]). Its points 1 and 2 are that
// the sum over y of A'[x,y,z], plus C[x,z] + C[x-1,z] + C[x+1,z-1], is even. So the parities of A' are C ^ D with
// D = C[x-1,z] ^ C[x+1,z-1], and S is defined as A' ^ D. Its column parities are C ^ D xored five times with D, hence
// C. Points 3 to 5 follow as above.

// permutationMessage is a permutation's input and output as words.
type permutationMessage struct{ Input, Output [StateWords]air.Expr }

// Permutation has the columns of a table of permutations.
type Permutation[T any] struct {
	RoundHeader[T]
	RoundBits[T]
}

// RoundHeader begins the row of a round: the round's output, the permutation's input, and the row's digit.
type RoundHeader[T any] struct {
	Output []T `column:"output[]"` // words
	Input  []T `column:"input[]"`  // words
	Export T
	Mod3   [2]T `column:"mod3[]"` // digits 1 and 2
}

// RoundBits are the bits of a round.
type RoundBits[T any] struct {
	Chi    [len(IotaBits)]T `column:"chi[0] chi[1] chi[3] chi[7] chi[15] chi[31] chi[63]"` // IotaBits
	Parity [5 * LaneBits]T  `column:"parity[]"`                                            // C, by 64x + z
	Mixed  []T              `column:"mixed[]"`                                             // C', or none
	Theta  [StateBits]T     `column:"theta[]"`                                             // A', by state bit
}

// Form distinguishes tables of permutations.
type Form struct {
	Words []Word // that states are divided into
	Mixed bool   // whether there are columns C'
}

// OwnForm is the form of table keccak-f.
var OwnForm = Form{Words, true}

// PermutationOf returns a struct of the cells of a table's columns, which are given in order.
func PermutationOf[T any](form *Form, cells []T) *Permutation[T] {
	c := newPermutation[T](form)
	columns.Assign(c, cells)
	return c
}

func newPermutation[T any](form *Form) *Permutation[T] {
	c := new(Permutation[T])
	c.Output, c.Input, c.Mixed = make([]T, len(form.Words)), make([]T, len(form.Words)), make([]T, 0)
	if form.Mixed {
		c.Mixed = make([]T, 5*LaneBits)
	}
	return c
}

// permutationColumns holds the columns as expressions.
type permutationColumns struct {
	*Permutation[air.Expr]
	b     *air.Builder
	words []Word
	mod3  []air.Expr // all digits, the implied first one too

	firstRow, lastRow air.Expr // 1 in the permutation's rows of round 23 and of round 0
}

func declarePermutation(bus air.CallBus[permutationMessage]) (*air.Table, error) {
	b := air.NewTable("keccak-f")
	b.Heights(5, air.MaxLogHeight) // a permutation at least
	served, input, output := declareRounds(b, &OwnForm, nil)
	bus.Serve(b, served, permutationMessage{[StateWords]air.Expr(input), [StateWords]air.Expr(output)})
	return b.Build()
}

// declareRounds declares columns and constraints. It returns a permutation's input and output, and an expression that
// is 1 in the row where they are to be served: its first row, if the permutation is exported. Without columns C', even
// declares that numbers from 0 to 8 are even in every row.
func declareRounds(b *air.Builder, form *Form, even func([]air.Expr)) (served air.Expr, input, output []air.Expr) {
	c := &permutationColumns{Permutation: newPermutation[air.Expr](form), b: b, words: form.Words}
	columns.DeclareInto(b, &c.RoundHeader)
	c.mod3 = digits(b, c.Mod3[:]) // before the bits: the machine's digest covers the order of expressions
	columns.DeclareInto(b, &c.RoundBits)
	c.firstRow = c.mod3[0].Mul(b.Periodic("0 mod 8", 1, 0, 0, 0, 0, 0, 0, 0))
	c.lastRow = c.mod3[2].Mul(b.Periodic("7 mod 8", 0, 0, 0, 0, 0, 0, 0, 1))

	c.counter()
	c.held()
	c.booleans()
	if form.Mixed {
		c.parities()
	} else {
		c.evenSums(even)
	}
	c.inputState()
	c.outputState()
	return c.firstRow.Mul(c.Export), c.Input, c.Output
}

// digits prepends the implied digit 0 to the other digits of a one-hot number.
func digits(b *air.Builder, others []air.Expr) []air.Expr {
	return append([]air.Expr{b.Sum(others...).Not()}, others...)
}

// counter declares the counter modulo 3: it starts at digit 0 and advances by one digit per row.
func (c *permutationColumns) counter() {
	for k := 1; k < len(c.mod3); k++ {
		c.b.WhenFirst().AssertZero(fmt.Sprintf("mod3 starts without digit %d", k), c.mod3[k])
		c.b.WhenTransition().AssertEqual(fmt.Sprintf("mod3 moves to digit %d", k), c.mod3[k].Next(), c.mod3[k-1])
	}
}

// held keeps input and export through the rows of a permutation.
func (c *permutationColumns) held() {
	c.b.AssertBoolean("export is boolean", c.Export)
	c.b.WhenLast().AssertZero("export is 0 where the table cuts off", c.Export)
	hold := c.b.WhenTransition().When(c.lastRow.Not())
	hold.AssertEqual("export is held", c.Export.Next(), c.Export)
	for w, input := range c.Input {
		hold.AssertEqual(fmt.Sprintf("input[%d] is held", w), input.Next(), input)
	}
}

// booleans constrains A' to bits.
func (c *permutationColumns) booleans() {
	for bit := range StateBits {
		c.b.AssertBoolean(fmt.Sprintf("theta[%d,%d][%d] is boolean", bit/LaneBits%5, bit/LaneBits/5, bit%LaneBits),
			c.Theta[bit])
	}
}

// neighbours returns the parities of the two columns whose exclusive or is the theta effect at i = 64x + z.
func (c *permutationColumns) neighbours(i int) (left, right air.Expr) {
	x, z := i/LaneBits, i%LaneBits
	return c.Parity[(x+4)%5*64+z], c.Parity[(x+1)%5*64+(z+63)%64]
}

// column returns the sum of A' over the column at i = 64x + z.
func (c *permutationColumns) column(i int) air.Expr {
	x, z := i/LaneBits, i%LaneBits
	return c.b.Sum(c.Theta[64*x+z], c.Theta[64*(x+5)+z], c.Theta[64*(x+10)+z], c.Theta[64*(x+15)+z],
		c.Theta[64*(x+20)+z])
}

// parities constrains A', C and C': points 1 and 2.
func (c *permutationColumns) parities() {
	b := c.b
	for x := range 5 {
		for z := range LaneBits {
			place := fmt.Sprintf("[%d][%d]", x, z)
			parity, mixed := c.Parity[64*x+z], c.Mixed[64*x+z]
			b.AssertBoolean("parity"+place+" is boolean", parity)

			left, right := c.neighbours(64*x + z)
			effect := left.Xor(right)
			b.AssertEqual("mixed"+place+" is parity and theta effect", mixed, xorDegree3(b, effect, parity))

			odd := mixed.Neg()
			for y := range 5 {
				odd = odd.Add(c.Theta[(x+5*y)*64+z])
			}
			b.AssertZero("mixed"+place+" is the parity after theta", odd.Mul(odd.SubConstant(2)).Mul(odd.SubConstant(4)))
		}
	}
}

// xorDegree3 returns the exclusive or of two booleans, x(1-2y) + y. Its degree is the sum of their degrees.
func xorDegree3(b *air.Builder, x, y air.Expr) air.Expr {
	return x.Mul(b.Constant(1).Sub(y.Double())).Add(y)
}

// inputState ties S to the words below: points 3 and 4.
func (c *permutationColumns) inputState() {
	effects := make([]air.Expr, 5*LaneBits)
	for i := range effects {
		if len(c.Mixed) > 0 {
			effects[i] = c.Parity[i].Xor(c.Mixed[i])
		} else {
			left, right := c.neighbours(i)
			effects[i] = left.Xor(right)
		}
	}
	state := make([]air.Expr, StateBits)
	for bit := range state {
		x, z := bit/LaneBits%5, bit%LaneBits
		state[bit] = xorDegree3(c.b, c.Theta[bit], effects[64*x+z])
	}
	for w, word := range c.words {
		below := c.lastRow.Select(c.Input[w], c.Output[w].Next())
		c.b.WhenTransition().AssertEqual(fmt.Sprintf("word %d of the round's input is the word below", w),
			c.b.Pack(1, state[word.First:word.First+word.Bits]...), below)
	}
}

// outputState computes the round's output from A': point 5.
func (c *permutationColumns) outputState() {
	moved := func(i, z int) air.Expr { // bit z of lane i after rho and pi
		s := Source[i]
		return c.Theta[64*s+(z+64-Rotations[s])%64]
	}
	output := make([]air.Expr, StateBits)
	for i := range Lanes {
		row := i / 5 * 5
		for z := range LaneBits {
			flipped := moved(row+(i+1)%5, z).Not().Mul(moved(row+(i+2)%5, z))
			output[64*i+z] = xorDegree3(c.b, flipped, moved(i, z))
		}
	}
	for k, z := range IotaBits {
		c.b.AssertEqual(fmt.Sprintf("chi[%d] is bit %d of lane 0 after chi", z, z), c.Chi[k], output[z])
		output[z] = xorDegree3(c.b, c.roundConstantBit(z), c.Chi[k])
	}
	for w, word := range c.words {
		c.b.AssertEqual(fmt.Sprintf("output[%d] is the round's output", w),
			c.Output[w], c.b.Pack(1, output[word.First:word.First+word.Bits]...))
	}
}

// roundConstantBit returns bit z of the row's round constant, of degree 2: row i has the constant of round 23 - i mod
// 24, which i modulo 3, a digit, and i modulo 8, the index in a period, determine.
func (c *permutationColumns) roundConstantBit(z int) air.Expr {
	sum := c.b.Constant(0)
	for residue, digit := range c.mod3 {
		period := make([]uint64, 8)
		for row := residue; row < Rounds; row += 3 {
			period[row%8] = RoundConstants[Rounds-1-row] >> z & 1
		}
		if slices.Max(period) > 0 {
			sum = sum.Add(digit.Mul(c.b.Periodic(fmt.Sprintf("iota bit %d in rows %d mod 3", z, residue), period...)))
		}
	}
	return sum
}
