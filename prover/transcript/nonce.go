package transcript

import (
	"encoding/binary"

	"github.com/chiasmus/chiasmus/prover/keccak"
)

// NoncePasses says whether a nonce shows the wanted number of zero bits, 1 to
// 63.
func NoncePasses(seed [32]byte, nonce uint64, bits int) bool {
	var input [40]byte
	copy(input[:], seed[:])
	binary.LittleEndian.PutUint64(input[32:], nonce)
	digest := keccak.Sum256(input[:])
	return binary.LittleEndian.Uint64(digest[:]) < NonceBound(bits)
}

// NonceBound is 2^(64-bits): the first word of a passing nonce's hash lies
// below it.
func NonceBound(bits int) uint64 { return 1 << (64 - bits) }

// NonceSearch tries nonces for one seed.
type NonceSearch struct {
	seed  [4]uint64
	bound uint64
}

// NewNonceSearch prepares a search for nonces that show the number of zero
// bits, 1 to 63.
func NewNonceSearch(seed [32]byte, bits int) *NonceSearch {
	s := &NonceSearch{bound: NonceBound(bits)}
	for i := range s.seed {
		s.seed[i] = binary.LittleEndian.Uint64(seed[8*i:])
	}
	return s
}

// In returns the smallest passing nonce among count from first on.
func (s *NonceSearch) In(first uint64, count int) (nonce uint64, ok bool) {
	for nonce := first; nonce < first+uint64(count); nonce++ {
		state := [25]uint64{s.seed[0], s.seed[1], s.seed[2], s.seed[3], nonce, 1, 16: 1 << 63}
		keccak.Permute(&state)
		if state[0] < s.bound {
			return nonce, true
		}
	}
	return 0, false
}
