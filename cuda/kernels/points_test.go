package kernels_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/consensys/gnark-crypto/field/goldilocks"
)

func TestPoints(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		transforms := transforms(d)
		for _, log := range []int{0, 1, 5, 11} {
			out := d.Take("points", 1<<log)
			must(t, transforms.Points(d.Stream, out.All(), log))
			root, x := rootOfOrder(log), element(shift)
			want := make([]uint64, 1<<log)
			for i := range want {
				want[bits.Reverse64(uint64(i))>>1>>(63-log)] = x.Uint64()
				x.Mul(&x, &root)
			}
			compare(t, fmt.Sprintf("points of 2^%d", log), d.Get(out), want)
		}
		b := d.Take("b", 7)
		for what, log := range map[string]int{"too few words": 3, "too many points": 27, "a negative size": -1} {
			if transforms.Points(d.Stream, b.All(), log) == nil {
				t.Errorf("%s: no error", what)
			}
		}
	})
}

func TestInverseDistances(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		for _, n := range []int{1, 2, 100, 1024, 1500} {
			words := testdevice.Elements(uint64(n), n)
			points := d.Put("points", words)
			for i, z := range outside(uint64(n)) {
				out := d.Take("out", 3*n)
				times := i%2 == 1
				must(t, set.InverseDistances(d.Stream, columns(out, n, 3), points.All(), z.words(), uint64(n), times))
				got := d.Get(out)
				for k, x := range words {
					want := cubicOf(1)
					if times {
						want = cubicOf(x)
					}
					if product := cubicAt(got, n, k).times(cubicOf(x).minus(z)); product != want {
						t.Fatalf("%d points, z = %v: entry %d times its distance is %v", n, z, k, product)
					}
				}
			}
		}
		b := d.Take("b", 12)
		for what, err := range map[string]error{
			"a base point": set.InverseDistances(d.Stream, columns(b, 4, 3), b.All(), kernels.Extension{5}, 4, false),
			"no element": set.InverseDistances(d.Stream, columns(b, 4, 3), b.All(),
				kernels.Extension{kernels.Modulus, 1}, 4, false),
			"two columns": set.InverseDistances(d.Stream, columns(b, 4, 2), b.All(), kernels.Extension{0, 1}, 4, false),
			"too many":    set.InverseDistances(d.Stream, columns(b, 4, 3), b.All(), kernels.Extension{0, 1}, 13, false),
			"none":        set.InverseDistances(d.Stream, columns(b, 4, 3), b.All(), kernels.Extension{0, 1}, 0, false),
			"too few points": set.InverseDistances(d.Stream, columns(b, 4, 3), columns(b, 3, 1).Span,
				kernels.Extension{0, 1}, 13, false),
		} {
			if err == nil {
				t.Errorf("%s: no error", what)
			}
		}
	})
}

// rootPowers are the powers of the root of order 2^log in bit-reversed order.
func rootPowers(log int) []goldilocks.Element {
	list := make([]goldilocks.Element, 1<<log)
	root, x := rootOfOrder(log), element(1)
	for i := range list {
		list[bits.Reverse64(uint64(i))>>1>>(63-log)] = x
		x.Mul(&x, &root)
	}
	return list
}
