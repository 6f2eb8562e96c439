package gpu

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// randomRows is a proof with random extensions in place of commitments: no constraint holds on them, and the sum of
// all is compared entry by entry.
type randomRows struct {
	*proof
	t          *testing.T
	cells      [backend.PhaseCount][][][]goldilocks.Element // by instance and column
	constraint goldilocks.Extension
	random     *rand.Rand
}

func newRandomRows(t *testing.T, b *Backend, m *machine.Machine, logBlowup int,
	instances ...machine.Instance) *randomRows {
	t.Helper()
	r := &randomRows{t: t, random: rand.New(rand.NewPCG(11, 12))}
	r.proof = begin(t, b, backend.NewShape(m, backend.Params{LogBlowup: logBlowup, LogArity: 1}, instances))
	for phase := range backend.Quotient {
		if r.shape.Present(phase) {
			r.fill(phase)
		}
	}
	r.challenges, r.constraint = backend.LogUpChallenges{Alpha: r.extension(), Beta: r.extension()}, r.extension()
	for range m.PublicNames {
		r.public = append(r.public, r.element())
	}
	for range instances {
		r.claimed = append(r.claimed, r.extension())
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
		if err := r.columns(phase); err != nil {
			return err
		}
		for _, own := range r.phases[phase].list {
			var cells [][]goldilocks.Element
			var words []uint64
			for range own.Count {
				column := make([]goldilocks.Element, own.Stride)
				for i := range column {
					column[i] = r.element()
					words = append(words, uint64(column[i]))
				}
				cells = append(cells, column)
			}
			r.cells[phase] = append(r.cells[phase], cells)
			if len(words) > 0 {
				if err := r.upload(own.Span, words); err != nil {
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

// sums runs the kernels of all instances and returns, by class, the six columns before interpolation.
func (r *randomRows) sums() (sums [][][]uint64) {
	r.t.Helper()
	err := r.stage("quotient", func(scope *cuda.Scope) error {
		if err := r.columns(backend.Quotient); err != nil {
			return err
		}
		memory, err := takeQuotient(scope, r.shape, r.program, false)
		if err != nil {
			return err
		}
		if err := r.invertPoints(memory); err != nil {
			return err
		}
		words := &constants{span: memory.constants}
		for c, class := range r.shape.Classes {
			n, own := uint64(1)<<class.LogHeight, r.phases[backend.Quotient].list[c]
			listed := r.listClass(memory, words, r.constraint, c)
			listed.stream, listed.apart = r.device.Stream, false
			if err := errors.Join(r.sendConstants(words), r.sumClass(memory, listed)); err != nil {
				return err
			}
			columns := make([][]uint64, 6)
			for k := range columns {
				size := n
				if k < 3 {
					size *= 2
				}
				part, err := own.Part(uint32(k), 1, size)
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

// reference is the sum of all weighed constraints at entry i of an instance by the verifier's evaluator, divided by x^n
// - 1: of those whose quotient takes 2n points, and of the others. The first constraint weighs weight.
func (r *randomRows) reference(table, i int, weight goldilocks.Extension) (high, low goldilocks.Extension) {
	r.t.Helper()
	t, logHeight := r.shape.Table(table).Table, r.shape.Instances[table].LogHeight
	n, after := uint64(1)<<logHeight, rowAfter(i, logHeight)
	x, g := cosetPoint(i), goldilocks.RootOfUnity(logHeight)
	vanishing := x.Exp(n).Sub(1)
	point := &air.Point{Public: r.public, First: goldilocks.FromBase(vanishing.Mul(x.Sub(1).Inverse())),
		Last:       goldilocks.FromBase(vanishing.Mul(x.Sub(g.Inverse()).Inverse())),
		Transition: goldilocks.FromBase(x.Sub(g.Inverse()))}
	at := func(phase backend.Phase, column, entry int) goldilocks.Extension {
		return goldilocks.FromBase(r.cells[phase][table][column][entry])
	}
	for column := range t.Main {
		point.Main = append(point.Main, at(backend.Main, column, i))
	}
	for column := range t.Preprocessed {
		point.Preprocessed = append(point.Preprocessed, at(backend.PreprocessedPhase(t), column, i))
	}
	for _, column := range t.NextMain {
		point.NextMain = append(point.NextMain, at(backend.Main, column, after))
	}
	for _, column := range t.NextPreprocessed {
		point.NextPreprocessed = append(point.NextPreprocessed, at(backend.PreprocessedPhase(t), column, after))
	}
	for k := range t.Periodic {
		point.Periodic = append(point.Periodic, t.Periodic[k].At(goldilocks.FromBase(x), logHeight))
	}
	values, err := t.EvaluateExtension(point)
	if err != nil {
		r.t.Fatal(err)
	}
	add := func(value goldilocks.Extension, degree, transitions int) {
		term := value.Mul(weight).MulBase(vanishing.Inverse())
		const tall = 1 << 20 // the degree must be low enough at any height
		if degree*(tall-1)+transitions <= 2*tall-1 {
			low = low.Add(term)
		} else {
			high = high.Add(term)
		}
		weight = weight.Mul(r.constraint)
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
	last := len(t.Batches) - 1
	left := auxiliary(last, after).Sub(auxiliary(last, i)).Add(r.claimed[table].MulBase(goldilocks.Element(n).Inverse()))
	for b, batch := range t.Batches {
		numerator, denominator := goldilocks.Extension{}, goldilocks.Extension{1}
		for _, k := range batch {
			interaction := t.Interactions[k]
			fingerprint, power := r.challenges.Alpha.AddBase(goldilocks.Element(interaction.Bus.Index)), r.challenges.Beta
			for _, value := range interaction.Values {
				fingerprint, power = fingerprint.Add(values[value].Mul(power)), power.Mul(r.challenges.Beta)
			}
			multiplicity := values[interaction.Multiplicity]
			if interaction.Kind == air.Receive {
				multiplicity = multiplicity.Neg()
			}
			numerator = numerator.Mul(fingerprint).Add(multiplicity.Mul(denominator))
			denominator = denominator.Mul(fingerprint)
		}
		column := left
		if b < last {
			column = auxiliary(b, i)
			left = left.Sub(column)
		}
		add(column.Mul(denominator).Sub(numerator), t.BatchDegree(b), 0)
	}
	return high, low
}

// compare compares the device's sums with the reference in every entry.
func (r *randomRows) compare() {
	r.t.Helper()
	offsets := r.shape.ConstraintOffsets()
	for c, columns := range r.sums() {
		for i := range columns[0] {
			var high, low goldilocks.Extension
			for _, member := range r.shape.Classes[c].Members {
				h, l := r.reference(member, i, r.constraint.Exp(uint64(offsets[member])))
				high, low = high.Add(h), low.Add(l)
			}
			for k := range 3 {
				if columns[k][i] != uint64(high[k]) {
					r.t.Fatalf("class %d, entry %d of 2n, coordinate %d: %d, want %d", c, i, k, columns[k][i], high[k])
				}
				if i < len(columns[3]) && columns[3+k][i] != uint64(low[k]) {
					r.t.Fatalf("class %d, entry %d of n, coordinate %d: %d, want %d", c, i, k, columns[3+k][i], low[k])
				}
			}
		}
	}
}

func TestQuotientSumsOfMachines(t *testing.T) {
	comparesOnly(t)
	for name, instances := range map[string][]machine.Instance{
		"keccak": {{Table: 0, LogHeight: 2}, {Table: 1, LogHeight: 5}, {Table: 2, LogHeight: 8}},
		"fib":    {{Table: 0, LogHeight: 3}},
		"tour":   nil, // those of a run
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

// oddMachine has one table with what the real machines lack: selectors inside of expressions and twice, scaled and
// negated packings, packings of several bits, public values in messages, multiplicities with the transition selector,
// batches of every degree, constants that are negative, large and small.
func oddMachine(t *testing.T) *machine.Machine {
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
	// Exclusive ors with products: of one place, of two that share them, and with one that something else reads.
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
	// It is not validated: a multiplicity with a selector in it is no count. Kernels compute it all the same.
	return &machine.Machine{Name: "odd", Tables: []*machine.Table{{Table: table}}, Buses: buses.List(),
		PublicNames: []string{"a", "b"}}
}

func TestQuotientSumsOfOddExpressions(t *testing.T) {
	odd := oddMachine(t)
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		newRandomRows(t, b, odd, 2, machine.Instance{LogHeight: 3}).compare()
	})
}

// Exclusive ors with a product, of which something else in the same run reads a part too, so that the product cannot be
// had less a half. All are of one degree, as another kernel would weigh what is of another.
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
	read := &machine.Machine{Name: "read", Tables: []*machine.Table{{Table: table}}, PublicNames: []string{"a"}}
	everyDevice(t, false, func(t *testing.T, b *Backend) {
		newRandomRows(t, b, read, 1, machine.Instance{LogHeight: 3}).compare()
	})
}

// TestQuotientHalves evaluates what the split of random sums gives.
func TestQuotientHalves(t *testing.T) {
	program := programOf(t, "fib")
	const logHeight, n = 4, 16
	everyDevice(t, true, func(t *testing.T, b *Backend) {
		r := newRandomRows(t, b, program.Machine(), 1, machine.Instance{LogHeight: logHeight})
		sums := randomElements(3, 6*2*n)
		var coefficients []uint64
		err := r.stage("quotient", func(scope *cuda.Scope) error {
			if err := r.columns(backend.Quotient); err != nil {
				return err
			}
			own := r.phases[backend.Quotient].list[0]
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
