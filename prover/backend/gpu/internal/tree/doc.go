// Package tree hashes and opens Merkle trees over matrices in device memory: the trees of the phases, over columns of
// several heights, and the trees of FRI's layers, over rows of a codeword. Trees stay on the device. Only caps and
// openings are copied to the host.
package tree
