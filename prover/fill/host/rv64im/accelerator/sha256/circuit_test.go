package sha256

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/sha256"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
)

// initial is the state before the first block.
var initial = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

// examples are calls: the blocks of FIPS 180-4's examples ("abc" and the 448 bits of two blocks), extremes, and random
// ones.
func examples() (calls [][]uint64) {
	for _, message := range []string{"abc", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"} {
		state := initial
		for _, block := range blocks([]byte(message)) {
			calls = append(calls, words(&state, &block))
			circuit.Compress(&state, &block)
		}
	}
	var zeros, ones []uint64
	for range circuit.ReadWords {
		zeros, ones = append(zeros, 0), append(ones, 1<<64-1)
	}
	calls = append(calls, zeros, ones)
	random := rand.New(rand.NewPCG(5, 6))
	for range 4 {
		call := make([]uint64, circuit.ReadWords)
		for i := range call {
			call[i] = random.Uint64()
		}
		calls = append(calls, call)
	}
	return calls
}

// words are the input of a call.
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

// Every constraint holds for filled rows, and the results of the rounds equal the rows of the calls: without calls,
// with some, and with the maximum number.
func TestFilledRowsHold(t *testing.T) {
	calls := examples()
	for len(calls) < 256/circuit.Rows {
		calls = append(calls, calls[len(calls)-5])
	}
	for _, n := range []int{0, 1, 5, len(calls)} {
		if found := acceleratortest.New(t, Filler, calls[:n]...).Honest(); len(found) > 0 {
			t.Errorf("%d calls: %q", n, found)
		}
	}
}

// The tables have the counts in the package's description.
func TestCounts(t *testing.T) {
	s := acceleratortest.New(t, Filler)
	const words = 2 * (8 + 4 + 4) // limbs, which are columns of the table of calls
	if n := len(s.Calls.Table.Main) - 2 - words; n != 16 {
		t.Errorf("a call has %d columns of its own, want 16", n)
	}
	lookups := map[string]int{}
	for _, x := range s.Calls.Table.Interactions {
		lookups[x.Bus.Name]++
	}
	if lookups["R16"] != 16 || lookups["SHA256S"] != 2 || lookups["SHA256B"] != 4 {
		t.Errorf("a call has messages %v", lookups)
	}
	work := s.Work.Table
	constraints := 1 + 1 + 16 + 1 + 384 + 4*3 + 4*3*3 // index flags, time, bits, delays, words with their carries
	have := [4]int{len(work.Main), work.AuxiliaryColumns(), len(work.Constraints), len(work.Interactions)}
	if want := [4]int{438, 3, constraints, 2}; have != want {
		t.Errorf("columns, those of sums, constraints and messages are %d, want %d", have, want)
	}
	if degree := work.MaxConstraintDegree(); degree != 3 {
		t.Errorf("constraints have degree %d", degree)
	}
}
