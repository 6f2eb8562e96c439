package cpu

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// Count fills the count columns of the lookup tables: each row, send and public message of a lookup bus counts in the
// row that answers it.
func (p *proof) Count(messages []machine.Message) error {
	return p.order.Run(backend.StepCount, func() error {
		c := &counting{entries: map[*air.Bus]*entryCounter{}}
		for i := range p.shape.Instances {
			for k := range p.shape.Table(i).Lookups {
				p.addEntry(c, i, k)
			}
		}
		for i := range p.shape.Instances {
			if len(p.program(i).asks) > 0 {
				p.countInstance(c, i)
			}
		}
		for i := range messages {
			if m := &messages[i]; m.Bus.Kind == air.Lookup && m.Kind == air.Send {
				c.add(m.Bus, nil, oneMessage(m))
			}
		}
		if p.ignoreMisses {
			return nil
		}
		return c.err
	})
}

// counting is what the workers of Count share.
type counting struct {
	entries map[*air.Bus]*entryCounter

	mutex sync.Mutex
	err   error
}

// entryCounter counts the messages of one bus by the places that answer them.
type entryCounter struct {
	number  int // in the order of declaration
	entry   *air.Entry
	logRows int                    // a place is lane << logRows | row
	says    [][]said               // by value of the message and by lane: what each row of the table answers
	counts  [][]goldilocks.Element // the count columns, by lane
	private bool                   // workers count for themselves and add up in the end
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

// privatePlaces is up to how many places workers count for themselves: they would wait for each other at the few places
// of a small table, and take much memory for a large one.
const privatePlaces = 1 << 14

func (p *proof) addEntry(c *counting, instance, lookup int) {
	entry := &p.shape.Table(instance).Lookups[lookup]
	rows := p.shape.Rows(instance)
	columns := p.phases[backend.Main].columns[instance]
	c.entries[entry.Bus] = &entryCounter{
		number:  len(c.entries),
		entry:   entry,
		logRows: p.shape.Instances[instance].LogHeight,
		says:    p.answers(instance, entry),
		counts:  prefixes(columns[entry.CountColumn:entry.CountColumn+entry.Lanes], rows),
		private: rows*entry.Lanes <= privatePlaces,
	}
}

// trace are an instance's columns before they are extended.
func (p *proof) trace(instance int) traceColumns {
	return p.traceColumns(instance, prefixes(p.phases[backend.Main].columns[instance], p.shape.Rows(instance)))
}

// answers are the values of an entry's messages in each row: what is a column and a constant as it is, the rest
// evaluated.
func (p *proof) answers(instance int, entry *air.Entry) [][]said {
	program, source := p.program(instance), p.trace(instance)
	n := p.shape.Rows(instance)
	type value struct{ interaction, number int }
	evaluated := map[value][]goldilocks.Element{}
	says := make([][]said, entry.Bus.Arity())
	for lane := range entry.Lanes {
		interaction := entry.Interaction + lane
		for j, node := range program.table.Interactions[interaction].Values {
			s, ok := source.said(program.table.Graph, node)
			if !ok {
				s.column = make([]goldilocks.Element, n)
				evaluated[value{interaction, j}] = s.column
			}
			says[j] = append(says[j], s)
		}
	}
	if len(evaluated) == 0 {
		return says
	}
	inBlocks(p.pool, n, program.traceRows, func(lo, hi int) {
		b := program.logUpBlocks.take()
		defer program.logUpBlocks.put(b)
		b.rows.traceColumns = source
		b.run.Run(b.rows.at(lo, hi), hi-lo)
		for v, column := range evaluated {
			copy(column[lo:hi], b.run.Value(v.interaction, v.number))
		}
	})
	return says
}

// said is a node that is a constant, a column of the current row, or their sum; false for others.
func (c *traceColumns) said(graph []air.Node, id air.NodeID) (s said, ok bool) {
	switch n := &graph[id]; {
	case n.Op == air.Constant:
		return said{plus: n.Value}, true
	case n.Op == air.Main && !n.Next:
		return said{column: c.main[n.Column]}, true
	case n.Op == air.Preprocessed && !n.Next:
		return said{column: c.preprocessed[n.Column]}, true
	case n.Op == air.Add:
		a, okA := c.said(graph, n.A)
		b, okB := c.said(graph, n.B)
		if a.column == nil {
			a, b = b, a
		}
		return said{a.column, a.plus.Add(b.plus)}, okA && okB && b.column == nil
	}
	return said{}, false
}

// countInstance counts what an instance asks, a share of the rows a worker.
func (p *proof) countInstance(c *counting, instance int) {
	program, source := p.program(instance), p.trace(instance)
	n := p.shape.Rows(instance)
	size := blockRows(p.pool, n, program.traceRows)
	blocks := (n + size - 1) / size
	shares := min(p.pool.Workers(), blocks)
	p.pool.For(shares, 1, func(first, end int) {
		own := make([][]goldilocks.Element, len(c.entries))
		b := program.logUpBlocks.take()
		defer program.logUpBlocks.put(b)
		b.rows.traceColumns = source
		room := &messageBlock{places: make([]uint64, size)}
		for block := first * blocks / shares; block < end*blocks/shares; block++ {
			lo := block * size
			hi := min(lo+size, n)
			b.run.Run(b.rows.at(lo, hi), hi-lo)
			for _, i := range program.asks {
				interaction := &program.table.Interactions[i]
				room.multiplicity, room.values = b.run.Multiplicity(i), room.values[:0]
				for j := range interaction.Values {
					room.values = append(room.values, b.run.Value(i, j))
				}
				c.add(interaction.Bus, own, room)
			}
		}
		c.merge(own)
	})
}

// messageBlock are messages of one kind.
type messageBlock struct {
	multiplicity []goldilocks.Element
	values       [][]goldilocks.Element // by value of the message
	places       []uint64               // room for the places that answer
}

// oneMessage is a block of one.
func oneMessage(m *machine.Message) *messageBlock {
	block := &messageBlock{multiplicity: []goldilocks.Element{m.Multiplicity}, places: make([]uint64, 1)}
	for _, value := range m.Values {
		block.values = append(block.values, []goldilocks.Element{value})
	}
	return block
}

// add counts messages on a bus, each of which a row must answer unless its multiplicity is 0. own are a worker's
// private counts by entry; nil adds to the column.
func (c *counting) add(bus *air.Bus, own [][]goldilocks.Element, messages *messageBlock) {
	e, places := c.entries[bus], messages.places[:len(messages.multiplicity)]
	if e == nil {
		for k := range places {
			places[k] = air.NoPlace
		}
	} else {
		e.find(places, messages.values)
	}
	for k, place := range places {
		switch multiplicity := messages.multiplicity[k]; {
		case multiplicity == 0:
		case place == air.NoPlace:
			c.miss(bus, messages.values, k)
		case own == nil:
			count := e.count(place)
			*count = count.Add(multiplicity)
		case e.private:
			if own[e.number] == nil {
				own[e.number] = make([]goldilocks.Element, len(e.counts)<<e.logRows)
			}
			own[e.number][place] = own[e.number][place].Add(multiplicity)
		default:
			addAtomic(e.count(place), multiplicity)
		}
	}
}

// count is the cell that counts a place.
func (e *entryCounter) count(place uint64) *goldilocks.Element {
	return &e.counts[place>>e.logRows][place&(1<<e.logRows-1)]
}

// find sets places to those that answer messages of these values, air.NoPlace where none says the same.
func (e *entryCounter) find(places []uint64, values [][]goldilocks.Element) {
	e.entry.Places(places, values, 1<<e.logRows)
	for j, says := range e.says {
		for k, value := range values[j][:len(places)] {
			if place := places[k]; place != air.NoPlace &&
				says[place>>e.logRows].at(place&(1<<e.logRows-1)) != value {
				places[k] = air.NoPlace
			}
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

// merge adds a worker's private counts to the columns.
func (c *counting) merge(own [][]goldilocks.Element) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, e := range c.entries {
		if counts := own[e.number]; counts != nil {
			for lane, column := range e.counts {
				goldilocks.AddVector(column, column, counts[lane<<e.logRows:][:len(column)])
			}
		}
	}
}

// miss remembers a message that no row answers.
func (c *counting) miss(bus *air.Bus, values [][]goldilocks.Element, k int) {
	message := make([]goldilocks.Element, bus.Arity())
	for j := range message {
		message[j] = values[j][k]
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.err == nil {
		c.err = fmt.Errorf("bus %s: %v: %w", bus.Name, message, backend.ErrLookupMiss)
	}
}
