package generate

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
)

// Quotient is the code that evaluates a table's constraints over its extension, those of LogUp's running sum left out:
// they are the same for all tables.
type Quotient struct {
	Units   []Unit
	Kernels []Kernel
	// Weights lists what the kernels weigh by, in the order in which they read it.
	Weights []Weight
}

// Unit is a translation unit.
type Unit struct{ Name, Text string }

// Kernel is one kernel of a quotient. It takes an ExtendedRows.
type Kernel struct {
	Name string
	// Low says that the kernel's constraints are evaluated on the first n entries and not on 2n: see isLow.
	Low bool
}

// How many blocks of a kernel fit a multiprocessor: 128 registers a thread for constraints and 255 for batches, whose messages
// may be long.
const (
	constraintBlocks = 4
	batchBlocks      = 2
)

// KernelThreads is the number of threads of a block of the kernels.
const KernelThreads = 128

// isLow reports whether a constraint's quotient has degree below n, so that n points determine it. A constraint of degree d
// that multiplies the transition selector in t times is a polynomial of degree at most d (n-1) + t, because that selector
// is x - g^-1. Divided by x^n - 1 it has degree below n if d (n-1) + t <= 2n - 1, which for n >= 2 holds for d = 2 with t <= 1
// and for d <= 1 with t <= 2.
func isLow(degree, transitions int) bool {
	return degree <= 1 && transitions <= 2 || degree == 2 && transitions <= 1
}

// NewQuotient generates the code of one table of a machine.
func NewQuotient(machine string, t *air.Table) *Quotient {
	g := &quotientGenerator{
		quotient: &Quotient{},
		table:    t,
		prefix:   SafeName("quotient", machine, t.Name),
		shaper:   newShaper(t.Graph),
	}
	var pieces [2][]*piece
	splitter := newSplitter(t.Graph)
	for i, c := range t.Constraints {
		class := 0
		if isLow(c.Degree, c.Transitions) {
			class = 1
		}
		for _, p := range splitter.pieces(t, i) {
			pieces[class] = append(pieces[class], &p)
		}
	}
	for class, list := range pieces {
		g.constraints(list, class == 1)
	}
	g.batches()
	g.closeUnit()
	return g.quotient
}

// quotientGenerator collects kernels into units.
type quotientGenerator struct {
	quotient *Quotient
	table    *air.Table
	prefix   string
	shaper   *shaper

	source *Source // of the open unit, or nil
	size   int     // steps in it
	runs   int     // tables named so far
}

// Sizes in steps: of a kernel, for the registers, and of a unit, for the time it takes to compile.
const (
	kernelSteps = 200
	unitSteps   = 120
)

// group is runs that go into the same kernels.
type group struct {
	selector air.Op // of all their pieces, multiplied in at the end; Constant where pieces have different ones or none
	runs     []*Run
	members  map[*Run][]cluster
}

// constraints generates the kernels of one class of pieces.
func (g *quotientGenerator) constraints(pieces []*piece, low bool) {
	g.shaper.kept = findKept(g.table.Graph, pieces)
	defer func() { g.shaper.kept = nil }()
	found := joinLone(g.shaper, clusters(pieces))
	items := make([]Item, len(found))
	for i, c := range found {
		items[i] = Item{Key: c.selectors(), Nodes: c.nodes()}
	}
	groups := map[air.Op]*group{}
	for _, run := range findRuns(g.shaper, items) {
		selector := found[run.items[0]].commonSelector()
		if groups[selector] == nil {
			groups[selector] = &group{selector: selector, members: map[*Run][]cluster{}}
		}
		into := groups[selector]
		into.runs = append(into.runs, run)
		for _, i := range run.items {
			into.members[run] = append(into.members[run], found[i])
		}
	}
	for _, selector := range []air.Op{air.Constant, air.First, air.Last, air.Transition} {
		if groups[selector] != nil {
			g.kernels(groups[selector], low)
		}
	}
}

// commonSelector is the selector of all pieces, or Constant.
func (c cluster) commonSelector() air.Op {
	for _, p := range c {
		if p.selector != c[0].selector {
			return air.Constant
		}
	}
	return c[0].selector
}

// kernels cuts a group's runs into kernels.
func (g *quotientGenerator) kernels(group *group, low bool) {
	for first := 0; first < len(group.runs); {
		end, steps := first, 0
		for end < len(group.runs) && (end == first || steps+len(group.runs[end].shape.steps) <= kernelSteps) {
			steps += len(group.runs[end].shape.steps)
			end++
		}
		g.kernel(group, group.runs[first:end], low, steps)
		first = end
	}
}

func (g *quotientGenerator) kernel(group *group, runs []*Run, low bool, steps int) {
	s := g.open(low, steps, constraintBlocks)
	g.writeKept(s, runs)
	s.Line("Weighed sum = weighed_zero();")
	for _, run := range runs {
		g.runs++
		g.weighRun(s, run, fmt.Sprint("run_", g.runs), group)
	}
	s.Line("add_to_sums(row, sum, %s);", selectorScale(group.selector))
	s.Line("}")
}

// selectorScale is a selector divided by x^n - 1.
func selectorScale(selector air.Op) string {
	switch selector {
	case air.First:
		return "rows.inverses[row.at]"
	case air.Last:
		return "multiply_residues(rows.inverses[row.after], rows.generator)"
	case air.Transition:
		return "multiply_residues(row.transition(), row.scale())"
	default:
		return "row.scale()"
	}
}

// open begins a kernel, in a new unit if the open one is full. Its registers are such that a multiprocessor holds that many
// blocks.
func (g *quotientGenerator) open(low bool, steps, blocks int) *Source {
	if g.source != nil && g.size+steps > unitSteps {
		g.closeUnit()
	}
	if g.source == nil {
		g.source = NewSource()
	}
	g.size += steps
	name := fmt.Sprintf("%s_%d", g.prefix, len(g.quotient.Kernels))
	g.quotient.Kernels = append(g.quotient.Kernels, Kernel{Name: name, Low: low})
	g.source.Line("")
	g.source.Line("KERNEL_OCCUPANCY(%s, %d, %d, ExtendedRows rows) {", name, KernelThreads, blocks)
	g.source.Line("u64 i = global_index();")
	g.source.Line("if (i >= rows.entries) return;")
	g.source.Line("ExtendedRow row = extended_row(rows, i);")
	return g.source
}

func (g *quotientGenerator) closeUnit() {
	if g.source != nil {
		name := fmt.Sprintf("%s_%d.cu", g.prefix, len(g.quotient.Units))
		g.quotient.Units = append(g.quotient.Units, Unit{name, g.source.String()})
	}
	g.source, g.size = nil, 0
}

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
	s.Line("for (u32 part = 0, k = 0; part < %d; part++) {", len(lengths))
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

// unrolled keeps about eight loads of cells in flight.
func unrolled(run *Run) int {
	return max(1, min(8/max(1, len(run.shape.leaves)), len(run.items)))
}
