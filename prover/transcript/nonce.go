package transcript

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
)

// NoncePasses reports whether a nonce gives the required number of zero bits, 1 to 63.
func NoncePasses(seed [32]byte, nonce uint64, bits int) bool {
	var input [40]byte
	copy(input[:], seed[:])
	binary.LittleEndian.PutUint64(input[32:], nonce)
	digest := keccak.Sum256(input[:])
	return binary.LittleEndian.Uint64(digest[:]) < nonceBound(bits)
}

// nonceBound returns 2^(64-bits): the first word of a passing nonce's hash is below it.
func nonceBound(bits int) uint64 { return 1 << (64 - bits) }

// nonceBlock is the number of nonces hashed at a time.
const nonceBlock = 1024

// NonceSearch tests nonces for one seed. A seed and a nonce are five words, so a block of nonces is hashed as the rows
// of a matrix, in the lanes of vector registers.
type NonceSearch struct {
	bound   uint64
	columns [][]goldilocks.Element // the seed's words, each repeated, and the nonces
	digests []keccak.Digest
}

// NewNonceSearch prepares a search for nonces that give the number of zero bits, 1 to 63.
func NewNonceSearch(seed [32]byte, bits int) *NonceSearch {
	s := &NonceSearch{bound: nonceBound(bits), digests: make([]keccak.Digest, nonceBlock)}
	for i := range 5 {
		column := make([]goldilocks.Element, nonceBlock)
		if i < 4 {
			// Words to be hashed, not elements: they need not be canonical.
			word := goldilocks.Element(binary.LittleEndian.Uint64(seed[8*i:]))
			for row := range column {
				column[row] = word
			}
		}
		s.columns = append(s.columns, column)
	}
	return s
}

// In returns the smallest passing nonce in the range of count nonces from first on.
func (s *NonceSearch) In(first uint64, count int) (nonce uint64, ok bool) {
	for done := 0; done < count; done += nonceBlock {
		digests := s.digests[:min(nonceBlock, count-done)]
		start := first + uint64(done)
		for row := range digests {
			s.columns[4][row] = goldilocks.Element(start + uint64(row))
		}
		keccak.HashRows(digests, s.columns, 0)
		for row := range digests {
			if binary.LittleEndian.Uint64(digests[row][:]) < s.bound {
				return start + uint64(row), true
			}
		}
	}
	return 0, false
}
