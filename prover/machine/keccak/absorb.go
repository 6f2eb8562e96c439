package keccak

import (
	"sync"

	"github.com/chiasmus/chiasmus/prover/keccak"
)

// How many blocks a device takes in at a time: few at first, so that it begins soon, then twice as many each time up to
// the most, some quarter of a millisecond. The proof waits for the rows of the last ones, so these are no more than
// lastBlocks. Nor are they much fewer: a part takes a device 40 us and 0.11 a block, which is absorbed in 0.21, so it
// would be late for the last of several short ones.
const (
	firstBlocks = 1 << 7
	mostBlocks  = 1 << 10
	lastBlocks  = 5 << 7
)

// turnBlocks is how many blocks are absorbed before whoever was slower goes on from there.
const turnBlocks = 1 << 6

// partsOf are the ends of the parts in which a device takes in so many blocks.
func partsOf(count int) (ends []int) {
	for end, size := 0, firstBlocks; end < count; size = min(2*size, mostBlocks) {
		if left := count - end; left <= 2*size {
			parts := (left + lastBlocks - 1) / lastBlocks
			size = (left/parts + turnBlocks - 1) / turnBlocks * turnBlocks
		}
		end = min(end+size, count)
		ends = append(ends, end)
	}
	return ends
}

// chain is how far the blocks are absorbed. Each permutation waits for the one before, and much of a proof for the last:
// so a goroutine absorbs them, and who waits for its parts does the same meanwhile. Whoever has the blocks of a turn first
// says so, and the other goes on from there: to lose a processor, or to be on a slow one, costs a turn and not more.
type chain struct {
	mutex    sync.Mutex
	state    [lanes]uint64 // behind the blocks that are absorbed
	absorbed int           // blocks
	read     int           // blocks that are there to be absorbed
	parts    int           // that are absorbed

	inputs []uint64 // of the permutations of the goroutine, in their places; of a long execution the record set

	waits    sync.Mutex // held by who waits
	own      []bool     // by turn: whether who waited has absorbed it, into the record set
	complete int        // blocks whose inputs are in the record set
}

// absorb absorbs the parts as they are read.
func (e *execution) absorb(read <-chan error) error {
	defer close(e.ended)
	for range e.ends {
		if err := <-read; err != nil {
			return err
		}
		for {
			if first, end := e.advance(e.chain.inputs); first == end {
				break
			}
		}
	}
	return nil
}

// advance absorbs the blocks of a turn, and leaves the inputs of their permutations in their places. There are none when
// all that are read are absorbed.
func (e *execution) advance(inputs []uint64) (first, end int) {
	c := &e.chain
	c.mutex.Lock()
	state, first := c.state, c.absorbed
	end = min(first+turnBlocks, c.read)
	c.mutex.Unlock()
	if first == end {
		return first, end
	}
	keccak.Chain(&state, e.blocks(first, end), inputs[lanes*first:lanes*end])
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.absorbed == first {
		c.state, c.absorbed = state, end
		e.partAbsorbed()
	}
	return first, end
}

// partAbsorbed says of a part that it is absorbed, once it is.
func (e *execution) partAbsorbed() {
	c := &e.chain
	if c.absorbed < e.ends[c.parts] {
		return
	}
	if c.absorbed == e.permutations() {
		e.digest, e.public = c.state, publicOf(&c.state, uint64(e.length))
		copy(e.file[len(e.file)-lanes:], c.state[:])
	}
	close(e.absorbed[c.parts])
	c.parts++
}

// await waits until a part is absorbed and the inputs of its permutations are in the record set, and absorbs meanwhile.
func (e *execution) await(part int) {
	c := &e.chain
	c.waits.Lock()
	defer c.waits.Unlock()
	for e.helps(part) {
	}
	<-e.absorbed[part]
	for ; c.complete < e.ends[part]; c.complete = min(c.complete+turnBlocks, e.ends[part]) {
		if first, end := c.complete, min(c.complete+turnBlocks, e.ends[part]); !c.own[first/turnBlocks] {
			copy(e.inputs[lanes*first:lanes*end], c.inputs[lanes*first:])
		}
	}
}

// helps absorbs a turn for who waits for a part, unless that is absorbed or nothing can be.
func (e *execution) helps(part int) bool {
	select {
	case <-e.absorbed[part]:
		return false
	default:
	}
	first, end := e.advance(e.inputs)
	if first < end {
		e.chain.own[first/turnBlocks] = true
	}
	return first < end
}
