package gpu

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/backendtest"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// With BLAKE3 the device samples the challenges of all layers before the host knows the first cap; with Keccak-256 it
// samples none. It rejects another schedule, a fold before its layer, and a challenge that it did not sample, and can
// then still make the CPU's proof.
func TestDeviceDrawsFoldingChallenges(t *testing.T) {
	claimed := claim{"tour", 100, 2}
	for _, hash := range []merkle.Hash{merkle.Blake3, merkle.Keccak} {
		execution, fillers, params := claimed.statement(t)
		params.Hash = hash
		ahead, layers := hash == merkle.Blake3, 0
		hooks := &backendtest.Hooks{
			Deep: func(next backend.Codeword) error {
				folding := next.(*foldable).folding
				if !ahead {
					return nil
				}
				_, errArity := folding.Commit(4)
				errFold := folding.Fold(goldilocks.Extension{})
				if errArity == nil || errFold == nil || folding.Queued() {
					t.Errorf("rows of another length: %v; a fold before its layer: %v; queued: %t", errArity, errFold,
						folding.Queued())
				}
				return nil
			},
			Layer: func(number int, _ []merkle.Digest, next backend.Layer) error {
				layers++
				folding := next.(*layerStage).folding
				if folding.Queued() != ahead {
					return errors.New("all layers are queued, or only one")
				}
				if !ahead {
					return nil
				}
				if err := folding.Fold(goldilocks.Extension{1, 2, 3}); err == nil ||
					!strings.Contains(err.Error(), "the device drew the challenge") {
					t.Errorf("layer %d: another challenge: %v", number, err)
				}
				return nil
			},
		}
		b := openBackend(t, Options{Seed: 3})
		got, _, err := proofOf(fillers, params, backendtest.Hooked{Backend: b, Hooks: hooks}, execution)
		if err != nil {
			t.Fatal(hash, err, b.Finding())
		}
		want, _, err := proofOf(fillers, params, cpu.New(parallel.New(0)), execution)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the proof differs from the CPU's from byte %d: %v", hash, firstDifference(got, want), err)
		}
		if layers < 2 {
			t.Errorf("%s: a proof of %d layers, want at least 2", hash, layers)
		}
	}
}
