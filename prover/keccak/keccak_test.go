package keccak

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature/cpufeaturetest"
)

// reference is Keccak-256 by golang.org/x/crypto.
func reference(data []byte) (d Digest) {
	h := sha3.NewLegacyKeccak256()
	h.Write(data)
	h.Sum(d[:0])
	return d
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x6b656363616b)) }

func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestSum256Vectors(t *testing.T) {
	// From the Keccak team's KATs (ShortMsgKAT_256) and Ethereum's tests.
	for input, want := range map[string]string{
		"":     "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
		"abc":  "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
		"\xcc": "eead6dbfc7340a56caedc044696a168870549a6a7f6f56961e84a54bd9970b8a",
		"The quick brown fox jumps over the lazy dog": "4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15",
	} {
		got := Sum256([]byte(input))
		if hex.EncodeToString(got[:]) != want {
			t.Errorf("Sum256(%q) = %x, want %s", input, got, want)
		}
	}
}

// A message written in parts has the digest of the whole message, wherever it is split.
func TestHash(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(8)
		for range 200 {
			data := randomBytes(r, r.IntN(4*rate))
			var h Hash
			for rest, n := data, 0; len(rest) > 0; rest = rest[n:] {
				n = min([]int{0, 1, rate - 1, rate, rate + 1, r.IntN(2 * rate)}[r.IntN(6)], len(rest))
				h.Write(rest[:n])
			}
			if got, want := h.Sum(), reference(data); got != want {
				t.Fatalf("%d bytes in parts: got %x, want %x", len(data), got, want)
			}
		}
	})
}

func TestPermuteVector(t *testing.T) {
	// Keccak-f[1600] of the zero state, first and last lanes, as published in
	// the Keccak team's KeccakF-1600-IntermediateValues.
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		var s [25]uint64
		Permute(&s)
		if s[0] != 0xf1258f7940e1dde7 || s[1] != 0x84d5ccf933c0478a || s[24] != 0xeaf1ff7b5ceca249 {
			t.Errorf("Keccak-f of zero: lanes %x, %x, ..., %x", s[0], s[1], s[24])
		}
	})
}

// A chain over a padded message ends with the message's digest, and its inputs are the states that x/crypto's
// permutation computes. The digest of a message that ends in the middle of a block equals that of a chain cut there.
func TestChain(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(5)
		for n := range 9 {
			data := randomBytes(r, n*rate)
			blocks := make([]uint64, (n+1)*rateWords)
			for i := range n * rateWords {
				blocks[i] = binary.LittleEndian.Uint64(data[8*i:])
			}
			last := paddedBlock(nil)
			copy(blocks[n*rateWords:], last[:])
			var s [25]uint64
			inputs := make([]uint64, 25*(n+1))
			Chain(&s, blocks, inputs)
			if got, want := squeeze(&s), reference(data); got != want {
				t.Fatalf("%d blocks: got %x, want %x", n, got, want)
			}
			var before [25]uint64
			for k := range n + 1 {
				for i, word := range blocks[rateWords*k:][:rateWords] {
					before[i] ^= word
				}
				if got := [25]uint64(inputs[25*k:]); got != before {
					t.Fatalf("permutation %d of %d gets %x, want %x", k, n+1, got, before)
				}
				permuteGeneric(&before)
			}
		}
		Chain(new([25]uint64), nil, nil)
	})
}

func TestSum256AgainstReference(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(1)
		for n := range 600 {
			data := randomBytes(r, n)
			if got, want := Sum256(data), reference(data); got != want {
				t.Fatalf("%d bytes: got %x, want %x", n, got, want)
			}
		}
	})
}

// elements returns edges of the field and random elements.
func elements(r *rand.Rand, n int) []goldilocks.Element {
	edges := []uint64{0, 1, 1<<32 - 1, 1 << 32, goldilocks.Modulus - 1}
	v := make([]goldilocks.Element, n)
	for i := range v {
		v[i] = goldilocks.Element(r.Uint64N(goldilocks.Modulus))
		if r.IntN(4) == 0 {
			v[i] = goldilocks.Element(edges[r.IntN(len(edges))])
		}
	}
	return v
}

func TestHashRows(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(2)
		for _, width := range []int{0, 1, 2, 3, 4, 8, 15, 16, 17, 18, 33, 34, 35, 51, 100, 150, 1087, 1088, 1104} {
			for _, rows := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 40, 64, 77, 150} {
				if width > 1000 && rows != 8 && rows != 77 {
					continue // the reference is slow
				}
				first := r.IntN(10)
				columns := make([][]goldilocks.Element, width)
				for c := range columns {
					columns[c] = elements(r, first+rows+r.IntN(3))
				}
				const guard = 3
				got := make([]Digest, rows+guard)
				HashRows(got[:rows], columns, first)
				for i := range got {
					var row []byte
					for _, column := range columns {
						if i < rows {
							row = binary.LittleEndian.AppendUint64(row, uint64(column[first+i]))
						}
					}
					want := reference(row)
					if i >= rows {
						want = Digest{}
					}
					if got[i] != want {
						t.Fatalf("%d columns, %d rows from %d: digest %d is %x, want %x", width, rows, first, i, got[i], want)
					}
				}
			}
		}
	})
}

func TestHashNodes(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(3)
		for n := range 40 {
			for _, withExtra := range []bool{false, true} {
				children, extra := make([]Digest, 2*n), []Digest(nil)
				for i := range children {
					children[i] = Digest(randomBytes(r, 32))
				}
				if withExtra {
					extra = make([]Digest, n)
					for i := range extra {
						extra[i] = Digest(randomBytes(r, 32))
					}
				}
				got := make([]Digest, n)
				HashNodes(got, children, extra)
				for i := range got {
					input := append(children[2*i][:], children[2*i+1][:]...)
					if withExtra {
						input = append(input, extra[i][:]...)
					}
					if want := reference(input); got[i] != want {
						t.Fatalf("%d nodes, extra %v: node %d is %x, want %x", n, withExtra, i, got[i], want)
					}
				}
			}
		}
	})
}

// Counters start at every byte of a word, and some extend past the last word.
func TestSumCounted(t *testing.T) {
	cpufeaturetest.InEveryForm(t, func(t *testing.T) {
		r := newRand(4)
		for _, size := range []int{0, 1, 7, 8, 33, 100, 101, 102, 119, 120, 121, 126, 127} {
			for n := range 40 {
				prefix, first := randomBytes(r, size), r.Uint64()
				if n%2 == 1 {
					first = -uint64(n / 2)
				}
				got := make([]Digest, n)
				SumCounted(got, prefix, first)
				for i := range got {
					if want := reference(binary.LittleEndian.AppendUint64(prefix, first+uint64(i))); got[i] != want {
						t.Fatalf("%d counters from %d after %d bytes: digest %d is %x, want %x", n, first, size, i, got[i], want)
					}
				}
			}
		}
	})
}

func TestPermutations(t *testing.T) {
	for n, want := range map[int]int{0: 1, 1: 1, 135: 1, 136: 2, 137: 2, 271: 2, 272: 3} {
		if got := Permutations(n); got != want {
			t.Errorf("Permutations(%d) = %d, want %d", n, got, want)
		}
	}
}

func TestShapesMustAgree(t *testing.T) {
	for name, call := range map[string]func(){
		"a short column":  func() { HashRows(make([]Digest, 3), [][]goldilocks.Element{make([]goldilocks.Element, 4)}, 2) },
		"an odd child":    func() { HashNodes(make([]Digest, 2), make([]Digest, 5), nil) },
		"a long prefix":   func() { SumCounted(make([]Digest, 1), make([]byte, rate-8), 0) },
		"part of a block": func() { Chain(new([25]uint64), make([]uint64, 2*rateWords-1), make([]uint64, 50)) },
		"an input less":   func() { Chain(new([25]uint64), make([]uint64, 2*rateWords), make([]uint64, 25)) },
		"a missing extra": func() { HashNodes(make([]Digest, 2), make([]Digest, 4), make([]Digest, 1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was taken", name)
				}
			}()
			call()
		}()
	}
}
