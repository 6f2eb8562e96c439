package machine

import (
	"errors"
	"github.com/chiasmus/chiasmus/prover/circuit"
)

// Execution is one run of a program: what it claims and what its tables are filled from. It is safe for use by
// several goroutines.
type Execution interface {
	// Public is what the proof states. The caller must not change it.
	Public() circuit.Public

	// Instances are the tables' instances, found by executing: in the order of tables, those of one table by falling
	// height. The caller must not change them.
	Instances() []circuit.Instance

	// Records are the record sets that tables share, by the numbers that device fillers name them with. The layout
	// of each is the machine's, which documents it. The caller must not change them.
	Records() [][]uint64
}

// Growing is an execution that may go on when it is handed over: its instances are known, and what it states and its
// record sets are waited for.
type Growing interface {
	Execution

	// RecordWords is how long each of the record sets will be.
	RecordWords() []uint64

	// Grow hands over the record sets as far as they are known, again and again, the last time whole, until each fails:
	// that error is returned. How often, and how long the sets are then, their final lengths decide. What was handed over
	// does not change.
	Grow(each func(known [][]uint64) error) error
}

// ErrForetold is why the tables of an execution cannot be filled whose instances were foretold, and are others.
var ErrForetold = errors.New("the execution has other instances than were foretold: execute again")

// Foretold is an execution of which the instances may be foretold, and nothing else be known: it goes on.
type Foretold interface {
	Execution

	// Foretold reports whether it is one, and then with a statement as long as its own, which Public waits for. Where it
	// ends with other instances or a longer or shorter statement, filling its tables fails with [ErrForetold].
	Foretold() (like circuit.Public, ok bool)
}

// Releaser is an execution that can let go of what its tables are filled from.
type Releaser interface {
	Execution

	// Release lets go of it: from then on the execution only tells what it states and its instances.
	Release()
}
