package keccak

import (
	"errors"
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// The tables in machine order. A proof has one instance of each, so these are the numbers of the instances too.
const (
	tableSponge = iota
	tablePermutation
	tableXor
)

// definition is the machine with the places of its columns, as they were declared.
type definition struct {
	machine     *circuit.Machine
	fillers     *machine.Fillers
	sponge      spongeLayout
	permutation permutationLayout
}

// build makes the machine, once.
var build = sync.OnceValues(func() (*definition, error) {
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
	d := &definition{machine: &circuit.Machine{
		Name:        "keccak",
		Description: "knowledge of a file with a Keccak-256 digest and a length",
		Tables:      []*air.Table{tableSponge: sponge, tablePermutation: permutation, tableXor: lookup},
		Buses:       buses.List(),
		PublicNames: publicNames(),
		Unit:        "permutation",
		CheckPublic: checkPublic,
		FixedCap:    fixedCap,
	}}
	d.sponge = newSpongeLayout(sponge)
	d.permutation = newPermutationLayout(words)
	d.fillers = &machine.Fillers{
		Machine: d.machine,
		Tables: []machine.Filler{
			tableSponge:      {Fill: d.fill(tableSponge), Device: spongeDevice()},
			tablePermutation: {Fill: d.fill(tablePermutation), Device: permutationDevice()},
			tableXor:         {Fill: d.fill(tableXor)},
		},
		RecordWords: recordWords,
	}
	return d, errors.Join(d.machine.Validate(), d.fillers.Validate())
})

// filler is an execution that fills tables: a true one, or a forged one.
type filler interface {
	machine.Execution
	fill(d *definition, pool *parallel.Pool, table int, columns [][]goldilocks.Element)
}

// fill is a table's filler.
func (d *definition) fill(table int) func(*parallel.Pool, machine.Execution, int, [][]goldilocks.Element) error {
	return func(pool *parallel.Pool, execution machine.Execution, instance int, columns [][]goldilocks.Element) error {
		t := d.machine.Tables[table]
		e, ok := execution.(filler)
		if !ok {
			return fmt.Errorf("keccak: an execution of type %T is not this machine's", execution)
		}
		if len(columns) != len(t.Main) {
			return fmt.Errorf("keccak: %d columns of table %s, want %d", len(columns), t.Name, len(t.Main))
		}
		rows := 1 << e.Instances()[instance].LogHeight
		for i, column := range columns {
			if len(column) != rows {
				return fmt.Errorf("keccak: column %s of table %s has %d rows, want %d", t.Main[i], t.Name, len(column), rows)
			}
		}
		e.fill(d, pool, table, columns)
		return nil
	}
}

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
func checkPublic(public circuit.Public) error {
	for i, limb := range public.Values[:publicLimbs] {
		if limb >= 1<<limbBits {
			return fmt.Errorf("limb %d of the digest is %d, want less than 2^16", i, uint64(limb))
		}
	}
	if length := public.Values[publicLength]; length >= maxLength {
		return fmt.Errorf("the length is %d, want less than 2^40", uint64(length))
	}
	return nil
}
