package blake3

import (
	"testing"

	reference "lukechampine.com/blake3"

	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

func perCompression(b *testing.B, compressions int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(compressions), "ns/compression")
}

// BenchmarkCompression is the time of a compression on one core on random data: another library's over a long message
// (which it hashes in lanes, with one parent for 16 blocks), and in each form ours: single, over the rows of a wide
// and of a narrow matrix, over nodes, and over nonces.
func BenchmarkCompression(b *testing.B) {
	r := newRand(100)
	message := make([]byte, 1<<20)
	for i := range message {
		message[i] = byte(r.Uint32())
	}
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			reference.Sum256(message)
		}
		perCompression(b, len(message)/blockBytes+len(message)/1024-1)
	})
	wide, narrow := matrix(r, 2633, 1<<10), matrix(r, 24, 1<<13)
	children := make([]Digest, 1<<13)
	for i := range children {
		var c Chaining
		words(r, c[:])
		children[i] = c.Digest()
	}
	before := cpufeature.Active()
	defer cpufeature.Set(before)
	for _, level := range cpufeature.Supported() {
		if err := cpufeature.Set(level); err != nil {
			b.Fatal(err)
		}
		b.Run("one/"+level.String(), func(b *testing.B) {
			c, block := IV, Block{1, 2, 3}
			for b.Loop() {
				Compress(&c, &block, 0, blockBytes, 0)
			}
			perCompression(b, 1)
		})
		b.Run("rows=wide/"+level.String(), func(b *testing.B) {
			dst := make([]Digest, len(wide[0]))
			for b.Loop() {
				HashRows(dst, wide, 0)
			}
			perCompression(b, len(dst)*Compressions(len(wide)))
		})
		b.Run("rows=narrow/"+level.String(), func(b *testing.B) {
			dst := make([]Digest, len(narrow[0]))
			for b.Loop() {
				HashRows(dst, narrow, 0)
			}
			perCompression(b, len(dst)*Compressions(len(narrow)))
		})
		b.Run("nodes/"+level.String(), func(b *testing.B) {
			dst := make([]Digest, len(children)/2)
			for b.Loop() {
				HashNodes(dst, children, nil)
			}
			perCompression(b, len(dst))
		})
		b.Run("nonces/"+level.String(), func(b *testing.B) {
			dst, c, block := make([]Chaining, 1<<12), IV, Block{1, 2, 3}
			for b.Loop() {
				CompressNonces(dst, &c, &block, 0, 0, blockBytes, 0)
			}
			perCompression(b, len(dst))
		})
	}
}
