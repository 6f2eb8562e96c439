package sha256

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// sha256Of hashes a message by Compress alone.
func sha256Of(message []byte) (digest [32]byte) {
	padded := append(append([]byte{}, message...), 0x80)
	for len(padded)%64 != 56 {
		padded = append(padded, 0)
	}
	padded = binary.BigEndian.AppendUint64(padded, uint64(len(message))*8)
	state := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	for ; len(padded) > 0; padded = padded[64:] {
		var block [16]uint32
		for i := range block {
			block[i] = binary.BigEndian.Uint32(padded[4*i:])
		}
		Compress(&state, &block)
	}
	for i, v := range state {
		binary.BigEndian.PutUint32(digest[4*i:], v)
	}
	return digest
}

func TestCompressAgainstTheStandardLibrary(t *testing.T) {
	source := rand.NewChaCha8([32]byte{1})
	for n := range 300 {
		message := make([]byte, n)
		_, _ = source.Read(message)
		if got, want := sha256Of(message), sha256.Sum256(message); got != want {
			t.Fatalf("%d bytes: %x, want %x", n, got, want)
		}
	}
}

func TestCompressPacksTwoNumbersInAWord(t *testing.T) {
	read := make([]uint64, 12)
	var state [8]uint32
	var block [16]uint32
	for i := range block {
		block[i] = uint32(i+1) * 0x01234567
		read[i/2] |= uint64(block[i]) << (32 * (i % 2))
	}
	for i := range state {
		state[i] = uint32(i+1) * 0x89abcdef
		read[8+i/2] |= uint64(state[i]) << (32 * (i % 2))
	}
	written, err := Kind.Compute(read)
	if err != nil {
		t.Fatal(err)
	}
	Compress(&state, &block)
	for i, v := range state {
		if got := uint32(written[i/2] >> (32 * (i % 2))); got != v {
			t.Errorf("number %d is %#x, want %#x", i, got, v)
		}
	}
}
