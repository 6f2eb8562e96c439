package air

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// drawPeriodic samples a column of 2^log values.
func drawPeriodic(random *rand.Rand, log int) *PeriodicColumn {
	return &PeriodicColumn{Name: "p", Values: randomElements(random, 1<<log)}
}

// On the trace domain a column repeats its values.
func TestPeriodicOnTraceDomain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for log := range 5 {
		p := drawPeriodic(random, log)
		if p.LogPeriod() != log {
			t.Errorf("the period of 2^%d values is 2^%d", log, p.LogPeriod())
		}
		for logHeight := max(log, 1); logHeight < 7; logHeight++ {
			g, x := goldilocks.RootOfUnity(logHeight), goldilocks.Element(1)
			for row := range 1 << logHeight {
				if got, want := p.At(goldilocks.FromBase(x), logHeight),
					goldilocks.FromBase(p.Values[row%len(p.Values)]); got != want {
					t.Fatalf("2^%d values, row %d of 2^%d: %v, want %v", log, row, logHeight, got, want)
				}
				x = x.Mul(g)
			}
		}
	}
}

// On the coset, the values of the runs equal the polynomial at each point.
func TestPeriodicOnCoset(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for log := range 4 {
		p := drawPeriodic(random, log)
		for logHeight := max(log, 1); logHeight < 6; logHeight++ {
			for logBlowup := range 3 {
				logSize := logHeight + logBlowup
				runs := p.Extended(logHeight, logBlowup)
				if len(runs) != 1<<(log+logBlowup) {
					t.Fatalf("%d runs, want %d", len(runs), 1<<(log+logBlowup))
				}
				for i := range 1 << logSize {
					position := bits.Reverse64(uint64(i)) >> (64 - logSize)
					x := goldilocks.Generator.Mul(goldilocks.RootOfUnity(logSize).Exp(position))
					want := p.At(goldilocks.FromBase(x), logHeight)
					if got := goldilocks.FromBase(runs[i>>(logHeight-log)]); got != want {
						t.Fatalf("2^%d values, height 2^%d, blowup 2^%d, entry %d: %v, want %v", log, logHeight, logBlowup, i, got, want)
					}
				}
			}
		}
	}
}

// Outside of the base field, the value equals the interpolating polynomial, computed by Lagrange's formula over the
// whole trace domain.
func TestPeriodicOutOfDomain(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const logHeight = 6
	p := drawPeriodic(random, 3)
	z := goldilocks.Extension(randomElements(random, 3))
	g, x := goldilocks.RootOfUnity(logHeight), goldilocks.Element(1)
	var sum goldilocks.Extension
	for row := range 1 << logHeight {
		sum = sum.Add(z.SubBase(x).Inverse().MulBase(x.Mul(p.Values[row%8])))
		x = x.Mul(g)
	}
	want := sum.Mul(z.Exp(1 << logHeight).SubBase(1)).MulBase(goldilocks.Element(1 << logHeight).Inverse())
	if got := p.At(z, logHeight); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// Constraints depend on the row's position in the period.
func TestPeriodicInRows(t *testing.T) {
	b := NewTable("t")
	b.Heights(2, 4)
	x := b.Main("x")
	b.AssertEqual("x follows the period", x, b.Periodic("p", 5, 6, 7, 8))
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	trace := Trace{Main: [][]goldilocks.Element{{5, 6, 7, 8, 5, 6, 8, 8}}}
	if v := table.Violations(trace, nil, nil, 0); len(v) != 1 || v[0].Row != 6 {
		t.Errorf("violations %v", v)
	}
}
