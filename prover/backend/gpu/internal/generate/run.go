package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
)

// Item is a list of nodes that are evaluated together in a row.
type Item struct {
	Key   string       // items of one run have equal keys
	Nodes []air.NodeID // in this order
	Extra []uint32     // further numbers, such as another column; they may differ within a run
}

// Run is a sequence of items whose graphs differ only in the columns and public values that they read.
type Run struct {
	Unroll int // how often the loop is unrolled; 0 and 1 for not at all

	shape  *shape
	items  []int
	leaves [][]leaf   // by repetition
	extra  [][]uint32 // by repetition
}

// FindRuns puts items into runs, in the order of each run's first item. Within a run items keep their order.
func FindRuns(t *air.Table, items []Item) []*Run {
	return findRuns(newShaper(t.Graph), items)
}

func findRuns(shaper *shaper, items []Item) []*Run {
	var runs []*Run
	known := map[string]*Run{}
	for i, item := range items {
		f := shaper.of(item.Nodes)
		key := fmt.Sprintf("%q %d %s", item.Key, len(item.Extra), f.key())
		r := known[key]
		if r == nil || r.isFull() {
			r = &Run{shape: f}
			known[key] = r
			runs = append(runs, r)
		}
		r.add(i, f.leaves, item.Extra)
	}
	return runs
}

// runTableBytes bounds a run's table at four bytes an entry. Longer runs are split.
const runTableBytes = 32 << 10

func (r *Run) isFull() bool {
	return 4*len(r.items)*(len(r.leaves[0])+len(r.extra[0])) >= runTableBytes
}

func (r *Run) add(item int, leaves []leaf, extra []uint32) {
	r.items = append(r.items, item)
	r.leaves = append(r.leaves, leaves)
	r.extra = append(r.extra, extra)
}

// Items returns the run's items in order of repetition, as indices into the list given to FindRuns.
func (r *Run) Items() []int { return slices.Clone(r.items) }

// Values holds the C++ expressions of what one repetition computes.
type Values struct {
	Nodes []string // u64, canonical: one for each of the item's nodes
	Extra []string // u32
	Index string   // u32: which repetition this is

	// Node returns the same expressions as Nodes, but writes a step when it is first requested, so fewer values are
	// live at once. Residue returns a value that need not be canonical, which may take fewer instructions.
	Node, Residue func(j int) string
	// Constant is the value of a node that is the same in all rows.
	Constant func(j int) (word uint64, ok bool)
}

// Write writes the loop over the run's items, with its table at file scope under the given name. It calls body once to
// write the uses of the values. In body, the names k, entry and v followed by a number are taken, and row is the object
// to read cells from.
func (r *Run) Write(s *Source, name string, body func(v Values)) {
	r.write(s, name, func(w *writer) {
		w.exact = true
		v := w.lazily()
		for j := range r.shape.roots {
			v.Nodes = append(v.Nodes, v.Node(j))
		}
		body(v)
	})
}

// WriteLazily is Write without Nodes.
func (r *Run) WriteLazily(s *Source, name string, body func(v Values)) {
	r.write(s, name, func(w *writer) { body(w.lazily()) })
}

// lazily returns the values of a repetition, without Nodes.
func (w *writer) lazily() Values {
	roots := w.shape.roots
	return Values{Index: w.index, Extra: w.extra,
		Node:    func(j int) string { return w.canonical(roots[j]) },
		Residue: func(j int) string { return w.value(roots[j]) },
		Constant: func(j int) (uint64, bool) {
			step := w.shape.steps[roots[j]]
			return step.value, step.op == air.Constant
		},
	}
}

// write writes the loop and the steps of the body, whose values may then be any residues.
func (r *Run) write(s *Source, name string, body func(w *writer)) {
	if len(r.items) == 1 {
		s.Line("{")
		r.body(s, "0u", body)
		return
	}
	r.declare(s, name)
	if r.Unroll > 1 {
		s.Line("UNROLL_BY(%d) for (u32 k = 0; k < %d; k++) {", r.Unroll, len(r.items))
	} else {
		s.Line("NO_UNROLL for (u32 k = 0; k < %d; k++) {", len(r.items))
	}
	r.entryOf(s, name, "k")
	r.body(s, "k", body)
}

// declare writes the run's table, if repetitions differ in anything.
func (r *Run) declare(s *Source, name string) {
	if columns := r.table(); len(columns) > 0 {
		s.declareTable(name, columns)
	}
}

// entryOf writes the look-up of a repetition in the table.
func (r *Run) entryOf(s *Source, name, index string) {
	if columns := r.table(); len(columns) > 0 {
		word, _ := wordOf(columns)
		s.Line("const %s *entry = %s[%s];", word, name, index)
	}
}

// body writes the body of the loop, and closes the loop.
func (r *Run) body(s *Source, index string, body func(w *writer)) {
	w := &writer{source: s, shape: r.shape, index: index}
	w.leaves, w.extra = r.names()
	body(w)
	s.Line("}")
}

// table returns the values of each leaf and extra number that differs between repetitions.
func (r *Run) table() (columns [][]uint32) {
	for j := range r.shape.leaves {
		if column := r.leafColumn(j); !constant(column) {
			columns = append(columns, column)
		}
	}
	for j := range r.extra[0] {
		if column := r.extraColumn(j); !constant(column) {
			columns = append(columns, column)
		}
	}
	return columns
}

// names returns the expressions for leaves and extra numbers in the loop: elements of the table's entry, in the order
// of table, or literals if all repetitions agree.
func (r *Run) names() (leaves, extra []string) {
	position := 0
	name := func(column []uint32) string {
		if constant(column) {
			return fmt.Sprintf("%du", column[0])
		}
		position++
		return fmt.Sprintf("entry[%d]", position-1)
	}
	for j := range r.shape.leaves {
		leaves = append(leaves, name(r.leafColumn(j)))
	}
	for j := range r.extra[0] {
		extra = append(extra, name(r.extraColumn(j)))
	}
	return leaves, extra
}

func (r *Run) leafColumn(j int) []uint32 {
	column := make([]uint32, len(r.items))
	for k := range column {
		column[k] = uint32(r.leaves[k][j].column)
	}
	return column
}

func (r *Run) extraColumn(j int) []uint32 {
	column := make([]uint32, len(r.items))
	for k := range column {
		column[k] = r.extra[k][j]
	}
	return column
}

func constant(column []uint32) bool {
	return !slices.ContainsFunc(column, func(x uint32) bool { return x != column[0] })
}

// SafeName joins parts with underscores and replaces characters that a C++ name cannot contain.
func SafeName(parts ...string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, strings.Join(parts, "_"))
}
