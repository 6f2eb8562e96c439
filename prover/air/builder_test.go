package air

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

func containsText(err error, text string) bool {
	return err != nil && strings.Contains(err.Error(), text)
}

// Each mistake in a declaration is an error that names table and culprit.
func TestDeclarationErrors(t *testing.T) {
	bus := Bus{Name: "bus", Index: 1, Arity: 2}
	fill := func([][]goldilocks.Element) {}
	for want, declare := range map[string]func(b *Builder, x Expr){
		`table t: constraint "cube" has degree 4, want at most 3`:               func(b *Builder, x Expr) { b.AssertZero("cube", x.Square().Square()) },
		`table t: constraint "first" has degree 4, want at most 3`:              func(b *Builder, x Expr) { b.WhenFirst().AssertZero("first", x.Square().Mul(x)) },
		`table t: constraint "nothing" is always zero`:                          func(b *Builder, x Expr) { b.AssertEqual("nothing", x.Add(x), x.Double()) },
		`table t: constraint "never" is the constant 3: it can never hold`:      func(b *Builder, x Expr) { b.AssertZero("never", b.Constant(3)) },
		`table t: constraint "c" is declared twice`:                             func(b *Builder, x Expr) { b.AssertZero("c", x); b.AssertZero("c", x) },
		`table t: main column "x" is declared twice`:                            func(b *Builder, x Expr) { b.Main("x") },
		`table t: main column "y" is in no constraint`:                          func(b *Builder, x Expr) { b.Main("y") },
		`table t: preprocessed column "p" is in no constraint`:                  func(b *Builder, x Expr) { b.Preprocessed("p") },
		`table t: preprocessed columns need a fixed height`:                     func(b *Builder, x Expr) { b.Preprocessed("p"); b.FillPreprocessed(fill) },
		`table t: nothing fills its preprocessed columns`:                       func(b *Builder, x Expr) { b.Preprocessed("p"); b.Heights(3, 3) },
		`table t: log heights 0 to 3 are not within 1 to 28`:                    func(b *Builder, x Expr) { b.Heights(0, 3) },
		`table t: public value -1: numbers start at 0`:                          func(b *Builder, x Expr) { b.AssertEqual("c", x, b.Public(-1)) },
		`table t: Next of a mul node`:                                           func(b *Builder, x Expr) { b.AssertZero("c", x.Square().Next()) },
		`table t: an expression of table other is used`:                         func(b *Builder, x Expr) { b.AssertZero("c", x.Add(NewTable("other").Main("y"))) },
		`table t: an expression is used that was never built`:                   func(b *Builder, x Expr) { b.AssertZero("c", x.Add(Expr{})) },
		`table t: a send on bus bus has 1 values, want 2`:                       func(b *Builder, x Expr) { b.Send(bus, x, 1, x) },
		`table t: a send on bus bus declares no bound`:                          func(b *Builder, x Expr) { b.Send(bus, x, 0, x, x) },
		`multiplicity of degree 1 and values of degree 3: its constraint has d`: func(b *Builder, x Expr) { b.Receive(bus, x, 0, x, x.Square().Mul(x)) },
		`constraint "c" multiplies the transition selector in 3 times, want at most 2`: func(b *Builder, x Expr) {
			b.WhenTransition().When(b.Transition().Mul(b.Transition())).AssertZero("c", x)
		},
		`a send on bus bus multiplies the transition selector into its multiplicity 3 times`: func(b *Builder, x Expr) {
			b.Send(bus, b.Transition().Square().Mul(b.Transition()), 1, x, x)
		},
		`a send on bus bus has a value with the transition selector in it`: func(b *Builder, x Expr) {
			b.Send(bus, x, 1, x, x.Mul(b.Transition()))
		},
		`table t: bus "" has index 0 and arity 0`:                   func(b *Builder, x Expr) { b.Receive(Bus{}, x, 0) },
		`table t: the count of lookup bus bus is not a main column`: func(b *Builder, x Expr) { b.LookupTable(bus, x.Double(), []uint64{1, 2}, x, x) },
		`table t: lookup bus bus has 1 weights, want 2`:             func(b *Builder, x Expr) { b.LookupTable(bus, x, []uint64{1}, x, x) },
		`table t: it is the lookup table of bus bus and of bus bus`: func(b *Builder, x Expr) {
			b.LookupTable(bus, x, []uint64{1, 2}, x, x)
			b.LookupTable(bus, x, []uint64{1, 2}, x, x)
		},
	} {
		b := NewTable("t")
		x := b.Main("x")
		b.AssertBoolean("x is boolean", x)
		declare(b, x)
		if _, err := b.Build(); !containsText(err, want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if _, err := NewTable("").Build(); !containsText(err, "a table needs a name") || !containsText(err, "it has no main column") {
		t.Errorf("error %v", err)
	}
}

// All mistakes are reported together.
func TestErrorsAreCollected(t *testing.T) {
	b := NewTable("t")
	x := b.Main("x")
	b.AssertZero("one", x.Square().Square())
	b.AssertZero("two", x.Square().Square().Double())
	if _, err := b.Build(); !containsText(err, `"one"`) || !containsText(err, `"two"`) {
		t.Errorf("error %v", err)
	}
}

func TestSharingAndFolding(t *testing.T) {
	b := NewTable("t")
	x, y := b.Main("x"), b.Main("y")
	if x.Add(y) != y.Add(x) || x.Mul(y) != y.Mul(x) || x.Sub(y) == y.Sub(x) {
		t.Error("commutative operations are shared, subtraction is not commutative")
	}
	zero, one := b.Constant(0), b.Constant(1)
	for name, pair := range map[string][2]Expr{
		"x+0":      {x.Add(zero), x},
		"0+x":      {zero.Add(x), x},
		"x-0":      {x.Sub(zero), x},
		"x-x":      {x.Sub(x), zero},
		"x*0":      {x.Mul(zero), zero},
		"1*x":      {one.Mul(x), x},
		"2+3":      {b.Constant(2).Add(b.Constant(3)), b.Constant(5)},
		"2-3":      {b.Constant(2).Sub(b.Constant(3)), b.Constant(goldilocks.Modulus - 1)},
		"p":        {b.Constant(goldilocks.Modulus), zero},
		"pack":     {b.Pack(1, one, zero, one), b.Constant(5)},
		"sum":      {b.Sum(), zero},
		"next":     {x.Next(), x.Next()},
		"not not":  {b.Constant(1).Not(), zero},
		"select 1": {one.Select(x, y), x.Sub(y).Add(y)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is another expression", name)
		}
	}
	b.AssertZero("c", x.Mul(y).Add(x.Mul(y)))
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Graph) != 4 { // x, y, x*y, the sum; all else was dropped
		t.Errorf("%d nodes:\n%v", len(table.Graph), table)
	}
}

func TestBatches(t *testing.T) {
	bus := Bus{Name: "bus", Index: 1, Arity: 1}
	b := NewTable("t")
	x := b.Main("x")
	one := b.Constant(1)
	b.Send(bus, one, 1, x)                          // degree 1: two of them fill a batch
	b.Send(bus, one, 1, x.Square())                 // degree 2: alone
	b.Send(bus, one, 1, x)                          // joins the first
	b.Send(bus, x.Square().Mul(x), 1, x)            // multiplicity of degree 3: a batch of its own
	b.Send(bus, x.Square(), 1, b.Public(0))         // degree 0: fits only there
	b.Receive(bus, x, 0, x.Double())                // a batch of its own
	b.Receive(bus, x, 0, x.Double().AddConstant(1)) // joins it
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]int{{0, 2}, {1}, {3, 4}, {5, 6}}
	if diff := cmp.Diff(want, table.Batches); diff != "" {
		t.Error(diff)
	}
	for i := range want {
		if table.BatchDegree(i) != 3 {
			t.Errorf("batch %d has degree %d", i, table.BatchDegree(i))
		}
	}
	if got := table.AuxiliaryColumns(); got != 15 {
		t.Errorf("%d auxiliary columns, want 15", got)
	}
}

// Every field that decides what a table means changes its canonical form.
func TestCanonical(t *testing.T) {
	declare := func(change func(b *Builder, x, y Expr)) []byte {
		b := NewTable("t")
		x, y := b.Main("x"), b.Main("y")
		b.AssertEqual("c", x, y)
		if change != nil {
			change(b, x, y)
		}
		table, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return table.AppendCanonical(nil)
	}
	bus, other := Bus{"bus", 1, 1}, Bus{"bus", 2, 1}
	plain := declare(nil)
	seen := map[string]string{string(plain): "plain"}
	for name, change := range map[string]func(b *Builder, x, y Expr){
		"constraint":   func(b *Builder, x, y Expr) { b.AssertZero("d", x) },
		"name":         func(b *Builder, x, y Expr) { b.AssertZero("e", x) },
		"constant":     func(b *Builder, x, y Expr) { b.AssertZero("d", x.Sub(b.Constant(9))) },
		"next":         func(b *Builder, x, y Expr) { b.AssertZero("d", x.Next()) },
		"public":       func(b *Builder, x, y Expr) { b.AssertZero("d", x.Sub(b.Public(0))) },
		"public 1":     func(b *Builder, x, y Expr) { b.AssertZero("d", x.Sub(b.Public(1))) },
		"column":       func(b *Builder, x, y Expr) { b.AssertZero("d", b.Main("z")) },
		"heights":      func(b *Builder, x, y Expr) { b.Heights(2, 9) },
		"send":         func(b *Builder, x, y Expr) { b.Send(bus, x, 1, y) },
		"bound":        func(b *Builder, x, y Expr) { b.Send(bus, x, 2, y) },
		"bus":          func(b *Builder, x, y Expr) { b.Send(other, x, 1, y) },
		"value":        func(b *Builder, x, y Expr) { b.Send(bus, x, 1, x) },
		"multiplicity": func(b *Builder, x, y Expr) { b.Send(bus, y, 1, y) },
		"receive":      func(b *Builder, x, y Expr) { b.Receive(bus, x, 1, y) },
		"lookup":       func(b *Builder, x, y Expr) { b.LookupTable(bus, x, []uint64{1}, y) },
		"weight":       func(b *Builder, x, y Expr) { b.LookupTable(bus, x, []uint64{2}, y) },
	} {
		form := string(declare(change))
		if previous, ok := seen[form]; ok {
			t.Errorf("%s has the canonical form of %s", name, previous)
		}
		seen[form] = name
	}
	if !bytes.Equal(plain, declare(func(b *Builder, x, y Expr) { x.Mul(y) })) {
		t.Error("an expression that nothing uses changes the canonical form")
	}
}
