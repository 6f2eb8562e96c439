package modmul

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"
)

func words(n *big.Int) []uint64 {
	list := make([]uint64, 4)
	for i := range list {
		list[i] = new(big.Int).Rsh(n, uint(64*i)).Uint64()
	}
	return list
}

func TestModMul(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	draw := func() *big.Int {
		n := new(big.Int)
		for range 4 {
			n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(random.Uint64()))
		}
		return n.Rsh(n, uint(random.IntN(256)))
	}
	for range 2000 {
		m, x, y := draw(), draw(), draw()
		read := append(append(words(m), words(y)...), words(x)...)
		product := new(big.Int).Mul(x, y)
		written, err := Kind.Compute(read)
		switch {
		case m.Sign() == 0:
			if !errors.Is(err, ErrZeroModulus) {
				t.Fatalf("modulus 0: error %v", err)
			}
		case new(big.Int).Div(product, m).BitLen() > 256:
			if !errors.Is(err, ErrQuotient) {
				t.Fatalf("%x * %x mod %x: error %v", x, y, m, err)
			}
		default:
			if err != nil {
				t.Fatal(err)
			}
			if got, want := number(written), new(big.Int).Mod(product, m); got.Cmp(want) != 0 {
				t.Fatalf("%x * %x mod %x = %x, want %x", x, y, m, got, want)
			}
		}
	}
}
