package soundnesstest

import (
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// Bounds whose products exceed 2^64 are refused like bounds that exceed p, at the limit, and with the verifier's own
// messages.
func TestBoundsPastTheWord(t *testing.T) {
	const steps, squares = goldilocks.Modulus >> toyStepsLog, goldilocks.Modulus >> toySquaresLog
	sending := func(times goldilocks.Element) func(*circuit.Machine) []circuit.Message {
		return func(m *circuit.Machine) []circuit.Message { return []circuit.Message{send(m, squareBus, times, 9, 81)} }
	}
	for name, tc := range map[string]struct {
		options toyOptions
		refused bool
	}{
		"senders, 2^64":                {toyOptions{stepBound: 1 << (64 - toyStepsLog)}, true},
		"senders, 2^64 and a little":   {toyOptions{stepBound: 1<<(64-toyStepsLog) + 3}, true},
		"senders, 2^65":                {toyOptions{stepBound: 1 << (65 - toyStepsLog)}, true},
		"receivers, 2^64":              {toyOptions{squareBound: 1 << (64 - toySquaresLog)}, true},
		"receivers, p - 1":             {toyOptions{squareBound: squares}, false},
		"senders p - 65, and 64 more":  {toyOptions{stepBound: steps - 1, messages: sending(toyStepsRows)}, false},
		"senders p - 65, and 65 more":  {toyOptions{stepBound: steps - 1, messages: sending(toyStepsRows + 1)}, true},
		"the verifier, almost p times": {toyOptions{messages: sending(minus(1))}, true},
	} {
		t.Run(name, func(t *testing.T) {
			proof, _ := lie{}.prove(t)
			key := newKey(t, newToy(tc.options))
			proof.MachineDigest = key.Digest
			err := verify.Proof(proof, key)
			if check, _ := verify.RejectedBy(err); (check == verify.CheckBuses) != tc.refused || err == nil {
				t.Errorf("%v, want a rejection by %q: %v", err, verify.CheckBuses, tc.refused)
			}
		})
	}
}

// toyStepsRows is the number of rows of steps: p - 1 is steps times that number.
const toyStepsRows = 1 << toyStepsLog
