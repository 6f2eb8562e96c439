package machine

import "github.com/chiasmus/chiasmus/internal/header"

// MaxSets is the most record sets that a derivation may have.
const MaxSets = 136

// Sets are where record sets lie on a device, and how long they are, by number: the first argument of every kernel of a
// derivation.
type Sets struct {
	Address [MaxSets]uint64
	Words   [MaxSets]uint64
}

// SetsStruct adds the struct to a header, as Sets.
func SetsStruct(h *header.Header) *header.Header { return h.Struct("Sets", Sets{}) }

// Deriver are the kernels with which a device makes record sets itself, from what the host sends in their place.
type Deriver struct {
	Sources map[string]string // by the names of the files
	Headers map[string]string
}

// Derivation is how a device makes an execution's record sets. Sets behind those that fillers read are its own.
type Derivation struct {
	Words []uint64         // the length of every set, by number
	Sent  map[int][]uint64 // those that the host sends
	Steps []Step
	// Grow, unless nil, hands over sets that come while the execution goes on: as far as they are known, again and again,
	// the last time whole, each time with the steps that can be taken then, until one fails: that error is returned, or
	// the execution's. They are taken before Steps.
	Grow func(each func(known map[int][]uint64, steps []Step) error) error

	// Ended, unless nil, is asked behind Grow: all lengths, which were upper bounds before, what is sent then, and the
	// steps in place of Steps.
	Ended func() *Derivation

	// Parts are what fillers get in place of whole sets, by number: of an execution that is a shard of the run which is
	// derived. Its sets are longer than RecordWords says; where they have no room, the host makes the records.
	Parts map[int]Part

	// Status is the number of a set of one word, all of its bits set at first. Check says what it means in the end.
	Status int
	Check  func(status uint64) error
}

// Part is a part of a record set.
type Part struct {
	Set          int
	First, Words uint64
}

// Step is one launch: the kernel gets Sets and two numbers.
type Step struct {
	Kernel string
	Launch Launch
	A, B   uint64
}
