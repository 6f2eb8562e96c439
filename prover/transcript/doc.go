// Package transcript is Fiat-Shamir over Keccak-256: the verifier's messages
// are hashes of everything the prover has said before.
//
// A [Transcript] holds a state of 32 bytes and the messages absorbed since
// the last challenge. The first challenge after a message hashes both into a
// new state; challenges are then read from a counter-mode stream of that
// state. Field elements are sampled by rejection, so they are uniform; query
// positions are the low bits of a word.
//
//	message    tag byte || length, 8 bytes little endian || bytes
//	state'     Keccak256(0x00 || state || messages)
//	block i    Keccak256(0x01 || state || i, 8 bytes little endian), 4 words little endian
//	seed       Keccak256(0x02 || state')
//	nonce ok   first word of Keccak256(seed || nonce, 8 bytes little endian) < 2^(64-bits)
//
// The package knows nothing of the protocol: which message carries which tag
// and when challenges are drawn is package stark's. It never reads randomness
// from anywhere else.
package transcript
