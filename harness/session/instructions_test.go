package session_test

import (
	"testing"

	"github.com/chiasmus/chiasmus/harness/session"
)

// If the host counts instructions, every proof has at least the minimum of a proof, by a session and by a process, and
// earlier proofs' instructions are not included. Otherwise no proof has a count, and there is a reason.
func TestInstructions(t *testing.T) {
	s, err := session.Open(t.Context(), command(t, "seconds=0.005 noise=0", "session"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := session.NewProcess(command(t, "seconds=0.005 noise=0", "prove"), func(r session.Request) ([]string, error) {
		c := command(t, "seconds=0.005 noise=0", "prove", "--proof", r.Proof)
		return c.Argv, nil
	})
	for _, prover := range []session.Prover{s, p} {
		var first float64
		for id := range 3 {
			proof, err := prover.Prove(t.Context(), request(t, int64(id+1)))
			if err != nil {
				t.Fatal(err)
			}
			switch got := proof.Usage.Instructions; {
			case session.NoInstructions() != "" && got != 0:
				t.Errorf("%g instructions, although %s", got, session.NoInstructions())
			case session.NoInstructions() == "" && (got < 1e4 || first > 0 && got > 2.5*first):
				t.Errorf("%T, proof %d: %g instructions, the first took %g", prover, id+1, got, first)
			case first == 0:
				first = got
			}
		}
	}
}
