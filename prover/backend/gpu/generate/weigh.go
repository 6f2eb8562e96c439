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
	addends := slots.addends(run.shape)
	value := func(w *writer, j int) string { return w.value(run.shape.roots[j]) }
	weighed, first := 0, len(g.quotient.Weights)
	for _, c := range members {
		for j, p := range c {
			if !slots.packed[j] {
				g.weigh(p.weight)
			}
		}
	}
	for _, packed := range slots.packed {
		if !packed {
			weighed++
		}
	}
	body := func(w *writer) {
		place, pack := 0, 0
		if weighed > 0 {
			s.Line("const u64 *weight = rows.weights + 3 * (%d + %dull * %s);", first, weighed, w.index)
		}
		for j, p := range members[0] {
			if slots.packed[j] {
				packPlace(s, w, pack, run.shape.roots[j], addends[j], slots.doubly)
				pack++
				continue
			}
			s.Line("weigh(sum, %s, weight + %d);", selected(p, group, value(w, j)), 3*place)
			place++
		}
		for _, y := range distinct(addends) {
			s.Line("pack_term(addend%d, %s, %d * place);", y, w.value(y), slots.doubly)
		}
	}
	if slots.parts == nil {
		run.Unroll = unrolled(run)
		run.write(s, name, body)
		return
	}
	run.declare(s, name)
	g.packedLoop(s, run, name, group, slots, body)
}

// packedLoop writes a loop over the parts of a run and in it one over the clusters of a part.
func (g *quotientGenerator) packedLoop(s *Source, run *Run, name string, group *group, slots slots,
	body func(w *writer)) {
	members := group.members[run]
	lengths := make([]uint32, len(slots.parts))
	first, start := len(g.quotient.Weights), 0
	for part, length := range slots.parts {
		lengths[part] = uint32(length)
		for j, p := range members[start] {
			if slots.packed[j] {
				g.weigh(p.weight)
			}
		}
		start += length
	}
	s.declareTable(name+"_lengths", [][]uint32{lengths})
	s.Line("NO_UNROLL for (u32 part = 0, k = 0; part < %d; part++) {", len(lengths))
	packed := 0
	for _, is := range slots.packed {
		if is {
			s.Line("Packed packed%d = packed_zero();", packed)
			packed++
		}
	}
	addends := slots.addends(run.shape)
	for _, y := range distinct(addends) {
		s.Line("Packed addend%d = packed_zero();", y)
	}
	s.Line("NO_UNROLL for (u32 place = 0; place < %s_lengths[part][0]; place++, k++) {", name)
	run.entry(s, name)
	run.body(s, "k", body)
	for _, y := range distinct(addends) {
		s.Line("u64 total%d = canonical_word(packed_residue(addend%d));", y, y)
	}
	pack := 0
	for j, p := range members[0] {
		if slots.packed[j] {
			value := fmt.Sprintf("packed_residue(packed%d)", pack)
			if y := addends[j]; y >= 0 {
				value = fmt.Sprintf("add_residue(%s, total%d)", value, y)
			}
			s.Line("weigh(sum, %s, rows.weights + 3 * (%d + %d * part));", selected(p, group, value), first+pack, packed)
			pack++
		}
	}
	s.Line("}")
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
	s.Line("pack_term(packed%d, %s, %d * place);", pack, w.value(step), doubly)
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
