package generate

import (
	_ "embed"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
)

// Quotient is the code that evaluates a table's constraints over its extension, LogUp's included.
type Quotient struct {
	Units   []Unit
	Kernels []Kernel
	// Weights lists the kernels' weights in the order in which they read them.
	Weights []Weight
	// Staged lists the weights of tensor-core kernels in groups of four, padded with zeros.
	Staged []Weight
}

// Unit is a translation unit.
type Unit struct {
	Name, Text string
	Headers    map[string]string // in addition to the kernels' headers; nil for none
}

// Kernel is one kernel of a quotient. It takes an ExtendedRows and, if it is staged, the table that quotient_bytes
// makes from its weights.
type Kernel struct {
	Name string
	// Low reports whether the kernel's constraints are evaluated on the first n entries instead of 2n; see [air.IsLow].
	Low bool
	// Staged reports whether the kernel weighs on tensor cores. Its weights start at FirstStaged in the quotient's
	// Staged.
	Staged      bool
	FirstStaged int
}

// The numbers of blocks of a kernel per multiprocessor. Long loops get 96 registers a thread: they have few live values
// and need the warps to hide their loads. Other constraints, batches of several forms (whose loads would otherwise all
// start at once) and long loops of batches get 128. Other batches of one form get 255, because their messages may be
// long.
const (
	loopBlocks       = 5
	constraintBlocks = 4
	batchBlocks      = 2
	formsBlocks      = 4

	longLoop = 64 // repetitions
)

// KernelThreads is the number of threads of a block of the kernels.
const KernelThreads = 128

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
		if c.IsLow() {
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
	size   size    // of what is in it
	runs   int     // tables named so far
}

// size measures code: its steps, for the registers and the time it takes to compile, and its tables, because a unit has
// 64 KiB of constant memory.
type size struct{ steps, tableBytes int }

func (s size) add(other size) size {
	return size{s.steps + other.steps, s.tableBytes + other.tableBytes}
}

func (s size) within(limit size) bool {
	return s.steps <= limit.steps && s.tableBytes <= limit.tableBytes
}

var (
	kernelLimit = size{200, 40 << 10}
	unitLimit   = size{120, 40 << 10}
)

func sizeOf(run *Run) size { return size{len(run.shape.steps), tableBytes(run.table())} }

// group is a list of runs that share kernels.
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

// commonSelector returns the selector of all pieces, or Constant if they differ.
func (c cluster) commonSelector() air.Op {
	for _, p := range c {
		if p.selector != c[0].selector {
			return air.Constant
		}
	}
	return c[0].selector
}

// kernels cuts a group's runs into kernels. A long loop gets a kernel of its own.
func (g *quotientGenerator) kernels(group *group, low bool) {
	var short []*Run
	for _, run := range group.runs {
		if slots := findSlots(group.members[run]); isStaged(run, slots) {
			g.stagedKernels(group, run, slots, low)
		} else if len(run.items) >= longLoop {
			g.kernel(group, []*Run{run}, low, sizeOf(run), loopBlocks)
		} else {
			short = append(short, run)
		}
	}
	for first := 0; first < len(short); {
		end, total := first, size{}
		for end < len(short) && (end == first || total.add(sizeOf(short[end])).within(kernelLimit)) {
			total = total.add(sizeOf(short[end]))
			end++
		}
		g.kernel(group, short[first:end], low, total, constraintBlocks)
		first = end
	}
}

func (g *quotientGenerator) kernel(group *group, runs []*Run, low bool, total size, blocks int) {
	s := g.open(low, total, blocks)
	g.writeKept(s, runs)
	s.Line("Weighed sum = weighed_zero();")
	for _, run := range runs {
		g.runs++
		g.weighRun(s, run, g.runName(), group)
	}
	s.Line("add_to_sums(row, sum, %s);", selectorScale(group.selector))
	s.Line("}")
}

// selectorScale returns the expression of a selector divided by x^n - 1.
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

func (g *quotientGenerator) runName() string { return fmt.Sprint("run_", g.runs) }

// open begins a kernel whose registers let a multiprocessor hold the given number of blocks.
func (g *quotientGenerator) open(low bool, kernel size, blocks int) *Source {
	s := g.unit(kernel)
	s.Line("KERNEL_OCCUPANCY(%s, %d, %d, ExtendedRows rows) {", g.newKernel(Kernel{Low: low}), KernelThreads, blocks)
	s.Line("u64 i = global_index();")
	s.Line("if (i >= rows.entries) return;")
	s.Line("HeldRow row = held_row(rows, i);")
	return s
}

// unit returns the open unit, or a new unit if the open one is full.
func (g *quotientGenerator) unit(kernel size) *Source {
	if g.source != nil && !g.size.add(kernel).within(unitLimit) {
		g.closeUnit()
	}
	if g.source == nil {
		g.source = NewConstraints()
	}
	g.size = g.size.add(kernel)
	g.source.Line("")
	return g.source
}

// newKernel appends a kernel and returns its name.
func (g *quotientGenerator) newKernel(kernel Kernel) string {
	kernel.Name = fmt.Sprintf("%s_%d", g.prefix, len(g.quotient.Kernels))
	g.quotient.Kernels = append(g.quotient.Kernels, kernel)
	return kernel.Name
}

func (g *quotientGenerator) closeUnit() {
	if g.source != nil {
		name := fmt.Sprintf("%s_%d.cu", g.prefix, len(g.quotient.Units))
		g.quotient.Units = append(g.quotient.Units, Unit{Name: name, Text: g.source.String()})
	}
	g.source, g.size = nil, size{}
}

// constraints is the code that every table's kernels call.
//
//go:embed constraints.cuh
var constraints string

// NewConstraints is NewSource with the text of constraints.cuh.
func NewConstraints() *Source {
	s := NewSource()
	s.lines.WriteString(constraints)
	return s
}

// shared contains the kernels that all quotients use.
//
//go:embed quotient.cu
var shared string

// Shared returns the unit with the kernels that all quotients use.
func Shared() Unit {
	s := NewSource()
	s.lines.WriteString(shared)
	return Unit{Name: "quotient_shared.cu", Text: s.String()}
}
