package gpu

import (
	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
)

// takeGrind takes the word in which the smallest nonce is found.
func takeGrind(scope *cuda.Scope) (*cuda.Buffer, error) { return scope.Take("nonce", wordBytes) }

// Grind searches launch by launch, each over the next nonces.
func (b *Backend) Grind(ctx backend.Context, seed [32]byte, bits int) (nonce, hashes uint64, err error) {
	c, err := b.context(ctx)
	if err != nil {
		return 0, 0, err
	}
	err = c.stage("grind", func(scope *cuda.Scope) error {
		word, err := takeGrind(scope)
		if err != nil {
			return err
		}
		nonce, err = c.set.Grind(c.stream, word.All(), b.transfer.word, seed, bits)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return nonce, nonce + 1, nil
}
