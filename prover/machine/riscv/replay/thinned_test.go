package replay

import "testing"

// A long run keeps some hundreds of marks, equally many chunks apart, and a short run keeps all.
func TestThinned(t *testing.T) {
	for _, chunks := range []int{0, 1, 511, 512, 1024, 5000, 70_000} {
		kept := thinned[int]{spacing: 1}
		for range chunks {
			if kept.passed() {
				kept.add(kept.chunks)
			}
		}
		n, spacing := len(kept.list), 1
		for chunks/spacing >= mostKept {
			spacing *= 2
		}
		if n != chunks/spacing {
			t.Errorf("%d chunks: %d are kept, want %d", chunks, n, chunks/spacing)
		}
		for i, chunk := range kept.list {
			if chunk != spacing*(i+1) {
				t.Fatalf("%d chunks: number %d lies after chunk %d, want %d", chunks, i, chunk, spacing*(i+1))
			}
		}
	}
}
