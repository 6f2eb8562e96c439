package relation

import (
	"fmt"
	"math/big"
)

// How numbers are cut up.
const (
	HalfBits = 16
	Half     = 1 << HalfBits // H
	Limbs    = 8             // of 32 bits in 256
	Digits   = 2 * Limbs     // of 16 bits in 256
	Steps    = 16            // of 32 bits in 512
	TopBits  = 20            // of a carry below its tops
	TopBase  = 3             // values of a top
)

// A Span bounds an integer: both bounds are in it.
type Span struct{ Low, High int64 }

// A Product is of two numbers, times a factor.
type Product struct {
	Factor int64
	A, B   []Span // of digits
}

// A Shape is an equation's: which products it has, what its steps add, and how the carries out of the first 15 are
// written, which follows.
type Shape struct {
	Products []Product
	Linear   [Steps]Span // in units of W^k
	Carries  []Carry
}

// A Carry says how the carry out of a step is written.
type Carry struct {
	Offset int64 // the least carry
	Tops   int   // columns above the lowest 20 bits
}

// Spans are those of so many digits of 16 bits.
func Spans(digits int) []Span {
	list := make([]Span, digits)
	for i := range list {
		list[i] = Span{0, Half - 1}
	}
	return list
}

// Differences are the spans of differences of digits of two numbers.
func Differences() []Span {
	list := make([]Span, Digits)
	for i := range list {
		list[i] = Span{1 - Half, Half - 1}
	}
	return list
}

// New is the shape of an equation with these products, in which each of the first steps adds a limb. It panics if a
// step may exceed half the field's order.
func New(limb Span, products ...Product) *Shape {
	s := &Shape{Products: products}
	for k := range Limbs {
		s.Linear[k] = limb
	}
	s.Carries = s.carries()
	return s
}

func (s *Shape) carries() (list []Carry) {
	low, high := s.bounds()
	belowLow, belowHigh := new(big.Int), new(big.Int) // of what comes out of steps 0 to k
	least, most := make([]*big.Int, Steps), make([]*big.Int, Steps)
	for k := range Steps {
		least[k], belowLow = divide(belowLow.Add(belowLow, low[k]), true)
		most[k], belowHigh = divide(belowHigh.Add(belowHigh, high[k]), false)
	}
	aboveLow, aboveHigh := new(big.Int), new(big.Int) // of what has to come into steps k to 15
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

// bounds are those of what each step adds, without its carries.
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

// extremes are the least and the most that factor a b can be.
func extremes(factor int64, a, b Span) (least, most int64) {
	corners := [4]int64{a.Low * b.Low, a.Low * b.High, a.High * b.Low, a.High * b.High}
	least, most = factor*corners[0], factor*corners[0]
	for _, c := range corners {
		least, most = min(least, factor*c), max(most, factor*c)
	}
	return least, most
}

// divide is n/W, rounded up or down, twice.
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

// Most is the largest carry that can be written.
func (c Carry) Most() int64 {
	room := int64(1) << TopBits
	for range c.Tops {
		room *= TopBase
	}
	return c.Offset + room - 1
}

// check panics unless both sides of step k are below half the field's order: 2^62 is less than that.
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
