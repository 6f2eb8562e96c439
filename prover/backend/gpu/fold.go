package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// CommitLayer builds the tree over the current codeword's rows, which are read where they are.
func (p *proof) CommitLayer(logArity int) (digests []merkle.Digest, err error) {
	err = p.step(backend.StepCommitLayer, "fold", func(*cuda.Scope) error {
		digests, err = p.folding.Commit(logArity)
		return err
	})
	return digests, err
}

// Fold folds the last layer's rows and adds the codeword of the new size.
func (p *proof) Fold(beta goldilocks.Extension) error {
	return p.step(backend.StepFold, "fold", func(*cuda.Scope) error { return p.folding.Fold(beta) })
}

// Final interpolates the current codeword.
func (p *proof) Final() (coefficients []goldilocks.Extension, err error) {
	err = p.step(backend.StepFinal, "fold", func(scope *cuda.Scope) error {
		coefficients, err = p.folding.Final(scope)
		return err
	})
	return coefficients, err
}

// takeGrind takes the word in which the smallest nonce is found.
func takeGrind(scope *cuda.Scope) (*cuda.Buffer, error) { return scope.Take("nonce", wordBytes) }

// Grind searches launch by launch, each over the next nonces.
func (p *proof) Grind(seed [32]byte, bits int) (nonce, hashes uint64, err error) {
	err = p.step(backend.StepGrind, "grind", func(scope *cuda.Scope) error {
		nonce, err = p.grind(scope, seed, bits)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return nonce, nonce + 1, nil
}

func (p *proof) grind(scope *cuda.Scope, seed [32]byte, bits int) (nonce uint64, err error) {
	word, err := takeGrind(scope)
	if err != nil {
		return 0, err
	}
	if p.params.Hash == merkle.Blake3 {
		return p.set.GrindChain(p.device.Stream, word.All(), p.device.Transfer.Word, seed, backend.NonceTag, bits)
	}
	return p.set.Grind(p.device.Stream, word.All(), p.device.Transfer.Word, seed, bits)
}
