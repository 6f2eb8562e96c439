package machine

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Table is a declared table with what fills it. Its fillers travel with it: nothing is found by a name.
type Table struct {
	*air.Table

	// Fill writes every cell of the main columns of one instance of an execution, whatever was in them before, in
	// natural row order. Count columns are left alone. It may be called for several instances at once.
	Fill func(pool *parallel.Pool, execution Execution, instance int, columns [][]goldilocks.Element) error

	// Device fills the same cells on a device; nil where only the host can.
	Device *DeviceFiller
}

// DeviceFiller is how a device fills an instance: kernels as text, for whatever compiles them. Both fillers of a table
// must agree cell by cell.
//
// The text is in the dialect of the project's kernels and may include "columns.cuh", which is generated from the
// declaration (see [Table.ColumnHeader]), and the Headers. Every kernel gets, in this order:
//
//	u64 *columns, u64 stride    the columns, at a distance of stride words: even, and the first at a multiple of 16 bytes
//	u64 rows                    of the instance
//	u64 first                   the number of the table's rows in earlier instances, or of its records
//	u64 *work                   scratch memory, WorkWords(rows) words; null for none
//	const u64 *record, u64 words    for each record set in Records, its start and length
//
// The kernels of a filler with a Unit get, in place of what stands before the record sets, all instances of the table:
//
//	Instances instances         see "instances.cuh", which they may include
type DeviceFiller struct {
	// Unit names a file that several tables share: their Source and Headers are the same and compiled once, and each
	// launch is for all instances of a table. Such a filler has no scratch memory. Empty for a file of the table's own.
	Unit    string
	Source  string
	Headers map[string]string
	Records []int                    // numbers of the execution's record sets
	Work    func(rows uint64) uint64 // scratch memory in words; nil for none
	// RowsOfRecord is how many rows a record takes, of which none goes on in another instance: first counts records. 0
	// where first counts rows.
	RowsOfRecord int
	Kernels      []Kernel // queued one after the other

	// GrowsBy is the words of a record where rows can be filled as soon as their records are there, of a [Growing]
	// execution; 0 where they cannot. A filler that grows reads one record set, and of that only what the rows are of: it
	// is handed some records and their rows, RowsOfRecord of each and an even number, as if these were an instance, and
	// the rows without records, behind all others, as an instance without any. It has no Unit.
	GrowsBy uint64
}

// Kernel is one launch.
type Kernel struct {
	Name string
	// Launch says how many blocks of how many threads work on so many rows, of one instance or with a Unit of all, of
	// which the record sets have so many words.
	Launch func(rows uint64, words []uint64) Launch
}

// Launch is the shape of a launch: blocks in two dimensions and threads of a block in one.
type Launch struct {
	BlocksX, BlocksY uint64
	Threads          uint32
}

// Linear is a launch of at least so many threads.
func Linear(total uint64, threads uint32) Launch {
	return Launch{(total + uint64(threads) - 1) / uint64(threads), 1, threads}
}

// ColumnHeader is the text of columns.cuh: COLUMN_NAME is the number of main column NAME, and of name[0] where it is
// the first of several. Names are in upper case, with _ for what C++ does not allow.
func (t *Table) ColumnHeader() string {
	var text strings.Builder
	fmt.Fprintf(&text, "// The main columns of table %s. Generated from its declaration.\n#pragma once\n", t.Name)
	for i, name := range t.Main {
		if base, index, ok := strings.Cut(name, "["); ok {
			if index != "0]" {
				continue
			}
			name = base
		}
		fmt.Fprintf(&text, "#define COLUMN_%s %d\n", macroName(name), i)
	}
	fmt.Fprintf(&text, "#define COLUMNS %d\n", len(t.Main))
	return text.String()
}

func macroName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		default:
			return '_'
		}
	}, name)
}

// Column is the number of the main column of a name, for host fillers that look their columns up once. A name that the
// table does not have is a mistake in the program that no input can cause.
func (t *Table) Column(name string) int {
	for i, have := range t.Main {
		if have == name || have == name+"[0]" {
			return i
		}
	}
	panic(fmt.Sprintf("machine: table %s has no column %q", t.Name, name))
}
