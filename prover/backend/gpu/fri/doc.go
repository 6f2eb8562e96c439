// Package fri keeps FRI's codewords on a device: the one that is folded, those of smaller heights that join it, and the
// layers that were committed to, whose rows are opened from where they lie. The host draws the challenges.
//
// The functions named Take take memory as a proof does; a rehearsal calls them in the same order without a device.
package fri
