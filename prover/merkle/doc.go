// Package merkle commits to matrices of several heights with one tree.
//
// A matrix is held column by column and has a power of two of rows. Matrices
// are numbered in the order in which they are given. The leaf layer of the tree
// has one digest for each row index of the tallest matrices: the hash of that
// row of every matrix of this height, in order. From a layer of L digests
// the next one has L/2: node i is the hash of nodes 2i and 2i+1, and where
// there are matrices of height L/2, of both and the digest of row i of those
// matrices. A [Kind] names the hash function: Keccak-256 of the bytes, or the
// chains of BLAKE3 compressions that package blake3 describes.
// The tree ends at its cap, the layer of 2^c digests, where c is the
// asked cap height but at most the logarithm of the smallest matrix's height.
// The cap is the commitment.
//
// Rows are taken in the order in which they are stored; the prover stores them
// bit-reversed, and this package does not care. With x an index of the tallest
// layer, of size 2^L, row x >> (L - l) of a matrix of height 2^l lies on the
// path of leaf x.
//
// A [Shape] is what the verifier knows before it sees a proof: heights, widths,
// cap. It fixes for every digest whether it is a leaf, a node or a node with
// rows, and of how many words, so none can pass for another. A [Plan] says for
// a list of positions which rows are opened and which siblings are needed: every
// row once, in order of first draw, and no sibling that can be computed. The
// prover answers it with an [Opening], and [Verify] recomputes the cap.
//
// The package never panics on an opening, however malformed, and never accepts
// one that has a word more or less than the plan asks for.
package merkle
