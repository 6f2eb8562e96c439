package protocol

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Workers copy what one copies: a shard's part of a set, which is larger than what each of them takes at a time.
func TestCopiedOnAPool(t *testing.T) {
	data := make([]byte, 5*elementBytes*writeGrain+3)
	for i := range data {
		data[i] = byte(i>>16 ^ i)
	}
	for _, workers := range []int{1, 2, 5} {
		w := newWriter(parallel.New(workers), []byte("before"), 0)
		w.copied(data)
		if string(w.bytes) != "before"+string(data) {
			t.Errorf("%d workers copy other bytes", workers)
		}
	}
}
