package goldilocks

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature/cpufeaturetest"
)

// vectorLengths returns all lengths up to four of the widest vectors, and some larger ones, with every kind of
// remainder.
func vectorLengths() []int {
	var lengths []int
	for n := 0; n <= 40; n++ {
		lengths = append(lengths, n)
	}
	return append(lengths, 63, 64, 65, 127, 129, 255, 256, 257, 1000, 1029)
}

// blockOperations run a block function and its definition element by element.
var blockOperations = []struct {
	name  string
	block func(dst, a, b, c []Element, s Element)
	one   func(d, a, b, c, s Element) Element
}{
	{"Add", func(dst, a, b, c []Element, s Element) { AddVector(dst, a, b) },
		func(d, a, b, c, s Element) Element { return a.Add(b) }},
	{"Sub", func(dst, a, b, c []Element, s Element) { SubVector(dst, a, b) },
		func(d, a, b, c, s Element) Element { return a.Sub(b) }},
	{"Neg", func(dst, a, b, c []Element, s Element) { NegVector(dst, a) },
		func(d, a, b, c, s Element) Element { return a.Neg() }},
	{"Mul", func(dst, a, b, c []Element, s Element) { MulVector(dst, a, b) },
		func(d, a, b, c, s Element) Element { return a.Mul(b) }},
	{"MulAdd", func(dst, a, b, c []Element, s Element) { MulAddVector(dst, a, b, c) },
		func(d, a, b, c, s Element) Element { return a.Mul(b).Add(c) }},
	{"AddScalar", func(dst, a, b, c []Element, s Element) { AddScalarVector(dst, a, s) },
		func(d, a, b, c, s Element) Element { return a.Add(s) }},
	{"SubFromScalar", func(dst, a, b, c []Element, s Element) { SubFromScalarVector(dst, s, a) },
		func(d, a, b, c, s Element) Element { return s.Sub(a) }},
	{"Scale", func(dst, a, b, c []Element, s Element) { ScaleVector(dst, a, s) },
		func(d, a, b, c, s Element) Element { return a.Mul(s) }},
}

func TestBlockOperations(t *testing.T) { cpufeaturetest.InEveryForm(t, testBlockOperations) }

func testBlockOperations(t *testing.T) {
	r := newRand(20)
	for _, operation := range blockOperations {
		t.Run(operation.name, func(t *testing.T) {
			for _, n := range vectorLengths() {
				for start := range 3 { // slices at every kind of address
					const guard = 9
					memory := sampleVector(r, start+n+guard)
					before := slices.Clone(memory)
					dst := memory[start : start+n]
					a, b, c := sampleVector(r, start+n)[start:], sampleVector(r, start+n)[start:], sampleVector(r, start+n)[start:]
					s := sample(r)
					want := make([]Element, n)
					for i := range want {
						want[i] = operation.one(dst[i], a[i], b[i], c[i], s)
					}
					operation.block(dst, a, b, c, s)
					if i := firstDifference(dst, want); i >= 0 {
						t.Fatalf("n %d, start %d, s %d: element %d is %#x, want %#x", n, start, s, i,
							uint64(dst[i]), uint64(want[i]))
					}
					if !slices.Equal(memory[:start], before[:start]) || !slices.Equal(memory[start+n:], before[start+n:]) {
						t.Fatalf("n %d, start %d: wrote outside its slice", n, start)
					}
					// dst may be the first source.
					d := slices.Clone(a)
					for i := range want {
						want[i] = operation.one(d[i], d[i], b[i], c[i], s)
					}
					operation.block(d, d, b, c, s)
					if i := firstDifference(d, want); i >= 0 {
						t.Fatalf("n %d in place: element %d is %#x, want %#x", n, i, uint64(d[i]), uint64(want[i]))
					}
				}
			}
		})
	}
}

// withAndWithout runs the test in every form, and in the best form also without multiply-adds.
func withAndWithout(t *testing.T, test func(t *testing.T)) {
	cpufeaturetest.InEveryForm(t, test)
	if cpufeature.MultiplyAdd() {
		defer cpufeature.SetMultiplyAdd(true)
		cpufeature.SetMultiplyAdd(false)
		t.Run("without multiply-adds", test)
	}
}

func TestExtensionVectorOperations(t *testing.T) { withAndWithout(t, testExtensionVectorOperations) }

func testExtensionVectorOperations(t *testing.T) {
	r := newRand(22)
	operations := []struct {
		name  string
		block func(v, a, b ExtensionVector, base []Element, s Extension)
		one   func(v, a, b Extension, base Element, s Extension) Extension
	}{
		{"Add", func(v, a, b ExtensionVector, base []Element, s Extension) { v.Add(a, b) },
			func(v, a, b Extension, base Element, s Extension) Extension { return a.Add(b) }},
		{"Sub", func(v, a, b ExtensionVector, base []Element, s Extension) { v.Sub(a, b) },
			func(v, a, b Extension, base Element, s Extension) Extension { return a.Sub(b) }},
		{"Neg", func(v, a, b ExtensionVector, base []Element, s Extension) { v.Neg(a) },
			func(v, a, b Extension, base Element, s Extension) Extension { return a.Neg() }},
		{"Copy", func(v, a, b ExtensionVector, base []Element, s Extension) { v.Copy(a) },
			func(v, a, b Extension, base Element, s Extension) Extension { return a }},
		{"Fill", func(v, a, b ExtensionVector, base []Element, s Extension) { v.Fill(s) },
			func(v, a, b Extension, base Element, s Extension) Extension { return s }},
		{"AddBase", func(v, a, b ExtensionVector, base []Element, s Extension) { v.AddBase(a, base) },
			func(v, a, b Extension, base Element, s Extension) Extension { return a.AddBase(base) }},
		{"SubBase", func(v, a, b ExtensionVector, base []Element, s Extension) { v.SubBase(a, base) },
			func(v, a, b Extension, base Element, s Extension) Extension { return a.SubBase(base) }},
		{"AddScalar", func(v, a, b ExtensionVector, base []Element, s Extension) { v.AddScalar(a, s) },
			func(v, a, b Extension, base Element, s Extension) Extension { return a.Add(s) }},
		{"MulBase", func(v, a, b ExtensionVector, base []Element, s Extension) { v.MulBase(a, base) },
			func(v, a, b Extension, base Element, s Extension) Extension { return a.MulBase(base) }},
		{"ScaleBase", func(v, a, b ExtensionVector, base []Element, s Extension) { v.ScaleBase(a, s[1]) },
			func(v, a, b Extension, base Element, s Extension) Extension { return a.MulBase(s[1]) }},
		{"Scale", func(v, a, b ExtensionVector, base []Element, s Extension) { v.Scale(a, s) },
			func(v, a, b Extension, base Element, s Extension) Extension { return mulBig(a, s) }},
		{"Mul", func(v, a, b ExtensionVector, base []Element, s Extension) { v.Mul(a, b) },
			func(v, a, b Extension, base Element, s Extension) Extension { return mulBig(a, b) }},
		{"ScaleAdd", func(v, a, b ExtensionVector, base []Element, s Extension) { v.ScaleAdd(s, base) },
			func(v, a, b Extension, base Element, s Extension) Extension { return v.Add(s.MulBase(base)) }},
		{"MulBaseAdd", func(v, a, b ExtensionVector, base []Element, s Extension) { v.MulBaseAdd(a, base) },
			func(v, a, b Extension, base Element, s Extension) Extension { return v.Add(a.MulBase(base)) }},
		{"MulScaleAdd", func(v, a, b ExtensionVector, base []Element, s Extension) { v.MulScaleAdd(a, b, s, base) },
			func(v, a, b Extension, base Element, s Extension) Extension { return mulBig(a, b).Add(s.MulBase(base)) }},
		{"AddProducts", func(v, a, b ExtensionVector, base []Element, s Extension) {
			c, spare := NewExtensionVector(v.Len()), NewExtensionVector(v.Len())
			c.AddScalar(a, s)
			spare.Copy(a)
			v.AddProducts(spare, b, c, base)
		}, func(v, a, b Extension, base Element, s Extension) Extension {
			return v.Add(mulBig(a, b)).Add(a.Add(s).MulBase(base))
		}},
	}
	for _, operation := range operations {
		t.Run(operation.name, func(t *testing.T) {
			for _, n := range vectorLengths() {
				start := n % 3
				v := sampleExtensionVector(r, n+start).Slice(start, start+n)
				a := sampleExtensionVector(r, n+start).Slice(start, start+n)
				b := sampleExtensionVector(r, n+start).Slice(start, start+n)
				base, s := sampleVector(r, n+start)[start:], sampleExtension(r)
				inPlace := NewExtensionVector(n)
				inPlace.Copy(a)

				want := make([]Extension, n)
				for i := range want {
					want[i] = operation.one(v.At(i), a.At(i), b.At(i), base[i], s)
				}
				operation.block(v, a, b, base, s)
				for i := range want {
					if v.At(i) != want[i] {
						t.Fatalf("n %d: element %d is %v, want %v", n, i, v.At(i), want[i])
					}
				}

				for i := range want {
					want[i] = operation.one(a.At(i), a.At(i), b.At(i), base[i], s)
				}
				operation.block(inPlace, inPlace, b, base, s)
				for i := range want {
					if inPlace.At(i) != want[i] {
						t.Fatalf("n %d in place: element %d is %v, want %v", n, i, inPlace.At(i), want[i])
					}
				}
			}
		})
	}
}

func TestDot(t *testing.T) { withAndWithout(t, testDot) }

func testDot(t *testing.T) {
	r := newRand(23)
	for _, n := range append(vectorLengths(), 70_000) {
		v, b := sampleExtensionVector(r, n), sampleVector(r, n)
		if n == 70_000 { // the largest sums of the largest products
			v.Fill(Extension{Element(Modulus - 1), Element(Modulus - 1), Element(Modulus - 1)})
			for i := range b {
				b[i] = Element(Modulus - 1)
			}
		}
		var want Extension
		for i := range b {
			want = want.Add(v.At(i).MulBase(b[i]))
		}
		if got := v.Dot(b); got != want {
			t.Fatalf("n %d: got %v, want %v", n, got, want)
		}
	}
}

func TestAddCombination(t *testing.T) { withAndWithout(t, testAddCombination) }

func testAddCombination(t *testing.T) {
	r := newRand(24)
	largest := Element(Modulus - 1)
	for _, n := range vectorLengths() {
		for _, count := range []int{0, 1, 2, 31, 32, 33, 100} {
			if n > 70 && count > 2 && count < 100 {
				continue
			}
			v, want := sampleExtensionVector(r, n), NewExtensionVector(n)
			scalars, columns := make([]Extension, count), make([][]Element, count)
			for c := range columns {
				scalars[c], columns[c] = sampleExtension(r), sampleVector(r, n+1)[1:]
				if count == 32 { // the largest sums of the largest products
					scalars[c] = Extension{largest, largest, largest}
					for i := range columns[c] {
						columns[c][i] = largest
					}
				}
			}
			for i := range n {
				sum := v.At(i)
				for c := range columns {
					sum = sum.Add(scalars[c].MulBase(columns[c][i]))
				}
				want.Set(i, sum)
			}
			v.AddCombination(scalars, columns)
			for j := range v.C {
				if i := firstDifference(v.C[j], want.C[j]); i >= 0 {
					t.Fatalf("n %d, %d columns: coordinate %d of element %d is %#x, want %#x", n, count, j, i,
						uint64(v.C[j][i]), uint64(want.C[j][i]))
				}
			}
		}
	}
}

func TestLengthsMustAgree(t *testing.T) {
	three, four := make([]Element, 3), make([]Element, 4)
	for name, call := range map[string]func(){
		"AddVector":     func() { AddVector(three, three, four) },
		"MulVector":     func() { MulVector(four, three, four) },
		"ScaleVector":   func() { ScaleVector(four, three, 1) },
		"BatchInverse":  func() { BatchInverse(four, three) },
		"Extension.Mul": func() { NewExtensionVector(3).Mul(NewExtensionVector(3), NewExtensionVector(4)) },
		"Extension.Dot": func() { NewExtensionVector(3).Dot(four) },
	} {
		func() {
			defer func() {
				if v := recover(); v == nil {
					t.Errorf("%s took slices of different lengths", name)
				} else if _, ok := v.(string); !ok {
					t.Errorf("%s panicked with %v", name, fmt.Sprint(v))
				}
			}()
			call()
		}()
	}
}

func firstDifference(a, b []Element) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// TestKernelsOnAllPairsOfEdges multiplies, adds and subtracts every pair of edge
// values in every lane.
func TestKernelsOnAllPairsOfEdges(t *testing.T) {
	cpufeaturetest.InEveryForm(t, testKernelsOnAllPairsOfEdges)
}

func testKernelsOnAllPairsOfEdges(t *testing.T) {
	var a, b []Element
	for _, x := range edges {
		for _, y := range edges {
			for range 9 { // so that a pair moves through the lanes
				a, b = append(a, x), append(b, y)
			}
		}
	}
	got := make([]Element, len(a))
	for name, operation := range map[string]struct {
		block func(dst, a, b []Element)
		one   func(a, b Element) Element
	}{
		"Add": {AddVector, Element.Add},
		"Sub": {SubVector, Element.Sub},
		"Mul": {MulVector, Element.Mul},
	} {
		operation.block(got, a, b)
		for i := range got {
			if want := operation.one(a[i], b[i]); got[i] != want {
				t.Fatalf("%s of %#x and %#x: got %#x, want %#x", name, uint64(a[i]), uint64(b[i]), uint64(got[i]), uint64(want))
			}
		}
	}
}
