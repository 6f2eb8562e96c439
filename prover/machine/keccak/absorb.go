package keccak

import (
	"sync"
	"sync/atomic"

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

// chain is how far the blocks are absorbed. Each permutation waits for the one before, and much of a proof for the
// last: so a goroutine absorbs them, and who waits for its parts does the same meanwhile. Whoever has the blocks of a
// turn first says so, and the other goes on from there: to lose a processor, or to be on a slow one, costs a turn and
// not more.
type chain struct {
	at   atomic.Pointer[progress]
	read atomic.Int64 // blocks that are there to be absorbed

	inputs []uint64 // of the permutations of the goroutine, in their places; of a long execution the record set

	waits    sync.Mutex // held by who waits
	own      []bool     // by turn: whether who waited has absorbed it, into the record set
	complete int        // blocks whose inputs are in the record set
}

// progress is what the chain has come to. It never changes, and another takes its place.
type progress struct {
	state    [lanes]uint64 // behind the blocks that are absorbed
	absorbed int           // blocks
	parts    int           // that are absorbed
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

// advance absorbs the blocks of a turn, and leaves the inputs of their permutations in their places. There are none
// when all that are read are absorbed.
func (e *execution) advance(inputs []uint64) (first, end int) {
	before := e.chain.at.Load()
	first = before.absorbed
	end = min(first+turnBlocks, int(e.chain.read.Load()))
	if first == end {
		return first, end
	}
	after := *before
	after.absorbed = end
	keccak.Chain(&after.state, e.blocks(first, end), inputs[lanes*first:lanes*end])
	whole := end >= e.ends[after.parts]
	if whole {
		after.parts++
	}
	if e.chain.at.CompareAndSwap(before, &after) && whole {
		e.partAbsorbed(&after)
	}
	return first, end
}

// partAbsorbed says of a part that it is absorbed.
func (e *execution) partAbsorbed(at *progress) {
	if at.absorbed == e.permutations() {
		e.digest, e.public = at.state, publicOf(&at.state, uint64(e.length))
		copy(e.file[len(e.file)-lanes:], at.state[:])
	}
	close(e.absorbed[at.parts-1])
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
