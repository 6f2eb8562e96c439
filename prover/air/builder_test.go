package air

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// pair is a message of two values.
type pair struct{ First, Second Expr }

// single is a message of one value.
type single struct{ Value Expr }

func containsText(err error, text string) bool {
	return err != nil && strings.Contains(err.Error(), text)
}

// Each mistake in a declaration is an error that names the table and the culprit.
func TestDeclarationErrors(t *testing.T) {
	var buses Buses
	token, call, lookup := NewToken[pair](&buses, "token"), NewCall[pair](&buses, "call"),
		NewLookup[pair](&buses, "lookup")
	fill := func([][]goldilocks.Element) {}
	for want, declare := range map[string]func(b *Builder, x Expr){
		`table t: constraint "cube" has degree 4, want at most 3`: func(b *Builder, x Expr) {
			b.AssertZero("cube", x.Square().Square())
		},
		`table t: constraint "first" has degree 4, want at most 3`: func(b *Builder, x Expr) {
			b.WhenFirst().AssertZero("first", x.Square().Mul(x))
		},
		`table t: constraint "nothing" is always zero`: func(b *Builder, x Expr) {
			b.AssertEqual("nothing", x.Add(x), x.Double())
		},
		`table t: constraint "never" is the constant 3: it can never hold`: func(b *Builder, x Expr) {
			b.AssertZero("never", b.Constant(3))
		},
		`table t: constraint "c" is declared twice`: func(b *Builder, x Expr) {
			b.AssertZero("c", x)
			b.AssertZero("c", x)
		},
		`table t: main column "x" is declared twice`:           func(b *Builder, x Expr) { b.Main("x") },
		`table t: main column "y" is in no constraint`:         func(b *Builder, x Expr) { b.Main("y") },
		`table t: preprocessed column "p" is in no constraint`: func(b *Builder, x Expr) { b.Preprocessed("p") },
		`table t: preprocessed columns need a fixed height`: func(b *Builder, x Expr) {
			b.Preprocessed("p")
			b.FillPreprocessed(fill)
		},
		`table t: nothing fills its preprocessed columns`: func(b *Builder, x Expr) {
			b.Preprocessed("p")
			b.Heights(3, 3)
		},
		`table t: log heights 0 to 3 are not within 1 to 28`: func(b *Builder, x Expr) { b.Heights(0, 3) },
		`table t: public value -1: numbers start at 0`: func(b *Builder, x Expr) {
			b.AssertEqual("c", x, b.Public(-1))
		},
		`table t: Next of a mul node`: func(b *Builder, x Expr) {
			b.AssertZero("c", x.Square().Next())
		},
		`table t: an expression of table other is used`: func(b *Builder, x Expr) {
			b.AssertZero("c", x.Add(NewTable("other").Main("y")))
		},
		`table t: an expression is used that was never built`: func(b *Builder, x Expr) { b.AssertZero("c", x.Add(Expr{})) },
		"table t: a send on bus token has multiplicity of degree 3 and values of degree 3: " +
			"its constraint has degree 4, want at most 3": func(b *Builder, x Expr) {
			token.Produce(b, x.Square().Mul(x), pair{x, x.Square().Mul(x)})
		},
		`multiplicity of degree 1 and values of degree 3: its constraint has d`: func(b *Builder, x Expr) {
			call.Serve(b, x, pair{x, x.Square().Mul(x)})
		},
		`constraint "c" multiplies the transition selector in 3 times, want at most 2`: func(b *Builder, x Expr) {
			b.WhenTransition().When(b.Transition().Mul(b.Transition())).AssertZero("c", x)
		},
		`a send on bus call multiplies the transition selector into its multiplicity 3 times`: func(b *Builder, x Expr) {
			call.Call(b, b.Transition().Square().Mul(b.Transition()), pair{x, x})
		},
		`a send on bus lookup has a value with the transition selector in it`: func(b *Builder, x Expr) {
			lookup.Ask(b, x, pair{x, x.Mul(b.Transition())})
		},
		`table t: bus 4 has no name`: func(b *Builder, x Expr) {
			TokenBus[pair]{&Bus{Index: 4}}.Produce(b, x, pair{x, x})
		},
		`table t: the count of lookup bus lookup is not a main column`: func(b *Builder, x Expr) {
			lookup.Answer(b, x.Double(), Rows{}, pair{x, x})
		},
		`the count of lookup bus lookup is not a main column`: func(b *Builder, x Expr) {
			lookup.Answer(b, x.Next(), Rows{}, pair{x, x})
		},
		`table t: lookup bus lookup has 1 weights, want 2 or none`: func(b *Builder, x Expr) {
			lookup.Answer(b, x, Rows{Weights: []uint64{1}}, pair{x, x})
		},
		`lookup bus lookup has weights and an index, want one of them`: func(b *Builder, x Expr) {
			lookup.Answer(b, x, Rows{Weights: []uint64{1, 2}, Index: &Index{}}, pair{x, x})
		},
		`the selector of lookup bus lookup is not a preprocessed colum`: func(b *Builder, x Expr) {
			lookup.Answer(b, x, Rows{Count: 2, Only: x}, pair{x, x})
		},
		`lookup bus lookup is answered by 2 rows from row 1 on, and no preproce`: func(b *Builder, x Expr) {
			lookup.Answer(b, x, Rows{First: 1, Count: 2}, pair{x, x})
		},
		`lookup bus lookup is answered by all rows of a table of variable heig`: func(b *Builder, x Expr) {
			lookup.Answer(b, x, Rows{}, pair{x, x})
		},
		`lookup bus lookup has two entries`: func(b *Builder, x Expr) {
			b.Heights(3, 3)
			lookup.Answer(b, x, Rows{}, pair{x, x})
			lookup.Answer(b, b.Main("y"), Rows{}, pair{x, x})
		},
		`lookup buses one and other count in one column on the same rows`: func(b *Builder, x Expr) {
			one, other := NewLookup[pair](&buses, "one"), NewLookup[pair](&buses, "other")
			only := b.Preprocessed("only")
			b.Heights(3, 3)
			b.FillPreprocessed(fill)
			one.Answer(b, x, Rows{Count: 4, Only: only}, pair{x, x})
			other.Answer(b, x, Rows{First: 3, Count: 4, Only: only}, pair{x, x})
		},
		`0 to 2 instances of a table that answers lookups, want exactly one`: func(b *Builder, x Expr) {
			b.Heights(3, 3)
			b.Instances(0, 2)
			lookup.Answer(b, x, Rows{}, pair{x, x})
		},
		`1 to 2 instances of a table with preprocessed columns, want exactly one`: func(b *Builder, x Expr) {
			b.AssertZero("p", b.Preprocessed("p"))
			b.Heights(3, 3)
			b.Instances(1, 2)
			b.FillPreprocessed(fill)
		},
		`up to 2 instances of a table that reads public value 3, want at most one`: func(b *Builder, x Expr) {
			b.Instances(0, 2)
			b.AssertEqual("p", x, b.Public(3))
		},
		`table t: 2 to 1 instances are not within 0 to 16`:  func(b *Builder, x Expr) { b.Instances(2, 1) },
		`table t: 0 to 0 instances are not within 0 to 16`:  func(b *Builder, x Expr) { b.Instances(0, 0) },
		`table t: 0 to 17 instances are not within 0 to 16`: func(b *Builder, x Expr) { b.Instances(0, 17) },
		`its program: table t: log height is 9, want 2 to 8`: func(b *Builder, x Expr) {
			b.AssertZero("p", b.Preprocessed("p"))
			b.Heights(2, 8)
			b.FillProgram(9, fill)
		},
		`table t: it has no preprocessed columns to fill`: func(b *Builder, x Expr) {
			b.Heights(3, 3)
			b.FillPreprocessed(fill)
		},
		`periodic column "p" has 3 values, want a power of two up to 1024`: func(b *Builder, x Expr) {
			b.AssertZero("p", b.Periodic("p", 1, 2, 3))
		},
		`periodic column "p" has 0 values, want a power of two up to 1024`: func(b *Builder, x Expr) {
			b.AssertZero("p", b.Periodic("p"))
		},
		`periodic column "p" repeats every 2^2 rows, and 2^1 rows are allowed`: func(b *Builder, x Expr) {
			b.AssertZero("p", b.Periodic("p", 1, 2, 3, 4))
		},
		`table t: periodic column "p" is declared twice`: func(b *Builder, x Expr) {
			b.Periodic("p", 1)
			b.Periodic("p", 2)
		},
		`table t: Next of a periodic node: only a column of the current row has a n`: func(b *Builder, x Expr) {
			b.AssertZero("p", b.Periodic("p", 1, 2).Next())
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
	if _, err := NewTable("").Build(); !containsText(err, "a table needs a name") ||
		!containsText(err, "it has no column") {
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
	if len(table.Graph) != 4 { // x, y, x*y, the sum; the rest was dropped
		t.Errorf("%d nodes:\n%v", len(table.Graph), table.Text())
	}
}

func TestBatches(t *testing.T) {
	var buses Buses
	bus := NewToken[single](&buses, "bus")
	b := NewTable("t")
	x := b.Main("x")
	one := b.Constant(1)
	bus.Produce(b, one, single{x})                       // degree 1: two of them fill a batch
	bus.Produce(b, one, single{x.Square()})              // degree 2: alone
	bus.Produce(b, one, single{x})                       // joins the first
	bus.Produce(b, x.Square().Mul(x), single{x})         // multiplicity of degree 3: a batch of its own
	bus.Produce(b, x.Square(), single{b.Public(0)})      // degree 0: fits only there
	bus.Consume(b, x, single{x.Double()})                // a batch of its own
	bus.Consume(b, x, single{x.Double().AddConstant(1)}) // joins it
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
	if got := table.AuxiliaryColumns(); got != 12 {
		t.Errorf("%d auxiliary columns, want 12", got)
	}
}

// Every field that affects the meaning of a table changes its canonical form.
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
	var buses Buses
	bus, other := NewToken[single](&buses, "bus"), NewToken[single](&buses, "bus")
	lookup := NewLookup[single](&buses, "lookup")
	nothing := func([][]goldilocks.Element) {}
	preprocessed := func(fill func(b *Builder)) func(b *Builder, x, y Expr) {
		return func(b *Builder, x, y Expr) {
			b.Heights(3, 3)
			fill(b)
			b.AssertZero("p", b.Preprocessed("p"))
		}
	}
	answerIn := func(count string, rows Rows, only string) func(b *Builder, x, y Expr) {
		return func(b *Builder, x, y Expr) {
			b.Heights(3, 3)
			b.FillPreprocessed(nothing)
			columns := map[string]Expr{"first": b.Preprocessed("first"), "second": b.Preprocessed("second"), "x": x, "y": y}
			b.AssertZero("used", columns["first"].Add(columns["second"]))
			if only != "" {
				rows.Only = columns[only]
			}
			lookup.Answer(b, columns[count], rows, single{y})
		}
	}
	answer := func(rows Rows, only string) func(b *Builder, x, y Expr) { return answerIn("x", rows, only) }
	plain := declare(nil)
	seen := map[string]string{string(plain): "plain"}
	for name, change := range map[string]func(b *Builder, x, y Expr){
		"constraint":    func(b *Builder, x, y Expr) { b.AssertZero("d", x) },
		"name":          func(b *Builder, x, y Expr) { b.AssertZero("e", x) },
		"constant":      func(b *Builder, x, y Expr) { b.AssertZero("d", x.Sub(b.Constant(9))) },
		"next":          func(b *Builder, x, y Expr) { b.AssertZero("d", x.Next()) },
		"public":        func(b *Builder, x, y Expr) { b.AssertZero("d", x.Sub(b.Public(0))) },
		"public 1":      func(b *Builder, x, y Expr) { b.AssertZero("d", x.Sub(b.Public(1))) },
		"column":        func(b *Builder, x, y Expr) { b.AssertZero("d", b.Main("z")) },
		"heights":       func(b *Builder, x, y Expr) { b.Heights(2, 9) },
		"produce":       func(b *Builder, x, y Expr) { bus.Produce(b, x, single{y}) },
		"bound":         func(b *Builder, x, y Expr) { bus.Produce(b, x, single{y}); b.table.Interactions[0].Bound = 2 },
		"bus":           func(b *Builder, x, y Expr) { other.Produce(b, x, single{y}) },
		"value":         func(b *Builder, x, y Expr) { bus.Produce(b, x, single{x}) },
		"multiplicity":  func(b *Builder, x, y Expr) { bus.Produce(b, y, single{y}) },
		"consume":       func(b *Builder, x, y Expr) { bus.Consume(b, x, single{y}) },
		"instances":     func(b *Builder, x, y Expr) { b.Instances(0, 1) },
		"two instances": func(b *Builder, x, y Expr) { b.Instances(1, 2) },
		"periodic":      func(b *Builder, x, y Expr) { b.AssertEqual("p", x, b.Periodic("p", 1, 2)) },
		"periodic name": func(b *Builder, x, y Expr) { b.AssertEqual("p", x, b.Periodic("q", 1, 2)) },
		"other periods": func(b *Builder, x, y Expr) { b.AssertEqual("p", x, b.Periodic("p", 2, 1)) },
		"fixed":         preprocessed(func(b *Builder) { b.FillPreprocessed(nothing) }),
		"program":       preprocessed(func(b *Builder) { b.FillProgram(3, nothing) }),
		"all rows":      answer(Rows{}, ""),
		"weight":        answer(Rows{Weights: []uint64{1}}, ""),
		"other weight":  answer(Rows{Weights: []uint64{2}}, ""),
		"some rows":     answer(Rows{Count: 4}, "first"),
		"fewer rows":    answer(Rows{Count: 3}, "first"),
		"other rows":    answer(Rows{First: 1, Count: 4}, "first"),
		"other only":    answer(Rows{Count: 4}, "second"),
		"other count":   answerIn("y", Rows{}, ""),
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
	// A program's height and the index of its rows belong to the key, not to the table.
	program := func(log int, index *Index) []byte {
		return declare(func(b *Builder, x, y Expr) {
			b.Heights(3, 9)
			b.FillProgram(log, nothing)
			lookup.Answer(b, x, Rows{Only: b.Preprocessed("only"), Index: index}, single{y})
		})
	}
	if !bytes.Equal(program(3, nil), program(8, &Index{Stride: 4, Entries: []uint32{3}})) {
		t.Error("a program changes the canonical form")
	}
}
