package sha256

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
)

// sha256Of hashes a message only with Compress.
func sha256Of(message []byte) (digest [32]byte) {
	state := initial
	for _, block := range blocks(message) {
		circuit.Compress(&state, &block)
	}
	for i, v := range state {
		binary.BigEndian.PutUint32(digest[4*i:], v)
	}
	return digest
}

// The examples of FIPS 180-4's first editions: one block, two, and a million letters.
func TestPublishedVectors(t *testing.T) {
	for _, example := range [][2]string{
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
		{strings.Repeat("a", 1e6), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	} {
		message, want := example[0], example[1]
		if have := sha256Of([]byte(message)); hex.EncodeToString(have[:]) != want {
			t.Errorf("%d bytes: %x, want %s", len(message), have, want)
		}
	}
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
	written, err := circuit.Kind.Result(read)
	if err != nil {
		t.Fatal(err)
	}
	circuit.Compress(&state, &block)
	for i, v := range state {
		if got := uint32(written[i/2] >> (32 * (i % 2))); got != v {
			t.Errorf("number %d is %#x, want %#x", i, got, v)
		}
	}
}
