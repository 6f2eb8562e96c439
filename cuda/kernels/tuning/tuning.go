// Package tuning holds the constants of kernel launches that depend on the device rather than on the algorithm.
package tuning

// Transform configures batches of transforms.
type Transform struct {
	// ResidentThreads is the number of threads that a multiprocessor runs at once.
	ResidentThreads uint64
	// TwiddlePercent is the cost of a block's twiddles, as a percentage of the work on one column.
	TwiddlePercent uint64
	// ChunkBytes is the size of the columns that go through all passes before the next chunk, so that they stay in the
	// second-level cache between passes. 0 means all columns at once.
	ChunkBytes uint64
	// SmallLog is the largest log size at which one thread transforms a whole column, if above 3.
	SmallLog int
	// LoadAhead makes a block copy the next column's words to a second tile while it works on a column. The shared
	// memory of a multiprocessor must hold two tiles for each of its blocks: 152 KB in all. Set it only where it was
	// measured to pay, and in the kernels too (loads_ahead).
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
	// The software device runs one block per core, and there an idle thread costs as much as a working one. One of its
	// two modes loads ahead, so that tests cover both.
	"softgpu": {Transform: Transform{ResidentThreads: 256, TwiddlePercent: 60, SmallLog: 8}, HashThreads: 64},
	"softgpu_checked": {Transform: Transform{ResidentThreads: 256, TwiddlePercent: 60, SmallLog: 8,
		LoadAhead: true}, HashThreads: 32},
}

// For returns an architecture's constants, or those of sm_80 for an architecture that was not measured.
func For(architecture string) Device {
	if d, ok := devices[architecture]; ok {
		return d
	}
	return devices["sm_80"]
}
