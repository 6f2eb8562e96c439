package kernels_test

import (
	"math/big"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

var modulus = new(big.Int).SetUint64(testdevice.Modulus)

func reduced(x *big.Int) uint64 { return x.Mod(x, modulus).Uint64() }

func wide(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

func load(d *testdevice.Device, file string) *cuda.Module {
	d.T.Helper()
	unit, err := kernels.Unit(file)
	if err != nil {
		d.T.Fatal(err)
	}
	return d.Load(unit)
}

// everyDevice runs a test on the plain device under two seeds and on the checked one.
func everyDevice(t *testing.T, test func(t *testing.T, d *testdevice.Device)) {
	t.Helper()
	t.Run("seed 1", func(t *testing.T) { test(t, testdevice.Open(t, testdevice.Options{Seed: 1})) })
	t.Run("seed 2", func(t *testing.T) { test(t, testdevice.Open(t, testdevice.Options{Seed: 2})) })
	t.Run("checked", func(t *testing.T) { test(t, testdevice.Open(t, testdevice.Options{Seed: 3, Checked: true})) })
}

func TestVectorOperations(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		module := load(d, "vector.cu")
		const n = 3001
		a, b := testdevice.Elements(1, n), testdevice.Elements(2, n)
		for i, x := range testdevice.Edges {
			for j, y := range testdevice.Edges {
				a[i*len(testdevice.Edges)+j], b[i*len(testdevice.Edges)+j] = x, y
			}
		}
		scale := testdevice.Elements(3, 1)[0]
		da, db, out := d.Put("a", a), d.Put("b", b), d.Take("out", n)
		for name, want := range map[string]func(x, y *big.Int) *big.Int{
			"chiasmus_vector_add":      func(x, y *big.Int) *big.Int { return x.Add(x, y) },
			"chiasmus_vector_subtract": func(x, y *big.Int) *big.Int { return x.Sub(x, y) },
			"chiasmus_vector_multiply": func(x, y *big.Int) *big.Int { return x.Mul(x, y) },
			"chiasmus_vector_axpy":     func(x, y *big.Int) *big.Int { return x.Add(x, y.Mul(y, wide(scale))) },
		} {
			arguments := []cuda.Argument{cuda.Address(out.All()), cuda.Address(da.All()), cuda.Address(db.All())}
			if name == "chiasmus_vector_axpy" {
				arguments = append(arguments, cuda.U64(scale))
			}
			d.Launch(d.Function(module, name), cuda.Linear(n/2, 256), append(arguments, cuda.U64(n))...)
			for i, got := range d.Get(out) {
				if expected := reduced(want(wide(a[i]), wide(b[i]))); got != expected {
					t.Fatalf("%s(%d, %d) = %d, want %d", name, a[i], b[i], got, expected)
				}
			}
		}
	})
}
