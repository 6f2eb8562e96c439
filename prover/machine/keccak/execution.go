package keccak

import (
	"context"
	"encoding/binary"
	"sync"

	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/keccak"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// The record sets, which the doc comment of the package lays out.
const (
	recordInputs = iota
	recordFile
)

// execution is a file and its absorption.
type execution struct {
	data      []byte          // the file, but for what lastBlock has of it
	lastBlock [rateBytes]byte // padded
	length    int
	inputs    []uint64 // of each permutation, 25 lanes each
	digest    [lanes]uint64
	public    []goldilocks.Element
	instances []machine.Instance

	records func() [][]uint64
}

// absorbed is how many blocks are absorbed before the context is looked at again.
const absorbed = 1 << 14

// newExecution absorbs the file. It keeps data, which must not change.
func newExecution(ctx context.Context, data []byte, instances []machine.Instance) (machine.Execution, error) {
	count := permutationsFor(len(data))
	full := (count - 1) * rateBytes
	e := &execution{data: data[:full], length: len(data), inputs: make([]uint64, lanes*count), instances: instances}
	e.records = sync.OnceValue(e.makeRecords)
	copy(e.lastBlock[:], data[full:])
	e.lastBlock[len(data)-full] ^= 0x01
	e.lastBlock[rateBytes-1] ^= 0x80

	var state [lanes]uint64
	for p := range count {
		if p%absorbed == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		block := e.block(p)
		for i := range rateLanes {
			state[i] ^= binary.LittleEndian.Uint64(block[8*i:])
		}
		copy(e.inputs[lanes*p:], state[:])
		keccak.Permute(&state)
	}
	e.digest = state
	e.public = publicOf(&state, uint64(len(data)))
	return e, nil
}

// publicOf are the public values of a final state and a length.
func publicOf(state *[lanes]uint64, length uint64) []goldilocks.Element {
	public := make([]goldilocks.Element, publicCount)
	for i := range publicLimbs {
		public[i] = goldilocks.Element(state[i/4] >> (i % 4 * limbBits) & (1<<limbBits - 1))
	}
	public[publicLength] = goldilocks.Element(length)
	return public
}

// permutations is the number of blocks.
func (e *execution) permutations() int { return len(e.inputs) / lanes }

// block is a block of the padded file.
func (e *execution) block(p int) []byte {
	if p == e.permutations()-1 {
		return e.lastBlock[:]
	}
	return e.data[p*rateBytes : (p+1)*rateBytes]
}

func (e *execution) Public() machine.Public { return machine.Public{Values: e.public} }

func (e *execution) Instances() []machine.Instance { return e.instances }

func (e *execution) Records() [][]uint64 { return e.records() }

func (e *execution) makeRecords() [][]uint64 {
	count := e.permutations()
	file := make([]uint64, 0, fileBlocks+count*rateLanes)
	file = append(file, uint64(e.length))
	file = append(file, e.digest[:]...)
	for p := range count {
		block := e.block(p)
		for i := range rateLanes {
			file = append(file, binary.LittleEndian.Uint64(block[8*i:]))
		}
	}
	return [][]uint64{recordInputs: e.inputs, recordFile: file}
}

// recordWords is how long the record sets can be: as many permutations as both tables have room for.
func recordWords(instances []machine.Instance) []uint64 {
	var permutations uint64
	for _, instance := range instances {
		switch rows := uint64(1) << instance.LogHeight; instance.Table {
		case tableSponge:
			permutations = rows
		case tablePermutation:
			permutations = min(permutations, rows/rounds)
		}
	}
	return []uint64{recordInputs: lanes * permutations, recordFile: fileBlocks + rateLanes*permutations}
}

func (e *execution) fill(d *definition, pool *parallel.Pool, table int, columns [][]goldilocks.Element) {
	switch table {
	case tableSponge:
		d.sponge.fill(pool, columns, e)
	case tablePermutation:
		d.permutation.fill(pool, columns, e.inputs)
	}
}
