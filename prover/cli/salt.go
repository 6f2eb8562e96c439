package cli

import (
	"errors"

	"github.com/chiasmus/chiasmus/prover/transcript"
)

// underSalts calls prove with salts 0, 1, ... until no challenge is refused. A refusal happens once in 2^19 proofs. A
// prover that has freed the execution's records cannot retry by itself, so prove executes again.
func underSalts(prove func(salt uint64) error) error {
	for salt := uint64(0); ; salt++ {
		if err := prove(salt); !errors.Is(err, transcript.ErrRefused) {
			return err
		}
	}
}
