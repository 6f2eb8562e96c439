package soundnesstest

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/verify"
)

// For each rule of the sponge, a witness that violates only that rule (package keccak shows this cell by cell) is
// proven as well as possible: a whole false statement, such as another digest or length.
func TestSpongeRules(t *testing.T) {
	key := newKey(t, keccakMachine(t))
	forgeries, err := keccak.Forgeries(key.Params.MinLogHeight)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forgeries {
		by := verify.CheckQuotient
		switch {
		case f.Check == "public values":
			by = verify.CheckPublic
		case strings.HasPrefix(f.Check, "bus "):
			by = verify.CheckSums
		}
		t.Run(f.Rule, func(t *testing.T) {
			t.Parallel()
			lie{key: key, execution: f.Execution}.caught(t, by)
		})
	}
}

// keccakOf executes keccak on a message.
func keccakOf(t testing.TB, message []byte) (*protocol.Key, machine.Execution) {
	t.Helper()
	s := programSubject(t, keccak.Program, run.Input{Data: message})
	return s.key, s.execution
}

// The length is below 2^40 and each limb below 2^16; the verifier checks both before anything else.
func TestKeccakPublicValuesAreRanged(t *testing.T) {
	key, truth := keccakOf(t, []byte("chiasmus"))
	for name, change := range map[string]func(public []goldilocks.Element){
		"length 2^40":           func(public []goldilocks.Element) { public[16] = 1 << 40 },
		"length 8 - p, wrapped": func(public []goldilocks.Element) { public[16] = minus(8) },
		"first limb 2^16":       func(public []goldilocks.Element) { public[0] = 1 << 16 },
		"last limb -1":          func(public []goldilocks.Element) { public[15] = minus(1) },
	} {
		t.Run(name, func(t *testing.T) {
			lie{
				key:       key,
				execution: claiming(truth, func(public *circuit.Public) { change(public.Values) }),
			}.caught(t, verify.CheckPublic)
		})
	}
}

// Valid public values of one message, claimed for another: committed to from the start with everything else honest, and
// put into a finished proof.
func TestKeccakOtherPublicValues(t *testing.T) {
	key, execution := keccakOf(t, []byte(strings.Repeat("chiasmus", 20)))
	truth := execution.Public().Values
	other := func(message []byte) []goldilocks.Element {
		_, execution := keccakOf(t, message)
		return slices.Clone(execution.Public().Values)
	}
	const length = 16
	honest, _ := lie{key: key, execution: execution}.prove(t)
	for name, public := range map[string][]goldilocks.Element{
		"another message's":               other([]byte(strings.Repeat("chiasmuS", 20))),
		"another message's of a block":    other([]byte("chiasmus")),
		"another digest, the true length": append(other([]byte("chiasmus"))[:length:length], truth[length]),
		"a byte more":                     append(truth[:length:length], 161),
		"a byte less":                     append(truth[:length:length], 159),
		"a block less":                    append(truth[:length:length], 160-136),
		"a block more":                    append(truth[:length:length], 160+136),
		"the largest length":              append(truth[:length:length], 1<<40-1),
		"two limbs swapped":               append([]goldilocks.Element{truth[1], truth[0]}, truth[2:]...),
		"one bit of the last limb":        append(append(truth[:15:15], truth[15]^1), truth[length]),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lie{
				key:       key,
				execution: claiming(execution, func(claim *circuit.Public) { claim.Values = public }),
			}.caught(t, verify.CheckQuotient)
			changed := *honest
			changed.Public.Values = public
			rejected(t, &changed, key, verify.CheckQuotient)
		})
	}
}

func keccakMachine(t testing.TB) *machine.Fillers {
	t.Helper()
	program, err := keccak.Program()
	if err != nil {
		t.Fatal(err)
	}
	return program.Fillers()
}
