//go:build !amd64

package tape

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// There are no kernels: the portable block operations do all the work.

func kernelRegisters(rows int) int { return 0 }

func gatherKernel(targets, sources []*uint64, rows int) {}

func stepsKernel(e *Evaluator, steps []step) bool { return false }

func packKernel(op opcode, dst []goldilocks.Element, addresses []*uint64, terms []int32) bool {
	return false
}

func foldForm() weightForm { return inLimbs }

func fingerprintForm() weightForm { return inLimbs }

func foldKernel(accumulator goldilocks.ExtensionVector, addresses []*uint64, f *fold,
	weights *foldWeights, number int) bool {
	return false
}

func fingerprintKernel(dst goldilocks.ExtensionVector, addresses []*uint64, prints *Prints, number int) bool {
	return false
}
