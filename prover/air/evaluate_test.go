package air

import (
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

func randomElements(random *rand.Rand, n int) []goldilocks.Element {
	elements := make([]goldilocks.Element, n)
	for i := range elements {
		elements[i] = goldilocks.FromUint64(random.Uint64())
	}
	return elements
}

// At points outside of the base field, the verifier's evaluator is compared with a recursion on the declared
// expressions.
func TestExtensionAgainstFormula(t *testing.T) {
	b := NewTable("formula")
	x, y := b.Main("x"), b.Main("y")
	b.WhenTransition().AssertZero("c", x.Next().Mul(y).Add(x.Scale(5)).Sub(b.Public(0)))
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	draw := func() goldilocks.Extension { return goldilocks.Extension(randomElements(random, 3)) }
	for range 50 {
		p := &Point{Main: []goldilocks.Extension{draw(), draw()}, NextMain: []goldilocks.Extension{draw()},
			Transition: draw(), Public: randomElements(random, 1)}
		values, err := table.EvaluateExtension(p)
		if err != nil {
			t.Fatal(err)
		}
		want := p.Transition.Mul(p.NextMain[0].Mul(p.Main[1]).Add(p.Main[0].MulBase(5)).SubBase(p.Public[0]))
		if got := values[table.Constraints[0].Root]; got != want {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestPointOfWrongShape(t *testing.T) {
	b := NewTable("shape")
	x := b.Main("x")
	b.AssertEqual("c", x.Next(), b.Public(1))
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	one := make([]goldilocks.Extension, 1)
	public := make([]goldilocks.Element, 2)
	good := Point{Main: one, NextMain: one, Public: public}
	// x itself is not read, but every column is opened.
	if _, err := table.EvaluateExtension(&good); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]Point{
		"0 values of main columns, want 1": {NextMain: one, Public: public},
		"2 values of next-row main columns, want 1": {Main: one,
			NextMain: make([]goldilocks.Extension, 2), Public: public},
		"1 values of preprocessed columns, want 0":      {Main: one, NextMain: one, Preprocessed: one, Public: public},
		"1 values of next-row preprocessed columns, wa": {Main: one, NextMain: one, NextPreprocessed: one, Public: public},
		"1 values of periodic columns, want 0":          {Main: one, NextMain: one, Periodic: one, Public: public},
		"1 public values, want at least 2":              {Main: one, NextMain: one, Public: public[:1]},
	} {
		if _, err := table.EvaluateExtension(&p); err == nil || !containsText(err, name) {
			t.Errorf("error %v, want %q", err, name)
		}
	}
}
