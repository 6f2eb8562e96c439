package riscv_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// exhibit is a row evaluated under the true declaration.
type exhibit struct {
	s       *subject
	values  []goldilocks.Element // of each node of the table's graph
	refused []int                // numbers of constraints, then lookups, that refuse it
	forged  *forged              // if a forger made it
}

// placed is an honest row that a forger may change.
type placed struct {
	s        *subject
	row      row
	run      string
	instance int
}

// collection are rows of a table: honest rows of the sample and of all operations on edge operands, padding, and cheats
// that a constraint or a lookup of the row itself refuses.
type collection struct {
	table *air.Table
	users [][]air.NodeID // of each node: the nodes that depend on it, in topological order
	reads [][]int        // of each node: the main columns of this row that it reads
	// constraints and interactions are those that depend on a node.
	constraints, interactions [][]int

	honest []exhibit
	cheats []exhibit
	rows   []placed
	tried  map[int]bool // targets that a forger has tried on all rows
}

const (
	scaffoldRows = 64 // of an instance of a scaffold's tables
	rowsOfRun    = 10 // of an instance that a forger may change
)

var collections struct {
	once sync.Once
	all  map[string]*collection
}

// collected are the collections of the tables of instructions, made once.
func collected(t *testing.T) map[string]*collection {
	t.Helper()
	collections.once.Do(func() { collections.all = collect(t) })
	if collections.all == nil {
		t.Fatal("a run of edge operands failed")
	}
	return collections.all
}

func collect(t *testing.T) map[string]*collection {
	t.Helper()
	forgeries := readForged(t)
	all, runs := map[string]*collection{}, runs{}
	for _, op := range riscvtest.Ops() {
		if op != instruction.ECALL {
			collectRun(t, all, forgeries, op.String(), runs.of(t, op), scaffold)
		}
	}
	collectRun(t, all, forgeries, "varied", runOf(t, variedProgram().ELF(false), nil, nil), nil)
	collectRun(t, all, forgeries, "sample", runs.of(t, instruction.Illegal), nil)
	late := lateRunOf(t, sample(), []byte(samplePrivate), []byte(samplePublic), 1<<20) // no accesses for a long time
	collectRun(t, all, forgeries, "late", late, nil)
	for _, cheat := range allCheats() {
		s, r := runs.place(t, cheat)
		c := all[cheat.table]
		if c == nil {
			continue
		}
		s.lieDuring(func() { cheat.cheat(s, r) }, func([]string, counted) {
			e := s.exhibit(r.in, r.at)
			if e.refused = c.refusals(nil, &e, e.values); len(e.refused) > 0 {
				c.cheats = append(c.cheats, e)
			}
		}, r)
	}
	return all
}

// collectRun adds the rows of a run, few of its scaffold's tables, and the forged ones. The honest rows must satisfy
// all constraints.
func collectRun(t *testing.T, all map[string]*collection, forgeries []forged, run string, s *subject,
	scaffold map[string]bool) {
	t.Helper()
	for i := range s.instances {
		in := &s.instances[i]
		name := in.Table.Name
		if len(in.Table.Lookups) > 0 || len(in.Table.Main) == 0 || wide(in.Table) || ofCalls(name) {
			continue
		}
		c := all[name]
		if c == nil {
			c = newCollection(in.Table)
			all[name] = c
		}
		var active []row
		for at := range in.Trace.Rows() {
			r := row{in, at}
			if r.active() && (!scaffold[name] || len(active) < scaffoldRows) {
				active = append(active, r)
			} else if at < in.Trace.Rows()-1 {
				continue // one row of padding is enough
			}
			e := s.exhibit(in, at)
			if refused := c.refusals(nil, &e, e.values); len(refused) > 0 {
				t.Errorf("run %s: row %d of table %s is refused by %q", run, at, name, c.reasons(refused))
			}
			c.honest = append(c.honest, e)
		}
		for k := range min(len(active), rowsOfRun) {
			at := k * 7919 % len(active)
			if k == 1 {
				at = len(active) - 1
			}
			c.rows = append(c.rows, placed{s, active[at], run, i})
		}
	}
	for i := range forgeries {
		if x := &forgeries[i]; x.Run == run {
			c := all[x.Table]
			e := x.exhibit(t, c, s)
			if by := c.reasons(e.refused); !slices.Equal(by, []string{x.RefusedBy}) {
				if *forge {
					continue
				}
				t.Errorf("table %s, row %d of instance %d of run %s with cells %v is refused by %q, want %q alone: if rows or "+
					"columns have changed, -forge", x.Table, x.Row, x.Instance, run, x.Cells, by, x.RefusedBy)
			}
			c.cheats = append(c.cheats, e)
		}
	}
}

// variedProgram has what edge operands lack: bytes that all differ, long gaps before each kind of access, a product
// whose low limb borrows twice, a carry into a high limb of 0, and an exit code of two limbs.
func variedProgram() *riscvtest.Program {
	p := riscvtest.NewProgram(riscvtest.Numbers(0x0123456789abcdef, 0xfedc6a98_51742301, 0x13579bdf2468ace0,
		0xa08acd81ffffffff, 0xebf856f9ffffffff, 0xffffffff))
	load := func(register uint8, at int64) { p.Op(instruction.LD, register, riscvtest.DataRegister, 0, 8*at) }
	for _, op := range []instruction.Op{instruction.AND, instruction.OR, instruction.XOR} {
		for at := range int64(3) {
			load(5, at)
			load(6, (at+1)%3)
			p.Op(op, 7, 5, 6, 0)
		}
	}
	load(5, 5)
	p.Op(instruction.ADDI, 5, 5, 0, 1)
	load(5, 3)
	load(6, 4)
	p.Op(instruction.MULH, 7, 5, 6, 0)
	for range 2 {
		for range 600 {
			p.Op(instruction.ADDI, 8, 8, 0, 1)
		}
		for at, op := range []instruction.Op{instruction.LW, instruction.LB, instruction.SD, instruction.SW, instruction.SB,
			instruction.LD, instruction.LW, instruction.SD, instruction.SH} {
			offset := int64(64 + 16*at)
			if at >= 5 {
				offset += 5 // in two words, or unaligned
			}
			if op.Store() {
				p.Op(op, 0, riscvtest.DataRegister, 5, offset)
			} else {
				p.Op(op, 7, riscvtest.DataRegister, 0, offset)
			}
		}
	}
	load(5, 5)
	p.Op(instruction.ADDI, 5, 5, 0, 1)
	load(10, 0)
	p.Op(instruction.ADDI, 17, 0, 0, 93)
	p.Text = append(p.Text, riscvtest.Encode(instruction.Instruction{Op: instruction.ECALL})) // with that exit code
	return p
}

func newCollection(t *air.Table) *collection {
	n := len(t.Graph)
	c := &collection{table: t, users: make([][]air.NodeID, n), reads: make([][]int, n), constraints: make([][]int, n),
		interactions: make([][]int, n), tried: map[int]bool{}}
	for id, node := range t.Graph {
		switch {
		case node.Op == air.Main && !node.Next:
			c.reads[id] = []int{int(node.Column)}
		case node.Op.IsBinary():
			both := slices.Concat(c.reads[node.A], c.reads[node.B])
			slices.Sort(both)
			c.reads[id] = slices.Compact(both)
		}
	}
	for id := range t.Graph {
		c.dependents(id)
	}
	return c
}

// dependents finds the nodes that depend on each node.
func (c *collection) dependents(id int) {
	t := c.table
	reached := make([]bool, len(t.Graph))
	reached[id] = true
	for k := id + 1; k < len(t.Graph); k++ {
		if n := t.Graph[k]; n.Op.IsBinary() && (reached[n.A] || reached[n.B]) {
			reached[k] = true
			c.users[id] = append(c.users[id], air.NodeID(k))
		}
	}
	for i, x := range t.Constraints {
		if reached[x.Root] {
			c.constraints[id] = append(c.constraints[id], i)
		}
	}
	for i, x := range t.Interactions {
		if reached[x.Multiplicity] || slices.ContainsFunc(x.Values, func(v air.NodeID) bool { return reached[v] }) {
			c.interactions[id] = append(c.interactions[id], i)
		}
	}
}

func (s *subject) exhibit(in *air.Instance, at int) exhibit {
	values := make([]goldilocks.Element, len(in.Table.Graph))
	in.Table.EvaluateRow(in.Trace, at, s.execution.Public().Values, values)
	return exhibit{s: s, values: values}
}
