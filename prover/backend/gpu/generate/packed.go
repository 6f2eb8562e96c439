package generate

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
)

// packedRun is a run of clusters in which some places are packed. A repetition of its loop is several clusters, one after the other
// in the sums that go on, where all parts allow it. Then the products of a place that have a factor in common with another place are summed up before one
// reduction, and the compiler moves fewer sums about where the loop turns back.
type packedRun struct {
	slots
	run     *Run
	members []cluster // by repetition of the run that clusters are
	width   int       // clusters in a repetition of run
}

// widths are the numbers of clusters that a repetition may be, and wideCells bounds the cells that it reads.
var widths = []int{4, 2}

const wideCells = 48

// newPackedRun widens a run as far as the lengths of its parts allow.
func newPackedRun(shaper *shaper, run *Run, members []cluster, slots slots) *packedRun {
	p := &packedRun{slots: slots, run: run, members: members, width: 1}
	if len(members) < longLoop {
		return p
	}
	for _, width := range widths {
		if slots.divisible(width) && width*len(run.shape.leaves) <= wideCells {
			wide := &packedRun{slots: slots, run: widen(shaper, members, width), members: members, width: width}
			if wide.run != nil && wide.regular() {
				return wide
			}
		}
	}
	return p
}

// divisible reports whether every part is a multiple of a number of clusters.
func (s slots) divisible(width int) bool {
	return !slices.ContainsFunc(s.parts, func(length int) bool { return length%width != 0 })
}

// widen makes a run whose items are several clusters, place by place, or nil where these differ in form.
func widen(shaper *shaper, members []cluster, width int) *Run {
	wide := &Run{}
	key := ""
	for k := 0; k < len(members); k += width {
		var nodes []air.NodeID
		for j := range members[k] {
			for _, c := range members[k : k+width] {
				nodes = append(nodes, c[j].node)
			}
		}
		shape := shaper.of(nodes)
		if k == 0 {
			wide.shape, key = shape, string(shape.key())
		}
		if string(shape.key()) != key {
			return nil
		}
		wide.add(k/width, shape.leaves, nil)
	}
	return wide
}

// root is the step of a place in one of a repetition's clusters.
func (p *packedRun) root(place, cluster int) int { return p.run.shape.roots[place*p.width+cluster] }

// packedPlaces are the places that are packed.
func (p *packedRun) packedPlaces() (places []int) {
	for j, is := range p.packed {
		if is {
			places = append(places, j)
		}
	}
	return places
}

// addend finds, for a packed place whose value is a sum x + y, the steps x and y if y stands in the sum of another packed place too: such a y is
// packed once for all of them and not added to each. Otherwise rest is the value itself and shared -1.
func (p *packedRun) addend(place, cluster int) (rest, shared int) {
	rest, shared = p.root(place, cluster), -1
	root := p.run.shape.steps[rest]
	if root.op != air.Add || root.a == root.b {
		return rest, shared
	}
	for _, operands := range [2][2]int{{root.a, root.b}, {root.b, root.a}} {
		if p.sharedBy(place, func(other int) bool {
			step := p.run.shape.steps[p.root(other, cluster)]
			return step.op == air.Add && step.a != step.b && (step.a == operands[1] || step.b == operands[1])
		}) {
			rest, shared = operands[0], operands[1]
		}
	}
	return rest, shared
}

// factors finds, for a packed place whose value is a product after its addend is taken off, the factors x and y if y is a factor in another
// packed place too, else y is -1.
func (p *packedRun) factors(place, cluster int) (x, y int) {
	rest, _ := p.addend(place, cluster)
	product := p.run.shape.steps[rest]
	x, y = rest, -1
	if product.op != air.Mul {
		return x, y
	}
	for _, operands := range [2][2]int{{product.a, product.b}, {product.b, product.a}} {
		if p.sharedBy(place, func(other int) bool {
			rest, _ := p.addend(other, cluster)
			step := p.run.shape.steps[rest]
			return step.op == air.Mul && (step.a == operands[1] || step.b == operands[1])
		}) {
			x, y = operands[0], operands[1]
		}
	}
	return x, y
}

// sharedBy reports whether something holds for another packed place.
func (p *packedRun) sharedBy(place int, holds func(other int) bool) bool {
	return slices.ContainsFunc(p.packedPlaces(), func(other int) bool { return other != place && holds(other) })
}

// regular reports whether places share addends and factors in all clusters of a repetition as they do in the first.
func (p *packedRun) regular() bool {
	for _, j := range p.packedPlaces() {
		_, addend := p.addend(j, 0)
		_, factor := p.factors(j, 0)
		for cluster := range p.width {
			_, ownAddend := p.addend(j, cluster)
			_, ownFactor := p.factors(j, cluster)
			if addend >= 0 && ownAddend != p.sharedAddend(addend, cluster) || addend < 0 && ownAddend >= 0 || factor >= 0 && ownFactor < 0 {
				return false
			}
		}
	}
	return true
}

// addends lists the first cluster's shared addends, each once. The other clusters' stand in the same places.
func (p *packedRun) addends() (steps []int) {
	for _, j := range p.packedPlaces() {
		if _, y := p.addend(j, 0); y >= 0 {
			steps = append(steps, y)
		}
	}
	slices.Sort(steps)
	return slices.Compact(steps)
}

// shift is the expression of a cluster's power of two within its part.
func (p *packedRun) shift(cluster int) string {
	if cluster == 0 {
		return fmt.Sprintf("%d * place", p.doubly*p.width)
	}
	return fmt.Sprintf("%d * place + %d", p.doubly*p.width, p.doubly*cluster)
}

// pack writes what a repetition adds to the packed sum of a place.
func (p *packedRun) pack(s *Source, w *writer, place int) {
	name := fmt.Sprint("packed", place)
	if !p.summed(place) {
		for cluster := range p.width {
			rest, _ := p.addend(place, cluster)
			s.Line("pack_term(%s, %s, %s);", name, w.value(rest), p.shift(cluster))
		}
		return
	}
	s.Line("Sum dot%d = sum_zero();", place)
	for cluster := range p.width {
		x, y := p.factors(place, cluster)
		s.Line("add_product(dot%d, fp(%s), fp(%s));", place, w.value(x), p.scaled(w, y, cluster))
	}
	s.Line("pack_term(%s, sum_residue(dot%d), %s);", name, place, p.shift(0))
	w.addAhead()
}

// summed reports whether the products of a place are summed up before they are reduced.
func (p *packedRun) summed(place int) bool {
	_, y := p.factors(place, 0)
	return p.width > 1 && y >= 0
}

// scaled is a common factor times the power of two of its cluster within the repetition, as scale has written it.
func (p *packedRun) scaled(w *writer, step, cluster int) string {
	if cluster == 0 {
		return w.value(step)
	}
	return fmt.Sprint("scaled", step)
}

// shareCluster writes what the packed places of a cluster have in common: scaled factors, and addends.
func (p *packedRun) shareCluster(s *Source, w *writer, cluster int) {
	written := map[int]bool{}
	for _, j := range p.packedPlaces() {
		if _, y := p.factors(j, cluster); p.summed(j) && cluster > 0 && !written[y] {
			s.Line("u64 %s = multiply_small(%s, %du);", p.scaled(w, y, cluster), w.value(y), uint64(1)<<(p.doubly*cluster))
			written[y] = true
		}
	}
	for _, y := range p.addends() {
		s.Line("pack_term(addend%d, %s, %s);", y, w.value(p.sharedAddend(y, cluster)), p.shift(cluster))
	}
}

// write writes a loop over the parts of the run and in it one over the repetitions of a part.
func (p *packedRun) write(g *quotientGenerator, s *Source, name string, group *group) {
	weighed := g.weighSlots(p.members, p.slots)
	first := len(g.quotient.Weights)
	packed := p.packedPlaces()
	lengths := make([]uint32, len(p.parts))
	start := 0
	for part, length := range p.parts {
		lengths[part] = uint32(length / p.width)
		for _, j := range packed {
			g.weigh(p.members[start][j].weight)
		}
		start += length
	}
	p.run.declare(s, name)
	s.declareTable(name+"_lengths", [][]uint32{lengths})
	s.Line("NO_UNROLL for (u32 part = 0, k = 0; part < %d; part++) {", len(lengths))
	for _, j := range packed {
		s.Line("Packed packed%d = packed_zero();", j)
	}
	for _, y := range p.addends() {
		s.Line("Packed addend%d = packed_zero();", y)
	}
	s.Line("NO_UNROLL for (u32 place = 0; place < %s_lengths[part][0]; place++, k++) {", name)
	p.run.entry(s, name)
	p.run.body(s, "k", func(w *writer) { p.body(s, w, weighed, group) })
	for _, y := range p.addends() {
		s.Line("u64 total%d = canonical_word(packed_residue(addend%d));", y, y)
	}
	for place, j := range packed {
		value := fmt.Sprintf("packed_residue(packed%d)", j)
		if _, y := p.addend(j, 0); y >= 0 {
			value = fmt.Sprintf("add_residue(%s, total%d)", value, y)
		}
		s.Line("weigh(sum, %s, rows.weights + 3 * (%d + %d * part));", selected(p.members[0][j], group, value), first+place, len(packed))
	}
	s.Line("}")
}

// body writes one repetition: of each cluster what comes before its packed places and what these have in common, then place by place.
func (p *packedRun) body(s *Source, w *writer, weighed weighedPlaces, group *group) {
	if weighed.each > 0 {
		s.Line("const u64 *weight = rows.weights + 3 * (%d + %dull * k);", weighed.first, weighed.each*p.width)
	}
	weigh := func(j, place, cluster int) {
		value := selected(p.members[0][j], group, w.value(p.root(j, cluster)))
		s.Line("weigh(sum, %s, weight + %d);", value, 3*(weighed.each*cluster+place))
	}
	before := slices.Index(p.packed, true)
	for cluster := range p.width {
		for j := range before {
			weigh(j, j, cluster)
		}
		p.shareCluster(s, w, cluster)
	}
	place := before
	for j := before; j < len(p.packed); j++ {
		if p.packed[j] {
			p.pack(s, w, j)
			continue
		}
		for cluster := range p.width {
			weigh(j, place, cluster)
		}
		place++
	}
}

// sharedAddend is the addend of a cluster that stands where the first cluster has the given one.
func (p *packedRun) sharedAddend(first, cluster int) int {
	for _, j := range p.packedPlaces() {
		if _, y := p.addend(j, 0); y == first {
			_, step := p.addend(j, cluster)
			return step
		}
	}
	return first
}
