package transcript

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// A long sequence of challenges with nothing absorbed in between, such as DEEP's coefficients, continues past the
// number drawn at a time and does not repeat.
func TestLongRuns(t *testing.T) {
	got, want := New("long"), &model{state: hash([]byte("long"))}
	seen := map[uint64]bool{}
	for i := range 5 * drawnBlocks * wordsPerBlock {
		w := want.word()
		if g := got.Position(64); g != w {
			t.Fatalf("word %d is %d, want %d", i, g, w)
		}
		if seen[w] {
			t.Fatalf("word %d was drawn before", i)
		}
		seen[w] = true
	}
}

// passes is the definition: the first word of the hash of seed and nonce has at least bits leading zero bits.
func passes(seed [32]byte, nonce uint64, bits int) bool {
	return binary.LittleEndian.Uint64(hash(seed[:], le(nonce)))>>(64-bits) == 0
}

// Every byte of the seed and every requested bit matters, and a search tries only the given nonces.
func TestNonceSearchIsWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for range 20 {
		var seed [32]byte
		for i := range seed {
			seed[i] = byte(random.Uint32())
		}
		const bits, count = 9, 2*nonceBlock + 700
		first := random.Uint64()
		want, found := uint64(0), false
		for i := range uint64(count) {
			passed := passes(seed, first+i, bits)
			if i < 50 && NoncePasses(seed, first+i, bits) != passed {
				t.Fatalf("nonce %d of seed %x passes: %v", first+i, seed, !passed)
			}
			if passed && !found {
				want, found = first+i, true
			}
		}
		search := NewNonceSearch(seed, bits)
		if got, ok := search.In(first, count); ok != found || got != want {
			t.Errorf("seed %x: nonce %d, %v, want %d, %v", seed, got, ok, want, found)
		}
		if found {
			if got, ok := search.In(first, int(want-first)); ok {
				t.Errorf("seed %x: nonce %d is not among the %d that were to be tried", seed, got, want-first)
			}
		}
	}
}

// For single bits of seeds, the test finds a nonce that passes with one seed and not with the other.
func TestEverySeedByteCounts(t *testing.T) {
	var seed [32]byte
	for i := range seed {
		nonce := uint64(0)
		for ; !passes(seed, nonce, 4); nonce++ {
		}
		other := seed
		for other[i] = 1; passes(other, nonce, 4); other[i]++ {
		}
		if !NoncePasses(seed, nonce, 4) || NoncePasses(other, nonce, 4) {
			t.Errorf("byte %d of the seed: nonce %d passes for both or for none", i, nonce)
		}
	}
}
