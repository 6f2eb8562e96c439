package hashing

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// blake3 is BLAKE3's compression. Its state between two parts is as long as a digest.
type blake3 struct{}

func (blake3) HashRows(set *kernels.Set, stream *cuda.Stream, rows Rows) error {
	return set.ChainRows(stream, kernels.Chain{Digests: rows.Digests, Segments: rows.Segments, Height: rows.Count,
		Extension: rows.Extension, Begun: rows.Begun, More: rows.More})
}

func (blake3) HashTree(set *kernels.Set, stream *cuda.Stream, tree kernels.Tree, joining map[int]cuda.Span) error {
	return set.CompressTree(stream, tree, joining)
}

// Two blocks are about as long as a block of Keccak-256.
func (blake3) BlockWords() int { return 2 * kernels.ChainWords }

func (blake3) SpongeBytes(uint64) uint64 { return 0 }

func (blake3) Draw(set *kernels.Set, stream *cuda.Stream, to, positions cuda.Span, state [32]byte,
	elements uint64) error {
	return set.DrawBlake3(stream, to, positions, state, elements)
}

func (blake3) DrawsAhead() bool { return true }

func (blake3) Grind(set *kernels.Set, stream *cuda.Stream, word cuda.Span, result *cuda.Staging, seed [32]byte,
	bits int) (uint64, error) {
	return set.GrindChain(stream, word, result, seed, backend.NonceTag, bits)
}
