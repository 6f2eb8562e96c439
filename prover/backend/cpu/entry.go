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

// entryCounter counts the messages of one bus by the position of the row that answers them.
type entryCounter struct {
	entry   *air.Entry
	logRows int                    // a position is lane << logRows | row
	answers [][]laneValue          // by value of the message and by lane: the answer of each row of the table
	counts  [][]goldilocks.Element // the count columns, by lane
	share   span                   // the counts within a worker's share; empty if workers count in the columns
	decided bool                   // whether the position determines the message
}

// laneValue is a value of a lane's message: a column plus a constant, or the constant alone if column is nil.
type laneValue struct {
	column []goldilocks.Element
	plus   goldilocks.Element
}

func (s *laneValue) at(row uint64) goldilocks.Element {
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
		answers: p.answers(instance, entry),
		counts:  prefixes(columns[entry.CountColumn:entry.CountColumn+entry.Lanes], p.shape.Rows(instance)),
	}
	e.decided = e.isDecided(p.pool)
	return e
}

// isDecided reports whether a message's position determines the message: it has a single value with a nonzero weight in
// the position, and the row at each position answers with the value of that position.
func (e *entryCounter) isDecided(pool *parallel.Pool) bool {
	if w := e.entry.Weights; len(w) != 1 || w[0] == 0 {
		return false
	}
	var differs atomic.Bool
	inBlocks(pool, e.positions(), min(1<<e.logRows, decidedBlock), func(lo, hi int) {
		var values [decidedBlock]goldilocks.Element
		var positions [decidedBlock]uint64
		lane, mask := &e.answers[0][lo>>e.logRows], 1<<e.logRows-1
		for k := range hi - lo {
			values[k] = lane.at(uint64((lo + k) & mask))
		}
		e.entry.Positions(positions[:hi-lo], [][]goldilocks.Element{values[:]}, 1<<e.logRows)
		for k, position := range positions[:hi-lo] {
			if position != uint64(lo+k) {
				differs.Store(true)
			}
		}
	})
	return !differs.Load()
}

const decidedBlock = 1 << 9

// positions returns the number of positions in the table.
func (e *entryCounter) positions() int { return len(e.counts) << e.logRows }

// shareOut gives workers their own counts, in memory that the stage leaves idle; mergeShares adds them up at the end.
// Counting directly in the columns moves cache lines between cores, most often for small tables. Therefore small tables
// get shares first, and tables without room are counted in the columns.
func (p *proof) shareOut(c *counting) {
	entries := slices.SortedFunc(maps.Values(c.entries), func(a, b *entryCounter) int {
		return cmp.Or(cmp.Compare(a.positions(), b.positions()), cmp.Compare(a.entry.Bus.Index, b.entry.Bus.Index))
	})
	workers, size := p.pool.Workers(), 0
	for _, e := range entries {
		if end := size + e.positions(); workers*end <= len(p.workspace.words) {
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

// mergeShares adds the workers' own counts to the columns.
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

// find sets positions to the positions of the rows that answer messages with these values, or to air.NoPosition if no
// row does.
func (e *entryCounter) find(positions []uint64, values [][]goldilocks.Element) {
	e.entry.Positions(positions, values, 1<<e.logRows)
	if e.decided {
		return
	}
	for j, answers := range e.answers {
		value := values[j][:len(positions)]
		if only := &answers[0]; len(answers) == 1 && only.column != nil && only.plus == 0 {
			dropOthers(positions, value, only.column)
			continue
		}
		for k, position := range positions {
			lane := position >> e.logRows // out of range for NoPosition
			if lane < uint64(len(answers)) && answers[lane].at(position&(1<<e.logRows-1)) != value[k] {
				positions[k] = air.NoPosition
			}
		}
	}
}

// dropOthers drops the positions where the column differs from the message's value.
func dropOthers(positions []uint64, values, column []goldilocks.Element) {
	for k, position := range positions {
		if position < uint64(len(column)) && column[position] != values[k] {
			positions[k] = air.NoPosition
		}
	}
}

// count adds multiplicities to the counts at positions, either in a worker's share or atomically in the columns.
func (e *entryCounter) count(own []goldilocks.Element, positions []uint64, multiplicity []goldilocks.Element) {
	multiplicity = multiplicity[:len(positions)]
	if own != nil && e.share != (span{}) {
		counts := own[e.share.start:e.share.end]
		for k, position := range positions {
			if position < uint64(len(counts)) {
				counts[position] = counts[position].Add(multiplicity[k])
			}
		}
		return
	}
	for k, position := range positions {
		if position != air.NoPosition && multiplicity[k] != 0 {
			addAtomic(&e.counts[position>>e.logRows][position&(1<<e.logRows-1)], multiplicity[k])
		}
	}
}

// addAtomic adds a term to a cell to which other workers may add concurrently.
func addAtomic(cell *goldilocks.Element, term goldilocks.Element) {
	word := (*uint64)(cell)
	for {
		old := atomic.LoadUint64(word)
		if atomic.CompareAndSwapUint64(word, old, uint64(goldilocks.Element(old).Add(term))) {
			return
		}
	}
}
