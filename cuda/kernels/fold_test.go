package kernels_test

import (
	"math/big"
	"testing"

	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// codewordOf is a polynomial's values at w^rev(i), w of order 2^log, as an extension column.
func codewordOf(coefficients []cubic, log int) []uint64 {
	n := 1 << log
	words := make([]uint64, 3*n)
	for i, x := range rootPowers(log) {
		var value cubic
		for k := len(coefficients) - 1; k >= 0; k-- {
			value = value.times(cubic{x}).plus(coefficients[k])
		}
		for k, word := range value.words() {
			words[k*n+i] = word
		}
	}
	return words
}

// TestFold compares with the definition: f(x) = sum of x^j f_j(x^arity) for j below the arity folds to the sum of
// beta^j f_j.
func TestFold(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		transforms := transforms(d)
		for logArity := 1; logArity <= kernels.MaxLogArity; logArity++ {
			for _, log := range []int{logArity, logArity + 1, 7} {
				n, arity := 1<<log, 1<<logArity
				rows := n >> logArity
				f, beta := someCubics(uint64(log), n), someCubics(uint64(100*logArity+log), 1)[0]
				folded := make([]cubic, rows)
				for k, coefficient := range f {
					folded[k/arity] = folded[k/arity].plus(coefficient.times(beta.power(big.NewInt(int64(k % arity)))))
				}
				want := codewordOf(folded, log-logArity)
				in, out := d.Put("codeword", codewordOf(f, log)), d.Take("folded", 3*rows)
				must(t, transforms.Fold(d.Stream, columns(out, rows, 3), columns(in, n, 3), kernels.Columns{}, log,
					logArity, beta.words()))
				compare(t, "folded codeword", d.Get(out), want)

				words := beta.words()
				record := d.Put("record", []uint64{1, 2, 3, 4, words[0], words[1], words[2], 0, 9, 9, 9, 9})
				must(t, transforms.FoldDrawn(d.Stream, columns(out, rows, 3), columns(in, n, 3), kernels.Columns{}, log,
					logArity, kernels.NewLayerRecord(record.All())))
				compare(t, "folded codeword by a drawn challenge", d.Get(out), want)

				joins := testdevice.Elements(17, 3*rows)
				joining, power := d.Put("joining", joins), beta.power(big.NewInt(int64(arity)))
				must(t, transforms.Fold(d.Stream, columns(out, rows, 3), columns(in, n, 3), columns(joining, rows, 3), log,
					logArity, beta.words()))
				for i := range rows {
					sum := cubicAt(want, rows, i).plus(power.times(cubicAt(joins, rows, i)))
					for k, word := range sum.words() {
						want[k*rows+i] = word
					}
				}
				compare(t, "folded codeword with another", d.Get(out), want)
			}
		}
		b := d.Take("b", 48)
		in, out, one := columns(b, 16, 3), columns(b, 8, 3), kernels.Extension{1}
		none := kernels.Columns{}
		for what, err := range map[string]error{
			"arity 1":         transforms.Fold(d.Stream, out, in, none, 4, 0, one),
			"arity 32":        transforms.Fold(d.Stream, out, in, none, 5, 5, one),
			"too few entries": transforms.Fold(d.Stream, out, in, none, 1, 2, one),
			"too large":       transforms.Fold(d.Stream, out, in, none, 27, 2, one),
			"short codeword":  transforms.Fold(d.Stream, out, in, none, 5, 2, one),
			"short result":    transforms.Fold(d.Stream, columns(b, 60, 3), in, none, 4, 1, one),
			"short joining":   transforms.Fold(d.Stream, out, in, columns(b, 48, 3), 4, 1, one),
			"no element":      transforms.Fold(d.Stream, out, in, none, 4, 1, kernels.Extension{0, 0, kernels.Modulus}),
		} {
			if err == nil {
				t.Errorf("%s: no error", what)
			}
		}
	})
}
