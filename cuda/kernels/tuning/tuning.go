// Package tuning holds the constants of the kernels' launches that depend on the device and not on the algorithm.
package tuning

// Transform says how a batch of transforms is cut up.
type Transform struct {
	// ColumnsPerBlock is how many columns a block goes through with the same twiddles. More saves their making, fewer
	// gives more blocks.
	ColumnsPerBlock uint32
	// BlocksPerMultiprocessor is the least number of blocks for which more columns a block are taken.
	BlocksPerMultiprocessor uint64
	// ChunkBytes is how much of the columns goes through all passes before the next part: what the second-level cache
	// can hold between passes. 0 for all at once.
	ChunkBytes uint64
}

// Device is the tuning of one architecture.
type Device struct {
	Transform Transform
	// HashThreads is the block size of the hashing kernels.
	HashThreads uint64
}

var devices = map[string]Device{
	"sm_80":  {Transform: Transform{ColumnsPerBlock: 8, BlocksPerMultiprocessor: 8, ChunkBytes: 0}, HashThreads: 128},
	"sm_90":  {Transform: Transform{ColumnsPerBlock: 8, BlocksPerMultiprocessor: 8, ChunkBytes: 0}, HashThreads: 128},
	"sm_120": {Transform: Transform{ColumnsPerBlock: 8, BlocksPerMultiprocessor: 8, ChunkBytes: 0}, HashThreads: 128},
	// The software device gains from few, full blocks.
	"softgpu":         {Transform: Transform{ColumnsPerBlock: 4, BlocksPerMultiprocessor: 1}, HashThreads: 64},
	"softgpu_checked": {Transform: Transform{ColumnsPerBlock: 2, BlocksPerMultiprocessor: 1}, HashThreads: 32},
}

// For returns an architecture's constants, or those of sm_90 for one that nobody has measured.
func For(architecture string) Device {
	if d, ok := devices[architecture]; ok {
		return d
	}
	return devices["sm_90"]
}
