// Package tuning holds the constants of the kernels' launches that depend on the device and not on the algorithm.
package tuning

// Transform says how a batch of transforms is cut up.
type Transform struct {
	// ResidentThreads is how many threads a multiprocessor runs at once.
	ResidentThreads uint64
	// TwiddlePercent is what a block's twiddles cost, in hundredths of the work on one column.
	TwiddlePercent uint64
	// ChunkBytes is how much of the columns goes through all passes before the next part: what the second-level cache
	// can hold between passes. 0 for all at once.
	ChunkBytes uint64
	// SmallLog is the largest log size at which a thread transforms a column alone, where that is above 3.
	SmallLog int
	// LoadAhead is whether a block copies the next column's words to a second tile during the work on a column. The
	// shared memory of a multiprocessor must hold two tiles for each of its blocks: 152 KB in all. To be set where it
	// was measured to pay, and said to the kernels too (loads_ahead).
	LoadAhead bool
}

// Device is the tuning of one architecture.
type Device struct {
	Transform Transform
	// HashThreads is the block size of the hashing kernels, at most 128.
	HashThreads uint64
}

// The transforms are compiled for 512 threads a multiprocessor, which their registers fill.
var devices = map[string]Device{
	"sm_80": {Transform: Transform{ResidentThreads: 512, TwiddlePercent: 60}, HashThreads: 128},
	// On an H200 loading ahead takes 1.77 ms instead of 1.97 for the extension of 24 columns from 2^20 to 2^22.
	"sm_90":  {Transform: Transform{ResidentThreads: 512, TwiddlePercent: 60, LoadAhead: true}, HashThreads: 128},
	"sm_120": {Transform: Transform{ResidentThreads: 512, TwiddlePercent: 60}, HashThreads: 128},
	// The software device runs a block a core, and there a thread without work costs as much as one with.
	// One of its two modes loads ahead, so that tests see both ways.
	"softgpu": {Transform: Transform{ResidentThreads: 256, TwiddlePercent: 60, SmallLog: 8}, HashThreads: 64},
	"softgpu_checked": {Transform: Transform{ResidentThreads: 256, TwiddlePercent: 60, SmallLog: 8,
		LoadAhead: true}, HashThreads: 32},
}

// For returns an architecture's constants, or the plain ones of sm_80 for one that nobody has measured.
func For(architecture string) Device {
	if d, ok := devices[architecture]; ok {
		return d
	}
	return devices["sm_80"]
}
