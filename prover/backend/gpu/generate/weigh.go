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
	weighed, first := slots.count(false), len(g.quotient.Weights)
	for _, c := range members {
		for j, p := range c {
			if !slots.packed[j] {
				g.weigh(p.weight)
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
	run.declare(s, name)
	g.packedLoop(s, run, name, group, slots, body)
}

// packedLoop writes a loop over the parts of a run and in it one over the clusters of a part, from the last, whose
// coefficients are the largest: packed sums go by Horner's rule.
func (g *quotientGenerator) packedLoop(s *Source, run *Run, name string, group *group, slots slots,
	body func(w *writer)) {
	members := group.members[run]
	first, start := len(g.quotient.Weights), 0
	for _, length := range slots.parts {
		for j, p := range members[start] {
			if slots.packed[j] {
				g.weigh(p.weight)
			}
		}
		start += length
	}
	slots.openParts(s, run, name)
	s.Line("NO_UNROLL for (u32 place = %s_lengths[part][0]; place-- > 0;) {", name)
	s.Line("const u32 k = first + place;")
	run.entry(s, name)
	run.body(s, "k", body)
	packed := slots.count(true)
	slots.totals(s, run, group, members[0], func(pack int, value string) {
		s.Line("weigh(sum, %s, rows.weights + 3 * (%d + %d * part));", value, first+pack, packed)
	})
	s.Line("}")
}

// openParts begins the loop over parts, and the packed sums of one.
func (s slots) openParts(to *Source, run *Run, name string) {
	lengths := make([]uint32, len(s.parts))
	for part, length := range s.parts {
		lengths[part] = uint32(length)
	}
	to.declareTable(name+"_lengths", [][]uint32{lengths})
	to.Line("NO_UNROLL for (u32 part = 0, first = 0; part < %d; first += %s_lengths[part][0], part++) {", len(lengths),
		name)
	for pack := range s.count(true) {
		to.Line("Lazy packed%d = lazy(0);", pack)
	}
	for _, y := range distinct(s.addends(run.shape)) {
		to.Line("Lazy addend%d = lazy(0);", y)
	}
}

// totals weighs the packed sums of a part.
func (s slots) totals(to *Source, run *Run, group *group, form cluster, weigh func(pack int, value string)) {
	addends := s.addends(run.shape)
	for _, y := range distinct(addends) {
		to.Line("u64 total%d = canonical_word(residue(addend%d));", y, y)
	}
	pack := 0
	for j, p := range form {
		if s.packed[j] {
			value := fmt.Sprintf("residue(packed%d)", pack)
			if y := addends[j]; y >= 0 {
				value = fmt.Sprintf("add_residue(%s, total%d)", value, y)
			}
			weigh(pack, selected(p, group, value))
			pack++
		}
	}
}

// places writes what a cluster adds to packed sums, and has its other pieces weighed.
func (s slots) places(to *Source, w *writer, group *group, form cluster, weigh func(place int, value string)) {
	addends := s.addends(w.shape)
	place, pack := 0, 0
	for j, p := range form {
		root := w.shape.roots[j]
		if s.packed[j] {
			packPlace(to, w, pack, root, addends[j], s.doubly)
			pack++
			continue
		}
		weigh(place, selected(p, group, w.value(root)))
		place++
	}
	for _, y := range distinct(addends) {
		packTerms(to, w, fmt.Sprint("addend", y), []term{{y, -1, 1}}, s.doubly)
	}
}

// packPlace packs the value of a place: a step, or what is left of the sum without its addend.
func packPlace(s *Source, w *writer, pack, step, addend, doubly int) {
	if addend >= 0 {
		root := w.shape.steps[step]
		step = root.a
		if step == addend {
			step = root.b
		}
	}
	packTerms(s, w, fmt.Sprint("packed", pack), w.shape.terms(step, doubly), doubly)
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
	if t.factor < 0 {
		s.Line("%s_word(%s, %s);", verb, sum, w.value(t.step))
		return
	}
	first, second := w.value(t.step), w.value(t.factor)
	s.Line("%s_product(%s, %s, %s);", verb, sum, first, second)
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
