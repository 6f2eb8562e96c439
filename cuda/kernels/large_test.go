package kernels_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/consensys/gnark-crypto/field/goldilocks"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/internal/testdevice"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// Cases that only large sizes reach. The software device runs one size of each; hardware runs them all.

// onHardware reports whether tests run on a GPU.
func onHardware() bool { return os.Getenv("CHIASMUS_DEVICE") == "gpu" }

// One block scans the sums of all blocks, 256 at a time: from 2^19 elements on there are more.
func TestScanOfManyBlocks(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		module := load(d, "scan.cu")
		for _, blocks := range []int{1, 255, 256, 257, 512, 513, 1100} {
			words := testdevice.Elements(uint64(blocks), 3*blocks)
			sums := d.Put("sums", words)
			d.Launch(d.Function(module, "chiasmus_scan_blocks"), cuda.Linear(1, 256),
				cuda.Value([2]uint64{uint64(sums.All().Pointer()), uint64(blocks)}), cuda.U64(uint64(blocks)))
			got := d.Get(sums)
			for k := range 3 {
				before := element(0)
				for b := range blocks {
					if got[k*blocks+b] != before.Uint64() {
						t.Fatalf("%d blocks: coordinate %d before block %d is %d, want %d", blocks, k, b,
							got[k*blocks+b], before.Uint64())
					}
					value := element(words[k*blocks+b])
					before.Add(&before, &value)
				}
			}
		}
	})
}

// The whole scan past 2^19 elements: every sum is the previous sum plus one element.
func TestScanLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of work on one thread")
	}
	sizes := []int{1<<19 + 2049}
	if onHardware() {
		sizes = append(sizes, 1<<21+5)
	}
	d := testdevice.Open(t, testdevice.Options{Seed: 1})
	set := loadSet(d)
	for _, n := range sizes {
		words := testdevice.Elements(uint64(n), 3*n)
		in, out := d.Put("in", words), d.Take("out", 3*n)
		work := d.Take("work", int(kernels.ScanWorkBytes(uint64(n)))/8)
		must(t, set.Scan(d.Stream, columns(out, n, 3), columns(in, n, 3), uint64(n), work.All()))
		got := d.Get(out)
		for k := range 3 {
			sum := uint64(0)
			for i := range n {
				carry := uint64(0)
				sum, carry = bits.Add64(sum, words[k*n+i], 0)
				if carry == 1 || sum >= testdevice.Modulus {
					sum -= testdevice.Modulus
				}
				if got[k*n+i] != sum {
					t.Fatalf("%d elements, coordinate %d of sum %d: %d, want %d", n, k, i, got[k*n+i], sum)
				}
			}
		}
	}
}

// valueAt evaluates at a point the polynomial of degree below n that has these values, in bit-reversed order, on the
// coset of a shift: (x^n - s^n)/(n s^n) times the sum of value y / (x - y) over its points y.
func valueAt(values []uint64, s, x goldilocks.Element) goldilocks.Element {
	n := len(values)
	log := bits.Len(uint(n)) - 1
	points, differences := make([]goldilocks.Element, n), make([]goldilocks.Element, n)
	root, y := rootOfOrder(log), s
	for i := range n {
		at := bits.Reverse64(uint64(i)) >> 1 >> (63 - log)
		points[at] = y
		differences[at].Sub(&x, &y)
		y.Mul(&y, &root)
	}
	inverses := goldilocks.BatchInvert(differences)
	sum := element(0)
	for i, value := range values {
		term := element(value)
		term.Mul(&term, &points[i])
		term.Mul(&term, &inverses[i])
		sum.Add(&sum, &term)
	}
	xn, sn := x, s
	for range log {
		xn.Square(&xn)
		sn.Square(&sn)
	}
	scale, divisor := xn, element(uint64(n))
	scale.Sub(&scale, &sn)
	divisor.Mul(&divisor, &sn)
	divisor.Inverse(&divisor)
	scale.Mul(&scale, &divisor)
	return *sum.Mul(&sum, &scale)
}

func horner(coefficients []uint64, x goldilocks.Element) goldilocks.Element {
	sum := element(0)
	for i := len(coefficients) - 1; i >= 0; i-- {
		c := element(coefficients[i])
		sum.Mul(&sum, &x)
		sum.Add(&sum, &c)
	}
	return sum
}

// Transforms of orders that only large proofs have: at a random point the values and the coefficients represent one
// polynomial, and the inverse returns the coefficients.
func TestLargeTransforms(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of work on one thread")
	}
	d := testdevice.Open(t, testdevice.Options{Seed: 1, Budget: 2 << 30})
	transforms := transforms(d)
	// From 2^25 points on there are four passes, as there are for narrower passes from 2^19 on. At 2^17 the first of
	// them is also one step in the inverse.
	logs := []int{17, 19}
	transforms.WidestPass = 5
	if onHardware() {
		logs = []int{18, 19, 20, 21, 22, 24, 25, 26}
		transforms.WidestPass = 8
	}
	random := rand.New(rand.NewPCG(20, 1))
	for _, log := range logs {
		n := 1 << log
		coefficients := testdevice.Elements(uint64(log), n)
		in, out, work := d.Put("in", coefficients), d.Take("out", n), d.Take("work", n)
		must(t, transforms.Extend(d.Stream, columns(out, n, 1), columns(in, n, 1), log, 0))
		x := element(random.Uint64N(testdevice.Modulus))
		if got, want := valueAt(d.Get(out), element(shift), x), horner(coefficients, x); got != want {
			t.Fatalf("2^%d points: at %d the values say %d, the coefficients %d", log, x.Uint64(), got.Uint64(), want.Uint64())
		}
		must(t, transforms.Interpolate(d.Stream, columns(in, n, 1), columns(out, n, 1), columns(work, n, 1), log,
			kernels.Reversed, true))
		compare(t, fmt.Sprintf("2^%d points and back", log), d.Get(in), coefficients)
		for _, b := range []*cuda.Buffer{in, out, work} {
			must(t, d.Arena.Return(b))
		}
	}
}

// The points of every large domain, which are twiddles of its order, are the powers of one root.
func TestLargeDomains(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of work on one thread")
	}
	logs := []int{18, 19, 20}
	if onHardware() {
		logs = []int{18, 19, 20, 21, 22, 23, 24, 25, 26}
	}
	d := testdevice.Open(t, testdevice.Options{Seed: 1, Budget: 1 << 30})
	transforms := transforms(d)
	for _, log := range logs {
		out := d.Take("points", 1<<log)
		must(t, transforms.Points(d.Stream, out.All(), log))
		got := d.Get(out)
		root, x := rootOfOrder(log), element(shift)
		for i := range got {
			if at := bits.Reverse64(uint64(i)) >> (64 - log); got[at] != x.Uint64() {
				t.Fatalf("domain of 2^%d, power %d is %d, want %d", log, i, got[at], x.Uint64())
			}
			x.Mul(&x, &root)
		}
		must(t, d.Arena.Return(out))
	}
}

// A zero has no inverse and becomes zero, in any position: first and last of a thread's elements, and all of them.
func TestZeroInvertsToZero(t *testing.T) {
	everyDevice(t, func(t *testing.T, d *testdevice.Device) {
		set := loadSet(d)
		const n = 3000
		words := testdevice.Elements(5, n)
		zeros := uint64(0)
		for i := range words {
			if words[i] == 0 || i%7 == 3 || i < 2 || i >= n-2 || i%128 == 5 {
				words[i] = 0
				zeros++
			}
		}
		in, out, count := d.Put("in", words), d.Take("out", n), d.Put("zeros", []uint64{0})
		must(t, set.InvertBase(d.Stream, out.All(), in.All(), n, count.All()))
		for i, got := range d.Get(out) {
			x, inverse := element(words[i]), element(got)
			if x.Mul(&x, &inverse); words[i] == 0 && got != 0 || words[i] != 0 && !x.IsOne() {
				t.Fatalf("the inverse of element %d, %d, is %d", i, words[i], got)
			}
		}
		if got := d.Get(count)[0]; got != zeros {
			t.Errorf("%d zeros counted, want %d", got, zeros)
		}
	})
}
