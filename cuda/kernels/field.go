package kernels

import (
	"fmt"
	"math/bits"

	"github.com/chiasmus/chiasmus/cuda"
)

// multiply returns the product of two field elements, for the few constants that the host computes.
func multiply(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	_, remainder := bits.Div64(high%Modulus, low, Modulus)
	return remainder
}

// Extension is an element of Fp[w]/(w^3 - 2), constant first, as a kernel's argument.
type Extension [3]uint64

func (e Extension) argument() cuda.Argument { return cuda.Value(e) }

// check rejects words that are not field elements.
func (e Extension) check(what string) error {
	for _, word := range e {
		if word >= Modulus {
			return fmt.Errorf("%s %d: not below the field's modulus", what, e)
		}
	}
	return nil
}

// checkOutside rejects points of the base field, which have no conjugates and may be at distance 0.
func (e Extension) checkOutside() error {
	if e[1] == 0 && e[2] == 0 {
		return fmt.Errorf("point %d lies in the base field", e)
	}
	return e.check("point")
}
