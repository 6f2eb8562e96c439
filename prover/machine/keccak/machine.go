package keccak

import (
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// The tables in machine order.
const (
	tableSponge = iota
	tablePermutation
	tableXor
)

// build makes the machine, once.
var build = sync.OnceValues(func() (*machine.Machine, error) {
	permutations := air.Bus{Name: "keccak-f", Index: 1, Arity: 2 * stateWords}
	xor := air.Bus{Name: "xor", Index: 2, Arity: 3}
	sponge, err := declareSponge(permutations, xor)
	if err != nil {
		return nil, err
	}
	permutation, err := declarePermutation(permutations)
	if err != nil {
		return nil, err
	}
	lookup, err := declareXor(xor)
	if err != nil {
		return nil, err
	}
	m := &machine.Machine{
		Name:        "keccak",
		Description: "knowledge of a file with a Keccak-256 digest and a length",
		Tables:      []*air.Table{tableSponge: sponge, tablePermutation: permutation, tableXor: lookup},
		Buses:       []machine.Bus{permutations, xor},
		PublicNames: publicNames(),
		Unit:        "permutation",
		UnitRows:    []int{tableSponge: 1, tablePermutation: rounds, tableXor: 0},
		CheckPublic: checkPublic,
	}
	return m, m.Validate()
})

func publicNames() []string {
	names := make([]string, publicCount)
	for i := range publicLimbs {
		names[i] = fmt.Sprintf("digest[%d]", i)
	}
	names[publicLength] = "length"
	return names
}

// maxLength bounds the public length.
const maxLength = 1 << 40

// checkPublic checks that limbs are 16 bits and the length is below 2^40, so
// that a digest and a length have one encoding.
func checkPublic(public []goldilocks.Element) error {
	for i, limb := range public[:publicLimbs] {
		if limb >= 1<<limbBits {
			return fmt.Errorf("limb %d of the digest is %d, want less than 2^16", i, uint64(limb))
		}
	}
	if length := public[publicLength]; length >= maxLength {
		return fmt.Errorf("the length is %d, want less than 2^40", uint64(length))
	}
	return nil
}
