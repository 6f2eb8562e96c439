package field

import (
	"math/big"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/relation"
	"github.com/chiasmus/chiasmus/prover/internal/modular"
)

// modulus is one of the primes p of roots, with (p + 1)/4.
type modulus struct {
	*modular.Prime
	exponent []uint64
}

func newModulus(p *big.Int, words int) modulus {
	exponent := new(big.Int).Add(p, big.NewInt(1))
	return modulus{modular.NewPrime(relation.Words(p, words)), relation.Words(exponent.Rsh(exponent, 2), words)}
}

// compute computes the result as Solve does, with numbers of fixed size.
func (f *Field) compute(result, read []uint64) error {
	words := int(f.Size)
	n, operation, read := read[:words], read[words], read[words+1:]
	y, z, x := read[:words], read[words:2*words], read[2*words:]
	switch {
	case operation > Root:
		return ErrOperation
	case modular.IsZero(n):
		return ErrModulus
	case operation == Multiply:
		var room [2 * modular.Most]uint64
		sum := room[:2*words]
		copy(sum, z)
		modular.MultiplyAdd(sum, x, y)
		modular.Divide(nil, result, sum, n)
		return nil
	case operation == Inverse:
		return invert(result, x, n)
	}
	return f.computeRoot(result, x, n)
}

// computeRoot sets root to the even square root of x or -x modulo n.
func (f *Field) computeRoot(root, x, n []uint64) error {
	i := slices.IndexFunc(f.moduli, func(m modulus) bool { return slices.Equal(m.Words(), n) })
	if i < 0 {
		return ErrPrime
	}
	f.moduli[i].Power(root, x, f.moduli[i].exponent)
	if root[0]%2 == 1 {
		modular.Subtract(root, n, root)
	}
	return nil
}

// invert sets z to 1/x mod n. n is not 0.
func invert(z, x, n []uint64) error {
	switch {
	case isOne(n):
		return ErrModulus
	case n[0]%2 == 0:
		return invertEven(z, x, n)
	case !modular.Inverse(z, x, n):
		return ErrInverse
	}
	return nil
}

// invertEven sets z to 1/x mod n for an even n. It reduces x modulo n, and computes t = 1/n mod x. Then n t - 1 is a
// multiple q x of x, and q < n as t < x. So 1 = x (n - q) modulo n.
func invertEven(z, x, n []uint64) error {
	var reduced [modular.Most]uint64
	remainder(reduced[:len(n)], x, n)
	x = reduced[:len(n)]
	if x[0]%2 == 0 {
		return ErrInverse
	}
	if isOne(x) {
		copy(z, x)
		return nil
	}
	var room [2][modular.Most]uint64
	t, unused := room[0][:len(n)], room[1][:len(n)]
	remainder(t, n, x)
	if !modular.Inverse(t, t, x) {
		return ErrInverse
	}
	var rooms [3][2 * modular.Most]uint64
	product, one, quotient := rooms[0][:2*len(n)], rooms[1][:2*len(n)], rooms[2][:2*len(n)]
	modular.MultiplyAdd(product, n, t)
	one[0] = 1
	modular.Subtract(product, product, one)
	modular.Divide(quotient, unused, product, x)
	modular.Subtract(z, n, quotient[:len(n)])
	return nil
}

// remainder sets rest to x mod n.
func remainder(rest, x, n []uint64) {
	var room [2 * modular.Most]uint64
	wide := room[:2*len(n)]
	copy(wide, x)
	modular.Divide(nil, rest, wide, n)
}

func isOne(x []uint64) bool { return x[0] == 1 && modular.IsZero(x[1:]) }
