package keccak

import (
	"context"
	"encoding/binary"
	"io"
	"sync"

	"github.com/chiasmus/chiasmus/prover/circuit"
	circuits "github.com/chiasmus/chiasmus/prover/circuit/keccak"
	host "github.com/chiasmus/chiasmus/prover/fill/host/keccak"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// execution is a file and its absorption, which may still be running when the execution is passed on. Reading,
// absorbing and the transfer to a device are a pipeline over parts of the file.
type execution struct {
	length    int
	file      []uint64 // the record set: the length, the padded blocks, the last permutation's output
	inputs    []uint64 // of each permutation, 25 lanes each
	instances []circuit.Instance
	ends      []int           // of the parts, in blocks
	absorbed  []chan struct{} // closed when the part is absorbed
	chain     chain
	ended     chan struct{} // closed when the absorbing goroutine has ended
	memory    *memory       // gets the pieces on release
	pieces    [][]uint64    // the memory of file and inputs

	digest [lanes]uint64 // these two are known after the last part
	public []goldilocks.Element
}

// memory passes the memory of records from one execution to the next: getting pages takes longer than filling them.
type memory struct {
	mutex sync.Mutex
	free  [][]uint64 // of a released execution
}

// take returns pieces of memory of these lengths, with undefined contents.
func (m *memory) take(lengths ...int) (taken [][]uint64) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	enough := len(m.free) >= len(lengths)
	for i, length := range lengths {
		enough = enough && cap(m.free[i]) >= length
	}
	for i, length := range lengths {
		if enough {
			taken = append(taken, m.free[i][:length])
		} else {
			taken = append(taken, make([]uint64, length))
		}
	}
	if enough {
		m.free = nil
	}
	return taken
}

func (m *memory) give(pieces ...[]uint64) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.free = pieces
}

// mostConcurrent is the largest number of blocks of an execution that is returned before it has ended. Such an
// execution cannot be cancelled.
const mostConcurrent = 1 << 18

// newExecution absorbs a file of this length, which must not change. It absorbs a long file completely before it
// returns, and a short one concurrently.
func newExecution(ctx context.Context, memory *memory, file io.Reader, length int,
	instances []circuit.Instance) (machine.Execution, error) {
	count := circuits.Permutations(length)
	e := &execution{
		length:    length,
		instances: instances,
		ends:      partsOf(count),
		ended:     make(chan struct{}),
		memory:    memory,
	}
	e.absorbed = make([]chan struct{}, len(e.ends))
	for i := range e.absorbed {
		e.absorbed[i] = make(chan struct{})
	}
	e.chain.at.Store(new(progress))
	e.chain.own = make([]bool, (count+turnBlocks-1)/turnBlocks)
	read := make(chan error, len(e.ends))
	reader := &reader{execution: e, file: file, bytes: make([]byte, rateBytes*min(turnBlocks, count))}
	lengths := []int{fileBlocks + count*rateLanes + lanes, lanes * count, lanes * count}
	if count <= mostConcurrent {
		e.pieces = memory.take(lengths...)
		e.file, e.inputs, e.chain.inputs = e.pieces[0], e.pieces[1], e.pieces[2]
		e.file[fileLength] = uint64(length)
		e.begin(reader, read)
		return e, nil
	}
	e.pieces = memory.take(lengths[:2]...)
	e.file, e.inputs, e.chain.inputs = e.pieces[0], e.pieces[1], e.pieces[1]
	e.file[fileLength] = uint64(length)
	go reader.readAll(ctx, 0, read)
	if err := e.absorb(read); err != nil {
		return nil, err
	}
	e.chain.complete = count
	return e, nil
}

// begin starts the goroutines that read and absorb, and does both itself until they have woken up.
func (e *execution) begin(r *reader, read chan error) {
	go e.absorb(read) // reading memory does not fail
	part := 0
	for ; part < min(readAtOnce, len(e.ends)); part++ {
		read <- r.read(part)
	}
	go r.readAll(context.Background(), part, read)
	for e.helps(part - 1) {
	}
}

// readAtOnce is the number of parts that are read before the reading goroutine starts: the blocks that are absorbed
// while the goroutine wakes up.
const readAtOnce = 2

// reader reads a file into the blocks of an execution.
type reader struct {
	*execution
	file  io.Reader
	bytes []byte // a buffer for one turn
}

// readAll reads the parts from index part on, and sends the result of each to parts.
func (r *reader) readAll(ctx context.Context, part int, parts chan<- error) {
	for ; part < len(r.ends); part++ {
		if ctx.Err() != nil {
			parts <- context.Cause(ctx)
			return
		}
		parts <- r.read(part)
	}
}

// read reads a part, turn by turn.
func (r *reader) read(part int) error {
	for first := int(r.chain.read.Load()); first < r.ends[part]; first += turnBlocks {
		if err := r.readTurn(first, min(first+turnBlocks, r.ends[part])); err != nil {
			return err
		}
	}
	return nil
}

// readTurn fills blocks with the padded file, and publishes them for absorption.
func (r *reader) readTurn(first, end int) error {
	words := r.blocks(first, end)
	bytes := r.bytes[:8*len(words)]
	if end == r.permutations() {
		bytes = bytes[:r.length-rateBytes*first]
		padding := r.bytes[len(bytes) : 8*len(words)]
		clear(padding)
		padding[0] ^= 0x01
		padding[len(padding)-1] ^= 0x80
	}
	_, err := io.ReadFull(r.file, bytes)
	if err != nil {
		return err
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(r.bytes[8*i:])
	}
	r.chain.read.Store(int64(end))
	return nil
}

// wait waits until the whole file is absorbed.
func (e *execution) wait() { e.await(len(e.ends) - 1) }

// publicOf returns the public values for a final state and a length.
func publicOf(state *[lanes]uint64, length uint64) []goldilocks.Element {
	public := make([]goldilocks.Element, publicCount)
	for i := range publicLimbs {
		public[i] = goldilocks.Element(state[i/4] >> (i % 4 * limbBits) & (1<<limbBits - 1))
	}
	public[publicLength] = goldilocks.Element(length)
	return public
}

// Rest does nothing: the records are a small part of a proof.
func (e *execution) Rest() {}

// Release gives the records' memory to the next execution.
func (e *execution) Release() {
	if e.pieces == nil {
		return
	}
	e.wait()
	<-e.ended
	e.memory.give(e.pieces...)
	e.pieces, e.file, e.inputs, e.chain.inputs = nil, nil, nil, nil
}

// permutations returns the number of blocks.
func (e *execution) permutations() int { return len(e.inputs) / lanes }

// blocks returns the words of blocks of the padded file.
func (e *execution) blocks(first, end int) []uint64 {
	return e.file[fileBlocks+rateLanes*first : fileBlocks+rateLanes*end]
}

func (e *execution) Public() circuit.Public {
	e.wait()
	return circuit.Public{Values: e.public}
}

func (e *execution) Instances() []circuit.Instance { return e.instances }

func (e *execution) Records() [][]uint64 {
	e.wait()
	return [][]uint64{recordInputs: e.inputs, recordFile: e.file}
}

// Device delivers the records part by part, as they are absorbed.
func (e *execution) Device() machine.DeviceRecords {
	words := []uint64{recordInputs: uint64(len(e.inputs)), recordFile: uint64(len(e.file))}
	return machine.DeviceRecords{Words: words, Grow: e.grow}
}

func (e *execution) grow(each func(known [][]uint64) error) error {
	for part, end := range e.ends {
		e.await(part)
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

// recordWords returns the largest lengths of the record sets: for the number of permutations that fit both tables.
func recordWords(instances []circuit.Instance) []uint64 {
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

// FillTable writes the columns of a table.
func (e *execution) FillTable(pool *parallel.Pool, table int, columns [][]goldilocks.Element) {
	e.wait()
	switch table {
	case circuits.TableSponge:
		host.FillSponge(pool, columns, &host.File{
			Length: e.length,
			Blocks: e.blocks(0, e.permutations()),
			Inputs: e.inputs,
			Final:  e.digest,
		})
	case circuits.TablePermutation:
		host.FillPermutations(&circuits.OwnForm, pool, columns, e.inputs)
	}
}
