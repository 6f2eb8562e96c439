package keccak

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"

	"github.com/chiasmus/chiasmus/prover/circuit"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	device "github.com/chiasmus/chiasmus/prover/fill/device/keccak"
	host "github.com/chiasmus/chiasmus/prover/fill/host/keccak"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/run"
)

// definition is the machine with its fillers.
type definition struct {
	*circuits.Claims
	fillers *machine.Fillers
}

// build makes the machine with its fillers, once.
var build = sync.OnceValues(func() (*definition, error) {
	claims, err := circuits.New()
	if err != nil {
		return nil, err
	}
	fillers := &machine.Fillers{
		Machine: claims.Machine(),
		Tables: []machine.Filler{
			tableSponge:      {Fill: host.Filler(claims, tableSponge), Device: device.Sponge()},
			tablePermutation: {Fill: host.Filler(claims, tablePermutation), Device: device.Permutations()},
			tableXor:         {Fill: host.Filler(claims, tableXor)},
		},
		RecordWords: recordWords,
	}
	return &definition{claims, fillers}, fillers.Validate()
})

type program struct {
	*definition
	memory memory // of its executions
}

// Program returns the machine with its inputs and claims. An input is a file
// of any bytes and length.
func Program() (run.Program, error) {
	d, err := build()
	if err != nil {
		return nil, err
	}
	return &program{definition: d}, nil
}

func (p *program) Fillers() *machine.Fillers { return p.fillers }

// Run absorbs a file, or samples one that takes a number of permutations: its bytes, and the length of its last block.
// The run has one shard, and may still be running when Run returns.
func (p *program) Run(ctx context.Context, input run.Input) (*run.Run, error) {
	if err := input.Whole(p); err != nil {
		return nil, err
	}
	length, size := len(input.Data), circuits.Permutations(len(input.Data))
	if input.Synthetic() {
		size = input.Size
	} else if uint64(length) >= maxLength {
		return nil, fmt.Errorf("keccak: a file of %d bytes, want less than 2^40", length)
	}
	instances, err := p.Estimate(size, input.MinLogHeight, nil)
	if err != nil {
		return nil, err
	}
	var file io.Reader = bytes.NewReader(input.Data)
	if input.Synthetic() {
		file, length = draw(size, input.Seed)
	}
	e, err := newExecution(ctx, &p.memory, file, length, instances)
	if err != nil {
		return nil, err
	}
	return run.Whole(circuit.Public{}, e), nil
}

// draw samples a file of size blocks: its length, and the bytes as they are read.
func draw(size int, seed uint64) (file io.Reader, length int) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(size))
	source := rand.NewChaCha8(key)
	return source, (size-1)*rateBytes + rand.New(source).IntN(rateBytes)
}

// Estimate is exact: the number of permutations fixes the heights.
func (p *program) Estimate(size, minLogHeight int, _ *run.Sample) ([]circuit.Instance, error) {
	if size < 1 {
		return nil, fmt.Errorf("keccak: %d permutations, want at least 1", size)
	}
	rows := [...]uint64{tableSponge: uint64(size), tablePermutation: uint64(size) * rounds, tableXor: 0}
	instances := make([]circuit.Instance, len(rows))
	for i, t := range p.Machine().Tables {
		logHeight, err := circuit.LogHeightFor(t, rows[i], minLogHeight)
		if err != nil {
			return nil, fmt.Errorf("keccak, %d permutations: %w", size, err)
		}
		instances[i] = circuit.Instance{Table: i, LogHeight: logHeight}
	}
	return instances, nil
}
