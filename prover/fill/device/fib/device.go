// Package fib fills the table of the machine fib on devices.
package fib

import (
	_ "embed"

	"github.com/chiasmus/chiasmus/internal/header"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/fib"
	"github.com/chiasmus/chiasmus/prover/machine"
)

//go:embed fib.cu
var source string

// logThreads bounds the threads: each fills several rows of a taller table.
const logThreads = 17

// Filler fills the table.
func Filler() *machine.DeviceFiller {
	return &machine.DeviceFiller{
		Source:  source,
		Headers: map[string]string{"jumps.cuh": jumpHeader()},
		Records: []int{0},
		Kernels: []machine.Kernel{{Name: "trace_fib", Launch: func(rows uint64, _ []uint64) machine.Launch {
			threads := min(rows, 1<<logThreads)
			return machine.Linear(threads, uint32(min(threads, 256)))
		}}},
	}
}

// jumpHeader returns a header with the jumps of 2^k rows as tables, up to the largest height: F(2^k - 1) and F(2^k),
// modulo the field's order.
func jumpHeader() string {
	var before, at []uint64
	j := fib.FirstJump()
	for range air.MaxLogHeight + 1 {
		before, at = append(before, uint64(j.Before)), append(at, uint64(j.At))
		j = j.Twice()
	}
	return header.New("goldilocks.cuh").Constant("LOG_THREADS", logThreads).Table("jump_before", before).
		Table("jump_at", at).String()
}
