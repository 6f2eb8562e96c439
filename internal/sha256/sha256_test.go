package sha256

import (
	"crypto/sha256"
	"math/rand/v2"
	"testing"
)

// Every length around the edges of blocks, and longer messages.
func TestSum256(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	data := make([]byte, 10_000)
	_, _ = random.Read(data)
	for n := range 400 {
		if have, want := Sum256(data[:n]), sha256.Sum256(data[:n]); have != want {
			t.Errorf("%d bytes: %x, want %x", n, have, want)
		}
	}
	if have, want := Sum256(data), sha256.Sum256(data); have != want {
		t.Errorf("%d bytes: %x, want %x", len(data), have, want)
	}
}
