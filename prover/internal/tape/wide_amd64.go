package tape

import (
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/cpufeature"
)

// kernelRegisters returns the number of eight-element registers that a block of the given number of rows fills, or 0 if
// no kernel applies.
func kernelRegisters(rows int) int {
	if rows%8 != 0 || cpufeature.Active() < cpufeature.AVX512 {
		return 0
	}
	return rows / 8
}

// gatherKernel copies columns. sources has gatherAhead further addresses.
func gatherKernel(targets, sources []*uint64, rows int) {
	gatherAVX512(&targets[0], &sources[0], len(targets), kernelRegisters(rows))
}

// stepsKernel runs the steps if possible and reports whether it did.
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

// packKernel adds the terms to dst if possible and reports whether it did.
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

// foldForm returns the form of weights for folds.
func foldForm() weightForm {
	if cpufeature.ByteDots() {
		return inDigits
	}
	return inLimbs
}

// fingerprintForm returns the form of weights for fingerprints.
func fingerprintForm() weightForm {
	if cpufeature.MultiplyAdd() {
		return inHalves
	}
	return inLimbs
}

// foldKernel folds if possible and reports whether it did.
func foldKernel(accumulator goldilocks.ExtensionVector, addresses []*uint64, f *fold,
	weights *foldWeights, number int) bool {
	n := kernelRegisters(accumulator.Len())
	if n == 0 {
		return false
	}
	c := [3]*uint64{(*uint64)(&accumulator.C[0][0]), (*uint64)(&accumulator.C[1][0]), (*uint64)(&accumulator.C[2][0])}
	booleans := len(f.terms) - f.plain
	if weights.form == inDigits {
		foldBytesAVX512(c[0], c[1], c[2], &addresses[0], &f.terms[0], f.plain, booleans, &weights.digits[number][0], n)
	} else {
		foldAVX512(c[0], c[1], c[2], &addresses[0], &f.terms[0], f.plain, booleans, &weights.words[number][0], n)
	}
	return true
}

// fingerprintKernel sets dst to the start plus the weighted terms if possible and reports whether it did.
func fingerprintKernel(dst goldilocks.ExtensionVector, addresses []*uint64, prints *Prints, number int) bool {
	n, f := kernelRegisters(dst.Len()), &prints.folds[number]
	if n == 0 || len(f.terms) == 0 {
		return false
	}
	c := [3]*uint64{(*uint64)(&dst.C[0][0]), (*uint64)(&dst.C[1][0]), (*uint64)(&dst.C[2][0])}
	weights := &prints.weights.words[number][0]
	if prints.weights.form == inHalves {
		fingerprint52AVX512(c[0], c[1], c[2], &addresses[0], &f.terms[0], len(f.terms), weights, n, &prints.halves[6*number])
	} else {
		fingerprintAVX512(c[0], c[1], c[2], &addresses[0], &f.terms[0], len(f.terms), weights, n,
			(*uint64)(&prints.starts[number][0]))
	}
	return true
}
