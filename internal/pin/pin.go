// Package pin marks tests that compare bytes with bytes that this code wrote earlier: digests of machines, golden
// proofs, caps of the fixed tables, counts of registers. Only test files use it.
//
// Such a test is a pin. It fails on every change, right or wrong, and reports only that the bytes differ. So a planted
// bug that only a pin notices is not really tested. The build tag nopins turns pins off:
//
//	go test -tags nopins ./prover/prove
//
// Package mutate builds the tests of every mutation with this tag. Everything else runs with pins on.
//
// A comparison with bytes from another source is not a pin: a published test vector, a reference in Python or R, the
// second verifier, a golden text that people review.
package pin

import "testing"

// On reports whether pins are on. Only the build tag nopins turns them off.
func On() bool { return on }

// Test marks the calling test as a pin. It skips the test if pins are off.
func Test(t testing.TB) {
	t.Helper()
	if !on {
		t.Skip("pins are off: the build tag nopins is set")
	}
}
