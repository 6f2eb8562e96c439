package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/hashing"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Commit builds the tree over the codeword's rows, in place.
func (p *foldable) Commit(logArity int) (digests []merkle.Digest, next backend.Layer, err error) {
	err = p.fold(func() error {
		digests, err = p.folding.Commit(logArity)
		return err
	})
	return digests, &layerStage{p.friStage}, err
}

// fold runs work in the stage of folds, or without the device if all layers are folded.
func (p *friStage) fold(work func() error) error {
	if p.folding.Queued() {
		return work()
	}
	return p.stage("fold", func(*cuda.Scope) error { return work() })
}

// Fold folds the last layer's rows and adds the codeword of the new size.
func (p *layerStage) Fold(beta goldilocks.Extension) (backend.Codeword, error) {
	err := p.fold(func() error { return p.folding.Fold(beta) })
	return &foldable{p.friStage}, err
}

// Final interpolates the codeword.
func (p *foldable) Final() (coefficients []goldilocks.Extension, next backend.Queries, err error) {
	err = p.stage("fold", func(scope *cuda.Scope) error {
		coefficients, err = p.folding.Final(scope)
		return err
	})
	return coefficients, &queries{p.friStage}, err
}

// takeGrind takes the word to which the kernel writes the smallest nonce found.
func takeGrind(scope *cuda.Scope) (*cuda.Buffer, error) { return scope.Take("nonce", wordBytes) }

// Grind searches for a nonce, launch by launch over consecutive ranges.
func (p *queries) Grind(seed [32]byte, bits int) (nonce, hashes uint64, err error) {
	err = p.stage("grind", func(scope *cuda.Scope) error {
		nonce, err = p.grind(scope, seed, bits)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return nonce, nonce + 1, nil
}

func (p *queries) grind(scope *cuda.Scope, seed [32]byte, bits int) (nonce uint64, err error) {
	word, err := takeGrind(scope)
	if err != nil {
		return 0, err
	}
	return hashing.Of(p.params.Hash).Grind(p.set, p.device.Stream, word.All(), p.device.Transfer.Word, seed, bits)
}
