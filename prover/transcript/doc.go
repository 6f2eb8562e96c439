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
// [Blake3] is the transcript of protocol 3: its state is a chaining value of
// BLAKE3's compression C(cv, block, counter, length, flags), so that a circuit
// which verifies a proof needs one compression for each block.
//
//	message    cv <- C(cv, two items, i + 2^32 tag, 32 or 64, 16 first, 32 last)
//	draw k     C(cv, zeros, k + 2^32 255, 0, 64): an element, a digest, or eight positions
//	nonce ok   first word of the state after its message ends in the zero bits
//	list       cv <- C(cv, two items, i + 2^32 kind, 32 or 64, 128 + 1 first + 2 last), from IV
//
// The package knows nothing of the protocol: which message carries which tag
// and when challenges are drawn is package protocol's. It never reads randomness
// from anywhere else.
package transcript
