// Package hashing has what differs between hash functions on a device: the kernels of trees, challenges and nonces, and
// how rows are hashed in parts.
package hashing

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Function is a hash function on a device.
type Function interface {
	// HashRows queues the kernel that hashes rows, or a part of each row.
	HashRows(set *kernels.Set, stream *cuda.Stream, rows Rows) error
	// HashTree queues the kernels that hash the nodes above the rows; see [kernels.Set.HashTree].
	HashTree(set *kernels.Set, stream *cuda.Stream, tree kernels.Tree, joining map[int]cuda.Span) error

	// BlockWords is the number of words of a block. The length of a part of a row is a multiple of it.
	BlockWords() int
	// SpongeBytes is the memory for the states of rows between two parts, or 0 if the memory of the digests suffices.
	SpongeBytes(rows uint64) uint64

	// Draw queues the kernel that samples DEEP's coefficients; see [kernels.Set.Draw].
	Draw(set *kernels.Set, stream *cuda.Stream, to, positions cuda.Span, state [32]byte, elements uint64) error
	// DrawsAhead reports whether a device can sample the challenges of FRI's layers.
	DrawsAhead() bool
	// Grind searches for a nonce, in launches that write to word.
	Grind(set *kernels.Set, stream *cuda.Stream, word cuda.Span, result *cuda.Staging, seed [32]byte,
		bits int) (nonce uint64, err error)
}

// Rows are Count rows of a tree, or some columns of each. Digests gets one digest a row, after the last part.
type Rows struct {
	Digests     cuda.Span
	Segments    []kernels.Segment
	Count       uint64
	Sponges     cuda.Span // of [Function.SpongeBytes], if there are several parts
	Begun, More bool      // whether there are parts before, and after
	Extension   bool      // whether words are coordinates of elements of the extension
}

var functions = [...]Function{merkle.Keccak: keccak{}, merkle.Blake3: blake3{}}

// Of returns a hash function, which must be valid.
func Of(hash merkle.Hash) Function { return functions[hash] }
