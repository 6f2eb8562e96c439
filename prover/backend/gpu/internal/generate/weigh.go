package generate

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
)

// weigh appends a weight and returns its index.
func (g *quotientGenerator) weigh(w Weight) int {
	g.quotient.Weights = append(g.quotient.Weights, w)
	return len(g.quotient.Weights) - 1
}

// weighRun writes a run's loop, or two nested loops if pieces are packed.
func (g *quotientGenerator) weighRun(s *Source, run *Run, name string, group *group) {
	members := group.members[run]
	slots := findSlots(members)
	endings := slots.endApart(run.shape, members)
	if endings != nil {
		slots.parts = []int{len(members)}
	}
	if slots.parts != nil {
		run, members = slots.reversed(run, members)
	}
	weighed, first := slots.count(false), len(g.quotient.Weights)
	for _, c := range members {
		for j, p := range c {
			if !slots.packed[j] {
				g.weigh(run.shape.signed(j, p.weight))
			}
		}
	}
	body := func(w *writer) {
		if weighed > 0 {
			s.Line("const u64 *weight = rows.weights + 3 * (%d + %dull * %s);", first, weighed, w.index)
		}
		slots.positions(s, w, group, members[0], func(position int, value string) {
			s.Line("weigh(sum, %s, weight + %d);", value, 3*position)
		})
	}
	if slots.parts == nil {
		run.Unroll = unrolled(run)
		run.write(s, name, body)
		return
	}
	loop := partLoop{run: run, name: name, slots: slots, turn: 1, body: body, ended: func() {}, ahead: run.cellsAhead(1)}
	if endings != nil {
		g.weighApart(s, loop, group, members, endings)
		return
	}
	g.weighParts(s, loop, group, members)
}

// reversed returns a run with the clusters of each part in reverse order: packed sums follow Horner's rule, which
// starts with the largest coefficients.
func (s slots) reversed(run *Run, members []cluster) (*Run, []cluster) {
	turned := &Run{shape: run.shape}
	var clusters []cluster
	start := 0
	for _, length := range s.parts {
		for k := start + length - 1; k >= start; k-- {
			turned.add(run.items[k], run.leaves[k], run.extra[k])
			clusters = append(clusters, members[k])
		}
		start += length
	}
	return turned, clusters
}

// eachPart calls do with the last cluster of each part of a reversed run. Its weights are those of the part's totals.
func (s slots) eachPart(members []cluster, do func(last cluster)) {
	start := 0
	for _, length := range s.parts {
		do(members[start+length-1])
		start += length
	}
}

// weighParts writes a reversed run's loop, and weighs the totals of each part.
func (g *quotientGenerator) weighParts(s *Source, loop partLoop, group *group, members []cluster) {
	first := len(g.quotient.Weights)
	loop.eachPart(members, func(last cluster) {
		for j, p := range last {
			if loop.packed[j] {
				g.weigh(p.weight)
			}
		}
	})
	packed := loop.count(true)
	loop.totals = func() {
		loop.slots.totals(s, loop.run, group, members[0], func(pack int, value string) {
			s.Line("weigh(sum, %s, rows.weights + 3 * (%d + %d * part));", value, first+pack, packed)
		})
	}
	loop.write(s)
}

// partLoop is a loop over the parts of a reversed run, with an inner loop over the clusters of a part.
type partLoop struct {
	run  *Run
	name string
	slots
	turn   int             // repetitions after which a turn ends; all parts' lengths are multiples of it
	body   func(w *writer) // of a repetition
	ended  func()          // after a turn
	totals func()          // of a part

	ahead, asked []int // leaves that are read ahead into registers, and into shared memory
}

// write writes the loops.
func (l partLoop) write(s *Source) {
	s.Line("{")
	s.Line("u32 next = 0;")
	if len(l.asked) > 0 {
		l.run.openAsked(s, l.name, l.asked)
	} else {
		l.run.openAhead(s, l.name, 1, l.ahead)
	}
	l.openParts(s, l.run, l.name)
	s.Line("NO_UNROLL for (u32 end = next + %s_lengths[part][0]; next < end;) {", l.name)
	for range l.turn {
		l.repetition(s, "const u32 k = next++, place = end - next;")
	}
	l.ended()
	s.Line("}")
	l.totals()
	s.Line("}")
	s.Line("}")
}

// repetition writes one repetition. It starts with the statement count, which declares k.
func (l partLoop) repetition(s *Source, count string) {
	s.Line("{")
	s.Line("%s", count)
	var cells map[int]string
	if len(l.asked) > 0 {
		cells = l.run.takeAsked(s, l.name, l.asked)
	} else {
		cells = l.run.readAhead(s, l.name, "next", 0, l.ahead)
	}
	l.run.entryBeside(s, l.name, append(l.ahead, l.asked...))
	l.run.body(s, "k", func(w *writer) {
		w.cells = cells
		l.body(w)
	})
}

// openParts begins the loop over parts, and the packed sums of each part.
func (s slots) openParts(to *Source, run *Run, name string) {
	s.declareParts(to, run, name)
	to.Line("NO_UNROLL for (u32 part = 0; part < %d; part++) {", len(s.parts))
	for _, sum := range s.allSums(run.shape) {
		to.Line("%s %s = %s;", sum.kind(), sum.name, sum.start(name))
	}
}

// declareParts writes the table of the parts' lengths, and declares the shared memory that less_twice needs.
func (s slots) declareParts(to *Source, run *Run, name string) {
	lengths := make([]uint32, len(s.parts))
	for part, length := range s.parts {
		lengths[part] = uint32(length)
	}
	to.declareTable(name+"_lengths", [][]uint32{lengths})
	if s.sums(run.shape).whole() {
		to.Line("SHARED(u64, less, [LESS_WORDS][%d]);", KernelThreads)
	}
}

// packedSum is a variable that is added up over a part: the terms of a packed position by Horner's rule, the products
// of an exclusive or, or an addend that several positions share.
type packedSum struct {
	name           string       // of the variable
	position, step int          // of a packed position, or of an addend
	terms          []term       // of a repetition, by Horner's rule
	xor            *exclusiveOr // whose products are added up whole
	common         bool         // whether the sum belongs to an addend that is a factor of such products
	neighbour                   // instead of terms, if the position has one
}

// packedSums has a sum for each packed position, and one for each addend.
type packedSums struct{ packed, addends []packedSum }

func (s slots) sums(shape *shape) (sums packedSums) {
	addends, xors := s.addends(shape), s.exclusiveOrs(shape)
	common, shared := map[int]bool{}, s.neighbours(shape, own(xors, addends))
	for j, root := range shape.roots {
		if !s.packed[j] {
			continue
		}
		sum := packedSum{position: j, step: root}
		switch {
		case xors[j] != nil && addends[j] >= 0:
			sum.xor = xors[j]
			common[xors[j].a] = true
		case shared[j].neighbours != nil:
			sum.neighbour = shared[j]
		case xors[j] != nil:
			sum.terms = xors[j].terms()
		case addends[j] >= 0:
			sum.terms = shape.terms(shape.other(root, addends[j]), s.doubly)
		default:
			sum.terms = shape.terms(root, s.doubly)
		}
		sum.name = fmt.Sprint("packed", len(sums.packed))
		sums.packed = append(sums.packed, sum)
	}
	for _, y := range distinct(addends) {
		own := term{step: y, factor: -1, coefficient: 1}
		sums.addends = append(sums.addends, packedSum{name: fmt.Sprint("addend", y), step: y, terms: []term{own},
			common: common[y]})
	}
	return sums
}

// allSums returns the sums of packed positions, followed by those of addends.
func (s slots) allSums(shape *shape) []packedSum {
	sums := s.sums(shape)
	return append(sums.packed, sums.addends...)
}

// whole reports whether products are added up whole.
func (s packedSums) whole() bool {
	return slices.ContainsFunc(s.packed, func(sum packedSum) bool { return sum.xor != nil })
}

// other returns the operand of a sum that is not the given operand.
func (f *shape) other(sum, operand int) int { return f.steps[sum].a + f.steps[sum].b - operand }

// halved reports whether each repetition adds a step less a half by Horner's rule, so that the sum lacks a half.
func (p packedSum) halved() bool {
	if p.neighbours != nil {
		return !p.second
	}
	return slices.ContainsFunc(p.terms, func(t term) bool { return t.half && t.factor < 0 })
}

// kind returns a sum's type, and start its initial value in a part.
func (p packedSum) kind() string {
	if p.xor != nil {
		return "Sum"
	}
	return "Lazy"
}

func (p packedSum) start(run string) string {
	switch {
	case p.xor != nil:
		return "sum_zero()"
	case p.common:
		return fmt.Sprintf("lazy(half_of_ones(%s_lengths[part][0]))", run)
	case p.halved():
		return "lazy(HALF)"
	default:
		return "lazy(0)"
	}
}

// add writes what a repetition adds.
func (p packedSum) add(to *Source, w *writer, doubly int) {
	name := p.name
	switch {
	case p.xor != nil:
		to.Line("add_product(%s, %s, %s);", name, w.value(p.xor.b), w.shiftedLessHalf(p.xor.a))
	case p.common:
		to.Line("add_word(%s, %s);", name, w.shiftedLessHalf(p.step))
	case p.neighbours != nil:
		p.neighbour.add(to, w, name)
	default:
		packTerms(to, w, name, p.terms, doubly)
	}
}

// end subtracts the half with which a sum began.
func (p packedSum) end(to *Source) {
	if p.halved() {
		to.Line("add_word(%s, MINUS_HALF);", p.name)
	}
}

// totals weighs the sums of a part.
func (s slots) totals(to *Source, run *Run, group *group, form cluster, weigh func(pack int, value string)) {
	addends, sums := s.addends(run.shape), s.sums(run.shape)
	for _, sum := range sums.addends {
		to.Line("u64 total%d = canonical_word(residue(addend%d));", sum.step, sum.step)
	}
	for pack, sum := range sums.packed {
		sum.end(to)
		value, y := fmt.Sprintf("residue(packed%d)", pack), addends[sum.position]
		switch {
		case sum.xor != nil:
			value = fmt.Sprintf("less_twice(total%d, packed%d, less)", y, pack)
		case y >= 0:
			value = fmt.Sprintf("add_residue(%s, total%d)", value, y)
		}
		weigh(pack, selected(form[sum.position], group, value))
	}
}

// positions adds a cluster's packed pieces to their sums, and calls weigh for its other pieces.
func (s slots) positions(to *Source, w *writer, group *group, form cluster, weigh func(position int, value string)) {
	sums := s.sums(w.shape)
	position, pack := 0, 0
	for j, p := range form {
		if s.packed[j] {
			sums.packed[pack].add(to, w, s.doubly)
			pack++
			continue
		}
		weigh(position, selected(p, group, w.weighed(j)))
		position++
	}
	for _, sum := range sums.addends {
		sum.add(to, w, s.doubly)
	}
}

// packTerms multiplies a sum by 2^doubly and adds terms.
func packTerms(s *Source, w *writer, sum string, terms []term, doubly int) {
	for _, before := range []bool{true, false} {
		for _, t := range terms {
			if t.doubled() == before {
				packTerm(s, w, sum, t)
			}
		}
		if before {
			s.Line("shift_left(%s, %d);", sum, doubly)
		}
	}
}

func packTerm(s *Source, w *writer, sum string, t term) {
	verb := "add"
	if t.coefficient < 0 {
		verb = "subtract"
	}
	first := w.value
	if t.half {
		first = w.lessHalf
	}
	if t.factor < 0 {
		s.Line("%s_word(%s, %s);", verb, sum, first(t.step))
		return
	}
	s.Line("%s_product(%s, %s, %s);", verb, sum, first(t.step), w.value(t.factor))
}

// distinct lists steps that are not -1, each once, ascending.
func distinct(steps []int) []int {
	list := slices.DeleteFunc(slices.Clone(steps), func(step int) bool { return step < 0 })
	slices.Sort(list)
	return slices.Compact(list)
}

// selected multiplies a value by the piece's selector, unless the group does so at the end.
func selected(p *piece, group *group, value string) string {
	if p.selector == group.selector || p.selector == air.Constant {
		return value
	}
	name := map[air.Op]string{air.First: "first", air.Last: "last", air.Transition: "transition"}[p.selector]
	return fmt.Sprintf("multiply_residues(%s, row.%s())", value, name)
}

// unrolled returns the factor by which a loop is unrolled: about six loads of cells are then pending.
func unrolled(run *Run) int {
	return max(1, min(6/max(1, len(run.shape.leaves)), len(run.items)))
}
