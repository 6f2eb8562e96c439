package soundnesstest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// subject is a machine with a valid execution.
type subject struct {
	name      string
	key       *protocol.Key
	execution machine.Execution
}

func subjects(t testing.TB) []subject {
	t.Helper()
	return []subject{
		{"toy", newKey(t, toy()), toyExecution{}},
		programSubject(t, fib.Program, run.Input{Size: 64, Seed: 1}),
		programSubject(t, tourProgram, run.Input{Size: 110, Seed: 1}),
		programSubject(t, keccak.Program, run.Input{Data: []byte(strings.Repeat("A man, a plan, a canal. ", 12))}),
	}
}

func tourProgram() (run.Program, error) { return tour.New(tour.Sample()) }

func programSubject(t testing.TB, build func() (run.Program, error), input run.Input) subject {
	t.Helper()
	program, err := build()
	must(err)
	input.MinLogHeight, input.Pool = params().MinLogHeight, parallel.New(1)
	execution, err := run.Execute(t.Context(), program, input)
	must(err)
	return subject{program.Machine().Name, newKey(t, program.Fillers()), execution}
}

// cell is one cell of the main columns, and the number added to it.
type cell struct {
	instance, column, row int
	delta                 goldilocks.Element
}

func (c cell) String() string {
	return fmt.Sprintf("instance %d, column %d, row %d, plus %d", c.instance, c.column, c.row, c.delta)
}

// wrong is a lie: the cell is changed in an otherwise valid trace.
func (c cell) wrong(s subject) lie {
	return lie{key: s.key, execution: &machine.Mutated{
		Execution: s.execution,
		Change: func(instance int, columns [][]goldilocks.Element) {
			if instance == c.instance {
				columns[c.column][c.row] = columns[c.column][c.row].Add(c.delta)
			}
		},
	}}
}

// A wrong cell for every constraint of every machine. Of constraints whose names differ only in numbers, such as 1,600
// boolean bits, one is tried, and all with -soundness.all. The reference evaluator confirms that the constraint is
// violated; the verifier must detect it at a random point.
func TestWrongCellForEachConstraint(t *testing.T) {
	for _, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			instances, err := fillersOf(t, s.key).Traces(parallel.New(0), s.execution)
			must(err)
			seen := map[string]map[string]bool{}
			for i, instance := range instances {
				table := instance.Table
				finder := newFinder(table, instance.Trace, s.execution.Public().Values)
				kinds := seen[table.Name] // one instance of each table, or all
				if kinds == nil {
					kinds = map[string]bool{}
					seen[table.Name] = kinds
				}
				for c, constraint := range table.Constraints {
					kind := numbers.ReplaceAllString(constraint.Name, "#")
					if !*all && kinds[kind] || finder.untouchable(c) {
						continue
					}
					kinds[kind] = true
					found, interacts, ok := finder.find(i, c)
					if !ok {
						t.Errorf("%s: no cell found that breaks constraint %q", table.Name, constraint.Name)
						continue
					}
					// A cell of a message also unbalances its bus, which is checked first.
					checks := []verify.Check{verify.CheckQuotient}
					if interacts {
						checks = append(checks, verify.CheckSums)
					}
					t.Run(table.Name+"/"+constraint.Name, func(t *testing.T) {
						t.Parallel()
						t.Log(found)
						found.wrong(s).caught(t, checks...)
					})
				}
			}
		})
	}
}

var numbers = regexp.MustCompile(`\d+`)

// finder searches for cells of one table that violate a constraint.
type finder struct {
	table     *air.Table
	trace     air.Trace
	public    []goldilocks.Element
	values    []goldilocks.Element
	interacts map[int]bool // main columns of messages
}

func newFinder(table *air.Table, trace air.Trace, public []goldilocks.Element) *finder {
	f := &finder{
		table:     table,
		trace:     trace,
		public:    public,
		values:    make([]goldilocks.Element, len(table.Graph)),
		interacts: map[int]bool{},
	}
	for _, column := range protocol.KeptColumns(table, protocol.Main) {
		f.interacts[column] = true
	}
	return f
}

// reads lists the main columns that the constraint reads: this row's and the next row's.
func (f *finder) reads(constraint int) (columns []int, next map[int]bool) {
	seen, next := map[air.NodeID]bool{}, map[int]bool{}
	known := map[int]bool{}
	var visit func(air.NodeID)
	visit = func(id air.NodeID) {
		if seen[id] {
			return
		}
		seen[id] = true
		n := f.table.Graph[id]
		if n.Op.IsBinary() {
			visit(n.A)
			visit(n.B)
		}
		if n.Op == air.Main {
			next[int(n.Column)] = next[int(n.Column)] || n.Next
			if !known[int(n.Column)] {
				known[int(n.Column)] = true
				columns = append(columns, int(n.Column))
			}
		}
	}
	visit(f.table.Constraints[constraint].Root)
	return columns, next
}

// untouchable reports whether a constraint reads no main column: it holds by the machine's key, and no witness violates
// it.
func (f *finder) untouchable(constraint int) bool {
	columns, _ := f.reads(constraint)
	return len(columns) == 0
}

// find returns a cell that violates the constraint when changed, if possible one that is not part of a message.
func (f *finder) find(instance, constraint int) (found cell, interacts, ok bool) {
	columns, _ := f.reads(constraint)
	for _, wantInteracting := range []bool{false, true} {
		for _, column := range columns {
			if f.interacts[column] != wantInteracting {
				continue
			}
			for row := range f.trace.Rows() {
				for _, delta := range []goldilocks.Element{1, minus(1), 0x123456789abcdef} {
					if f.breaks(constraint, column, row, delta) {
						return cell{instance, column, row, delta}, wantInteracting, true
					}
				}
			}
		}
	}
	return cell{}, false, false
}

// breaks evaluates the two rows that read a cell.
func (f *finder) breaks(constraint, column, row int, delta goldilocks.Element) bool {
	at := &f.trace.Main[column][row]
	old := *at
	*at = at.Add(delta)
	defer func() { *at = old }()
	rows := f.trace.Rows()
	for _, r := range []int{row, (row + rows - 1) % rows} {
		f.table.EvaluateRow(f.trace, r, f.public, f.values)
		if f.values[f.table.Constraints[constraint].Root] != 0 {
			return true
		}
	}
	return false
}
