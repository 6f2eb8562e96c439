// Package accelerator defines the fillers of an accelerator's tables on the host. The packages below it implement them;
// package all lists them.
package accelerator

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// A Filler fills the tables of an accelerator.
type Filler struct {
	Kind *accelerator.Kind
	// Call writes the cells of the columns that Circuit.Call declared, for one call. It overwrites every cell. Call is
	// nil if Circuit.Call declares no columns.
	Call func(cells []goldilocks.Element, read, written []uint64)
	// Work writes an instance of table Work: the calls at these times, then padding. read has the words that the calls
	// read, call by call. Work is nil if there is no such table.
	Work func(pool *parallel.Pool, columns [][]goldilocks.Element, times, read []uint64)
}

// Check returns an error if the filler fills a table that its Kind does not have, or leaves one out.
func (f *Filler) Check() error {
	if (f.Kind.Tables.Work != nil) != (f.Work != nil) {
		return fmt.Errorf("host filler of accelerator %s: a table of work needs Work, and Work needs a table", f.Kind.Name)
	}
	return nil
}
