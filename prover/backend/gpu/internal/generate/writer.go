package generate

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// writer writes the steps of one body.
type writer struct {
	source        *Source
	shape         *shape
	leaves, extra []string // the expressions of column numbers and further numbers
	index         string
	cells         map[int]string // by leaf, main cells that have been read
	values        []value        // by step
	wants         []bool         // by step, see wanted
	readers       []int          // of each step
	exact         bool           // roots are requested as canonical
}

// value is the C++ expression of a step's result.
type value struct {
	text      string
	canonical bool   // below p; else any residue
	constant  bool   // literal
	word      uint64 // of a constant
}

// smallConstant bounds the constants for which p + c is below 2^64.
const smallConstant = 1<<32 - 1

// value returns the expression of a step's result. A step is written when it is first requested, so values are computed
// close to their uses.
func (w *writer) value(i int) string {
	w.need(i)
	return w.values[i].text
}

func (w *writer) need(i int) {
	if w.values == nil {
		w.values = make([]value, len(w.shape.steps))
	}
	if w.values[i].text != "" {
		return
	}
	if w.needForm(i) {
		return
	}
	s := w.shape.steps[i]
	switch {
	case w.boolean(i) >= 0:
		w.need(s.b)
	case w.fused(i) >= 0:
		for _, j := range w.operands(i) {
			w.need(j)
		}
	case s.op == air.Sub && w.shape.steps[s.a].op == air.Constant && w.doubled(s.b) >= 0:
		w.need(s.a)
		if w.shape.steps[s.a].value >= smallConstant {
			w.need(s.b)
		} else {
			w.need(w.doubled(s.b))
		}
	case s.op.IsBinary():
		w.need(min(s.a, s.b))
		w.need(max(s.a, s.b))
	}
	w.values[i] = w.step(i)
}

// needForm writes a step that has one of the special forms.
func (w *writer) needForm(i int) bool {
	if x, c := w.cubic(i); x >= 0 && w.values[x].text == "" {
		w.values[i] = w.writeCubic(i, x, c)
	} else if op := w.shape.steps[i].op; op != air.Add && op != air.Sub {
		return false
	} else if text := w.summed(i, 0); text != "" {
		w.values[i] = w.define(i, false, "%s", text)
	}
	return w.values[i].text != ""
}

// uses counts the readers of each step.
func (w *writer) uses() []int {
	if w.readers == nil {
		w.readers = w.shape.uses()
	}
	return w.readers
}

// fused returns the product of a sum a b + c if no other step reads the product and it is not written yet, else -1.
func (w *writer) fused(i int) int {
	s := w.shape.steps[i]
	if s.op != air.Add || s.a == s.b {
		return -1
	}
	for _, j := range []int{s.b, s.a} {
		product := w.shape.steps[j]
		if product.op == air.Mul && w.uses()[j] == 1 && w.values[j].text == "" && w.shape.small(product) < 0 {
			return j
		}
	}
	return -1
}

// operands returns the steps that a fused sum reads, in ascending order.
func (w *writer) operands(i int) []int {
	s, product := w.shape.steps[i], w.fused(i)
	steps := []int{s.a + s.b - product, w.shape.steps[product].a, w.shape.steps[product].b}
	slices.Sort(steps)
	return steps
}

// lessHalf returns the expression of a product minus 1/2, as any residue, and shiftedLessHalf of 2^place times that
// (place is a variable of the generated code). No step reads the product itself.
func (w *writer) lessHalf(i int) string { return w.product(i, "multiply_add(%s, %s, MINUS_HALF)") }

func (w *writer) shiftedLessHalf(i int) string {
	return w.product(i, "multiply_add_shifted(%s, %s, MINUS_HALF, place)")
}

func (w *writer) product(i int, format string) string {
	s := w.shape.steps[i]
	w.need(min(s.a, s.b))
	w.need(max(s.a, s.b))
	if w.values[i].text == "" {
		w.values[i] = w.define(i, false, format, w.values[s.a].text, w.values[s.b].text)
	}
	return w.values[i].text
}

// small returns the operand of a product that is a constant below 2^32 - 1, else -1.
func (f *shape) small(product step) int {
	for _, j := range []int{product.b, product.a} {
		if s := f.steps[j]; s.op == air.Constant && s.value < smallConstant {
			return j
		}
	}
	return -1
}

// boolean returns the step x if a step is x*x - x and x is a cell, else -1.
func (w *writer) boolean(i int) int {
	s := w.shape.steps[i]
	if s.op != air.Sub {
		return -1
	}
	square, x := w.shape.steps[s.a], w.shape.steps[s.b]
	if square.op == air.Mul && square.a == s.b && square.b == s.b && (x.op == air.Main || x.op == air.Preprocessed) {
		return s.b
	}
	return -1
}

func (w *writer) step(i int) value {
	s := w.shape.steps[i]
	next := ""
	if s.next {
		next = "_next"
	}
	switch s.op {
	case air.Constant:
		return value{text: literal(s.value), canonical: true, constant: true, word: s.value}
	case air.Main:
		if cell, read := w.cells[s.leaf]; read {
			return value{text: cell, canonical: true}
		}
		return w.define(i, true, "row.main%s(%s)", next, w.leaves[s.leaf])
	case air.Preprocessed:
		return w.define(i, true, "row.preprocessed%s(%s)", next, w.leaves[s.leaf])
	case air.Public:
		return w.define(i, true, "row.public_value(%s)", w.leaves[s.leaf])
	case air.Periodic:
		return w.define(i, true, "row.periodic(%s)", w.leaves[s.leaf])
	case keptOp:
		return w.define(i, true, "kept[%s]", w.leaves[s.leaf])
	case packOp:
		return w.pack(i, s)
	case air.First:
		return w.define(i, true, "row.first()")
	case air.Last:
		return w.define(i, true, "row.last()")
	case air.Transition:
		return w.define(i, true, "row.transition()")
	case air.Add:
		if product := w.fused(i); product >= 0 {
			p := w.shape.steps[product]
			return w.define(i, false, "multiply_add(%s, %s, %s)", w.values[p.a].text, w.values[p.b].text,
				w.values[s.a+s.b-product].text)
		}
		return w.add(i, s.a, s.b)
	case air.Sub:
		return w.subtract(i, s.a, s.b)
	default:
		return w.multiply(i, s.a, s.b)
	}
}

// add needs one canonical operand. A sum that must be canonical costs two instructions more.
func (w *writer) add(i, a, b int) value {
	if w.values[a].canonical {
		a, b = b, a
	}
	right := w.canonical(b)
	if w.values[a].canonical && w.wanted()[i] {
		return w.define(i, true, "add_words(%s, %s)", w.values[a].text, right)
	}
	return w.define(i, false, "add_residue(%s, %s)", w.values[a].text, right)
}

// wanted reports for each step whether a canonical value saves instructions: the step is subtracted, added to a
// non-canonical value, or requested as canonical.
func (w *writer) wanted() []bool {
	if w.wants != nil {
		return w.wants
	}
	w.wants = make([]bool, len(w.shape.steps))
	reduced := func(i int) bool {
		op := w.shape.steps[i].op
		return !op.IsBinary() && op != packOp
	}
	for _, s := range w.shape.steps {
		switch s.op {
		case air.Sub:
			w.wants[s.b] = true
		case air.Add:
			if !reduced(s.a) && !reduced(s.b) {
				w.wants[s.a], w.wants[s.b] = true, true
			}
		}
	}
	for _, root := range w.shape.roots {
		w.wants[root] = w.wants[root] || w.exact
	}
	return w.wants
}

// subtract needs a canonical subtrahend y. For a small constant c, c - y is (p + c) - y, which neither borrows nor
// overflows, and c - 2y subtracts y once more.
func (w *writer) subtract(i, a, b int) value {
	if x := w.boolean(i); x >= 0 {
		return w.define(i, false, "boolean_residue(%s)", w.values[x].text)
	}
	left := w.values[a]
	small := left.constant && left.word < smallConstant
	if y := w.doubled(b); small && y >= 0 {
		return w.define(i, false, "subtract_words(%s - %s, %s)", literal(goldilocks.Modulus+left.word),
			w.canonical(y), w.canonical(y))
	}
	right := w.canonical(b)
	if small {
		return w.define(i, false, "%s - %s", literal(goldilocks.Modulus+left.word), right)
	}
	return w.define(i, left.canonical, "subtract_words(%s, %s)", left.text, right)
}

// doubled returns the step y if a step is y + y and not written yet, else -1.
func (w *writer) doubled(i int) int {
	if s := w.shape.steps[i]; s.op == air.Add && s.a == s.b && w.values[i].text == "" {
		return s.a
	}
	return -1
}

func (w *writer) multiply(i, a, b int) value {
	if w.values[a].constant {
		a, b = b, a
	}
	left, right := w.values[a], w.values[b]
	if right.constant && right.word < smallConstant {
		return w.define(i, false, "multiply_small(%s, %du)", left.text, right.word)
	}
	return w.define(i, false, "multiply_residues(%s, %s)", left.text, right.text)
}

// pack sums the terms with shifts below 32, then the others shifted down by 32.
func (w *writer) pack(i int, s step) value {
	var sums []string
	for first := 0; first < packedBits; first += maxShift {
		name := fmt.Sprintf("v%dp%d", i, first/maxShift)
		begun := false
		for k, term := range s.terms {
			if s.shifts[k] < first || s.shifts[k] >= first+maxShift {
				continue
			}
			if !begun {
				w.source.Line("Packed %s = packed_zero();", name)
				begun = true
			}
			w.source.Line("pack_term(%s, %s, %d);", name, w.value(term), s.shifts[k]-first)
		}
		if begun {
			sums = append(sums, fmt.Sprintf("packed_residue(%s)", name))
		}
	}
	if len(sums) == 1 {
		return w.define(i, false, "%s", sums[0])
	}
	return w.define(i, false, "add_words(multiply_residues(%s, %s), canonical_word(%s))", sums[1],
		literal(1<<maxShift), sums[0])
}

// canonical returns the expression of a step's value reduced below p. The value is reduced once.
func (w *writer) canonical(i int) string {
	w.need(i)
	v := &w.values[i]
	if !v.canonical {
		reduced := fmt.Sprintf("v%dr", i)
		w.source.Line("u64 %s = canonical_word(%s);", reduced, v.text)
		v.text, v.canonical = reduced, true
	}
	return v.text
}

func (w *writer) define(i int, canonical bool, format string, args ...any) value {
	name := fmt.Sprintf("v%d", i)
	w.source.Line("u64 %s = %s;", name, fmt.Sprintf(format, args...))
	return value{text: name, canonical: canonical}
}

func literal(word uint64) string { return fmt.Sprintf("%dull", word) }
