// Package transcript implements Fiat-Shamir over Keccak-256: the verifier's messages are hashes of everything that the
// prover has sent before.
//
// A [Transcript] has a state of 32 bytes and the messages absorbed since the last challenge. The first challenge after
// a message hashes both into a new state; challenges are then read from that state's counter-mode stream. Field
// elements are sampled by rejection, so they are uniform. Query positions are the low bits of a word.
//
//	message    tag byte || length, 8 bytes little endian || bytes
//	state'     Keccak256(0x00 || state || messages)
//	block i    Keccak256(0x01 || state || i, 8 bytes little endian), 4 words little endian
//	seed       Keccak256(0x02 || state')
//	nonce ok   first word of Keccak256(seed || nonce, 8 bytes little endian) < 2^(64-bits)
//
// [Blake3] is the transcript of protocol 3. Its state is a chaining value of BLAKE3's compression C(cv, block, counter,
// length, flags), so that a circuit that verifies a proof needs one compression per block.
//
//	message    cv <- C(cv, two items, i + 2^32 tag, 32 or 64, 16 first, 32 last)
//	draw k     C(cv, zeros, k + 2^32 255, 0, 64): an element, a digest, or eight positions
//	nonce ok   first word of the state after its message ends in the zero bits
//	list       cv <- C(cv, two items, i + 2^32 kind, 32 or 64, 128 + 1 first + 2 last), from IV
//
// Package protocol defines the tags of messages and the order of challenges. This package reads no other source of
// randomness.
package transcript
