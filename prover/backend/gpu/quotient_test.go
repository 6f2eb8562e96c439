package gpu

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/all"
)

// randomRows is a context with random extensions in place of commitments: no constraint holds on them, and the sum of
// all is compared entry by entry.
type randomRows struct {
	*proverContext
	t         *testing.T
	committed [backend.PhaseCount]*commitment
	cells     [backend.PhaseCount][][][]goldilocks.Element // by table and column
	input     backend.QuotientInput
	random    *rand.Rand
}

func newRandomRows(t *testing.T, b *Backend, m *machine.Machine, logBlowup int, logHeights ...int) *randomRows {
	t.Helper()
	r := &randomRows{t: t, random: rand.New(rand.NewPCG(11, 12))}
	r.proverContext = prepare(t, b, backend.Shape{Machine: m, LogHeights: logHeights, LogBlowup: logBlowup})
	for phase := range backend.Quotient {
		if backend.Present(m, phase) {
			r.fill(phase)
		}
	}
	r.input = backend.QuotientInput{LogUp: backend.LogUpChallenges{Alpha: r.extension(), Beta: r.extension()}, Constraint: r.extension()}
	for range m.PublicNames {
		r.input.Public = append(r.input.Public, r.element())
	}
	for range m.Tables {
		r.input.Claimed = append(r.input.Claimed, r.extension())
	}
	return r
}

func (r *randomRows) element() goldilocks.Element {
	if r.random.IntN(4) == 0 {
		return []goldilocks.Element{0, 1, goldilocks.Element(goldilocks.Modulus - 1), 1<<32 - 1, 1 << 32}[r.random.IntN(5)]
	}
	return goldilocks.Element(r.random.Uint64N(goldilocks.Modulus))
}

func (r *randomRows) extension() goldilocks.Extension {
	return goldilocks.Extension{r.element(), r.element(), r.element()}
}

// fill takes the columns of a phase and fills their extensions at random.
func (r *randomRows) fill(phase backend.Phase) {
	r.t.Helper()
	err := r.stage("fill", func(*cuda.Scope) error {
		columns, err := r.newColumns(phase)
		if err != nil {
			return err
		}
		r.t.Cleanup(func() { r.backend.Release(r.proverContext, columns) })
		r.committed[phase] = &commitment{state: columns.state, matrices: columns.matrices}
		for _, table := range columns.tables {
			var cells [][]goldilocks.Element
			var words []uint64
			for range table.Count {
				column := make([]goldilocks.Element, table.Stride)
				for i := range column {
					column[i] = r.element()
					words = append(words, uint64(column[i]))
				}
				cells = append(cells, column)
			}
			r.cells[phase] = append(r.cells[phase], cells)
			if len(words) > 0 {
				if err := r.upload(table.Span, words); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err, r.backend.Finding())
	}
}

// sums runs the kernels of all tables and returns, by table, the six columns before interpolation.
func (r *randomRows) sums() (sums [][][]uint64) {
	r.t.Helper()
	err := r.stage("quotient", func(scope *cuda.Scope) error {
		result, err := r.newColumns(backend.Quotient)
		if err != nil {
			return err
		}
		defer result.release(r.proverContext)
		memory, err := takeQuotient(scope, &r.shape)
		if err != nil {
			return err
		}
		if err := r.invertPoints(memory); err != nil {
			return err
		}
		for i := range r.shape.Machine.Tables {
			if err := r.sumConstraints(memory, r.committed, &r.input, result, i); err != nil {
				return err
			}
			columns := make([][]uint64, 6)
			for k := range columns {
				size := r.height(i)
				if k < 3 {
					size *= 2
				}
				part, err := result.tables[i].Part(uint32(k), 1, size)
				if err != nil {
					return err
				}
				if columns[k], err = r.download(part.Span); err != nil {
					return err
				}
			}
			sums = append(sums, columns)
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err, r.backend.Finding())
	}
	return sums
}

// rowAfter is the entry of the row after entry i, row by row.
func rowAfter(i, logHeight int) int {
	n := 1 << logHeight
	reversed := func(x int) (y int) {
		for k := range logHeight {
			y |= x >> k & 1 << (logHeight - 1 - k)
		}
		return y
	}
	return i/n*n + reversed((reversed(i%n)+1)%n)
}

// reference is the sum of all weighed constraints at entry i of a table by the verifier's evaluator, divided by x^n - 1: of
// those whose quotient takes 2n points, and of the others.
func (r *randomRows) reference(table, i int) (high, low goldilocks.Extension) {
	r.t.Helper()
	t, logHeight := r.shape.Machine.Tables[table], r.shape.LogHeights[table]
	n, after := uint64(1)<<logHeight, rowAfter(i, logHeight)
	x, g := cosetPoint(i), goldilocks.RootOfUnity(logHeight)
	vanishing := x.Exp(n).Sub(1)
	point := &air.Point{Public: r.input.Public, First: goldilocks.FromBase(vanishing.Mul(x.Sub(1).Inverse())),
		Last: goldilocks.FromBase(vanishing.Mul(x.Sub(g.Inverse()).Inverse())), Transition: goldilocks.FromBase(x.Sub(g.Inverse()))}
	at := func(phase backend.Phase, column, entry int) goldilocks.Extension {
		return goldilocks.FromBase(r.cells[phase][table][column][entry])
	}
	for column := range t.Main {
		point.Main = append(point.Main, at(backend.Main, column, i))
	}
	for column := range t.Preprocessed {
		point.Preprocessed = append(point.Preprocessed, at(backend.Preprocessed, column, i))
	}
	for _, column := range t.NextMain {
		point.NextMain = append(point.NextMain, at(backend.Main, column, after))
	}
	for _, column := range t.NextPreprocessed {
		point.NextPreprocessed = append(point.NextPreprocessed, at(backend.Preprocessed, column, after))
	}
	values, err := t.EvaluateExtension(point)
	if err != nil {
		r.t.Fatal(err)
	}
	weight := goldilocks.Extension{1}
	add := func(value goldilocks.Extension, degree, transitions int) {
		term := value.Mul(weight).MulBase(vanishing.Inverse())
		const tall = 1 << 20 // the degree must be low enough at any height
		if degree*(tall-1)+transitions <= 2*tall-1 {
			low = low.Add(term)
		} else {
			high = high.Add(term)
		}
		weight = weight.Mul(r.input.Constraint)
	}
	for _, constraint := range t.Constraints {
		add(values[constraint.Root], constraint.Degree, constraint.Transitions)
	}
	if len(t.Interactions) == 0 {
		return high, low
	}
	auxiliary := func(k, entry int) goldilocks.Extension {
		var e goldilocks.Extension
		for j := range e {
			e[j] = r.cells[backend.Auxiliary][table][3*k+j][entry]
		}
		return e
	}
	var total goldilocks.Extension
	for b, batch := range t.Batches {
		numerator, denominator := goldilocks.Extension{}, goldilocks.Extension{1}
		for _, k := range batch {
			interaction := t.Interactions[k]
			fingerprint, power := r.input.LogUp.Alpha.AddBase(goldilocks.Element(interaction.Bus.Index)), r.input.LogUp.Beta
			for _, value := range interaction.Values {
				fingerprint, power = fingerprint.Add(values[value].Mul(power)), power.Mul(r.input.LogUp.Beta)
			}
			multiplicity := values[interaction.Multiplicity]
			if interaction.Kind == air.Receive {
				multiplicity = multiplicity.Neg()
			}
			numerator = numerator.Mul(fingerprint).Add(multiplicity.Mul(denominator))
			denominator = denominator.Mul(fingerprint)
		}
		h := auxiliary(b, i)
		total = total.Add(h)
		add(h.Mul(denominator).Sub(numerator), t.BatchDegree(b), 0)
	}
	sum, next := auxiliary(len(t.Batches), i), auxiliary(len(t.Batches), after)
	add(sum.Mul(point.First), 2, 0)
	add(next.Sub(sum).Sub(total).Mul(point.Transition), 1, 1)
	add(sum.Add(total).Sub(r.input.Claimed[table]).Mul(point.Last), 2, 0)
	return high, low
}

// compare compares the device's sums with the reference in every entry.
func (r *randomRows) compare() {
	r.t.Helper()
	for table, columns := range r.sums() {
		for i := range columns[0] {
			high, low := r.reference(table, i)
			for k := range 3 {
				if columns[k][i] != uint64(high[k]) {
					r.t.Fatalf("table %s, entry %d of 2n, coordinate %d: %d, want %d", r.shape.Machine.Tables[table].Name, i, k, columns[k][i], high[k])
				}
				if i < len(columns[3]) && columns[3+k][i] != uint64(low[k]) {
					r.t.Fatalf("table %s, entry %d of n, coordinate %d: %d, want %d", r.shape.Machine.Tables[table].Name, i, k, columns[3+k][i], low[k])
				}
			}
		}
	}
}

func TestQuotientSumsOfMachines(t *testing.T) {
	for name, logHeights := range map[string][]int{"keccak": {2, 3, 8}, "fib": {3}} {
		program, err := all.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			everyDevice(t, true, func(t *testing.T, b *Backend) { newRandomRows(t, b, program.Machine(), 1, logHeights...).compare() })
		})
	}
}

// oddMachine has one table with what the real machines lack: selectors inside of expressions and twice, scaled and negated
// packings, packings of several bits, public values in messages, multiplicities with the transition selector, batches of every
// degree, constants that are negative, large and small.
func oddMachine(t *testing.T) *machine.Machine {
	t.Helper()
	buses := []air.Bus{{Name: "one", Index: 1, Arity: 1}, {Name: "two", Index: 2, Arity: 2}}
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
	b.WhenTransition().AssertEqual("negated packing", next[21], b.Pack(1, xors[3:]...).Add(b.Pack(2, m[20:30]...)))
	b.WhenFirst().AssertZero("scaled packing", b.Pack(4, m[24:40]...).Sub(p.Scale(1<<50)))
	b.WhenLast().AssertZero("packed product", m[0].Mul(b.Pack(7, next[4:12]...)).Sub(b.Pack(9, m[30:40]...)))
	b.AssertZero("first inside", b.First().Mul(m[0]).Add(m[1].Mul(m[2])).Mul(m[3]))
	b.AssertZero("all selectors", b.First().Add(b.Last()).Mul(b.Transition()).Add(p.Next()))
	b.AssertZero("twice", b.Transition().Mul(b.Transition()).Mul(m[5].Mul(m[6]).Sub(b.Public(1))))
	b.AssertZero("thrice in degree", b.Transition().Mul(m[5]).Mul(m[6]).Mul(m[7].Sub(b.Public(0))))
	for i := range 8 {
		b.AssertZero(fmt.Sprint("constants ", i), m[i].Scale(goldilocks.Modulus-1).Add(b.Constant(1<<32-1).Sub(m[i+1])).Mul(b.Constant(1<<40).Sub(m[i+2].Mul(m[i+3]))))
		b.AssertBoolean(fmt.Sprint("boolean ", i), next[i])
		b.AssertBoolean(fmt.Sprint("boolean product ", i), m[i].Sub(p))
	}
	flags := b.Constant(0)
	for i := range 30 { // sums of flags, of growing length, in many constraints
		flags = flags.Add(m[i%10])
		b.AssertZero(fmt.Sprint("flags ", i), flags.Mul(m[10+i].Sub(m[(i*7+1)%40]).AddConstant(uint64(i))))
	}
	b.Send(buses[0], m[0].Mul(b.Transition()), 1, m[1].Mul(m[2]))
	b.Receive(buses[0], m[0], 0, m[1])
	b.Send(buses[1], one, 1, m[2], b.Public(0))
	b.Receive(buses[1], m[3].Mul(p), 0, m[4].Next(), b.Constant(5))
	b.Send(buses[0], one, 1, b.Public(1))
	table, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	// It is not validated: a multiplicity with a selector in it is no count. Kernels compute it all the same.
	return &machine.Machine{Name: "odd", Tables: []*air.Table{table}, Buses: buses, PublicNames: []string{"a", "b"}, UnitRows: []int{0}}
}

func TestQuotientSumsOfOddExpressions(t *testing.T) {
	odd := oddMachine(t)
	everyDevice(t, true, func(t *testing.T, b *Backend) { newRandomRows(t, b, odd, 2, 3).compare() })
}

// TestQuotientHalves evaluates what the split of random sums gives.
func TestQuotientHalves(t *testing.T) {
	program, err := all.Lookup("fib")
	if err != nil {
		t.Fatal(err)
	}
	const logHeight, n = 4, 16
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		r := newRandomRows(t, b, program.Machine(), 1, logHeight)
		sums := randomElements(3, 6*2*n)
		var coefficients []uint64
		err := r.stage("quotient", func(scope *cuda.Scope) error {
			result, err := r.newColumns(backend.Quotient)
			if err != nil {
				return err
			}
			defer result.release(r.proverContext)
			memory, err := takeQuotient(scope, &r.shape)
			if err != nil {
				return err
			}
			words := make([]uint64, len(sums))
			for i, x := range sums {
				words[i] = uint64(x)
			}
			if err := r.upload(result.tables[0].Span, words); err != nil {
				return err
			}
			if err := r.splitQuotient(memory, result.tables[0], logHeight); err != nil {
				return err
			}
			coefficients, err = r.download(result.tables[0].Span)
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
