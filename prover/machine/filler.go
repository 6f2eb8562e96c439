package machine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Fillers fill the tables of a machine. A backend gets them when it is opened.
type Fillers struct {
	Machine *circuit.Machine
	Tables  []Filler // in the machine's order

	// RecordWords returns the maximum length, in words, of each record set of an execution with these instances. Devices
	// allocate memory for them before the execution exists. Nil if no table has a device filler.
	RecordWords func(instances []circuit.Instance) []uint64

	// Deriver holds the kernels with which a device makes the record sets of executions that have a [Derivation]; nil for
	// none. RecordWords then includes the sets of the derivation.
	Deriver *Deriver
}

// Filler fills the instances of one table.
type Filler struct {
	// Fill writes every cell of the main columns of one instance of an execution, in natural row order, except count
	// columns. The columns may hold anything before. It may be called for several instances concurrently.
	Fill func(pool *parallel.Pool, execution Execution, instance int, columns [][]goldilocks.Element) error

	// Device fills the same cells on a device; nil if only the host can.
	Device *DeviceFiller
}

// Validate checks that every table has a filler, and that RecordWords is set if a device reads record sets.
func (f *Fillers) Validate() error {
	if have, want := len(f.Tables), len(f.Machine.Tables); have != want {
		return fmt.Errorf("machine %s: fillers of %d tables, want %d", f.Machine.Name, have, want)
	}
	var errs []error
	for i, filler := range f.Tables {
		name := f.Machine.Tables[i].Name
		if filler.Fill == nil {
			errs = append(errs, fmt.Errorf("machine %s: nothing fills table %s", f.Machine.Name, name))
		}
		if filler.Device != nil && f.RecordWords == nil {
			errs = append(errs, fmt.Errorf("machine %s: a device fills table %s, and RecordWords is not set",
				f.Machine.Name, name))
		}
	}
	return errors.Join(errs...)
}

// Of returns the filler of an instance's table.
func (f *Fillers) Of(instance circuit.Instance) *Filler { return &f.Tables[instance.Table] }

// DeviceFiller fills an instance on a device. Its kernels are source text that a backend compiles. Both fillers of a
// table must agree cell by cell.
//
// The text is in the dialect of the project's kernels and may include "columns.cuh", which is generated from the
// declaration (see [ColumnHeader]), and the Headers. Every kernel gets, in this order:
//
//	u64 *columns, u64 stride    the first column, aligned to 16 bytes, and the distance of columns in words, even
//	u64 rows                    rows of the instance
//	u64 first                   the table's rows in earlier instances, or its records there: see RowsOfRecord
//	u64 *work                   scratch memory, Work(rows) words; null for none
//	const u64 *record, u64 words    for each record set in Records, its start and length
//
// The kernels of a filler with a Unit get, in place of the arguments before the record sets, all instances of the
// table:
//
//	Instances instances         see "instances.cuh", which they may include
type DeviceFiller struct {
	// Unit names a file that several tables share: their Source and Headers are equal and compiled once, and each launch
	// is for all instances of a table. Such a filler has no scratch memory. Unit is empty if the table has its own file.
	Unit    string
	Source  string
	Headers map[string]string
	Records []int                    // numbers of the execution's record sets
	Work    func(rows uint64) uint64 // scratch memory in words; nil for none
	// RowsOfRecord is the number of rows that a record takes, all in one instance; first counts records then. If it is 0,
	// first counts rows.
	RowsOfRecord int
	Kernels      []Kernel // in the order of execution

	// GrowsBy is the record size in words if rows can be filled incrementally, as soon as their records arrive (see
	// [DeviceRecords]), else 0. Such a filler has no Unit, reads one record set, and a row depends only on its own record.
	// A launch gets some records and their rows, an even RowsOfRecord for each record, as if these were an instance. The
	// rows after those of all records are filled as an instance without records.
	GrowsBy uint64
}

// Kernel is a kernel and the shape of its launch.
type Kernel struct {
	Name string
	// Launch returns the shape of the launch. rows counts the rows of one instance, or of all instances if the filler has
	// a Unit; words are the lengths of the record sets.
	Launch func(rows uint64, words []uint64) Launch
}

// Launch is the shape of a launch: a two-dimensional grid of blocks, and the threads of each block.
type Launch struct {
	BlocksX, BlocksY uint64
	Threads          uint32
}

// Linear returns a launch of at least total threads.
func Linear(total uint64, threads uint32) Launch {
	return Launch{(total + uint64(threads) - 1) / uint64(threads), 1, threads}
}

// ColumnHeader returns the text of columns.cuh for a table: COLUMN_NAME is the index of main column name, or of name[0]
// if there are several. Names are in upper case, with _ for characters that C++ does not allow.
func ColumnHeader(t *air.Table) string {
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
