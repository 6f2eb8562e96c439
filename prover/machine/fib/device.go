package fib

import (
	_ "embed" // the kernel
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/machine"
)

//go:embed fib.cu
var source string

// logThreads is the most threads that are started; each then walks the rest.
const logThreads = 17

func device() *machine.DeviceFiller {
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

// jumpHeader are the jumps of 2^k rows as tables, up to the largest height.
func jumpHeader() string {
	var before, at []string
	j := firstJump()
	for range air.MaxLogHeight + 1 {
		before, at = append(before, fmt.Sprintf("%dull", uint64(j.before))), append(at, fmt.Sprintf("%dull", uint64(j.at)))
		j = j.twice()
	}
	var text strings.Builder
	fmt.Fprintf(&text, "// F(2^k - 1) and F(2^k), modulo the field's order.\n#pragma once\n#define LOG_THREADS %d\n", logThreads)
	fmt.Fprintf(&text, "CONSTANT u64 jump_before[%d] = {%s};\n", len(before), strings.Join(before, ", "))
	fmt.Fprintf(&text, "CONSTANT u64 jump_at[%d] = {%s};\n", len(at), strings.Join(at, ", "))
	return text.String()
}
