package kernels

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/cuda"
)

// Words in a block of a chain: eight field elements, or two extension elements. Every part of a row but the last must
// have whole blocks.
const (
	ChainWords          = 8
	ChainExtensionWords = 6
)

// Chain describes rows for protocol 3's leaves. Begun says that Digests hold the chains over preceding columns, in
// whole blocks; More says that columns follow, and that these are whole blocks.
type Chain struct {
	Digests     cuda.Span
	Segments    []Segment
	Height      uint64
	Extension   bool // words are coordinates of elements of the extension, three each
	Begun, More bool
}

// ChainRows writes the leaf digest of every row: the chain over the row's words in all segments, in order.
func (s *Set) ChainRows(stream *cuda.Stream, c Chain) error {
	rows, width, err := rowsOf(c.Segments, c.Height)
	name, block, whole := "chain_rows", uint32(ChainWords), uint32(1)
	if c.Extension {
		name, block, whole = "chain_extension_rows", ChainExtensionWords, 3
	}
	switch {
	case err != nil:
		return fmt.Errorf("chaining rows: %w", err)
	case c.Digests.Size()/DigestBytes < c.Height:
		return fmt.Errorf("chaining rows: %d digests do not fit %d bytes", c.Height, c.Digests.Size())
	case width%whole != 0:
		return fmt.Errorf("chaining rows: %d words of the extension, want a multiple of %d", width, whole)
	case c.More && width%block != 0:
		return fmt.Errorf("chaining rows: %d words before others, want a multiple of %d", width, block)
	}
	return s.launch(stream, name, cuda.Linear(c.Height, min(s.tuning.HashThreads, 128)), cuda.Address(c.Digests), rows,
		cuda.U32(width), cuda.U64(c.Height), flag(c.Begun), flag(c.More))
}

// CompressTree is [Set.HashTree] with protocol 3's nodes.
func (s *Set) CompressTree(stream *cuda.Stream, tree Tree, joins map[int]cuda.Span) error {
	return s.hashTree(stream, "compress_levels", tree, joins)
}

// GrindChain finds the smallest nonce whose message, absorbed under the tag by a transcript of protocol 3 with the
// given state, leaves a first word that ends in the required number of zero bits. Word and result are as for
// [Set.Grind].
func (s *Set) GrindChain(stream *cuda.Stream, word cuda.Span, result *cuda.Staging, state [32]byte, tag byte,
	bits int) (uint64, error) {
	if bits < 1 || bits > 32 {
		return 0, fmt.Errorf("grinding %d bits, want 1 to 32", bits)
	}
	if word.Size() != 8 || result.Size() != 8 {
		return 0, errors.New("grinding needs one word on the device and one of staging memory")
	}
	batch := uint64(grindSlack) << min(bits, 26)
	for start := uint64(0); start < math.MaxUint64-batch; start += batch {
		err := errors.Join(
			stream.Fill(word, 0xff),
			s.launch(stream, "compress_nonces", cuda.Linear(min(batch, grindThreads), 128), cuda.Address(word),
				cuda.Value(state), cuda.U32(uint32(tag)), cuda.U32(math.MaxUint32>>(32-bits)), cuda.U64(start),
				cuda.U64(batch)),
			stream.Download(result.All(), word),
			stream.Synchronize())
		if err != nil {
			return 0, err
		}
		if nonce := binary.LittleEndian.Uint64(result.Bytes()); nonce != math.MaxUint64 {
			return nonce, nil
		}
	}
	return 0, fmt.Errorf("no nonce leaves %d zero bits", bits)
}
