package soundnesstest

import (
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/keccak"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// For each rule of the sponge a witness that breaks it alone (package keccak shows that, cell by
// cell), proven as well as it can be: a whole false statement, such as another digest or length.
func TestSpongeRules(t *testing.T) {
	key := newKey(t, keccakMachine(t))
	forgeries, err := keccak.Forgeries(key.Params.MinLogHeight)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forgeries {
		by := stark.CheckQuotient
		switch {
		case f.Check == "public values":
			by = stark.CheckPublic
		case strings.HasPrefix(f.Check, "bus "):
			by = stark.CheckSums
		}
		t.Run(f.Rule, func(t *testing.T) {
			t.Parallel()
			lie{key: key, witness: f.Witness}.caught(t, by)
		})
	}
}

// The length is below 2^40 and each limb below 2^16; the verifier checks both before anything else.
func TestKeccakPublicValuesAreRanged(t *testing.T) {
	program, err := keccak.Program()
	if err != nil {
		t.Fatal(err)
	}
	truth, err := program.Input([]byte("chiasmus"), params().MinLogHeight)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(public []goldilocks.Element){
		"length 2^40":           func(public []goldilocks.Element) { public[16] = 1 << 40 },
		"length 8 - p, wrapped": func(public []goldilocks.Element) { public[16] = minus(8) },
		"first limb 2^16":       func(public []goldilocks.Element) { public[0] = 1 << 16 },
		"last limb -1":          func(public []goldilocks.Element) { public[15] = minus(1) },
	} {
		public := append([]goldilocks.Element(nil), truth.Public()...)
		change(public)
		t.Run(name, func(t *testing.T) {
			lie{key: newKey(t, program.Machine()), witness: &machine.Mutated{Witness: truth, PublicValues: public}}.caught(t, stark.CheckPublic)
		})
	}
}

func keccakMachine(t testing.TB) *machine.Machine {
	t.Helper()
	program, err := keccak.Program()
	if err != nil {
		t.Fatal(err)
	}
	return program.Machine()
}
