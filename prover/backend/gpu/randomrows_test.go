package gpu

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// randomRows is a proof with random extensions instead of commitments. No constraint holds on them, and the sum of all
// is compared entry by entry.
type randomRows struct {
	*witness
	t          *testing.T
	cells      [protocol.PhaseCount][][][]goldilocks.Element // by instance and column
	constraint goldilocks.Extension
	random     *rand.Rand
}

// witnessOf returns a proof as if its main and auxiliary columns were committed to.
func witnessOf(p *proof) *witness { return &witness{summed: &summed{stated: &stated{proof: p}}} }

func newRandomRows(t *testing.T, b *Backend, m *circuit.Machine, logBlowup int,
	instances ...circuit.Instance) *randomRows {
	t.Helper()
	r := &randomRows{t: t, random: rand.New(rand.NewPCG(11, 12))}
	shape := protocol.NewShape(m, protocol.Layout{LogBlowup: logBlowup, LogArity: 1}, instances)
	r.witness = witnessOf(begin(t, b, unfilled(m), shape))
	for phase := range protocol.Quotient {
		if r.shape.Present(phase) {
			r.fill(phase)
		}
	}
	r.challenges, r.constraint = protocol.LogUpChallenges{Alpha: r.extension(), Beta: r.extension()}, r.extension()
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
func (r *randomRows) fill(phase protocol.Phase) {
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
		if err := r.columns(protocol.Quotient); err != nil {
			return err
		}
		memory, err := takeQuotient(scope, r.shape, r.program, false)
		if err != nil {
			return err
		}
		if err := errors.Join(r.listConstraints(), r.makeWeights(r.constraint), r.invertPoints(memory)); err != nil {
			return err
		}
		for c, class := range r.shape.Classes {
			n, own := uint64(1)<<class.LogHeight, r.phases[protocol.Quotient].list[c]
			listed := r.sumsOf(memory, c)
			listed.stream, listed.apart = r.device.Stream, false
			if err := r.sumClass(memory, listed); err != nil {
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

// reference is the sum of all weighted constraints at entry i of an instance by the verifier's evaluator, divided by
// x^n - 1, separately for constraints whose quotient takes 2n points and for the others. The first constraint has the
// given weight.
func (r *randomRows) reference(table, i int, weight goldilocks.Extension) (high, low goldilocks.Extension) {
	r.t.Helper()
	t, logHeight := r.shape.Table(table), r.shape.Instances[table].LogHeight
	n, after := uint64(1)<<logHeight, rowAfter(i, logHeight)
	x, g := cosetPoint(i), goldilocks.RootOfUnity(logHeight)
	vanishing := x.Exp(n).Sub(1)
	point := &air.Point{Public: r.public, First: goldilocks.FromBase(vanishing.Mul(x.Sub(1).Inverse())),
		Last:       goldilocks.FromBase(vanishing.Mul(x.Sub(g.Inverse()).Inverse())),
		Transition: goldilocks.FromBase(x.Sub(g.Inverse()))}
	at := func(phase protocol.Phase, column, entry int) goldilocks.Extension {
		return goldilocks.FromBase(r.cells[phase][table][column][entry])
	}
	for column := range t.Main {
		point.Main = append(point.Main, at(protocol.Main, column, i))
	}
	for column := range t.Preprocessed {
		point.Preprocessed = append(point.Preprocessed, at(protocol.PreprocessedPhase(t), column, i))
	}
	for _, column := range t.NextMain {
		point.NextMain = append(point.NextMain, at(protocol.Main, column, after))
	}
	for _, column := range t.NextPreprocessed {
		point.NextPreprocessed = append(point.NextPreprocessed, at(protocol.PreprocessedPhase(t), column, after))
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
			e[j] = r.cells[protocol.Auxiliary][table][3*k+j][entry]
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
