package goldilocks

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"

	gnark "github.com/consensys/gnark-crypto/field/goldilocks"
)

// benchmarkLength keeps a block operation in the first-level cache, as in the prover.
const benchmarkLength = 512

var sinkElement Element

func mulPairs(x, y []Element) {
	y = y[:len(x)]
	for i := range x {
		x[i] = x[i].Mul(y[i])
	}
}

func mulPairsGnark(x, y []gnark.Element) {
	y = y[:len(x)]
	for i := range x {
		x[i].Mul(&x[i], &y[i])
	}
}

func mulChain(z Element, y []Element) Element {
	for i := range y {
		z = z.Mul(y[i])
	}
	return z
}

func mulChainGnark(z gnark.Element, y []gnark.Element) gnark.Element {
	for i := range y {
		z.Mul(&z, &y[i])
	}
	return z
}

// BenchmarkMul multiplies random elements one at a time, ours and gnark-crypto's in the same loops: independent
// products first, then a chain in which each product depends on the previous one.
func BenchmarkMul(b *testing.B) {
	r := newRand(30)
	x, y := make([]Element, benchmarkLength), make([]Element, benchmarkLength)
	gx, gy := make([]gnark.Element, benchmarkLength), make([]gnark.Element, benchmarkLength)
	for i := range x {
		x[i], y[i] = randomElement(r), randomElement(r)
		gx[i], gy[i] = gnark.NewElement(uint64(x[i])), gnark.NewElement(uint64(y[i]))
	}
	z, gz := x[0], gx[0]
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"pairs/chiasmus", func() { mulPairs(x, y) }},
		{"pairs/gnark", func() { mulPairsGnark(gx, gy) }},
		{"chain/chiasmus", func() { z = mulChain(z, y) }},
		{"chain/gnark", func() { gz = mulChainGnark(gz, gy) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkLength, "ns/mul")
		})
	}
	sinkElement = z + Element(gz[0])
}

// BenchmarkBlocks runs block operations on random data in every form.
func BenchmarkBlocks(b *testing.B) {
	r := newRand(31)
	column := func() []Element {
		v := make([]Element, benchmarkLength)
		for i := range v {
			v[i] = randomElement(r)
		}
		return v
	}
	vector := func() ExtensionVector { return ExtensionVector{[3][]Element{column(), column(), column()}} }
	dst, x, y := column(), column(), column()
	ext, ex, ey := vector(), vector(), vector()
	s := Extension{randomElement(r), randomElement(r), randomElement(r)}
	columns, scalars := make([][]Element, combineGroup), make([]Extension, combineGroup)
	for c := range columns {
		columns[c], scalars[c] = column(), Extension{randomElement(r), randomElement(r), randomElement(r)}
	}
	before := cpufeature.Active()
	defer cpufeature.Set(before)
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"Add", func() { AddVector(dst, x, y) }},
		{"Sub", func() { SubVector(dst, x, y) }},
		{"Mul", func() { MulVector(dst, x, y) }},
		{"MulAdd", func() { MulAddVector(dst, x, y, dst) }},
		{"Scale", func() { ScaleVector(dst, x, s[0]) }},
		{"Extension.Mul", func() { ext.Mul(ex, ey) }},
		{"Extension.ScaleAdd", func() { ext.ScaleAdd(s, x) }},
		{"Extension.Dot", func() { s[0] = s[0].Add(ex.Dot(x)[0]) }},
		{"Extension.AddCombination of 32", func() { ext.AddCombination(scalars, columns) }},
		{"BatchInverse", func() { BatchInverse(dst, x) }},
		{"Extension.Inverse", func() { ext.Inverse(ex) }},
	} {
		for _, level := range cpufeature.Supported() {
			b.Run(c.name+"/"+level.String(), func(b *testing.B) {
				if err := cpufeature.Set(level); err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					c.run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchmarkLength, "ns/element")
			})
		}
	}
}
