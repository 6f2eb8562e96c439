package relation

import (
	"fmt"
	"math/big"
	"strconv"
)

// Sizes of the parts of numbers.
const (
	HalfBits = 16
	Half     = 1 << HalfBits // H
	TopBits  = 20            // bits of a carry below its tops
	TopBase  = 3             // number of values of a top
)

// A Size is the number of 64-bit words of the numbers of a family of accelerators.
type Size int

// Bits returns the number of bits of a number as decimal text.
func (s Size) Bits() string { return strconv.Itoa(64 * int(s)) }

// Limbs returns the number of 32-bit limbs of a number.
func (s Size) Limbs() int { return 2 * int(s) }

// Digits returns the number of 16-bit digits of a number.
func (s Size) Digits() int { return 4 * int(s) }

// Steps returns the number of 32-bit steps of an equation, which covers the product of two numbers.
func (s Size) Steps() int { return 2 * s.Limbs() }

// A Span bounds an integer. Both bounds are inclusive.
type Span struct{ Low, High int64 }

// A Product bounds the digits of two numbers whose product, times a factor, is part of an equation.
type Product struct {
	Factor int64
	A, B   []Span // one a digit
}

// A Shape describes an equation: its products, the linear terms of its steps, and the encoding of the carries out of
// all steps but the last, which [New] derives from the others.
type Shape struct {
	Products []Product
	Linear   []Span // one a step, in units of W^k
	Carries  []Carry
}

// A Carry is the encoding of the carry out of a step.
type Carry struct {
	Offset int64 // the least carry
	Tops   int   // columns above the lowest 20 bits
}

// Spans returns the spans of the given number of 16-bit digits.
func Spans(digits int) []Span {
	list := make([]Span, digits)
	for i := range list {
		list[i] = Span{0, Half - 1}
	}
	return list
}

// Differences returns the spans of the digit-wise differences of two numbers with the given number of digits.
func Differences(digits int) []Span {
	list := make([]Span, digits)
	for i := range list {
		list[i] = Span{1 - Half, Half - 1}
	}
	return list
}

// New returns the shape of an equation between numbers of a size, with these products, in which each of the lower half
// of the steps adds a limb. It panics if a step may exceed half the field's order.
func New(size Size, limb Span, products ...Product) *Shape {
	linear := make([]Span, size.Steps())
	for k := range size.Limbs() {
		linear[k] = limb
	}
	return NewLinear(linear, products...)
}

// NewLinear returns the shape of an equation with these products and linear terms. It panics like [New].
func NewLinear(linear []Span, products ...Product) *Shape {
	s := &Shape{Products: products, Linear: linear}
	s.Carries = s.carries()
	return s
}

func (s *Shape) carries() (list []Carry) {
	low, high := s.bounds()
	steps := len(s.Linear)
	belowLow, belowHigh := new(big.Int), new(big.Int) // bounds of the carry out of steps 0 to k
	least, most := make([]*big.Int, steps), make([]*big.Int, steps)
	for k := range steps {
		least[k], belowLow = divide(belowLow.Add(belowLow, low[k]), true)
		most[k], belowHigh = divide(belowHigh.Add(belowHigh, high[k]), false)
	}
	aboveLow, aboveHigh := new(big.Int), new(big.Int) // bounds of the carry that steps k and above need
	for k := steps - 1; k > 0; k-- {
		// c_{k-1} = W c_k - step k
		aboveLow = aboveLow.Sub(aboveLow.Lsh(aboveLow, 32), high[k])
		aboveHigh = aboveHigh.Sub(aboveHigh.Lsh(aboveHigh, 32), low[k])
		if least[k-1].Cmp(aboveLow) < 0 {
			least[k-1].Set(aboveLow)
		}
		if most[k-1].Cmp(aboveHigh) > 0 {
			most[k-1].Set(aboveHigh)
		}
	}
	for k := range steps - 1 {
		c := carryOf(least[k].Int64(), most[k].Int64())
		list = append(list, c)
		s.check(k, low[k], high[k], list)
	}
	s.check(steps-1, low[steps-1], high[steps-1], append(list, Carry{}))
	return list
}

// bounds returns the bounds of each step's terms, without carries.
func (s *Shape) bounds() (low, high []*big.Int) {
	for _, span := range s.Linear {
		low, high = append(low, big.NewInt(span.Low)), append(high, big.NewInt(span.High))
	}
	term := new(big.Int)
	for _, p := range s.Products {
		for i, a := range p.A {
			for j, b := range p.B {
				if i+j >= 2*len(s.Linear) {
					continue
				}
				least, most := extremes(p.Factor, a, b)
				step, shift := (i+j)/2, uint((i+j)%2*HalfBits)
				low[step].Add(low[step], term.Lsh(term.SetInt64(least), shift))
				high[step].Add(high[step], term.Lsh(term.SetInt64(most), shift))
			}
		}
	}
	return low, high
}

// extremes returns the bounds of factor a b.
func extremes(factor int64, a, b Span) (least, most int64) {
	corners := [4]int64{a.Low * b.Low, a.Low * b.High, a.High * b.Low, a.High * b.High}
	least, most = factor*corners[0], factor*corners[0]
	for _, c := range corners {
		least, most = min(least, factor*c), max(most, factor*c)
	}
	return least, most
}

// divide returns two copies of n/W, rounded up or down.
func divide(n *big.Int, up bool) (quotient, again *big.Int) {
	q := new(big.Int)
	if up {
		q.Neg(q.Rsh(q.Neg(n), 32)) // rounds down
	} else {
		q.Rsh(n, 32)
	}
	return q, new(big.Int).Set(q)
}

func carryOf(least, most int64) Carry {
	c := Carry{Offset: least}
	for room := int64(1) << TopBits; least+room <= most; room *= TopBase {
		c.Tops++
	}
	return c
}

// Most returns the largest carry that the encoding can represent.
func (c Carry) Most() int64 {
	room := int64(1) << TopBits
	for range c.Tops {
		room *= TopBase
	}
	return c.Offset + room - 1
}

// check panics unless both sides of step k are below 2^62 in magnitude, which is less than half the field's order.
func (s *Shape) check(k int, low, high *big.Int, carries []Carry) {
	least, most := new(big.Int).Set(low), new(big.Int).Set(high)
	if k > 0 {
		least.Add(least, big.NewInt(carries[k-1].Offset))
		most.Add(most, big.NewInt(carries[k-1].Most()))
	}
	out := carries[k]
	if least.BitLen() > 62 || most.BitLen() > 62 || max(-out.Offset, out.Most()) >= 1<<30 {
		panic(fmt.Sprintf("relation: step %d is between %d and %d with carries from %d to %d, which is too wide",
			k, least, most, out.Offset, out.Most()))
	}
}
