// Package tree hashes and opens Merkle trees over matrices in device memory: those of the phases, over columns of
// several heights, and those of FRI's layers, over rows of a codeword. Trees stay on the device; caps and what is
// opened come to the host.
package tree
