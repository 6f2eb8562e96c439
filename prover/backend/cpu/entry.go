package cpu

import (
	"cmp"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// entryCounter counts the messages of one bus by the places that answer them.
type entryCounter struct {
	entry   *air.Entry
	logRows int                    // a place is lane << logRows | row
	says    [][]said               // by value of the message and by lane: what each row of the table answers
	counts  [][]goldilocks.Element // the count columns, by lane
	share   span                   // of a worker's share that counts the places; empty where workers count in the columns
	decided bool                   // by the place what the message is
}

// said is a value of the message of a lane: what a column says plus a constant, or without a column the constant.
type said struct {
	column []goldilocks.Element
	plus   goldilocks.Element
}

func (s *said) at(row uint64) goldilocks.Element {
	if s.column == nil {
		return s.plus
	}
	return s.column[row].Add(s.plus)
}

func (p *traced) newEntryCounter(instance int, entry *air.Entry) *entryCounter {
	columns := p.phases[protocol.Main].columns[instance]
	e := &entryCounter{
		entry:   entry,
		logRows: p.shape.Instances[instance].LogHeight,
		says:    p.answers(instance, entry),
		counts:  prefixes(columns[entry.CountColumn:entry.CountColumn+entry.Lanes], p.shape.Rows(instance)),
	}
	e.decided = e.isDecided(p.pool)
	return e
}

// isDecided reports whether the place of a message says what it is: there is one value, which the place comes from by a
// weight other than 0, and each row says the value of its place.
func (e *entryCounter) isDecided(pool *parallel.Pool) bool {
	if w := e.entry.Weights; len(w) != 1 || w[0] == 0 {
		return false
	}
	var differs atomic.Bool
	inBlocks(pool, e.places(), min(1<<e.logRows, decidedBlock), func(lo, hi int) {
		var values [decidedBlock]goldilocks.Element
		var places [decidedBlock]uint64
		lane, mask := &e.says[0][lo>>e.logRows], 1<<e.logRows-1
		for k := range hi - lo {
			values[k] = lane.at(uint64((lo + k) & mask))
		}
		e.entry.Places(places[:hi-lo], [][]goldilocks.Element{values[:]}, 1<<e.logRows)
		for k, place := range places[:hi-lo] {
			if place != uint64(lo+k) {
				differs.Store(true)
			}
		}
	})
	return !differs.Load()
}

const decidedBlock = 1 << 9

// places is how many places the table has.
func (e *entryCounter) places() int { return len(e.counts) << e.logRows }

// shareOut has workers count for themselves and add up in the end, in memory that the stage leaves idle. Cells that all
// of them count in go from core to core with each message, the sooner the fewer there are: small tables come first, and
// what has no room is counted in the columns.
func (p *proof) shareOut(c *counting) {
	entries := slices.SortedFunc(maps.Values(c.entries), func(a, b *entryCounter) int {
		return cmp.Or(cmp.Compare(a.places(), b.places()), cmp.Compare(a.entry.Bus.Index, b.entry.Bus.Index))
	})
	workers, size := p.pool.Workers(), 0
	for _, e := range entries {
		if end := size + e.places(); workers*end <= len(p.workspace.words) {
			e.share, size = span{size, end}, end
		}
	}
	c.memory = p.workspace.take(workers * size)
	p.fault(c.memory.words)
	var taken atomic.Int64
	c.shares = newFreeList(func() []goldilocks.Element {
		end := int(taken.Add(1)) * size
		share := c.memory.words[end-size : end : end]
		clear(share)
		return share
	})
}

// mergeShares adds what the workers have counted for themselves to the columns.
func (p *proof) mergeShares(c *counting) {
	for _, e := range c.entries {
		if e.share == (span{}) {
			continue
		}
		p.pool.Each(len(e.counts), func(lane int) {
			column := e.counts[lane]
			for _, share := range c.shares.free {
				goldilocks.AddVector(column, column, share[e.share.start+lane<<e.logRows:][:len(column)])
			}
		})
	}
	p.workspace.give(&c.memory)
	c.shares = nil
}

// find sets places to those that answer messages of these values, air.NoPlace where none says the same.
func (e *entryCounter) find(places []uint64, values [][]goldilocks.Element) {
	e.entry.Places(places, values, 1<<e.logRows)
	if e.decided {
		return
	}
	for j, says := range e.says {
		value := values[j][:len(places)]
		if only := &says[0]; len(says) == 1 && only.column != nil && only.plus == 0 {
			dropOthers(places, value, only.column)
			continue
		}
		for k, place := range places {
			lane := place >> e.logRows // of no place, none
			if lane < uint64(len(says)) && says[lane].at(place&(1<<e.logRows-1)) != value[k] {
				places[k] = air.NoPlace
			}
		}
	}
}

// dropOthers drops the places where a column does not say a message's value.
func dropOthers(places []uint64, values, column []goldilocks.Element) {
	for k, place := range places {
		if place < uint64(len(column)) && column[place] != values[k] {
			places[k] = air.NoPlace
		}
	}
}

// count adds multiplicities to the counts of places, in a worker's share or for all to see.
func (e *entryCounter) count(own []goldilocks.Element, places []uint64, multiplicity []goldilocks.Element) {
	multiplicity = multiplicity[:len(places)]
	if own != nil && e.share != (span{}) {
		counts := own[e.share.start:e.share.end]
		for k, place := range places {
			if place < uint64(len(counts)) {
				counts[place] = counts[place].Add(multiplicity[k])
			}
		}
		return
	}
	for k, place := range places {
		if place != air.NoPlace && multiplicity[k] != 0 {
			addAtomic(&e.counts[place>>e.logRows][place&(1<<e.logRows-1)], multiplicity[k])
		}
	}
}

// addAtomic adds to a cell that other workers add to.
func addAtomic(cell *goldilocks.Element, term goldilocks.Element) {
	word := (*uint64)(cell)
	for {
		old := atomic.LoadUint64(word)
		if atomic.CompareAndSwapUint64(word, old, uint64(goldilocks.Element(old).Add(term))) {
			return
		}
	}
}
