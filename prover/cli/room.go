package cli

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
)

// withRoom adds to the error of a proof that does not fit the memory, or that has more columns than verifiers accept, a
// size that would fit and, for a program's run, a number of shards.
func withRoom(err error, b *Backend, key *protocol.Key, work *workload, instances []circuit.Instance,
	public circuit.Public) error {
	var memory *backend.MemoryError
	var columns *protocol.SizeError
	if !errors.As(err, &columns) && (!errors.As(err, &memory) || b.Predict == nil) {
		return err
	}
	size := work.size
	if !work.sized() {
		var errSize error
		if size, errSize = work.program.Size(public, instances); errSize != nil {
			return err
		}
	}
	unit := work.program.Machine().Unit
	fits := func(to int) bool {
		resized, err := resize(work, instances, size, to)
		if err != nil || key.CheckInstances(resized) != nil {
			return false
		}
		if memory == nil {
			return true
		}
		least, err := b.least(work.program.Fillers(), key.Shape(resized))
		return err == nil && least <= memory.HaveBytes
	}
	most := room(size, fits)
	if most == 0 {
		return fmt.Errorf("%w: no proof of this machine fits", err)
	}
	err = fmt.Errorf("%w: a proof of %d %ss would fit, and this one has %d", err, most, unit, size)
	switch count := shardsThatFit(size, fits); {
	case count == 0 || key.Program == nil:
	case memory == nil:
		return fmt.Errorf("%w; --shards %d proves the run in parts that each fit", err, count)
	default:
		return fmt.Errorf("%w; --shards %d or --memory %s proves the run in parts that each fit", err, count,
			sizeText(memory.HaveBytes))
	}
	return err
}

// shardsThatFit returns the least number of even shards that each fit, a power of two; 0 for none.
func shardsThatFit(size int, fits func(size int) bool) int {
	for count := protocol.MinShards; count <= protocol.MaxShards; count *= 2 {
		if fits((size + count - 1) / count) {
			return count
		}
	}
	return 0
}

// roomSteps is the number of halvings that narrow the search to less than one percent.
const roomSteps = 16

// room returns a size that fits, below size, which does not; 0 if it finds none. It tries sizes with two significant
// figures and, for machines whose sizes are powers of two, the next lower power.
func room(size int, fits func(size int) bool) (most int) {
	lo, hi := 0.0, math.Log2(float64(size))
	for range roomSteps {
		half := (lo + hi) / 2
		tried := int(math.Exp2(half))
		fitting := 0
		for _, candidate := range []int{twoFigures(tried), 1 << (bits.Len(uint(tried)) - 1)} {
			if candidate > fitting && fits(candidate) {
				fitting = candidate
			}
		}
		if fitting == 0 {
			hi = half
			continue
		}
		lo, most = half, max(most, fitting)
	}
	return most
}

// twoFigures rounds down to two significant figures.
func twoFigures(n int) int {
	scale := 1
	for n/scale >= 100 {
		scale *= 10
	}
	return n / scale * scale
}

// resize returns the instances of a run of another size with the same proportions.
func resize(work *workload, instances []circuit.Instance, from, to int) ([]circuit.Instance, error) {
	return work.program.Estimate(to, work.params.MinLogHeight, &run.Sample{Size: from, Instances: instances})
}
