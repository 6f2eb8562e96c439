package replay

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Ledger follows a run from part to part, and makes the [State] before each part. It has the contents of every accessed
// word, with the time of the word's last access, so its memory grows with the words that the run accesses, not with its
// cycles.
//
// The emulator knows the words that a part accesses and their contents at its end, but not the times of the accesses.
// The first pass of the replay finds the times: chunks are replayed in parallel, and the latest access to a word wins.
type Ledger struct {
	state State // before the next part, without words
	pages []*ledgerPage
}

// ledgerPage has words of memory.
type ledgerPage struct {
	last, value [ledgerWords]uint64
}

const (
	ledgerShift = 9 // words in a page, as a power of two
	ledgerWords = 1 << ledgerShift
	ledgerPages = int(memorymap.End / memorymap.WordBytes >> ledgerShift)
)

// NewLedger returns the ledger of a program with these inputs, before its first cycle. The run begins after this number
// of cycles: see [State.Delay].
func NewLedger(p *program.Program, in memory.Inputs, delay uint32) *Ledger {
	l := &Ledger{state: *Begin(p, in), pages: make([]*ledgerPage, ledgerPages+1)}
	l.state.Delay(delay)
	for _, w := range l.state.initial {
		page, at := l.word(w.Index)
		page.last[at], page.value[at] = 1, w.Value
	}
	return l
}

// word returns the page and the index in it of a word.
func (l *Ledger) word(word uint32) (page *ledgerPage, at uint32) {
	place := &l.pages[word>>ledgerShift]
	if *place == nil {
		*place = new(ledgerPage)
	}
	return *place, word % ledgerWords
}

// Place makes the first pass over the trace of the next part, and returns it with the state before the part. Accessed
// are the words that the part accesses, with their contents after it. If ends, the program ends with the part. After an
// error the ledger must not be used.
func (l *Ledger) Place(ctx context.Context, pool *parallel.Pool, trace *record.Trace, accessed []memorymap.Word,
	ends bool) (*Placed, error) {
	state := l.state
	state.words = len(accessed)
	if ends {
		state.accessed = l.accessed()
	}
	for _, w := range accessed {
		page, at := l.word(w.Index)
		if last := page.last[at]; last > 0 && !ends {
			state.accessed = append(state.accessed, record.Touched{Word: w.Index, Last: last, Value: page.value[at]})
		}
	}
	b := &builder{State: &state, trace: trace, ends: ends, pool: pool, ledger: l}
	placed, err := b.place(ctx)
	if err != nil {
		return nil, err
	}
	first := 4 * uint64(l.state.at.Cycle)
	for _, w := range accessed {
		page, at := l.word(w.Index)
		if page.last[at] < first {
			return nil, fmt.Errorf("no cycle from %d on accesses %#x, as the run did", l.state.at.Cycle, 8*uint64(w.Index))
		}
		page.value[at] = w.Value
	}
	l.state.at, l.state.clock = trace.Checkpoints[trace.Chunks()], b.clockBefore(trace.Chunks())
	return placed, nil
}

// accessed returns all words that were accessed.
func (l *Ledger) accessed() (list []record.Touched) {
	for i, page := range l.pages {
		if page == nil {
			continue
		}
		for at, last := range page.last {
			if last > 1 {
				list = append(list, record.Touched{Word: uint32(i<<ledgerShift | at), Last: last, Value: page.value[at]})
			}
		}
	}
	return list
}

// note records an access to a word at a time. It may be called concurrently. It returns false if the emulator did not
// report an access to the word.
func (l *Ledger) note(word uint32, time uint64) bool {
	page := l.pages[word>>ledgerShift]
	if page == nil {
		return false
	}
	last := &page.last[word%ledgerWords]
	for {
		before := atomic.LoadUint64(last)
		if before >= time {
			return true
		}
		if atomic.CompareAndSwapUint64(last, before, time) {
			return true
		}
	}
}
