package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// An Arm is one side of the comparison: base, or a head.
type Arm string

// The arms of a comparison with one head. [HeadArm] names further ones.
const (
	Base Arm = "base"
	Head Arm = "head"
)

// HeadArm returns the n-th head, from 1: head, head2, head3.
func HeadArm(n int) Arm {
	if n == 1 {
		return Head
	}
	return Arm(fmt.Sprintf("%s%d", Head, n))
}

// Arms returns base and the given number of heads.
func Arms(heads int) []Arm {
	arms := []Arm{Base}
	for n := 1; n <= heads; n++ {
		arms = append(arms, HeadArm(n))
	}
	return arms
}

// Number is 0 for base and n for the n-th head.
func (a Arm) Number() int {
	if a == Base {
		return 0
	}
	n, err := strconv.Atoi(strings.TrimPrefix(string(a), string(Head)))
	if err != nil {
		return 1
	}
	return n
}

// Other returns the opposite arm in a comparison with one head.
func (a Arm) Other() Arm {
	if a == Base {
		return Head
	}
	return Base
}

// Against renames the arm for a comparison of base and the given head only, which is then called [Head].
func (a Arm) Against(head Arm) Arm {
	if a == head {
		return Head
	}
	return a
}

// letter is A for base, B for the first head, and so on.
func (a Arm) letter() string { return string(rune('A' + a.Number())) }

// armOf returns the arm of a letter.
func armOf(letter byte) Arm {
	if letter == 'A' {
		return Base
	}
	return HeadArm(int(letter - 'A'))
}

// An Order is the order in which the arms of a pair prove, as a string of their letters.
type Order string

// The orders of a pair with one head.
const (
	AB Order = "AB"
	BA Order = "BA"
)

// First returns the arm that proves first.
func (o Order) First() Arm { return armOf(o[0]) }

// Last returns the arm that proves last.
func (o Order) Last() Arm { return armOf(o[len(o)-1]) }

// Arms lists all arms in the order in which they prove.
func (o Order) Arms() []Arm {
	arms := make([]Arm, len(o))
	for i := range arms {
		arms[i] = armOf(o[i])
	}
	return arms
}

// Of returns the order of base and one head: AB if base proves first.
func (o Order) Of(head Arm) Order {
	if strings.Index(string(o), Base.letter()) < strings.Index(string(o), head.letter()) {
		return AB
	}
	return BA
}

// reversed returns the reverse order.
func (o Order) reversed() Order {
	letters := make([]byte, len(o))
	for i := range letters {
		letters[i] = o[len(o)-1-i]
	}
	return Order(letters)
}

// order returns the order of a block's first pair, sampled uniformly with the inside-out Fisher-Yates shuffle. With one
// head, the lowest bit of one draw swaps the two arms.
func (s *Schedule) order(block int) Order {
	letters := []byte{'A'}
	for n := 1; n <= max(1, s.heads); n++ {
		label := "block"
		if n > 1 {
			label = fmt.Sprintf("block, head %d", n)
		}
		letters = append(letters, byte('A'+n))
		if s.design == ABBA {
			at := n - int(draw(s.seed, label, block)%uint64(n+1))
			letters[n], letters[at] = letters[at], letters[n]
		}
	}
	return Order(letters)
}
