package sha256

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/acceleratortest"
)

// examples are calls: the blocks of FIPS 180-4's examples ("abc" and the 448 bits of two blocks), extremes, and random ones.
func examples() (calls [][]uint64) {
	initial := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	for _, message := range []string{"abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"} {
		state := initial
		for _, block := range blocks([]byte(message)) {
			calls = append(calls, words(&state, &block))
			Compress(&state, &block)
		}
	}
	var zeros, ones []uint64
	for range readWords {
		zeros, ones = append(zeros, 0), append(ones, 1<<64-1)
	}
	calls = append(calls, zeros, ones)
	random := rand.New(rand.NewPCG(5, 6))
	for range 4 {
		call := make([]uint64, readWords)
		for i := range call {
			call[i] = random.Uint64()
		}
		calls = append(calls, call)
	}
	return calls
}

// words are what a call reads.
func words(state *[8]uint32, block *[16]uint32) (list []uint64) {
	for i := 0; i < len(block); i += 2 {
		list = append(list, uint64(block[i])|uint64(block[i+1])<<32)
	}
	for i := 0; i < len(state); i += 2 {
		list = append(list, uint64(state[i])|uint64(state[i+1])<<32)
	}
	return list
}

// blocks is a message with its padding.
func blocks(message []byte) (list [][16]uint32) {
	padded := append(append([]byte{}, message...), 0x80)
	for len(padded)%64 != 56 {
		padded = append(padded, 0)
	}
	padded = binary.BigEndian.AppendUint64(padded, uint64(len(message))*8)
	for ; len(padded) > 0; padded = padded[64:] {
		var block [16]uint32
		for i := range block {
			block[i] = binary.BigEndian.Uint32(padded[4*i:])
		}
		list = append(list, block)
	}
	return list
}

// Every constraint holds for filled rows, and what the rounds make is what the rows of calls say.
func TestFilledRowsHold(t *testing.T) {
	s := acceleratortest.New(t, &Kind, examples()...)
	if found := s.Honest(); len(found) > 0 {
		t.Error(found)
	}
}
