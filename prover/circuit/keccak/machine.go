package keccak

import (
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
)

// The tables in machine order. A proof has one instance of each, so these are also the indices of the instances.
const (
	TableSponge = iota
	TablePermutation
	TableXor
)

// Claims is the machine and the claims of its proofs.
type Claims struct{ machine *circuit.Machine }

var _ circuit.Claims = (*Claims)(nil)

// declared holds the machine after the first call of New. A [sync.OnceValues] would link the declaration into programs
// that take packed tables.
var declared struct {
	once   sync.Once
	claims *Claims
	err    error
}

// New returns the machine, which it declares once.
func New() (*Claims, error) {
	declared.once.Do(func() { declared.claims, declared.err = declare() })
	return declared.claims, declared.err
}

func declare() (*Claims, error) {
	var buses air.Buses
	permutations := air.NewCall[permutationMessage](&buses, "keccak-f")
	xor := air.NewLookup[xorMessage](&buses, "xor")
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
	return Of([]*air.Table{TableSponge: sponge, TablePermutation: permutation, TableXor: lookup}, buses.List())
}

// Of returns the machine with tables that are already declared.
func Of(tables []*air.Table, buses []*air.Bus) (*Claims, error) {
	m := &circuit.Machine{
		Name:        "keccak",
		Description: "knowledge of a file with a Keccak-256 digest and a length",
		Tables:      tables,
		Buses:       buses,
		PublicNames: publicNames(),
		Unit:        "permutation",
		CheckPublic: checkPublic,
		FixedCap:    pinnedCaps.Cap,
	}
	return &Claims{m}, m.Validate()
}

// Machine returns the machine.
func (c *Claims) Machine() *circuit.Machine { return c.machine }

// Permutations returns the number of blocks of a padded file of length bytes.
func Permutations(length int) int { return length/RateBytes + 1 }

func publicNames() []string {
	names := make([]string, PublicCount)
	for i := range PublicLimbs {
		names[i] = fmt.Sprintf("digest[%d]", i)
	}
	names[PublicLength] = "length"
	return names
}

// MaxLength bounds the public length.
const MaxLength = 1 << 40

// checkPublic checks that limbs are 16 bits and the length is below 2^40, so
// that a digest and a length have one encoding.
func checkPublic(public circuit.Public) error {
	for i, limb := range public.Values[:PublicLimbs] {
		if limb >= 1<<LimbBits {
			return fmt.Errorf("limb %d of the digest is %d, want less than 2^16", i, uint64(limb))
		}
	}
	if length := public.Values[PublicLength]; length >= MaxLength {
		return fmt.Errorf("the length is %d, want less than 2^40", uint64(length))
	}
	return nil
}
