package kernels_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// listing is some columns of two matrices with their words, as kernels take them.
type listing struct {
	base    cuda.Span
	offsets []uint64
	words   [][]uint64
}

// someColumns makes two matrices of n rows, the second with room between its columns, and lists count of their columns
// in an order of its own.
func someColumns(d *testdevice.Device, n, count int) listing {
	d.T.Helper()
	words := testdevice.Elements(uint64(7*n+count), 2*n*count+n)
	for i := range n {
		words[i] = testdevice.Modulus - 1
	}
	buffer, gapped := d.Put("matrix", words[:n*count]), d.Put("gapped matrix", words[n*count:])
	first := kernels.Columns{Span: buffer.All(), Stride: uint64(n), Count: uint32(count)}
	stride := n + 2 - n%2
	second := kernels.Columns{Span: gapped.All(), Stride: uint64(stride), Count: uint32(count * n / stride)}
	l := listing{base: gapped.All()}
	for i := range uint32(count) {
		from, number, at := first, i, int(i)*n
		if i%3 == 2 && i < second.Count {
			from, at = second, n*count+int(i)*stride
		}
		offset, err := from.Offset(l.base, number, uint64(n))
		must(d.T, err)
		l.offsets = append(l.offsets, offset)
		l.words = append(l.words, words[at:at+n])
	}
	return l
}

func TestDot(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		for _, size := range []struct{ n, count int }{{1, 1}, {2, 3}, {8, 5}, {33, 4}, {64, 9}, {128, 7},
			{256, 80}, {4224, 5}} {
			l := someColumns(d, size.n, size.count)
			words := testdevice.Elements(3, 3*size.n)
			for i := range min(size.n, 40) {
				words[i] = testdevice.Modulus - 1
			}
			weights := d.Put("weights", words)
			scale := someCubics(uint64(size.n), 1)[0]
			offsets, out := d.Put("offsets", l.offsets), d.Take("out", 3*size.count)
			work := d.Take("work", int(kernels.DotWorkBytes(size.count, uint64(size.n)))/8)
			must(t, set.Dot(d.Stream, out.All(), l.base, offsets.All(), columns(weights, size.n, 3), uint64(size.n),
				scale.words(), work.All()))
			var want []uint64
			for _, column := range l.words {
				var sum cubic
				for i, word := range column {
					sum = sum.plus(cubicAt(words, size.n, i).times(cubicOf(word)))
				}
				total := sum.times(scale).words()
				want = append(want, total[:]...)
			}
			compare(t, "dot products", d.Get(out), want)
		}
		b := d.Take("b", 240)
		offsets, err := b.Span(0, 16)
		must(t, err)
		weights, one := columns(b, 16, 3), kernels.Extension{1}
		for what, err := range map[string]error{
			"no columns":    set.Dot(d.Stream, b.All(), b.All(), cuda.Span{}, weights, 16, one, b.All()),
			"no rows":       set.Dot(d.Stream, b.All(), b.All(), offsets, weights, 0, one, b.All()),
			"too many rows": set.Dot(d.Stream, b.All(), b.All(), offsets, weights, 1<<32, one, b.All()),
			"short weights": set.Dot(d.Stream, b.All(), b.All(), offsets, weights, 300, one, b.All()),
			"base weights":  set.Dot(d.Stream, b.All(), b.All(), offsets, columns(b, 16, 1), 16, one, b.All()),
			"short results": set.Dot(d.Stream, offsets, b.All(), offsets, weights, 16, one, b.All()),
			"short work":    set.Dot(d.Stream, b.All(), b.All(), offsets, weights, 16, one, offsets),
			"no field scale": set.Dot(d.Stream, b.All(), b.All(), offsets, weights, 16,
				kernels.Extension{0, kernels.Modulus}, b.All()),
		} {
			if err == nil {
				t.Errorf("%s: no error", what)
			}
		}
		if _, err := columns(b, 16, 3).Offset(b.All(), 3, 16); err == nil {
			t.Error("column 3 of 3 was listed")
		}
		if _, err := columns(b, 17, 3).Offset(b.All(), 1, 16); err == nil {
			t.Error("a column of 16 rows that begins at an odd word was listed")
		}
		if _, err := columns(b, 16, 3).Offset(b.All(), 0, 1000); err == nil {
			t.Error("a column longer than its matrix was listed")
		}
	})
}

func TestDotWork(t *testing.T) {
	for _, columns := range []int{1, 4, 48, 49, 2315, 100_000} {
		for log := range 25 {
			if bytes := kernels.DotWorkBytes(columns, 1<<log); bytes == 0 ||
				bytes > 24*uint64(columns)*max(1, uint64(1)<<log/2048) || bytes > 24*max(uint64(columns), 2049*36) {
				t.Errorf("%d columns of 2^%d rows: %d bytes of work space", columns, log, bytes)
			}
		}
	}
}
