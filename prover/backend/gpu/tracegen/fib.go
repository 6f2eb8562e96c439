package tracegen

import (
	"fmt"
	"math/bits"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

const (
	fibRecordWords = 2
	fibJumps       = 29 // JUMPS: powers of two of rows, up to the largest height
	fibLogThreads  = 17 // the most that are started; each then walks the rest
)

// fib is the one table of its machine: see fib.cu.
var fib = &Generator{
	machine: "fib", table: "fib", width: 2, file: "fib.cu",
	recordWords: func(uint64) uint64 { return fibRecordWords },
	recordRows:  func(uint64) uint64 { return ^uint64(0) }, // every row follows from the one record
	fill:        fillFib,
}

func fillFib(launch launcher, job *Job) error {
	if job.recordWords() != fibRecordWords {
		return fmt.Errorf("table fib: %d words of records, want %d", job.recordWords(), fibRecordWords)
	}
	logThreads := min(bits.Len64(job.Rows-1), fibLogThreads)
	threads := uint64(1) << logThreads
	return launch("trace_fib", cuda.Linear(threads, min(threads, 256)), cuda.Address(job.Columns.Span), cuda.U64(job.Columns.Stride),
		cuda.Address(job.Records), cuda.Words(fibonacciJumps()...), cuda.U32(uint32(logThreads)), cuda.U64(job.Rows))
}

// fibonacciJumps are the Fibonacci numbers F(2^k - 1), then F(2^k), by F(2m) = F(m) (F(m) + 2 F(m-1)) and
// F(2m-1) = F(m)^2 + F(m-1)^2.
func fibonacciJumps() []uint64 {
	words := make([]uint64, 2*fibJumps)
	before, at := goldilocks.Element(0), goldilocks.Element(1)
	for k := range fibJumps {
		words[k], words[fibJumps+k] = uint64(before), uint64(at)
		before, at = at.Square().Add(before.Square()), at.Mul(at.Add(before.Double()))
	}
	return words
}
