package generate

import (
	"fmt"

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
				s.Line("pack_term(packed%d, %s, %d * place);", pack, value(w, j), slots.doubly)
				pack++
				continue
			}
			s.Line("weigh(sum, %s, weight + %d);", selected(p, group, value(w, j)), 3*place)
			place++
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
func (g *quotientGenerator) packedLoop(s *Source, run *Run, name string, group *group, slots slots, body func(w *writer)) {
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
	s.Line("NO_UNROLL for (u32 place = 0; place < %s_lengths[part][0]; place++, k++) {", name)
	run.entry(s, name)
	run.body(s, "k", body)
	pack := 0
	for j, p := range members[0] {
		if slots.packed[j] {
			s.Line("weigh(sum, %s, rows.weights + 3 * (%d + %d * part));", selected(p, group, fmt.Sprintf("packed_residue(packed%d)", pack)), first+pack, packed)
			pack++
		}
	}
	s.Line("}")
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
