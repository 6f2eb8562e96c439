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

// The record sets after those of the tables, which have the tables' numbers.
const (
	Program   = table.Count + iota // program rows
	Old                            // old contents of the word, by access
	Previous                       // time of the word's previous access, by access
	firstRead                      // the words that calls read: a set for each accelerator with a table Work
)

// recordSets is the number of sets that fillers read.
const recordSets = firstRead + table.MaxAccelerators

// readBy returns the number of the set of the words that the calls of an accelerator read, for its table Work.
func readBy(kind *accelerator.Kind) int { return firstRead + int(kind.Table-table.FirstCalls) }

// Records returns the record sets of a run.
func Records(p *program.Program, set *record.Set) [][]uint64 {
	sets := make([][]uint64, recordSets)
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

// recordsOf returns the slice of a table's records, or nil for tables without records.
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

// privateWords returns the words of the private input up to the last accessed one. Words that were not accessed have
// index 0.
func privateWords(set *record.Set) []memorymap.Word {
	list := make([]memorymap.Word, set.Rows(table.Private))
	for _, w := range set.Private {
		list[w.Index-uint32(memorymap.PrivateInput/memorymap.WordBytes)] = w
	}
	return list
}

// accessesOf returns the largest number of accesses to words of a table's row.
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

// recordWords returns the length of each record set for these numbers of rows and accesses to words.
func recordWords(rows [table.Count]uint64, accesses uint64) []uint64 {
	list := make([]uint64, recordSets)
	for t := range table.Table(table.Count) {
		if records := recordsOf(new(record.Set), t); records != nil {
			list[t] = rows[t] * uint64(recordBytes(records)) / wordBytes
		}
	}
	list[Program] = rows[table.Program] * uint64(recordBytes([]rv64im.Row{})) / wordBytes
	list[Old], list[Previous] = accesses, accesses
	for _, kind := range all.Kinds() {
		if kind.Work != 0 {
			list[readBy(kind)] = rows[kind.Table] * uint64(kind.Read())
		}
	}
	return list
}
