package absorb

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cloudflare/circl/simd/keccakf1600"
)

// Keccak-256 of a message, by calls alone: memory has the message at some address, and the padded last block elsewhere.
func digest(t *testing.T, message []byte, shift int) string {
	t.Helper()
	memory := append(make([]byte, shift), message...)
	memory = append(memory, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
	state := make([]uint64, StateWords)
	absorb := func(memory []byte, shift int) {
		read := []uint64{uint64(shift)}
		for i := range Words {
			read = append(read, binary.LittleEndian.Uint64(memory[8*i:]))
		}
		written, err := Kind.Result(append(read, state...))
		if err != nil {
			t.Fatal(err)
		}
		state = written
	}
	for at := shift; ; at += BlockBytes {
		rest := memory[at : shift+len(message)]
		if len(rest) >= BlockBytes {
			absorb(memory[at&^7:], at%8)
			continue
		}
		last := make([]byte, 8*Words)
		copy(last, rest)
		last[len(rest)] ^= 0x01
		last[BlockBytes-1] ^= 0x80
		absorb(last, 0)
		var sum []byte
		for _, w := range state[:4] {
			sum = binary.LittleEndian.AppendUint64(sum, w)
		}
		return hex.EncodeToString(sum)
	}
}

// Calls compute the digests that Keccak's authors publish, of messages at any address.
func TestPublishedDigests(t *testing.T) {
	for _, c := range []struct{ message, want string }{
		{"", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"},
		{"abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"},
		{strings.Repeat("\xa3", 200), "3a57666b048777f2c953dc4456f45a2588e1cb6f2da760122d530ac2ce607d4a"},
		{strings.Repeat("a", 1_000_000), "fadae6b49f129bbb812be8407b7b2894f34aecf6dbd1f9b0f0c7e9853098fc96"},
	} {
		for shift := range Shifts {
			if got := digest(t, []byte(c.message), shift); got != c.want {
				t.Errorf("%d bytes from byte %d on: %s, want %s", len(c.message), shift, got, c.want)
			}
		}
	}
}

// The result is another package's permutation of the state with the block, byte by byte.
func TestAgainstCircl(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 4 * Shifts {
		read := []uint64{uint64(i % Shifts)}
		var memory []byte
		for len(read) < ReadWords {
			read = append(read, random.Uint64())
		}
		for _, w := range read[1:][:Words] {
			memory = binary.LittleEndian.AppendUint64(memory, w)
		}
		var four keccakf1600.StateX4
		lanes := four.Initialize(false)
		for k, w := range read[1+Words:] {
			var bytes [8]byte
			binary.LittleEndian.PutUint64(bytes[:], w)
			for b := range bytes {
				if at := 8*k + b; at < BlockBytes {
					bytes[b] ^= memory[i%Shifts+at]
				}
			}
			lanes[4*k] = binary.LittleEndian.Uint64(bytes[:])
		}
		four.Permute()
		given := slices.Clone(read)
		written, err := Kind.Result(read)
		if err != nil || !slices.Equal(read, given) {
			t.Fatalf("a call fails (%v) or changes what it reads", err)
		}
		for k, v := range written {
			if v != lanes[4*k] {
				t.Errorf("shift %d, word %d: %#x, want %#x", i%Shifts, k, v, lanes[4*k])
			}
		}
	}
}

// A shift of a word or more is a trap.
func TestShifts(t *testing.T) {
	for _, shift := range []uint64{0, 7, 8, 9, 16, 64, 1<<32 - 1, 1 << 32} {
		read := make([]uint64, ReadWords)
		read[0] = shift
		if _, err := Kind.Result(read); errors.Is(err, errShift) != (shift > 7) {
			t.Errorf("shift %d: %v", shift, err)
		}
	}
}

// A call allocates nothing.
func TestAllocations(t *testing.T) {
	read, written := make([]uint64, ReadWords), make([]uint64, StateWords)
	if n := testing.AllocsPerRun(100, func() { _ = Kind.Compute(written, read) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkCompute(b *testing.B) {
	read, written := make([]uint64, ReadWords), make([]uint64, StateWords)
	read[0] = 3
	for b.Loop() {
		if err := Kind.Compute(written, read); err != nil {
			b.Fatal(err)
		}
	}
}
