package gpu

import (
	"errors"
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

func TestQuotientSumsOfMachines(t *testing.T) {
	comparesOnly(t)
	for name, instances := range map[string][]circuit.Instance{
		"keccak": {{Table: 0, LogHeight: 2}, {Table: 1, LogHeight: 5}, {Table: 2, LogHeight: 8}},
		"fib":    {{Table: 0, LogHeight: 3}},
		"tour":   nil, // of a run
	} {
		program := programOf(t, name)
		if instances == nil {
			instances = execute(t, program, 40, 1, testParams(t)).Instances()
		}
		t.Run(name, func(t *testing.T) {
			everyDevice(t, true, func(t *testing.T, b *Backend) {
				newRandomRows(t, b, program.Machine(), 1, instances...).compare()
			})
		})
	}
}

// oddMachine has one table with features that the real machines lack: selectors within expressions and twice, scaled
// and negated packings, packings of several bits, public values in messages, multiplicities with the transition
// selector, batches of every degree, constants that are negative, large and small.
func oddMachine(t *testing.T) *circuit.Machine {
	t.Helper()
	var buses air.Buses
	single, double := air.NewToken[struct{ A air.Expr }](&buses, "one"),
		air.NewToken[struct{ A, B air.Expr }](&buses, "two")
	b := air.NewTable("odd table-1")
	b.Heights(3, 3)
	m := b.MainColumns("m", 40)
	p := b.Preprocessed("p")
	b.FillPreprocessed(func([][]goldilocks.Element) {})
	one, next := b.Constant(1), make([]air.Expr, len(m))
	for i, x := range m {
		next[i] = x.Next()
	}
	xors := make([]air.Expr, 20)
	for i := range xors {
		x, y := m[i], m[(i+7)%20]
		xors[i] = x.Mul(one.Sub(y.Double())).Add(y)
	}
	b.AssertZero("packing", b.Pack(1, xors...).Sub(m[20]))
	// Exclusive ors with products: of one position, of two that share them, and of one whose product has another
	// reader.
	products := func(first, second int) (list []air.Expr) {
		for i := range 20 {
			list = append(list, m[(i+first)%40].Mul(m[(i+second)%40]))
		}
		return list
	}
	xorAll := func(x, y []air.Expr) (list []air.Expr) {
		for i := range x {
			list = append(list, x[i].Mul(one.Sub(y[i].Double())).Add(y[i]))
		}
		return list
	}
	ands, shared := products(1, 2), products(10, 31)
	b.AssertZero("packed ands", b.Pack(1, xorAll(ands, m[:20])...).Sub(m[20]))
	b.AssertZero("shared ands", b.Pack(1, xorAll(m[10:30], shared)...).Sub(m[21]))
	b.AssertZero("shared ands again", b.Pack(1, xorAll(m[11:31], shared)...).Sub(m[22]))
	for i := range 8 {
		b.AssertEqual(fmt.Sprint("product and sum ", i), m[i].Mul(m[i+1]).Add(m[i+2]), m[i+3])
		b.AssertEqual(fmt.Sprint("product and sum reversed ", i), m[i+9], m[i].Mul(m[i+5]).Add(m[i+6]))
	}
	b.WhenTransition().AssertEqual("negated packing", next[21], b.Pack(1, xors[3:]...).Add(b.Pack(2, m[20:30]...)))
	b.WhenFirst().AssertZero("scaled packing", b.Pack(4, m[24:40]...).Sub(p.Scale(1<<50)))
	b.WhenLast().AssertZero("packed product", m[0].Mul(b.Pack(7, next[4:12]...)).Sub(b.Pack(9, m[30:40]...)))
	b.AssertZero("first inside", b.First().Mul(m[0]).Add(m[1].Mul(m[2])).Mul(m[3]))
	b.AssertZero("all selectors", b.First().Add(b.Last()).Mul(b.Transition()).Add(p.Next()))
	b.AssertZero("twice", b.Transition().Mul(b.Transition()).Mul(m[5].Mul(m[6]).Sub(b.Public(1))))
	b.AssertZero("thrice in degree", b.Transition().Mul(m[5]).Mul(m[6]).Mul(m[7].Sub(b.Public(0))))
	for i := range 8 {
		b.AssertZero(fmt.Sprint("constants ", i), m[i].Scale(goldilocks.Modulus-1).Add(b.Constant(1<<32-1).Sub(m[i+1])).
			Mul(b.Constant(1<<40).Sub(m[i+2].Mul(m[i+3]))))
		b.AssertBoolean(fmt.Sprint("boolean ", i), next[i])
		b.AssertBoolean(fmt.Sprint("boolean product ", i), m[i].Sub(p))
	}
	flags := b.Constant(0)
	for i := range 30 { // sums of flags, of growing length, in many constraints
		flags = flags.Add(m[i%10])
		b.AssertZero(fmt.Sprint("flags ", i), flags.Mul(m[10+i].Sub(m[(i*7+1)%40]).AddConstant(uint64(i))))
	}
	single.Produce(b, m[0].Mul(b.Transition()), struct{ A air.Expr }{m[1].Mul(m[2])})
	single.Consume(b, m[0], struct{ A air.Expr }{m[1]})
	double.Produce(b, one, struct{ A, B air.Expr }{m[2], b.Public(0)})
	double.Consume(b, m[3].Mul(p), struct{ A, B air.Expr }{m[4].Next(), b.Constant(5)})
	single.Produce(b, one, struct{ A air.Expr }{b.Public(1)})
	double.Consume(b, one, struct{ A, B air.Expr }{m[5], b.Constant(0)})
	single.Consume(b, m[6], struct{ A air.Expr }{b.Public(0)})
	b.AssertZero("periodic", b.Periodic("phase", 3, 1, 4, 1).Mul(m[9]).Sub(b.Periodic("other", 5).Mul(m[8]).Mul(m[7])))
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	// It is not validated, because a multiplicity with a selector is not a count. Kernels compute it all the same.
	return &circuit.Machine{Name: "odd", Tables: []*air.Table{table}, Buses: buses.List(),
		PublicNames: []string{"a", "b"}}
}

func TestQuotientSumsOfOddExpressions(t *testing.T) {
	odd := oddMachine(t)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		newRandomRows(t, b, odd, 2, circuit.Instance{LogHeight: 3}).compare()
	})
}

// Exclusive ors with a product of which another constraint in the same run reads a part too, so the product cannot be
// computed minus one half. All have one degree, because constraints of another degree belong to another kernel.
func TestQuotientSumsOfReadProducts(t *testing.T) {
	b := air.NewTable("read products")
	b.Heights(3, 3)
	complement := func(y air.Expr) air.Expr { return b.Constant(1).Sub(y.Double()) }
	xor := func(x, y air.Expr) air.Expr { return x.Mul(complement(y)).Add(y) }
	for k, values := range []func(x, z, y air.Expr) []air.Expr{
		func(x, z, y air.Expr) []air.Expr { return []air.Expr{xor(x, y), z.Mul(y)} },
		func(x, z, y air.Expr) []air.Expr { return []air.Expr{xor(x, y), z.Mul(y.Double())} },
		func(x, z, y air.Expr) []air.Expr { return []air.Expr{xor(x, y), z.Mul(complement(y))} },
		func(x, z, y air.Expr) []air.Expr { return []air.Expr{xor(x, y), x.Mul(complement(y)).AddConstant(1)} },
		func(x, z, y air.Expr) []air.Expr { return []air.Expr{xor(x, y), xor(x, y).AddConstant(1)} },
		func(x, z, y air.Expr) []air.Expr { return []air.Expr{xor(y, z), z.Mul(y)} },
		func(x, z, y air.Expr) []air.Expr { return []air.Expr{xor(y, z), xor(x.Mul(x), z)} },
	} {
		var packed [2][8]air.Expr
		x, z := b.MainColumns(fmt.Sprint("x", k), 8), b.MainColumns(fmt.Sprint("z", k), 8)
		for i := range x {
			for j, value := range values(x[i], z[i], x[i].Mul(z[i])) {
				packed[j][i] = value
			}
		}
		for j := range packed {
			b.AssertZero(fmt.Sprint("packed ", k, j), b.Pack(1, packed[j][:]...).Sub(b.Public(0)))
		}
	}
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	read := &circuit.Machine{Name: "read", Tables: []*air.Table{table}, PublicNames: []string{"a"}}
	everyDevice(t, false, func(t *testing.T, b *Backend) {
		newRandomRows(t, b, read, 1, circuit.Instance{LogHeight: 3}).compare()
	})
}

// Exclusive ors of cells with (1 - x) y. Some share a product as chi's do and some only seem to. Other shared products
// belong to or are read by another constraint.
func TestQuotientSumsOfNeighbours(t *testing.T) {
	b := air.NewTable("neighbours")
	b.Heights(3, 3)
	one, two := b.Constant(1), b.Constant(2)
	xor := func(x, y air.Expr) air.Expr { return x.Mul(one.Sub(y.Double())).Add(y) }
	chi := func(d, x, y air.Expr) air.Expr { return xor(d, one.Sub(x).Mul(y)) }
	for k, values := range []func(c []air.Expr) []air.Expr{
		func(c []air.Expr) []air.Expr { return []air.Expr{chi(c[0], c[1], c[2]), chi(c[1], c[2], c[3])} },
		func(c []air.Expr) []air.Expr { return []air.Expr{chi(c[1], c[2], c[3]), chi(c[0], c[1], c[2])} },
		func(c []air.Expr) []air.Expr { return []air.Expr{chi(c[0], c[1], c[2]), chi(c[1], c[0], c[2])} },
		func(c []air.Expr) []air.Expr { return []air.Expr{chi(c[0], c[1], c[2]), chi(c[0], c[2], c[1])} },
		func(c []air.Expr) []air.Expr {
			return []air.Expr{chi(c[0], c[1], c[2]), chi(c[1], c[2], c[0]), chi(c[2], c[0], c[1])}
		},
		func(c []air.Expr) []air.Expr {
			return []air.Expr{chi(c[0], c[1], c[2]), xor(c[1], two.Sub(c[2]).Mul(c[0]))}
		},
		func(c []air.Expr) []air.Expr { return []air.Expr{xor(c[0], c[1].Mul(c[2])), xor(c[1], c[2].Mul(c[3]))} },
		func(c []air.Expr) []air.Expr {
			return []air.Expr{chi(c[0], c[1], c[2]), chi(c[1], c[2], c[3]), c[4].Mul(one.Sub(c[2]).Mul(c[3]))}
		},
	} {
		var packed [3][8]air.Expr
		cells := b.MainColumns(fmt.Sprint("c", k), 40)
		count := 0
		for i := range 8 {
			list := values(cells[5*i : 5*i+5])
			for j, value := range list {
				packed[j][i] = value
			}
			count = len(list)
		}
		for j := range count {
			b.AssertZero(fmt.Sprint("packed ", k, j), b.Pack(1, packed[j][:]...).Sub(b.Public(0)))
		}
		for i, cell := range cells {
			b.AssertZero(fmt.Sprint("cell ", k, i), cell)
		}
	}
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	chis := &circuit.Machine{Name: "chi", Tables: []*air.Table{table}, PublicNames: []string{"a"}}
	everyDevice(t, false, func(t *testing.T, b *Backend) {
		newRandomRows(t, b, chis, 1, circuit.Instance{LogHeight: 3}).compare()
	})
}

// Packed positions of one cluster whose constraints end in different positions: sums by Horner's rule then end
// separately, unless they share an addend or a product.
func TestQuotientSumsOfApart(t *testing.T) {
	b := air.NewTable("apart")
	b.Heights(3, 3)
	one := b.Constant(1)
	for k, value := range []func(x, y, z air.Expr) air.Expr{
		func(x, y, z air.Expr) air.Expr { return x.Mul(y.Mul(z)) },
		func(x, y, z air.Expr) air.Expr { return x.Mul(y.Mul(y)).Add(z) },
		func(x, y, z air.Expr) air.Expr { return x.Mul(one.Sub(y.Mul(z).Double())).Add(y.Mul(z)) },
	} {
		first, second := b.MainColumns(fmt.Sprint("first", k), 20), b.MainColumns(fmt.Sprint("second", k), 20)
		y, z := b.MainColumns(fmt.Sprint("y", k), 20), b.MainColumns(fmt.Sprint("z", k), 20)
		var whole, parted []air.Expr
		for i := range first {
			whole, parted = append(whole, value(first[i], y[i], z[i])), append(parted, value(second[i], y[i], z[i]))
		}
		b.AssertZero(fmt.Sprint("whole ", k), b.Pack(1, whole...).Sub(b.Public(0)))
		b.AssertZero(fmt.Sprint("one part ", k), b.Pack(1, parted[:12]...).Sub(b.Public(0)))
		b.AssertZero(fmt.Sprint("another ", k), b.Pack(1, parted[12:]...).Sub(b.Public(0)))
	}
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	apart := &circuit.Machine{Name: "apart", Tables: []*air.Table{table}, PublicNames: []string{"a"}}
	everyDevice(t, false, func(t *testing.T, b *Backend) {
		newRandomRows(t, b, apart, 1, circuit.Instance{LogHeight: 3}).compare()
	})
}

// Boolean constraints on consecutive columns, with one column left out: one of the ranges consists of whole turns and
// the other does not. And on columns that are not consecutive: each address is looked up.
func TestQuotientSumsOfSteps(t *testing.T) {
	const columns = 80
	m := &circuit.Machine{Name: "steps"}
	for number, next := range []int{1, 7} {
		b := air.NewTable(fmt.Sprint("steps of ", next))
		b.Heights(3, 3)
		x := b.MainColumns("m", columns)
		for i := range x {
			if at := i * next % columns; number == 0 && at == 40 {
				b.AssertZero("other", x[at])
			} else {
				b.AssertBoolean(fmt.Sprint("boolean ", i), x[at])
			}
		}
		table, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m.Tables = append(m.Tables, table)
	}
	everyDevice(t, false, func(t *testing.T, b *Backend) {
		newRandomRows(t, b, m, 1, circuit.Instance{LogHeight: 3}, circuit.Instance{Table: 1, LogHeight: 3}).compare()
	})
}

// TestQuotientHalves evaluates the two halves of random sums.
func TestQuotientHalves(t *testing.T) {
	program := programOf(t, "fib")
	const logHeight, n = 4, 16
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		r := newRandomRows(t, b, program.Machine(), 1, circuit.Instance{LogHeight: logHeight})
		sums := randomElements(3, 6*2*n)
		var coefficients []uint64
		err := r.stage("quotient", func(scope *cuda.Scope) error {
			if err := r.columns(protocol.Quotient); err != nil {
				return err
			}
			own := r.phases[protocol.Quotient].list[0]
			memory, err := takeQuotient(scope, r.shape, r.program, false)
			if err != nil {
				return err
			}
			words := make([]uint64, len(sums))
			for i, x := range sums {
				words[i] = uint64(x)
			}
			if err := r.upload(own.Span, words); err != nil {
				return err
			}
			sums := &classSums{Class: &r.shape.Classes[0], Columns: own, stream: r.device.Stream, work: memory.work[0]}
			if err := errors.Join(r.interpolateHigh(sums), r.splitQuotient(sums)); err != nil {
				return err
			}
			coefficients, err = r.download(own.Span)
			return err
		})
		if err != nil {
			t.Fatal(err, b.Finding())
		}
		for k := range 3 {
			high, low := sums[2*n*k:2*n*(k+1)], sums[2*n*(3+k):2*n*(3+k)+n]
			for i := range 2 * n {
				x := cosetPoint(i)
				var got goldilocks.Element
				for j := 2*n - 1; j >= 0; j-- {
					got = got.Mul(x).Add(goldilocks.Element(coefficients[2*n*(k+j/n*3)+j%n]))
				}
				if want := high[i].Add(lagrange(low, x)); got != want {
					t.Fatalf("column %d at entry %d: %d, want %d", k, i, got, want)
				}
			}
		}
	})
}

// cosetPoint is the point of entry i of an extension domain.
func cosetPoint(i int) goldilocks.Element {
	x := goldilocks.Generator
	for k := 0; i>>k != 0; k++ {
		if i>>k&1 != 0 {
			x = x.Mul(goldilocks.RootOfUnity(k + 1))
		}
	}
	return x
}

// lagrange evaluates at x the polynomial with the given values at the first points.
func lagrange(values []goldilocks.Element, x goldilocks.Element) (sum goldilocks.Element) {
	for i, value := range values {
		term := value
		for j := range values {
			if i != j {
				term = term.Mul(x.Sub(cosetPoint(j))).Mul(cosetPoint(i).Sub(cosetPoint(j)).Inverse())
			}
		}
		sum = sum.Add(term)
	}
	return sum
}
