// Package relation has the device code for numbers of 256 or 384 bits, which the sources of accelerators include if
// their circuits use package circuit/rv64im/accelerator/relation.
package relation

import (
	_ "embed"
	"math/big"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
)

//go:embed relation.cuh
var source string

// Source returns the code with which an accelerator's source begins: the declarations of h, then the functions for
// numbers of a size.
func Source(h *header.Header, size circuit.Size) string {
	return h.Scoped("WORDS", uint64(size)).Scoped("BITS", 64*uint64(size)).Scoped("LIMBS", uint64(size.Limbs())).
		Scoped("DIGITS", uint64(size.Digits())).Scoped("STEPS", uint64(size.Steps())).Text() + source
}

// Modular follows Source in the source of an accelerator that computes modulo primes. [Primes] adds the tables that
// it needs to the header before it.
//
//go:embed modular.cuh
var Modular string

// Carries adds the encoding of an equation's carries to h, as tables name_offsets and name_tops.
func Carries(h *header.Header, name string, shape *circuit.Shape) {
	var offsets, tops []uint64
	for _, c := range shape.Carries {
		offsets, tops = append(offsets, uint64(c.Offset)), append(tops, uint64(c.Tops))
	}
	h.Table(name+"_offsets", offsets).Table(name+"_tops", tops)
}

// Primes adds the tables for arithmetic modulo primes of a size of B bits to h: primes, squares (2^2B mod p), negated
// (-1/p mod 2^64), and exponents unless exponent is nil.
func Primes(h *header.Header, size circuit.Size, primes []*big.Int, exponent func(p *big.Int) *big.Int) {
	var words, squares, negated, exponents []uint64
	one := big.NewInt(1)
	word := new(big.Int).Lsh(one, 64)
	for _, p := range primes {
		words = append(words, circuit.Words(p, int(size))...)
		square := new(big.Int).Lsh(one, 128*uint(size))
		squares = append(squares, circuit.Words(square.Mod(square, p), int(size))...)
		inverse := new(big.Int).ModInverse(p, word)
		negated = append(negated, inverse.Sub(word, inverse).Uint64())
		if exponent != nil {
			exponents = append(exponents, circuit.Words(exponent(p), int(size))...)
		}
	}
	h.Table("primes", words).Table("squares", squares).Table("negated", negated)
	if exponent != nil {
		h.Table("exponents", exponents)
	}
}
