package machine

import "github.com/chiasmus/chiasmus/internal/header"

// MaxSets is the largest number of record sets of a derivation.
const MaxSets = 160

// Sets are the addresses and lengths of record sets on a device, by number: the first argument of every kernel of a
// derivation.
type Sets struct {
	Address [MaxSets]uint64
	Words   [MaxSets]uint64
}

// SetsStruct adds the struct to a header, as Sets.
func SetsStruct(h *header.Header) *header.Header { return h.Struct("Sets", Sets{}) }

// Deriver holds the kernels with which a device makes record sets from other data of the host.
type Deriver struct {
	Sources map[string]string // by file name
	Headers map[string]string
}

// Derivation describes how a device makes an execution's record sets. The sets after those that fillers read are
// internal to the derivation.
type Derivation struct {
	Words []uint64         // the length of every set, by number
	Sent  map[int][]uint64 // the sets that the host sends
	Steps []Step
	// Grow, if it is not nil, delivers sets that grow while the execution is running. It calls each repeatedly with the
	// known part of the sets, the last time with all of them, and with the steps that this part makes possible. It stops
	// at the first error, and returns that error or the execution's. These steps precede Steps.
	Grow func(each func(known map[int][]uint64, steps []Step) error) error

	// Ended, if it is not nil, is called after Grow. The derivation that it returns has the final lengths, which were
	// upper bounds before, the sets to send then, and the steps that replace Steps.
	Ended func() *Derivation

	// Parts are the parts of sets that fillers read, by set number, if the execution is a shard of the derived run. The
	// sets are then longer than RecordWords reports; if they do not fit on the device, the host makes the records.
	Parts map[int]Part

	// Status is the number of a set of one word, whose bits are all 1 at first. Check interprets the final value.
	Status int
	Check  func(status uint64) error
}

// Part is a part of a record set.
type Part struct {
	Set          int
	First, Words uint64
}

// Step is a kernel launch. The kernel's arguments are Sets, A and B.
type Step struct {
	Kernel string
	Launch Launch
	A, B   uint64
}
