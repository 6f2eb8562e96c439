package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// The record sets behind those of the tables, whose numbers are the tables'.
const (
	Program   = table.Count + iota // program rows
	Old                            // what each accessed word held, by access
	Previous                       // the time of the word's previous access, by access, two in a word
	firstRead                      // what calls have read, one behind the other: of each accelerator with a table Work
)

// Sets is the number of sets that fillers read.
const Sets = firstRead + table.MaxAccelerators

// readBy is the set of what the calls of an accelerator have read, for its table Work.
func readBy(kind *accelerator.Kind) int { return firstRead + int(kind.Table-table.FirstCalls) }

// Records are the record sets of a run.
func Records(p *program.Program, set *record.Set) [][]uint64 {
	sets := make([][]uint64, Sets)
	for t := range table.Table(table.Count) {
		if records := recordsOf(set, t); records != nil {
			sets[t] = wordsOf(records)
		}
	}
	sets[Program] = wordsOf(p.Rows)
	sets[Old], sets[Previous] = wordsOf(set.Accesses.Old), wordsOf(set.Accesses.Previous)
	for _, kind := range all.Kinds() {
		if kind.Work == 0 {
			continue
		}
		for _, call := range set.Call[kind.Table] {
			read := kind.AppendNumbers(sets[readBy(kind)], call.Arguments)
			sets[readBy(kind)] = append(read, set.Accesses.Old[call.Access:][:kind.Words()]...)
		}
	}
	return sets
}

// recordsOf is the slice of a table's records, nil for tables without records.
func recordsOf(set *record.Set, t table.Table) any {
	switch record.ShapeOf(t) {
	case record.ShapePlain:
		return set.Plain
	case record.ShapeConstant:
		return set.Constant
	case record.ShapeUnary:
		return set.Unary[t]
	case record.ShapeBinary:
		return set.Binary[t]
	case record.ShapeBranch:
		return set.Branch[t]
	case record.ShapeLoad:
		return set.Load[t]
	case record.ShapeStore:
		return set.Store[t]
	case record.ShapeHalt:
		return set.Halt
	case record.ShapeCall:
		return set.Call[t]
	}
	switch t {
	case table.Refresh:
		return set.Refresh
	case table.Boundary:
		return set.Ordered()
	case table.Private:
		return privateWords(set)
	case table.Register:
		return set.Registers[:]
	}
	return nil
}

// privateWords are the words of the private input up to the last that was accessed; the others among them have index 0.
func privateWords(set *record.Set) []memorymap.Word {
	list := make([]memorymap.Word, set.Rows(table.Private))
	for _, w := range set.Private {
		list[w.Index-uint32(memorymap.PrivateInput/memorymap.WordBytes)] = w
	}
	return list
}

// accessesOf is how many accesses to words a row of a table makes at most.
func accessesOf(t table.Table) uint64 {
	switch shape := record.ShapeOf(t); {
	case t == table.Unal:
		return 2
	case shape == record.ShapeLoad || shape == record.ShapeStore:
		return 1
	}
	for _, kind := range all.Kinds() {
		if kind.Table == t {
			return uint64(kind.Words())
		}
	}
	return 0
}

// recordWords are the words of each record set, of tables with so many rows and of so many accesses to words.
func recordWords(rows [table.Count]uint64, accesses uint64) []uint64 {
	list := make([]uint64, Sets)
	for t := range table.Table(table.Count) {
		if records := recordsOf(new(record.Set), t); records != nil {
			list[t] = rows[t] * uint64(recordBytes(records)) / wordBytes
		}
	}
	list[Program] = rows[table.Program] * uint64(recordBytes([]rv64im.Row{})) / wordBytes
	list[Old], list[Previous] = accesses, (accesses+1)/2
	for _, kind := range all.Kinds() {
		if kind.Work != 0 {
			list[readBy(kind)] = rows[kind.Table] * uint64(kind.Read())
		}
	}
	return list
}
