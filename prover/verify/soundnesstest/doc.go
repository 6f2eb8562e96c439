// Package soundnesstest is a cheating prover and the tests that catch it. All its code is in tests.
//
// The kit builds proofs in which exactly one thing is wrong. It wraps the CPU backend at the interface of package
// backend and changes the result of one call, or changes an execution's cells, or gives the prover a transcript that
// samples a challenge too early. After the lie, the prover continues like an honest one. Each test names the verifier's
// check that must catch the lie.
//
// Files: kit_test.go, cheater_test.go and change_test.go are the kit; toy_test.go is a small machine with every feature
// of a machine; the other files are tests, named after the part of the proof that is false.
//
// With -soundness.all the tests are exhaustive: every constraint of every machine, and all 255 other values of each
// byte of a proof.
package soundnesstest
