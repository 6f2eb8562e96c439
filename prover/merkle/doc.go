// Package merkle commits to matrices of several heights with one tree.
//
// A matrix is stored by columns and has a power of two of rows. Matrices are numbered in the order given. The leaf
// layer has one digest per row index of the tallest matrices: the hash of that row of every matrix of this height, in
// order. A layer of L digests determines the next one, of L/2 digests: node i is the hash of nodes 2i and 2i+1 and, if
// there are matrices of height L/2, the digest of their row i. A [Kind] selects the hash function: Keccak-256 of the
// bytes, or the chains of BLAKE3 compressions that package blake3 describes.
//
// The tree ends at its cap, the layer of 2^c digests, where c is the requested cap height, limited by the logarithm of
// the smallest matrix's height. The cap is the commitment.
//
// Rows are hashed in storage order; the prover stores them bit-reversed, which does not matter here. If x is an index
// into the tallest layer, of size 2^L, then row x >> (L - l) of a matrix of height 2^l is on the path of leaf x.
//
// A [Shape] is what the verifier knows before it sees a proof: heights, widths, cap height. It determines for every
// digest whether it is a leaf, a node or a node with rows, and the number of words hashed, so that no kind can pass for
// another. A [Plan] lists, for a list of positions, the rows to open and the siblings needed: every row once, in order
// of first position, and no sibling that can be computed. The prover answers with an [Opening], and [Plan.Verify]
// recomputes the cap.
//
// The package never panics on a malformed opening, and rejects an opening with a missing or extra word.
package merkle
