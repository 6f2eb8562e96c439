package keccak

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
)

type program struct {
	definition *definition
	memory     memory // of its executions
}

var _ machine.Estimator = (*program)(nil)

// Program returns the machine with its inputs and claims. An input is a file
// of any bytes and length.
func Program() (machine.Program, error) {
	d, err := build()
	if err != nil {
		return nil, err
	}
	return &program{definition: d}, nil
}

func (p *program) Machine() *circuit.Machine { return p.definition.machine }

func (p *program) Fillers() *machine.Fillers { return p.definition.fillers }

// Execute absorbs a file, or draws one that takes a number of permutations: its bytes and how many
// of them its last block has.
func (p *program) Execute(ctx context.Context, input machine.Input) (machine.Execution, error) {
	length, size := len(input.Data), permutationsFor(len(input.Data))
	if input.Synthetic() {
		size = input.Size
	} else if uint64(length) >= maxLength {
		return nil, fmt.Errorf("keccak: a file of %d bytes, want less than 2^40", length)
	}
	instances, err := p.Estimate(size, input.MinLogHeight)
	if err != nil {
		return nil, err
	}
	var file io.Reader = bytes.NewReader(input.Data)
	if input.Synthetic() {
		file, length = draw(size, input.Seed)
	}
	return newExecution(ctx, &p.memory, file, length, instances)
}

// draw draws a file of size blocks: its length, and the bytes as they are read.
func draw(size int, seed uint64) (file io.Reader, length int) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(size))
	source := rand.NewChaCha8(key)
	return source, (size-1)*rateBytes + rand.New(source).IntN(rateBytes)
}

// permutationsFor is the number of blocks of a padded file.
func permutationsFor(length int) int { return length/rateBytes + 1 }

// Estimate is exact: the number of permutations fixes the heights.
func (p *program) Estimate(size, minLogHeight int) ([]circuit.Instance, error) {
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

// Size follows from the length alone.
func (p *program) Size(public circuit.Public, _ []circuit.Instance) (int, error) {
	if err := p.Machine().CheckStated(public); err != nil {
		return 0, err
	}
	return permutationsFor(int(public.Values[publicLength])), nil
}

func (p *program) Claim(public circuit.Public, _ int) string {
	return fmt.Sprintf("digest %s\nlength %d", digestText(public), uint64(public.Values[publicLength]))
}

func (p *program) Describe(public circuit.Public) []circuit.Field {
	return []circuit.Field{
		{Name: "digest", Value: digestText(public)},
		{Name: "length", Value: strconv.FormatUint(uint64(public.Values[publicLength]), 10)},
	}
}

// digestText is the digest as 64 hexadecimal digits.
func digestText(public circuit.Public) string {
	var digest [digestBytes]byte
	for i := range publicLimbs {
		binary.LittleEndian.PutUint16(digest[2*i:], uint16(public.Values[i]))
	}
	return hex.EncodeToString(digest[:])
}
