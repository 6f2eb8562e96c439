// Package verifiertest tests the C verifier of guests/verifier. The tests build it natively with sanitizers and compare
// it with package verify and the second verifier, on proofs and on changed proofs. They also build it as a guest, which
// verifies a proof.
package verifiertest
