package kernels_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
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
