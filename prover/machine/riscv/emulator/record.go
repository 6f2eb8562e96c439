package emulator

import (
	"context"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Record runs a program to its end and keeps its trace. An observer in the options sees the run too.
func Record(ctx context.Context, p *program.Program, in memory.Inputs, options Options) (*Result, *record.Trace, error) {
	trace := new(record.Trace)
	observe := options.Observe
	options.Observe = func(c *Chunk) error {
		trace.Checkpoints = append(trace.Checkpoints, c.Start)
		trace.Log = append(trace.Log, c.Log...)
		if observe != nil {
			return observe(c)
		}
		return nil
	}
	result, err := Run(ctx, p, in, options)
	if err != nil {
		return nil, nil, err
	}
	trace.Checkpoints = append(trace.Checkpoints, result.End)
	return result, trace, nil
}
