package ntt

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// smallTransform is the transform of fewer than 2^logMinPlan points, level by
// level.
type smallTransform struct {
	log    int
	scale  []element // factor * shift^j, nil for ones
	powers []element // root^j for j below half the size
}

func newSmallTransform(log int, inverse bool, shift, factor element) *smallTransform {
	root := goldilocks.RootOfUnity(log)
	if inverse {
		root = root.Inverse()
	}
	t := &smallTransform{log: log, powers: powers(1, root, 1<<log/2)}
	if shift != 1 || factor != 1 {
		t.scale = powers(factor, shift, 1<<log)
	}
	return t
}

// powers is first * base^j for j below n.
func powers(first, base element, n int) []element {
	p := make([]element, n)
	for j := range p {
		p[j] = first
		first = first.Mul(base)
	}
	return p
}

// run transforms a in place, from natural to bit-reversed order.
func (t *smallTransform) run(a []element) {
	if t.scale != nil {
		goldilocks.MulVector(a, a, t.scale)
	}
	for half := len(a) / 2; half > 0; half /= 2 {
		step := len(a) / 2 / half
		for lo := 0; lo < len(a); lo += 2 * half {
			upper, lower := a[lo:lo+half], a[lo+half:lo+2*half]
			for j := range upper {
				u, l := upper[j], lower[j]
				upper[j], lower[j] = u.Add(l), u.Sub(l).Mul(t.powers[j*step])
			}
		}
	}
}
