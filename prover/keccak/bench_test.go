package keccak

import (
	"testing"

	"golang.org/x/crypto/sha3"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

func perPermutation(b *testing.B, permutations int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(permutations), "ns/permutation")
}

// BenchmarkPermutation is the time of a permutation on one core on random data: x/crypto's sponge over long messages,
// ours over bytes, a chain that keeps its states, and in each form the rows of a wide and of a narrow matrix, and
// nodes.
func BenchmarkPermutation(b *testing.B) {
	r := newRand(100)
	message := randomBytes(r, rate*1000)
	b.Run("xcrypto", func(b *testing.B) {
		for b.Loop() {
			h := sha3.NewLegacyKeccak256()
			h.Write(message)
			h.Sum(nil)
		}
		perPermutation(b, Permutations(len(message)))
	})
	b.Run("Sum256", func(b *testing.B) {
		for b.Loop() {
			Sum256(message)
		}
		perPermutation(b, Permutations(len(message)))
	})
	b.Run("Chain", func(b *testing.B) {
		blocks, inputs := make([]uint64, 1000*rateWords), make([]uint64, 1000*25)
		for b.Loop() {
			Chain(new([25]uint64), blocks, inputs)
		}
		perPermutation(b, 1000)
	})
	matrix := func(width, rows int) [][]goldilocks.Element {
		columns := make([][]goldilocks.Element, width)
		for c := range columns {
			columns[c] = make([]goldilocks.Element, rows)
			for i := range columns[c] {
				columns[c][i] = goldilocks.Element(r.Uint64N(goldilocks.Modulus))
			}
		}
		return columns
	}
	wide, narrow := matrix(2633, 1<<10), matrix(24, 1<<13)
	children := make([]Digest, 1<<13)
	for i := range children {
		children[i] = Digest(randomBytes(r, 32))
	}
	before := cpufeature.Active()
	defer cpufeature.Set(before)
	for _, level := range cpufeature.Supported() {
		if err := cpufeature.Set(level); err != nil {
			b.Fatal(err)
		}
		for name, columns := range map[string][][]goldilocks.Element{"rows=wide": wide, "rows=narrow": narrow} {
			b.Run(name+"/"+level.String(), func(b *testing.B) {
				dst := make([]Digest, len(columns[0]))
				for b.Loop() {
					HashRows(dst, columns, 0)
				}
				perPermutation(b, len(dst)*Permutations(8*len(columns)))
			})
		}
		b.Run("nodes/"+level.String(), func(b *testing.B) {
			dst := make([]Digest, len(children)/2)
			for b.Loop() {
				HashNodes(dst, children, nil)
			}
			perPermutation(b, len(dst))
		})
	}
}
