// Package parallel runs loops over index ranges on several goroutines.
//
// A [Pool] is a value that its owner hands to whatever should run in parallel;
// the package has no global pool. A pool bounds how many goroutines work on
// one loop; a pool of [NewBounded] bounds how many work on all of its loops together.
// It may be shared by goroutines and used by a loop body for a loop of
// its own. Workers linger for a fraction of a millisecond after a loop, so that
// the next finds them awake, and then end. [Pool.Rouse] wakes them ahead. A pool that
// is not in use holds nothing and need not be closed.
//
// The package never decides what is computed: the bodies of one loop write to
// disjoint places, so that results do not depend on the number of workers.
package parallel
