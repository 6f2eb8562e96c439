package keccak

import (
	"sync"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/keccak"
)

// Sizes, in blocks, of the parts that a device receives. The first part is small, so that the device begins soon. Each
// next part is twice as large, up to about a quarter of a millisecond. The proof waits for the rows of the last part,
// which has at most lastBlocks. It is not much smaller: the device takes 40 us for a part and 0.11 us for a block,
// which the host absorbs in 0.21 us, so several small parts would delay the device.
const (
	firstBlocks = 1 << 7
	mostBlocks  = 1 << 10
	lastBlocks  = 5 << 7
)

// turnBlocks is the number of blocks after which the slower absorber continues from the faster one's state.
const turnBlocks = 1 << 6

// partsOf returns the ends of the parts in which a device receives this number of blocks.
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

// chain is the state of absorbing the blocks. Each permutation depends on the previous one, and much of a proof on the
// last. To bound delays, a goroutine absorbs the blocks, and a waiter absorbs the same blocks meanwhile. The first to
// finish a turn publishes the state, and the other continues from there: losing a processor, or running on a slow one,
// costs at most one turn.
type chain struct {
	at   atomic.Pointer[progress]
	read atomic.Int64 // blocks that were read and can be absorbed

	inputs []uint64 // of the goroutine's permutations, by index; in a long execution the record set itself

	waits    sync.Mutex // held by the waiter
	own      []bool     // by turn: whether the waiter has absorbed it, into the record set
	complete int        // blocks whose inputs are in the record set
}

// progress is the state of the chain after some blocks. It is immutable.
type progress struct {
	state    [lanes]uint64 // after the absorbed blocks
	absorbed int           // blocks
	parts    int           // completely absorbed
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

// advance absorbs the blocks of a turn, from first to end, and stores the inputs of their permutations. If all blocks
// that were read are absorbed, it does nothing, and first equals end.
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

// partAbsorbed announces that a part is absorbed.
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

// helps absorbs a turn for the waiter and reports true, unless the part is absorbed or no further block was read.
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
