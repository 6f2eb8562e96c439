package kernels_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

func TestCombine(t *testing.T) {
	defer func(rows uint64) { *kernels.CombineSmallRows = rows }(*kernels.CombineSmallRows)
	*kernels.CombineSmallRows = 66 // from there on a thread has all terms of its rows
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		for _, size := range []struct{ n, count, both int }{{2, 1, 0}, {2, 3, 3}, {4, 8, 1}, {64, 70, 35},
			{66, 29, 17}, {100, 9, 9}, {300, 17, 0}} {
			l := someColumns(d, size.n, size.count)
			coefficients := append(extremes(), someCubics(9, 2*size.count)...)
			var terms []uint64
			for i, offset := range l.offsets {
				terms = kernels.AppendTerm(terms, offset, coefficients[2*i].words(), coefficients[2*i+1].words())
			}
			list, first, second := d.Put("terms", terms), d.Take("first", 3*size.n), d.Take("second", 3*size.n)
			must(t, set.Combine(d.Stream, columns(first, size.n, 3), columns(second, size.n, 3), l.base, list.All(),
				size.both, uint64(size.n)))
			want := [2][]uint64{make([]uint64, 3*size.n), make([]uint64, 3*size.n)}
			for row := range size.n {
				var sums [2]cubic
				for i, column := range l.words {
					sums[0] = sums[0].plus(coefficients[2*i].times(cubicOf(column[row])))
					if i < size.both {
						sums[1] = sums[1].plus(coefficients[2*i+1].times(cubicOf(column[row])))
					}
				}
				for s := range want {
					for k, word := range sums[s].words() {
						want[s][k*size.n+row] = word
					}
				}
			}
			compare(t, "first combination", d.Get(first), want[0])
			if size.both > 0 {
				compare(t, "second combination", d.Get(second), want[1])
			}
		}
		b := d.Take("b", 64)
		terms, err := b.Span(0, 128)
		must(t, err)
		ragged, err := b.Span(0, 120)
		must(t, err)
		out := columns(b, 20, 3)
		for what, err := range map[string]error{
			"ragged terms":       set.Combine(d.Stream, out, out, b.All(), ragged, 0, 20),
			"more than all":      set.Combine(d.Stream, out, out, b.All(), terms, 3, 20),
			"an odd number":      set.Combine(d.Stream, columns(b, 21, 3), out, b.All(), terms, 0, 21),
			"fewer than none":    set.Combine(d.Stream, out, out, b.All(), terms, -1, 20),
			"a short result":     set.Combine(d.Stream, out, out, b.All(), terms, 0, 30),
			"two columns":        set.Combine(d.Stream, columns(b, 20, 2), out, b.All(), terms, 0, 20),
			"no second result":   set.Combine(d.Stream, out, kernels.Columns{}, b.All(), terms, 1, 20),
			"a combined nothing": set.Combine(d.Stream, out, out, b.All(), terms, 1, 0),
		} {
			if err == nil {
				t.Errorf("%s: no error", what)
			}
		}
	})
}

func TestQuotients(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		for _, n := range []int{1, 2, 60, 600, 1025} {
			x, f := testdevice.Elements(1, n), [2][]uint64{testdevice.Elements(2, 3*n), testdevice.Elements(3, 3*n)}
			points, out := d.Put("points", x), d.Take("out", 3*n)
			z, values := outside(uint64(n))[:2], someCubics(5, 2)
			var quotients []kernels.Quotient
			for q := range 2 {
				quotients = append(quotients, kernels.Quotient{Combination: columns(d.Put("combination", f[q]), n, 3),
					Point: z[q].words(), Value: values[q].words()})
				must(t, set.Quotients(d.Stream, columns(out, n, 3), points.All(), uint64(n), quotients...))
				got := d.Get(out)
				for i := range n {
					if i%max(1, n/50) != 0 { // an inverse by exponentiation takes a while
						continue
					}
					var want cubic
					for p := range q + 1 {
						want = want.plus(cubicAt(f[p], n, i).minus(values[p]).times(cubicOf(x[i]).minus(z[p]).inverse()))
					}
					if cubicAt(got, n, i) != want {
						t.Fatalf("%d quotients of %d entries, entry %d: %v, want %v", q+1, n, i, cubicAt(got, n, i), want)
					}
				}
			}
		}
		b := d.Take("b", 60)
		good := kernels.Quotient{Combination: columns(b, 20, 3), Point: kernels.Extension{0, 1}}
		base, long, wrong := good, good, good
		base.Point, long.Combination, wrong.Value = kernels.Extension{4}, columns(b, 60, 1),
			kernels.Extension{kernels.Modulus}
		for what, err := range map[string]error{
			"no quotient":  set.Quotients(d.Stream, columns(b, 20, 3), b.All(), 20),
			"three":        set.Quotients(d.Stream, columns(b, 20, 3), b.All(), 20, good, good, good),
			"a base point": set.Quotients(d.Stream, columns(b, 20, 3), b.All(), 20, good, base),
			"one column":   set.Quotients(d.Stream, columns(b, 20, 3), b.All(), 20, long),
			"no element":   set.Quotients(d.Stream, columns(b, 20, 3), b.All(), 20, wrong),
			"no rows":      set.Quotients(d.Stream, columns(b, 20, 3), b.All(), 0, good),
		} {
			if err == nil {
				t.Errorf("%s: no error", what)
			}
		}
	})
}
