package kernels_test

import (
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

func TestCopyColumns(t *testing.T) {
	const height, inStride, outStride, count = 300, 321, 303, 5
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		values := testdevice.Elements(7, inStride*count)
		in := kernels.Columns{Span: d.Put("in", values).All(), Stride: inStride, Count: count}
		for _, numbers := range [][]uint64{{4, 0, 2}, {0, 1, 2, 3, 4}} {
			buffer := d.Put("out", make([]uint64, outStride*len(numbers)))
			out := kernels.Columns{Span: buffer.All(), Stride: outStride, Count: uint32(len(numbers))}
			list := d.Put("numbers", numbers).All()
			if len(numbers) == count {
				list = cuda.Span{} // all in order
			}
			if err := set.CopyColumns(d.Stream, out, in, list, height); err != nil {
				t.Fatal(err)
			}
			got := d.Get(buffer)
			for k, number := range numbers {
				want := append(slices.Clone(values[number*inStride:][:height]), make([]uint64, outStride-height)...)
				if !slices.Equal(got[k*outStride:][:outStride], want) {
					t.Fatalf("column %d of %v differs", k, numbers)
				}
			}
		}
		if err := set.CopyColumns(d.Stream, in, in, d.Put("few", make([]uint64, 2)).All(), height); err == nil {
			t.Error("two numbers for five columns were taken")
		}
	})
}

func TestPickRows(t *testing.T) {
	const height, inStride, outStride, count = 300, 321, 9, 5
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		values := testdevice.Elements(8, inStride*count)
		in := kernels.Columns{Span: d.Put("in", values).All(), Stride: inStride, Count: count}
		rows := []uint64{299, 0, 17, 17, 255, 256}
		buffer := d.Put("out", make([]uint64, outStride*count))
		out := kernels.Columns{Span: buffer.All(), Stride: outStride, Count: count}
		numbers := d.Put("rows", rows).All()
		must(t, set.PickRows(d.Stream, out, in, numbers, height))
		want := make([]uint64, outStride*count)
		for c := range count {
			for k, row := range rows {
				want[c*outStride+k] = values[uint64(c*inStride)+row]
			}
		}
		compare(t, "picked rows", d.Get(buffer), want)
		out.Count = 4
		if err := set.PickRows(d.Stream, out, in, numbers, height); err == nil {
			t.Error("rows of five columns are picked to four")
		}
	})
}
