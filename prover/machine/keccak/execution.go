package keccak

import (
	"context"
	"encoding/binary"
	"io"
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

// execution is a file and its absorption, which goes on when it is handed over: blocks are read, absorbed and taken in
// by a device part by part, each beside the others' next parts.
type execution struct {
	length    int
	file      []uint64 // the record set: the length, the padded blocks, the last permutation's output
	inputs    []uint64 // of each permutation, 25 lanes each
	instances []machine.Instance
	absorbed  []chan struct{} // closed when that part of the blocks is
	memory    *memory         // that file and inputs go back to

	digest [lanes]uint64 // these two are known with the last part
	public []goldilocks.Element
}

var (
	_ machine.Growing  = (*execution)(nil)
	_ machine.Releaser = (*execution)(nil)
)

// memory is what one execution after another has its records in: to get pages takes longer than to fill them.
type memory struct {
	mutex        sync.Mutex
	file, inputs []uint64 // of one that was released
}

// take takes memory of some lengths, with anything in it.
func (m *memory) take(file, inputs int) ([]uint64, []uint64) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if cap(m.file) < file || cap(m.inputs) < inputs {
		return make([]uint64, file), make([]uint64, inputs)
	}
	taken := [][]uint64{m.file[:file], m.inputs[:inputs]}
	m.file, m.inputs = nil, nil
	return taken[0], taken[1]
}

func (m *memory) give(file, inputs []uint64) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.file, m.inputs = file, inputs
}

const (
	// partBlocks is how many blocks are absorbed at a time: some quarter of a millisecond.
	partBlocks = 1 << 10
	// goesOn is how many blocks an execution may have that is handed over before it has ended: nothing cancels it then.
	goesOn = 1 << 18
)

// newExecution absorbs a file of so many bytes, which must not change. A long one ends before it returns.
func newExecution(ctx context.Context, memory *memory, file io.Reader, length int, instances []machine.Instance) (machine.Execution, error) {
	count := permutationsFor(length)
	e := &execution{
		length:    length,
		instances: instances,
		absorbed:  make([]chan struct{}, (count+partBlocks-1)/partBlocks),
		memory:    memory,
	}
	e.file, e.inputs = memory.take(fileBlocks+count*rateLanes+lanes, lanes*count)
	for i := range e.absorbed {
		e.absorbed[i] = make(chan struct{})
	}
	e.file[fileLength] = uint64(length)
	read := make(chan error, len(e.absorbed))
	if count <= goesOn {
		go e.read(context.WithoutCancel(ctx), file, read)
		go func() { _ = e.absorb(read) }() // reading memory does not fail
		return e, nil
	}
	go e.read(ctx, file, read)
	if err := e.absorb(read); err != nil {
		return nil, err
	}
	return e, nil
}

// part are the first block of a part and the one behind it.
func (e *execution) part(number int) (first, end int) {
	return number * partBlocks, min((number+1)*partBlocks, e.permutations())
}

// read fills the blocks with the padded file and says so part by part, until it fails.
func (e *execution) read(ctx context.Context, file io.Reader, parts chan<- error) {
	bytes := make([]byte, rateBytes*min(partBlocks, e.permutations()))
	for number := range e.absorbed {
		if ctx.Err() != nil {
			parts <- context.Cause(ctx)
			return
		}
		first, end := e.part(number)
		words, rest := e.blocks(first, end), bytes
		if end == e.permutations() {
			rest = bytes[:e.length-rateBytes*first]
			padding := bytes[len(rest) : 8*len(words)]
			clear(padding)
			padding[0] ^= 0x01
			padding[len(padding)-1] ^= 0x80
		}
		_, err := io.ReadFull(file, rest)
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(bytes[8*i:])
		}
		parts <- err
	}
}

// absorb absorbs the parts as they are read.
func (e *execution) absorb(read <-chan error) error {
	var state [lanes]uint64
	for number, absorbed := range e.absorbed {
		if err := <-read; err != nil {
			return err
		}
		first, end := e.part(number)
		keccak.Chain(&state, e.blocks(first, end), e.inputs[lanes*first:lanes*end])
		if end == e.permutations() {
			e.digest, e.public = state, publicOf(&state, uint64(e.length))
			copy(e.file[len(e.file)-lanes:], state[:])
		}
		close(absorbed)
	}
	return nil
}

// wait waits for the end.
func (e *execution) wait() { <-e.absorbed[len(e.absorbed)-1] }

// publicOf are the public values of a final state and a length.
func publicOf(state *[lanes]uint64, length uint64) []goldilocks.Element {
	public := make([]goldilocks.Element, publicCount)
	for i := range publicLimbs {
		public[i] = goldilocks.Element(state[i/4] >> (i % 4 * limbBits) & (1<<limbBits - 1))
	}
	public[publicLength] = goldilocks.Element(length)
	return public
}

// Release gives the records' memory to the next execution.
func (e *execution) Release() {
	e.wait()
	e.memory.give(e.file, e.inputs)
	e.file, e.inputs = nil, nil
}

// permutations is the number of blocks.
func (e *execution) permutations() int { return len(e.inputs) / lanes }

// blocks are the words of some blocks of the padded file.
func (e *execution) blocks(first, end int) []uint64 {
	return e.file[fileBlocks+rateLanes*first : fileBlocks+rateLanes*end]
}

func (e *execution) Public() machine.Public {
	e.wait()
	return machine.Public{Values: e.public}
}

func (e *execution) Instances() []machine.Instance { return e.instances }

func (e *execution) Records() [][]uint64 {
	e.wait()
	return [][]uint64{recordInputs: e.inputs, recordFile: e.file}
}

func (e *execution) RecordWords() []uint64 {
	return []uint64{recordInputs: uint64(len(e.inputs)), recordFile: uint64(len(e.file))}
}

func (e *execution) Grow(each func(known [][]uint64) error) error {
	for number, absorbed := range e.absorbed {
		<-absorbed
		_, end := e.part(number)
		known := [][]uint64{recordInputs: e.inputs[:lanes*end], recordFile: e.file[:fileBlocks+rateLanes*end]}
		if end == e.permutations() {
			known[recordFile] = e.file
		}
		if err := each(known); err != nil {
			return err
		}
	}
	return nil
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
	return []uint64{recordInputs: lanes * permutations, recordFile: fileBlocks + rateLanes*permutations + lanes}
}

func (e *execution) fill(d *definition, pool *parallel.Pool, table int, columns [][]goldilocks.Element) {
	e.wait()
	switch table {
	case tableSponge:
		d.sponge.fill(pool, columns, e)
	case tablePermutation:
		d.permutation.fill(pool, columns, e.inputs)
	}
}
