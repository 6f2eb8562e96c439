package kernels_test

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/internal/longtest"
	"github.com/consensys/gnark-crypto/field/goldilocks"
)

// The reference is gnark-crypto's field: its arithmetic, and evaluation by Horner's rule or, for larger sizes, a
// recursive transform that follows the definition.

func element(x uint64) goldilocks.Element { return goldilocks.NewElement(x) }

// rootOfOrder is the project's root, raised to the order 2^log.
func rootOfOrder(log int) goldilocks.Element {
	root := element(7277203076849721926)
	for range 32 - log {
		root.Square(&root)
	}
	return root
}

// evaluate returns the values on the powers of w, in natural order, by splitting into even and odd coefficients.
func evaluate(coefficients []goldilocks.Element, w goldilocks.Element) []goldilocks.Element {
	n := len(coefficients)
	if n == 1 {
		return slices.Clone(coefficients)
	}
	even, odd := make([]goldilocks.Element, n/2), make([]goldilocks.Element, n/2)
	for i := range n / 2 {
		even[i], odd[i] = coefficients[2*i], coefficients[2*i+1]
	}
	var square goldilocks.Element
	square.Square(&w)
	e, o := evaluate(even, square), evaluate(odd, square)
	values := make([]goldilocks.Element, n)
	x := element(1)
	for i := range n / 2 {
		var t goldilocks.Element
		t.Mul(&x, &o[i])
		values[i].Add(&e[i], &t)
		values[i+n/2].Sub(&e[i], &t)
		x.Mul(&x, &w)
	}
	return values
}

func elements(words []uint64) []goldilocks.Element {
	out := make([]goldilocks.Element, len(words))
	for i, w := range words {
		out[i] = element(w)
	}
	return out
}

func words(elements []goldilocks.Element) []uint64 {
	out := make([]uint64, len(elements))
	for i, e := range elements {
		out[i] = e.Uint64()
	}
	return out
}

func reversed(values []uint64) []uint64 {
	log := bits.Len(uint(len(values))) - 1
	out := make([]uint64, len(values))
	for i, v := range values {
		out[bits.Reverse64(uint64(i))>>(64-log)] = v
	}
	if log == 0 {
		out[0] = values[0]
	}
	return out
}

const shift = 7

// scaled multiplies coefficient i by shift^i.
func scaled(coefficients []goldilocks.Element) []goldilocks.Element {
	out := slices.Clone(coefficients)
	s, x := element(shift), element(1)
	for i := range out {
		out[i].Mul(&out[i], &x)
		x.Mul(&x, &s)
	}
	return out
}

// extended is the reference of Extend.
func extended(coefficients []uint64, logBlowup int) []uint64 {
	padded := append(scaled(elements(coefficients)), make([]goldilocks.Element, len(coefficients)*(1<<logBlowup-1))...)
	log := bits.Len(uint(len(padded))) - 1
	return reversed(words(evaluate(padded, rootOfOrder(log))))
}

func loadSet(d *testdevice.Device) *kernels.Set {
	d.T.Helper()
	set, err := kernels.Load(context.Background(), d.Context, d.Compiler, nil)
	if err != nil {
		d.T.Fatal(err)
	}
	d.T.Cleanup(func() {
		if d.Context.Lost() != nil {
			return
		}
		if err := set.Close(); err != nil {
			d.T.Error(err)
		}
	})
	return set
}

func transforms(d *testdevice.Device) *kernels.Transforms {
	d.T.Helper()
	t, err := kernels.NewTransforms(loadSet(d), d.Stream, d.Scope, shift)
	if err != nil {
		d.T.Fatal(err)
	}
	return t
}

func columns(b *cuda.Buffer, height, count int) kernels.Columns {
	return kernels.Columns{Span: b.All(), Stride: uint64(height), Count: uint32(count)}
}

func compare(t *testing.T, what string, got, want []uint64) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: value %d of %d is %d, want %d", what, i, len(want), got[i], want[i])
		}
	}
}

// sizes has one size for every number of passes and levels that fits a test, including small ones.
func sizes(checked bool) []int {
	if checked {
		return []int{1, 4, 7, 9, 12}
	}
	if testing.Short() {
		return []int{0, 3, 5, 9, 12}
	}
	return []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 17}
}

func TestTransforms(t *testing.T) {
	longtest.Only(t)
	for _, options := range []testdevice.Options{{Seed: 1}, {Seed: 2, Checked: true}} {
		t.Run(fmt.Sprintf("checked %v", options.Checked), func(t *testing.T) {
			d := testdevice.Open(t, options)
			transforms := transforms(d)
			if options.Checked { // on a GPU too, whatever its tuning
				must(t, transforms.LoadAhead())
			}
			for _, log := range sizes(options.Checked) {
				for _, transforms.SmallLog = range []int{0, 8} { // what hardware does, and what the software device does
					testTransformSize(t, d, transforms, log)
					if log > 8 {
						break
					}
				}
			}
		})
	}
}

// testCosets computes the last coset of three extensions, and from it the previous one, in place.
func testCosets(t *testing.T, d *testdevice.Device, transforms *kernels.Transforms, log, logBlowup int,
	in *cuda.Buffer, want []uint64) {
	t.Helper()
	const count = 3
	n, last := 1<<log, 1<<logBlowup-1
	out, work := d.Take("coset", n*count), d.Take("coefficients", n*count)
	must(t, transforms.ExtendCoset(d.Stream, columns(out, n, count), columns(in, n, count), log, logBlowup, last))
	for coset := last; ; coset-- {
		got, part := d.Get(out), int(bits.Reverse64(uint64(coset))>>1>>(63-logBlowup))
		for i := range count {
			compare(t, fmt.Sprintf("coset %d of 2^%d of 2^%d points", coset, logBlowup, log), got[i*n:(i+1)*n],
				want[(i<<logBlowup+part)*n:][:n])
		}
		if coset <= max(0, last-1) {
			break
		}
		must(t, transforms.Interpolate(d.Stream, columns(out, n, count), columns(out, n, count), columns(work, n, count),
			log, kernels.Reversed, true))
		must(t, transforms.ExtendCoset(d.Stream, columns(out, n, count), columns(out, n, count), log, logBlowup, -1))
	}
	must(t, d.Arena.Return(out))
	must(t, d.Arena.Return(work))
}

// testTransformSize checks every transform of one size on three columns.
func testTransformSize(t *testing.T, d *testdevice.Device, transforms *kernels.Transforms, log int) {
	t.Helper()
	const count = 3
	n := 1 << log
	coefficients := testdevice.Elements(uint64(100+log), n*count)
	in, out, work := d.Put("in", coefficients), d.Take("out", n*count), d.Take("work", n*count)
	column := func(words []uint64, height, i int) []uint64 { return words[i*height : (i+1)*height] }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	check(transforms.Forward(d.Stream, columns(out, n, count), columns(in, n, count), log))
	values := d.Get(out)
	for i := range count {
		want := reversed(words(evaluate(elements(column(coefficients, n, i)), rootOfOrder(log))))
		compare(t, fmt.Sprintf("forward 2^%d", log), column(values, n, i), want)
	}
	// With a single column there is nothing to load ahead.
	alone, back, between := d.Take("alone", n), d.Take("back", n), d.Take("between", n)
	check(transforms.Forward(d.Stream, columns(alone, n, 1), columns(in, n, 1), log))
	check(transforms.Interpolate(d.Stream, columns(back, n, 1), columns(alone, n, 1), columns(between, n, 1), log,
		kernels.Reversed, false))
	compare(t, fmt.Sprintf("one column of 2^%d there and back", log), d.Get(back), coefficients[:n])
	check(transforms.Interpolate(d.Stream, columns(out, n, count), columns(out, n, count), columns(work, n, count), log,
		kernels.Reversed, false))
	compare(t, fmt.Sprintf("interpolate 2^%d from reversed order", log), d.Get(out), coefficients)

	var natural []uint64
	for i := range count {
		natural = append(natural, words(evaluate(elements(column(coefficients, n, i)), rootOfOrder(log)))...)
	}
	source := d.Put("natural", natural)
	check(transforms.Interpolate(d.Stream, columns(out, n, count), columns(source, n, count), columns(source, n, count),
		log, kernels.Natural, false))
	compare(t, fmt.Sprintf("interpolate 2^%d", log), d.Get(out), coefficients)

	for logBlowup := range 3 {
		height := n << logBlowup
		wide := d.Take("extended", height*count)
		check(transforms.Extend(d.Stream, columns(wide, height, count), columns(in, n, count), log, logBlowup))
		values := d.Get(wide)
		for i := range count {
			compare(t, fmt.Sprintf("extend 2^%d by 2^%d", log, logBlowup), column(values, height, i),
				extended(column(coefficients, n, i), logBlowup))
		}
		if logBlowup == 0 {
			check(transforms.Interpolate(d.Stream, columns(out, n, count), columns(wide, n, count), columns(work, n, count), log,
				kernels.Reversed, true))
			compare(t, fmt.Sprintf("interpolate 2^%d from the coset", log), d.Get(out), coefficients)
		}
		check(d.Arena.Return(wide))
		testCosets(t, d, transforms, log, logBlowup, in, values)
	}
	for _, b := range []*cuda.Buffer{in, out, work, source, alone, back, between} {
		check(d.Arena.Return(b))
	}
}

func TestTransformRefusesWhatDoesNotFit(t *testing.T) {
	d := testdevice.Open(t, testdevice.Options{})
	transforms := transforms(d)
	b := d.Take("b", 64)
	for what, err := range map[string]error{
		"too few words":      transforms.Forward(d.Stream, columns(b, 32, 3), columns(b, 32, 3), 5),
		"overlapping":        transforms.Forward(d.Stream, columns(b, 16, 2), columns(b, 16, 2), 5),
		"too large":          transforms.Forward(d.Stream, columns(b, 64, 1), columns(b, 64, 1), 25),
		"no columns":         transforms.Forward(d.Stream, columns(b, 64, 0), columns(b, 64, 0), 5),
		"negative":           transforms.Forward(d.Stream, columns(b, 64, 1), columns(b, 64, 1), -1),
		"other counts":       transforms.Forward(d.Stream, columns(b, 32, 2), columns(b, 32, 1), 5),
		"extended too large": transforms.Extend(d.Stream, columns(b, 64, 1), columns(b, 64, 1), 24, 3),
		"no room for cosets": transforms.Extend(d.Stream, columns(b, 64, 1), columns(b, 64, 1), 6, 1),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if _, err := kernels.NewTransforms(loadSet(d), d.Stream, d.Scope, 0); err == nil {
		t.Error("a shift of zero was taken")
	}
}
