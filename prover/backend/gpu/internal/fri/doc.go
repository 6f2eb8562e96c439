// Package fri keeps FRI's codewords on a device: the codeword that is folded, the codewords of smaller heights that
// join it, and the committed layers, whose rows are opened in place. With BLAKE3 the device draws the challenges, so
// that no layer waits for the host; with Keccak-256 the host does.
//
// The functions whose names begin with Take take memory as a proof does. A rehearsal calls them in the same order
// without a device.
package fri
