// Package accelerator defines the fillers of an accelerator's tables on devices. The packages below it implement them;
// package all lists them.
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
	// Call is source in the dialect of the project's kernels, without includes, which is put in a namespace of its own.
	// For an accelerator whose calls read 12 words and write 4,
	//
	//	bool compute(const u64 (&read)[12], u64 (&written)[4])
	//
	// is Compute, and returns false where Compute returns an error, and
	//
	//	template <class C, class R> void own_columns(const R &row, const u64 (&read)[12], const u64 (&written)[4])
	//
	// fills the columns that Circuit.Call declared. row.put(column, value) writes a cell, and C has the indices of
	// columns by name; C::q is the index of q[0].
	Call     string
	Includes []string // headers of the project's kernels that Call uses, in addition to goldilocks.cuh
	// Work returns the filler of table Work. calls and read are the numbers of two record sets: calls as in package
	// record, and the words that they read, call by call. Work is nil if there is no such table.
	Work func(calls, read int) *machine.DeviceFiller
}

// Header returns the header with the source Call.
func (f *Filler) Header() string { return Header(f.Kind.Tables.Calls, f.Call, f.Includes...) }

// Header returns a header with the device source of an accelerator, in the namespace accelerator_NAME, where NAME is
// the name of the accelerator's table of calls.
func Header(table, text string, includes ...string) string {
	file := header.New(append([]string{"goldilocks.cuh"}, includes...)...).String()
	return fmt.Sprintf("%snamespace accelerator_%s {\n%s}  // namespace accelerator_%s\n", file, table, text, table)
}

// Check returns an error if Call is empty, or if the filler fills a table that its Kind does not have or omits one that
// it has.
func (f *Filler) Check() error {
	switch {
	case f.Call == "":
		return fmt.Errorf("device filler of accelerator %s: no text fills the rows of calls", f.Kind.Name)
	case (f.Kind.Tables.Work != nil) != (f.Work != nil):
		return fmt.Errorf("device filler of accelerator %s: a table of work needs Work, and Work needs a table", f.Kind.Name)
	}
	return nil
}
