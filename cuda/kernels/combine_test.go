package kernels_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// combined is some combinations on a device with their expected values, by part, set of coefficients and row.
type combined struct {
	plan       *kernels.Combinations
	base       cuda.Span
	sums, list *cuda.Buffer
	want       [][2][]cubic
}

type combinedSize struct{ n, count, both int }

func someCombinations(d *testdevice.Device, sizes []combinedSize) combined {
	d.T.Helper()
	var parts []kernels.CombinePart
	for _, size := range sizes {
		parts = append(parts, kernels.CombinePart{Rows: uint64(size.n), Terms: size.count, Both: size.both})
	}
	plan, err := kernels.PlanCombinations(parts)
	must(d.T, err)
	c := combined{plan: plan, base: d.Put("base", []uint64{0}).All(),
		sums: d.Take("sums", int(plan.SumsBytes())/8)}
	words := plan.AppendList(nil)
	for _, size := range sizes {
		l := someColumns(d, size.n, size.count)
		coefficients := append(extremes(), someCubics(9, 2*size.count)...)
		want := [2][]cubic{make([]cubic, size.n), make([]cubic, size.n)}
		for i, column := range l.words {
			offset := l.offsets[i] + uint64(l.base.Pointer()) - uint64(c.base.Pointer())
			words = kernels.AppendTerm(words, offset, coefficients[2*i].words(), coefficients[2*i+1].words())
			for row, word := range column {
				want[0][row] = want[0][row].plus(coefficients[2*i].times(cubicOf(word)))
				if i < size.both {
					want[1][row] = want[1][row].plus(coefficients[2*i+1].times(cubicOf(word)))
				}
			}
		}
		if size.both == 0 {
			want[1] = nil
		}
		c.want = append(c.want, want)
	}
	c.list = d.Put("list", words)
	return c
}

// Combinations of several heights in one launch, and of one height.
func TestCombine(t *testing.T) {
	defer func(rows uint64) { *kernels.CombineSmallRows = rows }(*kernels.CombineSmallRows)
	*kernels.CombineSmallRows = 66 // from this size on a thread has all terms of its rows
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		for _, sizes := range [][]combinedSize{{{300, 17, 0}, {100, 9, 9}, {66, 29, 17}, {64, 70, 35}, {2, 1, 0}, {2, 3, 3},
			{4, 8, 1}}, {{66, 9, 1}}} {
			c := someCombinations(d, sizes)
			must(t, set.Combine(d.Stream, c.plan, c.sums.All(), c.base, c.list.All()))
			var want []uint64
			for _, part := range c.want {
				for _, sums := range part {
					want = append(want, columnsOf(sums)...)
				}
			}
			compare(t, "combinations", d.Get(c.sums), want)
		}
	})
}

// columnsOf returns extension elements by coordinate.
func columnsOf(list []cubic) []uint64 {
	words := make([]uint64, 3*len(list))
	for i, e := range list {
		for k, word := range e.words() {
			words[k*len(list)+i] = word
		}
	}
	return words
}

func TestPlanCombinationsRefuses(t *testing.T) {
	for what, parts := range map[string][]kernels.CombinePart{
		"nothing":         nil,
		"no columns":      {{Rows: 2, Terms: 0}},
		"an odd number":   {{Rows: 4, Terms: 1}, {Rows: 21, Terms: 1}},
		"no rows":         {{Rows: 0, Terms: 1}},
		"too many rows":   {{Rows: 1 << 32, Terms: 1}},
		"more than all":   {{Rows: 20, Terms: 2, Both: 3}},
		"fewer than none": {{Rows: 20, Terms: 2, Both: -1}},
	} {
		if _, err := kernels.PlanCombinations(parts); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// Quotients replace combinations, with one point and with two.
func TestQuotients(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		sizes := []combinedSize{{1100, 1, 1}, {1100, 2, 0}, {60, 1, 1}, {2, 2, 0}, {2, 1, 1}}
		c := someCombinations(d, sizes)
		x, z, values := testdevice.Elements(1, 1100), outside(5), someCubics(5, 2*len(sizes))
		points := d.Put("points", x)
		must(t, set.Combine(d.Stream, c.plan, c.sums.All(), c.base, c.list.All()))
		var at [][2]kernels.PointValue
		for i := range sizes {
			at = append(at, [2]kernels.PointValue{{Point: z[i%len(z)].words(), Value: values[2*i].words()},
				{Point: z[(i+1)%len(z)].words(), Value: values[2*i+1].words()}})
		}
		words, err := c.plan.AppendQuotients(nil, at)
		must(t, err)
		list := d.Put("quotients", words)
		must(t, set.Quotients(d.Stream, c.plan, c.sums.All(), points.All(), list.All()))
		words = d.Get(c.sums)
		for i, part := range c.want {
			first, err := c.plan.First(c.sums.All(), i)
			must(t, err)
			got, n := words[(first.Span.Pointer()-c.sums.All().Pointer())/8:], sizes[i].n
			for row := 0; row < n; row += max(1, n/50) { // an inverse by exponentiation is slow
				var want cubic
				for k, sums := range part {
					if sums != nil {
						above, distance := sums[row].minus(values[2*i+k]), cubicOf(x[row]).minus(z[(i+k)%len(z)])
						want = want.plus(above.times(distance.inverse()))
					}
				}
				if cubicAt(got, n, row) != want {
					t.Fatalf("part %d, row %d: %v, want %v", i, row, cubicAt(got, n, row), want)
				}
			}
		}
	})
}

func TestCombinationsRefuse(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set, c := loadSet(d), someCombinations(d, []combinedSize{{20, 2, 1}})
		b := d.Put("b", make([]uint64, 20))
		good := kernels.PointValue{Point: kernels.Extension{0, 1}}
		base, wrong := good, good
		base.Point, wrong.Value = kernels.Extension{4}, kernels.Extension{kernels.Modulus}
		for what, at := range map[string][][2]kernels.PointValue{
			"no part": nil, "a base point": {{base, good}}, "a second base point": {{good, base}}, "no element": {{wrong, good}},
		} {
			if _, err := c.plan.AppendQuotients(nil, at); err == nil {
				t.Errorf("quotients of %s: no error", what)
			}
		}
		words, err := c.plan.AppendQuotients(nil, [][2]kernels.PointValue{{good, good}})
		must(t, err)
		list := d.Put("quotients", words)
		short, err := b.Span(0, 80)
		must(t, err)
		for what, err := range map[string]error{
			"a short result":      set.Combine(d.Stream, c.plan, short, c.base, c.list.All()),
			"a short list":        set.Combine(d.Stream, c.plan, c.sums.All(), c.base, short),
			"short combinations":  set.Quotients(d.Stream, c.plan, short, b.All(), list.All()),
			"too few points":      set.Quotients(d.Stream, c.plan, c.sums.All(), short, list.All()),
			"a list of quotients": set.Quotients(d.Stream, c.plan, c.sums.All(), b.All(), short),
		} {
			if err == nil {
				t.Errorf("%s: no error", what)
			}
		}
	})
}
