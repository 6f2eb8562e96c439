// Package witness reads Ethereum blocks and their witnesses in the encodings that nodes and other projects publish, and
// writes the input of the guest guests/block.
//
// What it reads is checked as far as hashes go: a header's hash, a transaction's, the chain of ancestors. Whether the
// block is valid is the guest's to say.
package witness
