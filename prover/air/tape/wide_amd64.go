package tape

import (
	"github.com/chiasmus/chiasmus/prover/cpufeature"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// kernelRegisters is how many registers of eight elements a block of so many
// rows fills, 0 where no kernel is to run.
func kernelRegisters(rows int) int {
	if rows%8 != 0 || cpufeature.Active() < cpufeature.AVX512 {
		return 0
	}
	return rows / 8
}

// gatherKernel makes listed copies. sources has gatherAhead further addresses.
func gatherKernel(targets, sources []*uint64, rows int) {
	gatherAVX512(&targets[0], &sources[0], len(targets), kernelRegisters(rows))
}

// stepsKernel runs the steps and reports whether it did.
func stepsKernel(e *Evaluator, steps []step) bool {
	n := kernelRegisters(e.rows)
	if n == 0 {
		return false
	}
	var scalars *uint64
	if len(e.uniform) > 0 {
		scalars = (*uint64)(&e.uniform[0])
	}
	var terms *int32
	if len(e.tape.terms) > 0 {
		terms = &e.tape.terms[0]
	}
	stepsAVX512(&e.addresses[0], scalars, terms, (*int32)(&steps[0].op), len(steps), n)
	return true
}

// packKernel adds the terms to dst and reports whether it did.
func packKernel(op opcode, dst []goldilocks.Element, addresses []*uint64, terms []int32) bool {
	n := kernelRegisters(len(dst))
	switch {
	case n == 0:
		return false
	case op == packXor:
		packXorAVX512((*uint64)(&dst[0]), &addresses[0], &terms[0], len(terms)/2, n)
	default:
		packChiAVX512((*uint64)(&dst[0]), &addresses[0], &terms[0], len(terms)/3, n)
	}
	return true
}

// byteKernels reports whether folds take weights as digits.
func byteKernels() bool { return cpufeature.ByteDots() }

// foldKernel folds and reports whether it did.
func foldKernel(accumulator goldilocks.ExtensionVector, addresses []*uint64, f *fold,
	weights *foldWeights, number int) bool {
	n := kernelRegisters(accumulator.Len())
	if n == 0 {
		return false
	}
	c := [3]*uint64{(*uint64)(&accumulator.C[0][0]), (*uint64)(&accumulator.C[1][0]), (*uint64)(&accumulator.C[2][0])}
	booleans := len(f.terms) - f.plain
	if weights.bytes {
		foldBytesAVX512(c[0], c[1], c[2], &addresses[0], &f.terms[0], f.plain, booleans, &weights.digits[number][0], n)
	} else {
		foldAVX512(c[0], c[1], c[2], &addresses[0], &f.terms[0], f.plain, booleans, &weights.limbs[number][0], n)
	}
	return true
}

// fingerprintKernel sets dst to start and the terms times their weights, and reports whether it did.
func fingerprintKernel(dst goldilocks.ExtensionVector, addresses []*uint64, f *fold, weights *foldWeights, number int,
	start *goldilocks.Extension) bool {
	n := kernelRegisters(dst.Len())
	if n == 0 || len(f.terms) == 0 {
		return false
	}
	c := [3]*uint64{(*uint64)(&dst.C[0][0]), (*uint64)(&dst.C[1][0]), (*uint64)(&dst.C[2][0])}
	from := (*uint64)(&start[0])
	if weights.bytes {
		biased := goldilocks.Extension{start[0].Sub(printBias), start[1].Sub(printBias), start[2].Sub(printBias)}
		from = (*uint64)(&biased[0])
		fingerprintBytesAVX512(c[0], c[1], c[2], &addresses[0], &f.terms[0], len(f.terms), &weights.digits[number][0],
			n, from)
	} else {
		fingerprintAVX512(c[0], c[1], c[2], &addresses[0], &f.terms[0], len(f.terms), &weights.limbs[number][0],
			n, from)
	}
	return true
}
