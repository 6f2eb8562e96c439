// Package verifiertest tests the C verifier of guests/verifier: built natively under sanitizers it is held against
// package verify and the second verifier on proofs and on changed proofs, and built as a guest it verifies a real proof.
package verifiertest
