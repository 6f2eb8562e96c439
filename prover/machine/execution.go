package machine

import (
	"errors"

	"github.com/chiasmus/chiasmus/prover/circuit"
)

// ErrPrediction is returned if the tables of a speculative execution cannot be filled because it has other instances
// than predicted.
var ErrPrediction = errors.New("the run has other instances than predicted from the run before: run it again")

// Execution is a whole run of a program, or a shard, from which the tables of a proof are filled. It is safe for use by
// several goroutines.
type Execution interface {
	// Public is what the proof states. It waits for the end of a run that is still running. The caller must not change
	// it.
	Public() circuit.Public

	// Instances are the tables' instances in the order of tables, the tallest of a table first. The caller must not change
	// them. The instances of a speculative run are predicted. They are the run's own once [Derivation.Ended] has
	// returned: if they differ, a device that can continues with them.
	Instances() []circuit.Instance

	// Records are the record sets that tables share, by their numbers in device fillers. The machine documents the layout
	// of each. Records waits for the end of a run that is still running. The caller must not change the sets.
	Records() [][]uint64

	// Device returns the ways in which a device gets the record sets without waiting for Records. [OnHost] has a default.
	Device() DeviceRecords

	// Release frees the execution's records once its tables are filled. The execution cannot be proven again, and keeps
	// only what it states and its instances. [OnHost] has a default.
	Release()

	// Rest may free the records until tables are filled again, which makes them again. A shard that is committed to in
	// both phases rests between them. [OnHost] has a default.
	Rest()
}

// DeviceRecords are the ways in which a device gets record sets without waiting for [Execution.Records]. The zero value
// has none.
type DeviceRecords struct {
	// Derive, if it is not nil, describes how the device makes the record sets itself. It returns nil if the host has to
	// make them.
	Derive func() *Derivation

	// Grow, if it is not nil, delivers the record sets of a run that is still running. It calls each repeatedly with the
	// known part of the sets, the last time with all of them, and stops at the first error, which it returns. The number
	// of calls and the lengths depend only on the final lengths. What each has received does not change.
	Grow func(each func(known [][]uint64) error) error
	// Words is the final length of each record set. It goes with Grow.
	Words []uint64
}

// OnHost is embedded in executions whose records exist from the start and keep their memory.
type OnHost struct{}

// Device returns the zero value: a device gets what Records returns.
func (OnHost) Device() DeviceRecords { return DeviceRecords{} }

// Release does nothing: the garbage collector frees the records.
func (OnHost) Release() {}

// Rest does nothing.
func (OnHost) Rest() {}

// Shard is the execution of one shard of a run. A whole run is one shard.
type Shard struct {
	Execution

	// Last reports whether this is the run's last shard. Tables that a run has once count only there.
	Last bool

	// End is the size of the run up to the end of the shard.
	End int

	// Unanswered are the messages on lookup buses from instances that do not count. The counts of lookup tables must not
	// include them.
	Unanswered []circuit.Message
}
