package kernels_test

import (
	"math/big"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

func TestScan(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		for _, n := range []int{1, 7, 256, 2048, 2049, 9001} {
			words := testdevice.Elements(uint64(n), 3*n)
			in, out := d.Put("in", words), d.Take("out", 3*n)
			work := d.Take("work", int(kernels.ScanWorkBytes(uint64(n)))/8)
			must(t, set.Scan(d.Stream, columns(out, n, 3), columns(in, n, 3), uint64(n), work.All()))
			got := d.Get(out)
			for k := range 3 {
				sum := new(big.Int)
				for i := range n {
					sum.Add(sum, wide(words[k*n+i]))
					if want := reduced(sum); got[k*n+i] != want {
						t.Fatalf("%d elements, coordinate %d of sum %d: %d, want %d", n, k, i, got[k*n+i], want)
					}
				}
			}
			must(t, set.Scan(d.Stream, columns(in, n, 3), columns(in, n, 3), uint64(n), work.All()))
			compare(t, "in place", d.Get(in), got)
		}
		b := d.Put("b", []uint64{1, 2, 3})
		if err := set.Scan(d.Stream, columns(b, 1, 3), columns(b, 1, 3), 1, b.All()); err != nil {
			t.Error(err)
		}
		part, err := b.Span(0, 16)
		must(t, err)
		if err := set.Scan(d.Stream, columns(b, 1, 3), columns(b, 1, 3), 1, part); err == nil {
			t.Error("too little work space was taken")
		}
	})
}
