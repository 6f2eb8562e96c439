package modular

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// The steps of a batch follow the definition, for any theta, and its matrix describes them.
func TestBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 20000 {
		first := int64(i%41 - 20)
		if i%5 == 0 {
			first *= 40
		}
		lowF, lowG := draw(r, 1)[0]|1, draw(r, 1)[0]
		next, m := batch(first, lowF, lowG)
		f, g, theta := new(big.Int).SetUint64(lowF), new(big.Int).SetUint64(lowG), first
		for range batchSteps {
			switch {
			case g.Bit(0) == 0:
				theta++
			case theta >= 0:
				f, g, theta = g, new(big.Int).Sub(g, f), -theta
			default:
				g = new(big.Int).Add(g, f)
				theta++
			}
			g = new(big.Int).Rsh(g, 1)
		}
		if next != theta {
			t.Fatalf("from theta %d, %x and %x: theta is %d, want %d", first, lowF, lowG, next, theta)
		}
		for _, row := range []struct {
			f, g int64
			want *big.Int
		}{{m.a, m.b, f}, {m.c, m.d, g}} {
			sum := new(big.Int).Mul(big.NewInt(row.f), new(big.Int).SetUint64(lowF))
			sum.Add(sum, new(big.Int).Mul(big.NewInt(row.g), new(big.Int).SetUint64(lowG)))
			if want := new(big.Int).Lsh(row.want, batchSteps); sum.Cmp(want) != 0 {
				t.Fatalf("from theta %d, %x and %x: the matrix %d gives %x, want %x", first, lowF, lowG, m, sum, want)
			}
		}
	}
}
