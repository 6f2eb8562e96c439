package hashing

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
)

// keccak is Keccak-256. Between two parts, the sponge of a row takes more memory than its digest.
type keccak struct{}

func (keccak) HashRows(set *kernels.Set, stream *cuda.Stream, rows Rows) error {
	switch {
	case rows.More:
		return set.AbsorbRows(stream, rows.Sponges, rows.Begun, rows.Segments, rows.Count)
	case rows.Begun:
		return set.FinishRows(stream, rows.Digests, rows.Sponges, rows.Segments, rows.Count)
	}
	return set.HashRows(stream, rows.Digests, rows.Segments, rows.Count)
}

func (keccak) HashTree(set *kernels.Set, stream *cuda.Stream, tree kernels.Tree, joining map[int]cuda.Span) error {
	return set.HashTree(stream, tree, joining)
}

func (keccak) BlockWords() int { return kernels.RateWords }

func (keccak) SpongeBytes(rows uint64) uint64 { return kernels.SpongeBytes(rows) }

func (keccak) Draw(set *kernels.Set, stream *cuda.Stream, to, positions cuda.Span, state [32]byte,
	elements uint64) error {
	return set.Draw(stream, to, positions, state, elements)
}

// The device has no kernel that continues the sponge of a transcript.
func (keccak) DrawsAhead() bool { return false }

func (keccak) Grind(set *kernels.Set, stream *cuda.Stream, word cuda.Span, result *cuda.Staging, seed [32]byte,
	bits int) (uint64, error) {
	return set.Grind(stream, word, result, seed, bits)
}
