// Package witness reads Ethereum blocks and their witnesses in the encodings that nodes and other projects publish, and
// writes the input of the guest guests/block.
//
// The package checks hashes: of headers, transactions and the chain of ancestors. Only the guest checks that a block is
// valid.
package witness
