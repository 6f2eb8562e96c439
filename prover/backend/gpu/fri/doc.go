// Package fri keeps FRI's codewords on a device: the codeword that is folded, the codewords of smaller heights that
// join it, and the committed layers, whose rows are opened in place. The host draws the challenges.
//
// The functions whose names begin with Take take memory as a proof does. A rehearsal calls them in the same order
// without a device.
package fri
