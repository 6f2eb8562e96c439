package cli

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/chiasmus/chiasmus/prover"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/transcript"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// A refused challenge makes the next salt necessary; any other error ends it.
func TestUnderSalts(t *testing.T) {
	other := errors.New("other")
	for _, end := range []error{nil, other} {
		var tried []uint64
		err := underSalts(func(salt uint64) error {
			if tried = append(tried, salt); salt < 3 {
				return fmt.Errorf("stage open: %w", transcript.ErrRefused)
			}
			return end
		})
		if err != end || fmt.Sprint(tried) != "[0 1 2 3]" {
			t.Errorf("salts %d, error %v, want 0 to 3 and %v", tried, err, end)
		}
	}
}

// refusing is a transcript that refuses its first challenge, as the real one does once in 2^32 draws.
type refusing struct{ protocol.Transcript }

func (refusing) Refused() error { return transcript.ErrRefused }

// The engine executes again for each salt until one is not refused.
func TestEngineTakesTheNextSalt(t *testing.T) {
	program, err := lookup("fib")
	if err != nil {
		t.Fatal(err)
	}
	preset, err := protocol.PresetByName("test")
	if err != nil {
		t.Fatal(err)
	}
	preset.Params.Hash = merkle.Blake3
	work := &workload{program: program, size: 64, params: preset.Params, pool: parallel.New(1)}
	e := &engine{work: work, backend: cpu.New(work.pool)}
	if e.key, err = setup.NewKey(program.Machine(), work.params); err != nil {
		t.Fatal(err)
	}
	made := 0
	e.prover = prover.NewOf(e.key, program.Fillers(), e.backend, prover.Options{Release: true,
		Transcript: func(label string) protocol.Transcript {
			if made++; made <= 2 {
				return refusing{protocol.NewTranscript(label)}
			}
			return protocol.NewTranscript(label)
		}})
	defer e.close()
	proof, _, err := e.attempt(context.Background(), e.prover, 1, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if proof.Salt != 2 || made != 3 {
		t.Errorf("salt %d after %d transcripts, want 2 after 3", proof.Salt, made)
	}
	if err := verify.Proof(proof, e.key); err != nil {
		t.Error(err)
	}
}
