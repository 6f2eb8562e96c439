package generate

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
)

// weigh appends a weight and returns its place.
func (g *quotientGenerator) weigh(w Weight) int {
	g.quotient.Weights = append(g.quotient.Weights, w)
	return len(g.quotient.Weights) - 1
}

// weighRun writes a run's loop, or two loops where pieces are packed.
func (g *quotientGenerator) weighRun(s *Source, run *Run, name string, group *group) {
	members := group.members[run]
	slots := findSlots(members)
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
		slots.places(s, w, group, members[0], func(place int, value string) {
			s.Line("weigh(sum, %s, weight + %d);", value, 3*place)
		})
	}
	if slots.parts == nil {
		run.Unroll = unrolled(run)
		run.write(s, name, body)
		return
	}
	g.packedLoop(s, run, name, group, members, slots, body)
}

// reversed is a run with the clusters of each part from the last, whose coefficients are the largest: packed sums go by
// Horner's rule.
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

// packedLoop writes a loop over the parts of a reversed run and in it one over the clusters of a part.
func (g *quotientGenerator) packedLoop(s *Source, run *Run, name string, group *group, members []cluster, slots slots,
	body func(w *writer)) {
	first, start := len(g.quotient.Weights), 0
	for _, length := range slots.parts {
		for j, p := range members[start+length-1] {
			if slots.packed[j] {
				g.weigh(p.weight)
			}
		}
		start += length
	}
	s.Line("{")
	s.Line("u32 next = 0;")
	ahead := run.cellsAhead(1)
	run.openAhead(s, name, 1, ahead)
	slots.openParts(s, run, name)
	s.Line("NO_UNROLL for (u32 end = next + %s_lengths[part][0]; next < end;) {", name)
	s.Line("const u32 k = next++;")
	cells := run.readAhead(s, name, "next", 0, ahead)
	run.entryBeside(s, name, ahead)
	run.body(s, "k", func(w *writer) {
		w.cells = cells
		body(w)
	})
	packed := slots.count(true)
	slots.totals(s, run, group, members[0], func(pack int, value string) {
		s.Line("weigh(sum, %s, rows.weights + 3 * (%d + %d * part));", value, first+pack, packed)
	})
	s.Line("}")
	s.Line("}")
}

// openParts begins the loop over parts, and the packed sums of one.
func (s slots) openParts(to *Source, run *Run, name string) {
	lengths := make([]uint32, len(s.parts))
	for part, length := range s.parts {
		lengths[part] = uint32(length)
	}
	to.declareTable(name+"_lengths", [][]uint32{lengths})
	to.Line("NO_UNROLL for (u32 part = 0; part < %d; part++) {", len(lengths))
	sums := s.sums(run.shape)
	for pack, sum := range sums.packed {
		to.Line("Lazy packed%d = lazy(%s);", pack, sum.begin())
	}
	for _, sum := range sums.addends {
		to.Line("Lazy addend%d = lazy(%s);", sum.step, sum.begin())
	}
}

// packedSum is a sum by Horner's rule.
type packedSum struct {
	place, step int    // of a packed place, or of an addend
	terms       []term // of a repetition
}

// sums lists them: one a packed place and one an addend.
func (s slots) sums(shape *shape) (sums struct{ packed, addends []packedSum }) {
	addends, xors := s.addends(shape), s.exclusiveOrs(shape)
	halved := map[int]bool{}
	for j, root := range shape.roots {
		if !s.packed[j] {
			continue
		}
		sum := packedSum{place: j, step: root}
		switch {
		case xors[j] != nil:
			sum.terms = xors[j].terms(addends[j] >= 0)
			halved[xors[j].a] = true
		case addends[j] >= 0:
			sum.terms = shape.terms(shape.other(root, addends[j]), s.doubly)
		default:
			sum.terms = shape.terms(root, s.doubly)
		}
		sums.packed = append(sums.packed, sum)
	}
	for _, y := range distinct(addends) {
		own := term{step: y, factor: -1, coefficient: 1, half: halved[y]}
		sums.addends = append(sums.addends, packedSum{step: y, terms: []term{own}})
	}
	return sums
}

// other is the operand of a sum that is not the given one.
func (f *shape) other(sum, operand int) int { return f.steps[sum].a + f.steps[sum].b - operand }

// halved reports whether each repetition adds a step less a half, and so a half too little.
func (p packedSum) halved() bool {
	return slices.ContainsFunc(p.terms, func(t term) bool { return t.half && t.factor < 0 })
}

func (p packedSum) begin() string {
	if p.halved() {
		return "HALF"
	}
	return "0"
}

// end writes what is left to do where a sum began with a half.
func (p packedSum) end(to *Source, name string) {
	if p.halved() {
		to.Line("add_word(%s, MINUS_HALF);", name)
	}
}

// totals weighs the packed sums of a part.
func (s slots) totals(to *Source, run *Run, group *group, form cluster, weigh func(pack int, value string)) {
	addends, sums := s.addends(run.shape), s.sums(run.shape)
	for _, sum := range sums.addends {
		sum.end(to, fmt.Sprint("addend", sum.step))
		to.Line("u64 total%d = canonical_word(residue(addend%d));", sum.step, sum.step)
	}
	for pack, sum := range sums.packed {
		sum.end(to, fmt.Sprint("packed", pack))
		value := fmt.Sprintf("residue(packed%d)", pack)
		if y := addends[sum.place]; y >= 0 {
			value = fmt.Sprintf("add_residue(%s, total%d)", value, y)
		}
		weigh(pack, selected(form[sum.place], group, value))
	}
}

// places writes what a cluster adds to packed sums, and has its other pieces weighed.
func (s slots) places(to *Source, w *writer, group *group, form cluster, weigh func(place int, value string)) {
	sums := s.sums(w.shape)
	place, pack := 0, 0
	for j, p := range form {
		if s.packed[j] {
			packTerms(to, w, fmt.Sprint("packed", pack), sums.packed[pack].terms, s.doubly)
			pack++
			continue
		}
		weigh(place, selected(p, group, w.weighed(j)))
		place++
	}
	for _, sum := range sums.addends {
		packTerms(to, w, fmt.Sprint("addend", sum.step), sum.terms, s.doubly)
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

// selected multiplies a piece's selector in where the group does not do it at the end.
func selected(p *piece, group *group, value string) string {
	if p.selector == group.selector || p.selector == air.Constant {
		return value
	}
	name := map[air.Op]string{air.First: "first", air.Last: "last", air.Transition: "transition"}[p.selector]
	return fmt.Sprintf("multiply_residues(%s, row.%s())", value, name)
}

// unrolled keeps about six loads of cells in flight.
func unrolled(run *Run) int {
	return max(1, min(6/max(1, len(run.shape.leaves)), len(run.items)))
}
