package riscv_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// subject is a run with its columns, which tests change.
type subject struct {
	program   *riscv.Program
	execution *riscv.Execution
	list      []circuit.Instance
	instances []air.Instance // of the list, filled
	messages  []circuit.Message
	answers   map[*air.Bus]answer
	last      *said // the rows that were changed last
}

// answer returns the table that answers a lookup bus.
type answer struct {
	in    *air.Instance
	entry *air.Entry
}

// runOf executes a program and fills its columns. Counts of lookups stay zero.
func runOf(t testing.TB, file []byte, private, public []byte) *subject {
	t.Helper()
	return lateRunOf(t, file, private, public, 0)
}

// lateRunOf is runOf with a clock that begins after some chunks: [riscv.Program.BeginLate].
func lateRunOf(t testing.TB, file []byte, private, public []byte, chunks uint32) *subject {
	t.Helper()
	p, err := riscv.New(file)
	if err != nil {
		t.Fatal(err)
	}
	p.BeginLate(chunks)
	pool := parallel.New(2)
	e, err := run.Execute(context.Background(), p, run.Input{
		Data:         append([]byte{}, private...),
		Public:       public,
		MinLogHeight: 8,
		Pool:         pool,
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{program: p, execution: e.(*riscv.Execution), answers: map[*air.Bus]answer{}}
	s.messages = p.Machine().Messages(e.Public())
	s.list = e.Instances()
	for i, instance := range s.list {
		table := p.Machine().Tables[instance.Table]
		columns := make([][]goldilocks.Element, len(table.Main))
		for c := range columns {
			columns[c] = make([]goldilocks.Element, 1<<instance.LogHeight)
		}
		if err := p.Fillers().Of(instance).Fill(pool, e, i, columns); err != nil {
			t.Fatal(err)
		}
		s.instances = append(s.instances, air.Instance{
			Table: table,
			Trace: air.Trace{Main: columns, Preprocessed: preprocessed(table)},
		})
	}
	for i := range s.instances {
		in := &s.instances[i]
		for k := range in.Table.Lookups {
			s.answers[in.Table.Lookups[k].Bus] = answer{in, &in.Table.Lookups[k]}
		}
	}
	return s
}

// fixed are the preprocessed columns that no program changes, by table.
var fixed sync.Map

func preprocessed(table *air.Table) [][]goldilocks.Element {
	if table.Kind != air.FixedPreprocessed {
		return table.PreprocessedColumns()
	}
	columns, ok := fixed.Load(table.Name)
	if !ok {
		columns, _ = fixed.LoadOrStore(table.Name, table.PreprocessedColumns())
	}
	return columns.([][]goldilocks.Element)
}

// sample is a short run with rows of every table except REFRESH and the tables of calls.
var sample = sync.OnceValue(func() []byte { return sampleProgram().ELF(false) })

const (
	samplePrivate = "a private input of 30 bytes..."
	samplePublic  = "public"
)

// sampleProgram is a random program, with more of the operations whose operands matter most. It ends by copying words
// of both inputs to the public output.
func sampleProgram() *riscvtest.Program {
	p := riscvtest.Random(3, 1200)
	for op := instruction.MUL; op <= instruction.REMUW; op++ {
		for i := range int64(12) {
			p.Op(instruction.LD, 5, riscvtest.EdgeRegister, 0, 8*i)
			p.Op(instruction.LD, 6, riscvtest.EdgeRegister, 0, 8*(i*5%12))
			p.Op(op, 7, 5, 6, 0)
			p.Dump(7)
		}
	}
	p.CopyInputs()
	return p
}

// honest is a copy of the sample's run.
func honest(t testing.TB) *subject {
	t.Helper()
	return runOf(t, sample(), []byte(samplePrivate), []byte(samplePublic))
}

// of are the instances of a table.
func (s *subject) of(table string) (list []*air.Instance) {
	for i := range s.instances {
		if s.instances[i].Table.Name == table {
			list = append(list, &s.instances[i])
		}
	}
	return list
}

// column finds a main column.
func column(t *air.Table, name string) int { return slices.Index(t.Main, name) }

// row is a row of an instance, with cells by their names.
type row struct {
	in *air.Instance
	at int
}

func (r row) cell(name string) *goldilocks.Element {
	c := column(r.in.Table, name)
	if c < 0 {
		panic(fmt.Sprintf("table %s has no column %s", r.in.Table.Name, name))
	}
	return &r.in.Trace.Main[c][r.at]
}

// get is a cell as a number.
func (r row) get(name string) uint64 { return uint64(*r.cell(name)) }

// active reports whether a row is not padding.
func (r row) active() bool {
	for _, name := range []string{"m", "export", "time"} {
		if column(r.in.Table, name) >= 0 {
			return r.get(name) != 0
		}
	}
	return true
}

// rows are the active rows of a table that satisfy a condition.
func (s *subject) rows(table string, holds func(r row) bool) (list []row) {
	for _, in := range s.of(table) {
		for at := range in.Trace.Rows() {
			r := row{in, at}
			if !r.active() {
				continue
			}
			if holds == nil || holds(r) {
				list = append(list, r)
			}
		}
	}
	return list
}

// counted are messages as text, with their multiplicities: negative if they are received.
type counted map[string]goldilocks.Element

func key(bus *air.Bus, values []goldilocks.Element) string {
	b := []byte(bus.Name + " ")
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return string(b)
}

// message is the bus and the values of a key.
func (s *subject) message(key string) (bus *air.Bus, values []goldilocks.Element) {
	name, numbers, _ := strings.Cut(key, " ")
	for ; len(numbers) > 0; numbers = numbers[8:] {
		values = append(values, goldilocks.Element(binary.LittleEndian.Uint64([]byte(numbers))))
	}
	buses := s.program.Machine().Buses
	return buses[slices.IndexFunc(buses, func(b *air.Bus) bool { return b.Name == name })], values
}

// add adds messages up, or subtracts them.
func (c counted) add(other counted, sign func(total, n goldilocks.Element) goldilocks.Element) {
	for k, n := range other {
		c[k] = sign(c[k], n)
	}
}

// unbalanced returns the buses of messages that are not received as often as they are sent.
func (c counted) unbalanced() (names []string) {
	for k, n := range c {
		if name := "bus " + k[:strings.IndexByte(k, ' ')]; n != 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// look evaluates a row: the violated constraints, the unanswered lookups, the messages on lookup buses, and the
// messages on all others.
func (s *subject) look(in *air.Instance, at int) (broken []string, asked, tokens counted) {
	t := in.Table
	values := make([]goldilocks.Element, len(t.Graph))
	t.EvaluateRow(in.Trace, at, s.execution.Public().Values, values)
	for _, c := range t.Constraints {
		if values[c.Root] != 0 {
			broken = append(broken, c.Name)
		}
	}
	asked, tokens = counted{}, counted{}
	for i := range t.Interactions {
		x := &t.Interactions[i]
		n := values[x.Multiplicity]
		if n == 0 || x.Bus.Kind == air.Lookup && x.Kind == air.Receive {
			continue
		}
		message := make([]goldilocks.Element, len(x.Values))
		for k, v := range x.Values {
			message[k] = values[v]
		}
		k := key(x.Bus, message)
		switch {
		case x.Bus.Kind == air.Lookup:
			asked[k] = asked[k].Add(n)
			if _, ok := s.answer(x.Bus, message); !ok {
				broken = append(broken, "bus "+x.Bus.Name)
			}
		case x.Kind == air.Receive:
			tokens[k] = tokens[k].Sub(n)
		default:
			tokens[k] = tokens[k].Add(n)
		}
	}
	return broken, asked, tokens
}

// answer is the index of the lookup table's row that answers a message, if there is one.
func (s *subject) answer(bus *air.Bus, message []goldilocks.Element) (at uint64, ok bool) {
	a := s.answers[bus]
	trace, t := a.in.Trace, a.in.Table
	rows := uint64(trace.Rows())
	at, ok = a.entry.Position(func(i int) goldilocks.Element { return message[i] }, rows)
	if !ok || a.entry.Selector >= 0 && trace.Preprocessed[a.entry.Selector][at] != 1 {
		return 0, false
	}
	for i, v := range t.Interactions[uint64(a.entry.Interaction)+at/rows].Values {
		if fixedValue(t, trace, v, at%rows) != message[i] {
			return 0, false
		}
	}
	return at, true
}

// fixedValue is a sum or difference of preprocessed columns and constants in a row.
func fixedValue(t *air.Table, trace air.Trace, id air.NodeID, at uint64) goldilocks.Element {
	switch node := t.Graph[id]; node.Op {
	case air.Preprocessed:
		return trace.Preprocessed[node.Column][at]
	case air.Constant:
		return node.Value
	case air.Add, air.Sub:
		return node.Op.Apply(fixedValue(t, trace, node.A, at), fixedValue(t, trace, node.B, at))
	default:
		panic(fmt.Sprintf("table %s answers with a %s", t.Name, node.Op))
	}
}

// lie changes cells of rows and returns what is violated: constraints by "table: name", buses by "bus name". It
// restores the cells.
func (s *subject) lie(change func(), rows ...row) (broken []string) {
	return s.lieDuring(change, nil, rows...)
}

// said caches the messages of rows on lookup buses and on others for the current cells in and around them.
type said struct {
	rows          []row
	cells         []goldilocks.Element
	asked, tokens counted
}

// says evaluates rows as they are, or returns the cached result of the last evaluation.
func (s *subject) says(rows []row, seen map[row]bool) *said {
	var cells []goldilocks.Element
	for _, r := range rows {
		around := []int{r.at}
		if n := r.in.Trace.Rows(); len(r.in.Table.NextMain) > 0 {
			around = append(around, (r.at+n-1)%n, (r.at+1)%n)
		}
		for _, at := range around {
			for _, c := range r.in.Trace.Main {
				cells = append(cells, c[at])
			}
		}
	}
	if last := s.last; last != nil && slices.Equal(last.rows, rows) && slices.Equal(last.cells, cells) {
		return last
	}
	s.last = &said{slices.Clone(rows), cells, counted{}, counted{}}
	for r := range seen {
		_, asked, tokens := s.look(r.in, r.at)
		s.last.asked.add(asked, goldilocks.Element.Add)
		s.last.tokens.add(tokens, goldilocks.Element.Add)
	}
	return s.last
}

// lieDuring is lie, and calls a function while the cells are changed, with the additional messages on lookup buses.
func (s *subject) lieDuring(change func(), during func(broken []string, asked counted), rows ...row) (broken []string) {
	var places []*goldilocks.Element
	var cells []goldilocks.Element
	seen := map[row]bool{}
	for _, r := range rows {
		seen[r] = true
		if len(r.in.Table.NextMain) > 0 { // the previous row reads its cells, too
			seen[row{r.in, (r.at + r.in.Trace.Rows() - 1) % r.in.Trace.Rows()}] = true
		}
		for _, c := range r.in.Trace.Main {
			places, cells = append(places, &c[r.at]), append(cells, c[r.at])
		}
	}
	moreAsked, moreTokens := counted{}, counted{}
	before := s.says(rows, seen)
	moreAsked.add(before.asked, goldilocks.Element.Sub)
	moreTokens.add(before.tokens, goldilocks.Element.Sub)
	change()
	for r := range seen {
		names, asked, tokens := s.look(r.in, r.at)
		for _, name := range names {
			if !strings.HasPrefix(name, "bus ") {
				name = r.in.Table.Name + ": " + name
			}
			if !slices.Contains(broken, name) {
				broken = append(broken, name)
			}
		}
		moreAsked.add(asked, goldilocks.Element.Add)
		moreTokens.add(tokens, goldilocks.Element.Add)
	}
	broken = append(broken, moreTokens.unbalanced()...)
	slices.Sort(broken)
	broken = slices.Compact(broken)
	if during != nil {
		during(broken, moreAsked)
	}
	for i, place := range places {
		*place = cells[i]
	}
	return broken
}

// has reports whether the sample has rows of a table.
func has(table string) bool { return table != "REFRESH" && !ofCalls(table) }

// ofCalls reports whether a table has rows for calls of accelerators.
func ofCalls(name string) bool {
	for _, k := range all.Kinds() {
		if name == k.Table.String() || k.Work != 0 && name == k.Work.String() {
			return true
		}
	}
	return name == table.Call.String()
}

// eachTable visits every table in a run that has rows of it, if there is one.
func eachTable(t *testing.T, runs runs, visit func(s *subject, table *air.Table)) {
	t.Helper()
	s := runs.of(t, instruction.Illegal)
	for _, table := range s.program.Machine().Tables {
		if ofCalls(table.Name) {
			visit(runs.of(t, instruction.ECALL), table)
		} else {
			visit(s, table)
		}
	}
}

// The sample is a valid run, and has a row of every table except REFRESH and the tables of calls.
func TestSample(t *testing.T) {
	s := honest(t)
	if err := s.program.Fillers().Check(parallel.New(2), s.execution); err != nil {
		t.Fatal(err)
	}
	for _, table := range s.program.Machine().Tables {
		if have := len(s.rows(table.Name, nil)); (have > 0) != has(table.Name) {
			t.Errorf("table %s has %d rows", table.Name, have)
		}
	}
	if have := string(s.execution.Stated().Output); len(have) != 30 || have[6:] != samplePrivate[6:] {
		t.Errorf("output %q", have)
	}
}
