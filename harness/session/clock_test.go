package session_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/harness/session"
)

// The wall time is at least the prover's sleep and at most the duration of the call. A busy host only moves the two
// bounds apart. Of four proofs one is close to both bounds, so that a clock with an error of a tenth is detected.
func TestWallTimeIsBoundedFromBothSides(t *testing.T) {
	const model, inside = "seconds=0.1 noise=0", 0.1
	s, err := session.Open(t.Context(), command(t, model, "session"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, p := range map[string]interface {
		Prove(context.Context, session.Request) (session.Proof, error)
	}{"session": s, "process": process(t, model)} {
		for id := int64(1); id <= 4; id++ {
			r := request(t, id)
			if name == "process" {
				r.Metrics = filepath.Join(t.TempDir(), "metrics.json")
			}
			begun := time.Now()
			proof, err := p.Prove(t.Context(), r)
			ended := time.Now()
			if err != nil {
				t.Fatal(err)
			}
			wall := time.Duration(proof.WallSeconds * float64(time.Second))
			if proof.WallSeconds < inside {
				t.Errorf("%s: wall time %v of a proof that takes %g s", name, wall, inside)
			}
			if proof.Started.Before(begun) || proof.Started.Add(wall).After(ended) {
				t.Errorf("%s: a wall time of %v, begun %v into a call of %v", name, wall, proof.Started.Sub(begun),
					ended.Sub(begun))
			}
		}
	}
}
