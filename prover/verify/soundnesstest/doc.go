// Package soundnesstest is a cheating prover and the tests that catch it. It has no code
// outside tests.
//
// The kit builds proofs in which exactly one thing is wrong: it wraps the CPU backend at the
// seam of package backend and changes what one call returned, or changes an execution's
// cells, or puts the prover on a transcript that draws a challenge too early. Everything after
// the lie is done as well as an honest prover could. Each test names the check of the verifier that must
// catch the lie.
//
// Files: kit_test.go, cheater_test.go and change_test.go are the kit, toy_test.go a small machine with everything
// that a machine can have; the others are tests, by what they lie about.
//
// With -soundness.all the tests take no samples: every constraint of every machine, all 255
// other values of each byte of a proof.
package soundnesstest
