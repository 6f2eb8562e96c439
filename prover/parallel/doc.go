// Package parallel runs loops over index ranges on several goroutines.
//
// A [Pool] is a value that its owner passes to code that should run in parallel; the package has no global pool. A pool
// bounds the number of goroutines that work on one loop; a pool made by [NewBounded] bounds the number for all of its
// loops together. Goroutines may share a pool, and a loop body may use it for a loop of its own. Workers linger for a
// fraction of a millisecond after a loop, so that the next loop finds them awake, and then end. [Pool.Rouse] wakes them
// in advance. An idle pool holds no resources and need not be closed.
//
// The bodies of one loop must write to disjoint memory. Then results do not depend on the number of workers.
package parallel
