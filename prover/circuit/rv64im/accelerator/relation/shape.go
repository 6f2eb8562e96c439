package relation

import (
	"fmt"
	"math/big"
)

// Sizes of the parts into which numbers are cut.
const (
	HalfBits = 16
	Half     = 1 << HalfBits // H
	Limbs    = 8             // of 32 bits in 256
	Digits   = 2 * Limbs     // of 16 bits in 256
	Steps    = 16            // of 32 bits in 512
	TopBits  = 20            // bits of a carry below its tops
	TopBase  = 3             // number of values of a top
)

// A Span bounds an integer. Both bounds are inclusive.
type Span struct{ Low, High int64 }

// A Product bounds the digits of two numbers whose product, times a factor, is part of an equation.
type Product struct {
	Factor int64
	A, B   []Span // one a digit
}

// A Shape describes an equation: its products, what its steps add, and the encoding of the carries out of the first 15
// steps, which [New] derives from the others.
type Shape struct {
	Products []Product
	Linear   [Steps]Span // in units of W^k
	Carries  []Carry
}

// A Carry is the encoding of the carry out of a step.
type Carry struct {
	Offset int64 // the least carry
	Tops   int   // columns above the lowest 20 bits
}

// Spans returns the spans of n 16-bit digits, where n is digits.
func Spans(digits int) []Span {
	list := make([]Span, digits)
	for i := range list {
		list[i] = Span{0, Half - 1}
	}
	return list
}

// Differences returns the spans of the differences of the digits of two 256-bit numbers.
func Differences() []Span {
	list := make([]Span, Digits)
	for i := range list {
		list[i] = Span{1 - Half, Half - 1}
	}
	return list
}

// New returns the shape of an equation with these products, in which each of the first [Limbs] steps adds a limb. It
// panics if a step may exceed half the field's order.
func New(limb Span, products ...Product) *Shape {
	var linear [Steps]Span
	for k := range Limbs {
		linear[k] = limb
	}
	return NewLinear(linear, products...)
}

// NewLinear returns the shape of an equation with these products and linear terms. It panics like [New].
func NewLinear(linear [Steps]Span, products ...Product) *Shape {
	s := &Shape{Products: products, Linear: linear}
	s.Carries = s.carries()
	return s
}

func (s *Shape) carries() (list []Carry) {
	low, high := s.bounds()
	belowLow, belowHigh := new(big.Int), new(big.Int) // bounds of the carry out of steps 0 to k
	least, most := make([]*big.Int, Steps), make([]*big.Int, Steps)
	for k := range Steps {
		least[k], belowLow = divide(belowLow.Add(belowLow, low[k]), true)
		most[k], belowHigh = divide(belowHigh.Add(belowHigh, high[k]), false)
	}
	aboveLow, aboveHigh := new(big.Int), new(big.Int) // bounds of the carry that steps k to 15 need
	for k := Steps - 1; k > 0; k-- {
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
	for k := range Steps - 1 {
		c := carryOf(least[k].Int64(), most[k].Int64())
		list = append(list, c)
		s.check(k, low[k], high[k], list)
	}
	s.check(Steps-1, low[Steps-1], high[Steps-1], append(list, Carry{}))
	return list
}

// bounds returns the bounds of what each step adds, without its carries.
func (s *Shape) bounds() (low, high [Steps]*big.Int) {
	for k := range Steps {
		low[k], high[k] = big.NewInt(s.Linear[k].Low), big.NewInt(s.Linear[k].High)
	}
	for _, p := range s.Products {
		for i, a := range p.A {
			for j, b := range p.B {
				if i+j >= 2*Steps {
					continue
				}
				least, most := extremes(p.Factor, a, b)
				step, shift := (i+j)/2, uint((i+j)%2*HalfBits)
				low[step].Add(low[step], new(big.Int).Lsh(big.NewInt(least), shift))
				high[step].Add(high[step], new(big.Int).Lsh(big.NewInt(most), shift))
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
