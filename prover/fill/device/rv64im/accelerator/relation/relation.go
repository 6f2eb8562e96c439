// Package relation has the device code for 256-bit numbers, which the sources of accelerators include if their circuits
// use package circuit/rv64im/accelerator/relation.
package relation

import (
	_ "embed"
	"math/big"

	"github.com/chiasmus/chiasmus/internal/header"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
)

// Source is the code with which an accelerator's source begins.
//
//go:embed relation.cuh
var Source string

// Modular follows Source in the source of an accelerator that computes modulo primes. [Primes] adds the tables that it
// needs to the header before it.
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

// Primes adds the tables for arithmetic modulo primes to h: primes, squares (2^512 mod p), negated (-1/p mod 2^64), and
// exponents unless exponent is nil.
func Primes(h *header.Header, primes []*big.Int, exponent func(p *big.Int) *big.Int) {
	var words, squares, negated, exponents []uint64
	one := big.NewInt(1)
	word := new(big.Int).Lsh(one, 64)
	for _, p := range primes {
		words = append(words, circuit.Words(p, 4)...)
		square := new(big.Int).Lsh(one, 512)
		squares = append(squares, circuit.Words(square.Mod(square, p), 4)...)
		inverse := new(big.Int).ModInverse(p, word)
		negated = append(negated, inverse.Sub(word, inverse).Uint64())
		if exponent != nil {
			exponents = append(exponents, circuit.Words(exponent(p), 4)...)
		}
	}
	h.Table("primes", words).Table("squares", squares).Table("negated", negated)
	if exponent != nil {
		h.Table("exponents", exponents)
	}
}
