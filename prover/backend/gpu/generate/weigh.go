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

// weighedPlaces are where the weights of a run's pieces lie that are weighed by themselves: cluster after cluster from first on, so many each.
type weighedPlaces struct{ first, each int }

// weighSlots lists the weights of the pieces that are not packed.
func (g *quotientGenerator) weighSlots(members []cluster, slots slots) weighedPlaces {
	places := weighedPlaces{first: len(g.quotient.Weights)}
	for _, c := range members {
		for j, p := range c {
			if !slots.packed[j] {
				g.weigh(p.weight)
			}
		}
	}
	places.each = (len(g.quotient.Weights) - places.first) / len(members)
	return places
}

// weighRun writes a run's loop, or two loops where pieces are packed.
func (g *quotientGenerator) weighRun(s *Source, run *Run, name string, group *group) {
	members := group.members[run]
	slots := findSlots(members)
	if slots.parts != nil {
		newPackedRun(g.shaper, run, members, slots).write(g, s, name, group)
		return
	}
	weighed := g.weighSlots(members, slots)
	s.Line("const u64 *%s_weights = rows.weights + %d;", name, 3*weighed.first)
	run.Unroll = unrolled(run)
	run.write(s, name, func(w *writer) {
		for j, p := range members[0] {
			s.Line("weigh(sum, %s, %s_weights + %d);", selected(p, group, w.value(run.shape.roots[j])), name, 3*j)
		}
		if len(run.items) > 1 {
			s.Line("%s_weights += %d;", name, 3*weighed.each)
		}
	})
}

// selected multiplies a piece's selector in where the group does not do it at the end.
func selected(p *piece, group *group, value string) string {
	if p.selector == group.selector || p.selector == air.Constant {
		return value
	}
	name := map[air.Op]string{air.First: "first", air.Last: "last", air.Transition: "transition"}[p.selector]
	return fmt.Sprintf("multiply_residues(%s, row.%s())", value, name)
}

// unrolled keeps about six loads of cells in flight, and in long loops twelve: the compiler moves sums from register to register where a loop
// turns back. In short ones that would not be worth the time it takes to compile.
func unrolled(run *Run) int {
	loads := 6
	if len(run.items) >= longLoop {
		loads = 12
	}
	return max(1, min(loads/max(1, len(run.shape.leaves)), len(run.items)))
}
