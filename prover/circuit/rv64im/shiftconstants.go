package rv64im

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// ShiftKind is a kind of shift, by its number in the lookup table SH.
type ShiftKind int

// The kinds. The first two, of 64 bits, have amounts below 64, so each takes two numbers.
const (
	ShiftLeft   ShiftKind = 0
	ShiftRight  ShiftKind = 2
	ShiftLeftW  ShiftKind = 4
	ShiftRightW ShiftKind = 5
	ShiftSignW  ShiftKind = 6
)

// ShiftConstants returns the factor p for the bits within 16 and the flags for multiples of 16 bits, and for shifts of
// 32 bits also the kind, as in the tables SHI, SHWI and SH.
func ShiftConstants(kind ShiftKind, amount uint) [6]goldilocks.Element {
	steps, rest := amount/16, amount%16
	p := goldilocks.Element(1) << (16 - rest)
	if kind == ShiftLeft || kind == ShiftLeftW {
		p = 1 << rest
	}
	if kind <= ShiftRight {
		return [6]goldilocks.Element{p, flag(steps == 1), flag(steps == 2), flag(steps == 3)}
	}
	return [6]goldilocks.Element{p,
		flag(kind == ShiftLeftW && steps == 0), flag(kind == ShiftLeftW && steps == 1),
		flag(kind == ShiftRightW && steps == 0), flag(kind == ShiftSignW && steps == 0),
		flag(kind == ShiftSignW && steps == 1)}
}

func flag(b bool) goldilocks.Element {
	if b {
		return 1
	}
	return 0
}
