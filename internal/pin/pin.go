// Package pin marks the tests that compare bytes with bytes that this code wrote before: digests of machines, golden
// proofs, caps of the fixed tables, counts of registers. It is for test files only.
//
// Such a test is a pin. It fails on every change, right or wrong, and says nothing but that the bytes are others. So a
// planted bug that only a pin notices is a bug that no test understands. The build tag nopins turns pins off:
//
//	go test -tags nopins ./prover/prove
//
// Package mutate builds the tests of every mutation with it. Nobody else does: everywhere else pins are on.
//
// No pin is what compares with bytes that something else computed: a published test vector, a reference in Python or
// R, the second verifier, a text that a reader judges.
package pin

import "testing"

// On reports whether pins are on. It is false under the build tag nopins alone.
func On() bool { return on }

// Test begins a test that is a pin. The test is skipped where pins are off.
func Test(t testing.TB) {
	t.Helper()
	if !on {
		t.Skip("pins are off: the build tag nopins is set")
	}
}
