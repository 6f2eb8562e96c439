package packed

import (
	"bytes"
	"compress/flate"
	"math/rand/v2"
	"testing"
)

// deflated compresses data as compress/flate does at a level.
func deflated(t *testing.T, data []byte, level int) []byte {
	t.Helper()
	var compressed bytes.Buffer
	w, err := flate.NewWriter(&compressed, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return compressed.Bytes()
}

// Stored, fixed and dynamic blocks inflate to their input; truncated streams are errors.
func TestInflate(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	noise := make([]byte, 70_000)
	_, _ = random.Read(noise)
	periodic := make([]byte, 100_000)
	for i := range periodic {
		periodic[i] = byte(i*i>>7) & 15
	}
	for name, data := range map[string][]byte{
		"nothing": nil, "a byte": {7}, "a text": []byte("columns and columns and columns of rows"), "noise": noise,
		"one byte again and again": bytes.Repeat([]byte{3}, 100_000), "a pattern": periodic,
	} {
		for _, level := range []int{flate.NoCompression, flate.HuffmanOnly, flate.BestSpeed, flate.BestCompression} {
			compressed := deflated(t, data, level)
			if have, err := inflate(compressed); err != nil || !bytes.Equal(have, data) {
				t.Errorf("%s, level %d: %d bytes, want %d; %v", name, level, len(have), len(data), err)
			}
			if _, err := inflate(compressed[:len(compressed)-1]); err == nil {
				t.Errorf("%s, level %d: accepted without its last byte", name, level)
			}
			if _, err := inflate(append(compressed, 0)); err == nil {
				t.Errorf("%s, level %d: accepted with another byte", name, level)
			}
		}
	}
	for name, stream := range map[string][]byte{
		"a block of the reserved kind": {7},
		"a copy from before the data":  {0x4b, 0x04, 0x12, 0x00},
		"a length that is not its own": {1, 2, 0, 0, 0, 1, 2},
	} {
		if _, err := inflate(stream); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
