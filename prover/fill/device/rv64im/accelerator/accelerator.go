// Package accelerator says what fills an accelerator's tables on a device. Package all lists the fillers; the packages
// beside it have them.
package accelerator

import (
	"fmt"

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// A Filler fills the tables of an accelerator on a device.
type Filler struct {
	Kind *accelerator.Kind
	// Call is a text in the dialect of the project's kernels, without includes, that becomes a namespace of its own. With
	// as many words as calls read and write,
	//
	//	bool compute(const u64 (&read)[12], u64 (&written)[4])
	//
	// is Compute, false where that is an error, and
	//
	//	template <class C, class R> void own_columns(const R &row, const u64 (&read)[12], const u64 (&written)[4])
	//
	// fills the columns that Circuit.Call declared: row.put(column, value) writes a cell, and C has the numbers of columns
	// by their names, C::q that of q[0].
	Call     string
	Includes []string // headers of the project's kernels that the text uses, beside goldilocks.cuh
	// Work fills table Work, from the record sets with these numbers: calls as package record has them, and what they
	// read, one call's words after the other's. Nil where there is no such table.
	Work func(calls, read int) *machine.DeviceFiller
}

// Header is the header with the text.
func (f *Filler) Header() string { return Header(f.Kind.Tables.Calls, f.Call, f.Includes...) }

// Header is a header with the text for devices of the accelerator whose calls have a table of this name, in the
// namespace accelerator_NAME.
func Header(table, text string, includes ...string) string {
	file := header.New(append([]string{"goldilocks.cuh"}, includes...)...).String()
	return fmt.Sprintf("%snamespace accelerator_%s {\n%s}  // namespace accelerator_%s\n", file, table, text, table)
}

// Check returns an error if the filler has no text, fills a table that its Kind does not have, or leaves one out.
func (f *Filler) Check() error {
	switch {
	case f.Call == "":
		return fmt.Errorf("device filler of accelerator %s: no text fills the rows of calls", f.Kind.Name)
	case (f.Kind.Tables.Work != nil) != (f.Work != nil):
		return fmt.Errorf("device filler of accelerator %s: a table of work comes with Work, and only so", f.Kind.Name)
	}
	return nil
}
