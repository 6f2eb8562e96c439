package kernels

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/cuda"
)

// grindSlack makes a launch try this many times the expected number of nonces: one launch finds one with
// probability 1 - e^-4.
const grindSlack = 4

// grindThreads is the number of nonces that a launch tries at once, one per thread. It is small enough for a large
// device to run all blocks at once: then nonces are tried nearly in order, and the launch ends soon after one is
// found.
const grindThreads = 1 << 14

// Grind finds the smallest nonce for which the first eight bytes of Keccak-256(seed, nonce), little-endian, are below
// 2^(64-bits). Word is eight bytes of device memory and result eight bytes of staging memory, for its own use. Launches
// try nonces in rising order, so the smallest nonce of the first successful launch is the smallest of all.
func (s *Set) Grind(stream *cuda.Stream, word cuda.Span, result *cuda.Staging, seed [32]byte,
	bits int) (uint64, error) {
	if bits < 1 || bits > 63 {
		return 0, fmt.Errorf("grinding %d bits, want 1 to 63", bits)
	}
	if word.Size() != 8 || result.Size() != 8 {
		return 0, errors.New("grinding needs one word on the device and one of staging memory")
	}
	batch := uint64(grindSlack) << min(bits, 26)
	for start := uint64(0); start <= math.MaxUint64-batch; start += batch {
		err := errors.Join(
			stream.Fill(word, 0xff),
			s.launch(stream, "grind", cuda.Linear(min(batch, grindThreads), 128), cuda.Address(word), cuda.Value(seed),
				cuda.U64(1<<(64-bits)), cuda.U64(start), cuda.U64(batch)),
			stream.Download(result.All(), word),
			stream.Synchronize())
		if err != nil {
			return 0, err
		}
		if nonce := binary.LittleEndian.Uint64(result.Bytes()); nonce != math.MaxUint64 {
			return nonce, nil
		}
	}
	return 0, fmt.Errorf("no nonce shows %d zero bits", bits)
}
