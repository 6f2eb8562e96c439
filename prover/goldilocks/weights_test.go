package goldilocks

import (
	"math/rand/v2"
	"testing"
)

func TestWeights(t *testing.T) { inEveryForm(t, testWeights) }

// Edges of the field beside random elements: the largest products, and as many
// of them as a word holds and more.
func testWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	largest := Element(Modulus - 1)
	element := func(extreme bool) Element {
		if extreme || random.IntN(8) == 0 {
			return []Element{largest, largest, 0xffffffff, largest - 0xffffffff, 0, 1}[random.IntN(6)]
		}
		return FromUint64(random.Uint64())
	}
	for _, extreme := range []bool{false, true} {
		for _, count := range []int{0, 1, 2, 31, 1023, 1024, 1025, 2100} {
			for _, rows := range []int{0, 1, 7, 8, 9, 40, 67} {
				const first = 3
				elements := make([]Extension, count)
				columns := make([][]Element, count)
				for k := range columns {
					elements[k] = Extension{element(extreme), element(extreme), element(extreme)}
					columns[k] = make([]Element, first+rows)
					for i := range columns[k] {
						columns[k][i] = element(extreme)
					}
				}
				got := NewExtensionVector(rows)
				for i := range rows {
					got.Set(i, Extension{element(extreme), largest, 1})
				}
				want := make([]Extension, rows)
				for i := range want {
					want[i] = got.At(i)
					for k, column := range columns {
						want[i] = want[i].Add(elements[k].MulBase(column[first+i]))
					}
				}
				NewWeights(elements).AddColumns(got, columns, first)
				for i := range want {
					if got.At(i) != want[i] {
						t.Fatalf("%d columns, %d rows: row %d is %v, want %v", count, rows, i, got.At(i), want[i])
					}
				}
			}
		}
		for _, rows := range []int{0, 1, 7, 8, 9, 1000, 1024, 1025, 8200} {
			vector := NewExtensionVector(rows)
			column := make([]Element, rows)
			var want Extension
			for i := range column {
				column[i] = element(extreme)
				vector.Set(i, Extension{element(extreme), element(extreme), element(extreme)})
				want = want.Add(vector.At(i).MulBase(column[i]))
			}
			if got := NewRowWeights(vector).Dot(column); got != want {
				t.Errorf("%d rows: %v, want %v", rows, got, want)
			}
		}
	}
	// All products at their largest.
	const rows = 2048
	vector := NewExtensionVector(rows)
	vector.Fill(Extension{largest, largest, largest})
	column := vector.C[0]
	one := largest.Mul(largest).Mul(FromUint64(rows))
	if got, want := NewRowWeights(vector).Dot(column), (Extension{one, one, one}); got != want {
		t.Errorf("the largest products add up to %v, want %v", got, want)
	}
}

func BenchmarkWeights(b *testing.B) {
	const rows, count = 1024, 1024
	random := rand.New(rand.NewPCG(1, 1))
	columns := make([][]Element, count)
	elements := make([]Extension, count)
	for k := range columns {
		columns[k] = make([]Element, rows)
		for i := range columns[k] {
			columns[k][i] = FromUint64(random.Uint64())
		}
		elements[k] = Extension{columns[k][1], columns[k][2], columns[k][3]}
	}
	vector := NewExtensionVector(rows)
	report := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows/count, "ns/cell")
	}
	b.Run("AddColumns", func(b *testing.B) {
		w := NewWeights(elements)
		for b.Loop() {
			w.AddColumns(vector, columns, 0)
		}
		report(b)
	})
	b.Run("ScaleAdd", func(b *testing.B) {
		for b.Loop() {
			for k, column := range columns {
				vector.ScaleAdd(elements[k], column)
			}
		}
		report(b)
	})
	b.Run("RowWeights", func(b *testing.B) {
		w := NewRowWeights(vector)
		for b.Loop() {
			for _, column := range columns {
				w.Dot(column)
			}
		}
		report(b)
	})
	b.Run("VectorDot", func(b *testing.B) {
		for b.Loop() {
			for _, column := range columns {
				vector.Dot(column)
			}
		}
		report(b)
	})
}
