package machine

import "github.com/chiasmus/chiasmus/prover/circuit"

// Execution is what the tables of one proof are filled from: a whole run of a program, or one shard of it. It is safe
// for use by several goroutines.
type Execution interface {
	// Public is what the proof states. It waits for the end of a run that is still running. The caller must not change
	// it.
	Public() circuit.Public

	// Instances are the tables' instances in the order of tables, those of one table by falling height. The caller must
	// not change them.
	Instances() []circuit.Instance

	// Records are the record sets that tables share, by the numbers that device fillers name them with. The machine
	// documents the layout of each. Records waits for the end of a run that is still running. The caller must not change
	// the sets.
	Records() [][]uint64

	// Device says how a device gets the record sets without waiting for Records. [OnHost] has a default.
	Device() DeviceRecords

	// Release frees the execution's records once its tables are filled. The execution cannot be proven again, and keeps
	// only what it states and its instances. [OnHost] has a default.
	Release()
}

// DeviceRecords are the ways in which a device gets record sets without waiting for [Execution.Records]. The zero value
// has none.
type DeviceRecords struct {
	// Derive, unless nil, returns how the device makes the record sets itself. It returns nil where the host has to make
	// them.
	Derive func() *Derivation

	// Grow, unless nil, hands over the record sets of a run that is still running: as far as they are known, again and
	// again, the last time whole, until each fails; it returns that error. How often, and how long the sets are then,
	// depends only on their final lengths. What was handed over does not change.
	Grow func(each func(known [][]uint64) error) error
	// Words is the final length of each record set. It goes with Grow.
	Words []uint64
}

// OnHost is embedded in executions whose records the host makes before the execution is handed over, and which keep
// their memory.
type OnHost struct{}

// Device returns the zero value: a device gets what Records returns.
func (OnHost) Device() DeviceRecords { return DeviceRecords{} }

// Release does nothing: the garbage collector frees the records.
func (OnHost) Release() {}

// Shard is the execution of one shard of a run. A whole run is one shard.
type Shard struct {
	Execution

	// Last reports whether the tables that a run has once count in this shard: in the last one.
	Last bool

	// End is the size of the run up to the end of the shard.
	End int

	// Unanswered are the messages on lookup buses from instances that do not count. No table may count them as asked.
	Unanswered []circuit.Message
}
