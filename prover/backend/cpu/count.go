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

// entryCounter counts the messages of one bus by the rows that answer them.
type entryCounter struct {
	number  int // in the order of declaration
	entry   *air.Entry
	says    [][]goldilocks.Element // by value of the message: what each row of the table answers
	counts  []goldilocks.Element   // the count column
	private bool                   // workers count for themselves and add up in the end
}

// privateRows is up to how many rows workers count for themselves: they would wait for each other at the few rows of a
// small table, and take much memory for a large one.
const privateRows = 1 << 14

func (p *proof) addEntry(c *counting, instance, lookup int) {
	entry := &p.shape.Table(instance).Lookups[lookup]
	rows := p.shape.Rows(instance)
	c.entries[entry.Bus] = &entryCounter{
		number:  len(c.entries),
		entry:   entry,
		says:    p.answers(instance, entry),
		counts:  p.phases[backend.Main].columns[instance][entry.CountColumn][:rows],
		private: rows <= privateRows,
	}
}

// trace are an instance's columns before they are extended.
func (p *proof) trace(instance int) traceColumns {
	return p.traceColumns(instance, prefixes(p.phases[backend.Main].columns[instance], p.shape.Rows(instance)))
}

// answers are the values of an entry's message in each row: columns as they are, the rest evaluated.
func (p *proof) answers(instance int, entry *air.Entry) [][]goldilocks.Element {
	program, source := p.program(instance), p.trace(instance)
	values := program.table.Interactions[entry.Interaction].Values
	says, evaluated := make([][]goldilocks.Element, len(values)), []int(nil)
	for j, value := range values {
		switch node := program.table.Graph[value]; {
		case node.Op == air.Main && !node.Next:
			says[j] = source.main[node.Column]
		case node.Op == air.Preprocessed && !node.Next:
			says[j] = source.preprocessed[node.Column]
		default:
			says[j] = make([]goldilocks.Element, p.shape.Rows(instance))
			evaluated = append(evaluated, j)
		}
	}
	if evaluated == nil {
		return says
	}
	inBlocks(p.pool, p.shape.Rows(instance), program.traceRows, func(lo, hi int) {
		b := program.logUpBlocks.take()
		defer program.logUpBlocks.put(b)
		b.rows.traceColumns = source
		b.run.Run(b.rows.at(lo, hi), hi-lo)
		for _, j := range evaluated {
			copy(says[j][lo:hi], b.run.Value(entry.Interaction, j))
		}
	})
	return says
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
		room := &messageBlock{rows: make([]uint64, size)}
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
	rows         []uint64               // room for the rows that answer
}

// oneMessage is a block of one.
func oneMessage(m *machine.Message) *messageBlock {
	block := &messageBlock{multiplicity: []goldilocks.Element{m.Multiplicity}, rows: make([]uint64, 1)}
	for _, value := range m.Values {
		block.values = append(block.values, []goldilocks.Element{value})
	}
	return block
}

// add counts messages on a bus, each of which a row must answer unless its multiplicity is 0. own are a worker's
// private counts by entry; nil adds to the column.
func (c *counting) add(bus *air.Bus, own [][]goldilocks.Element, messages *messageBlock) {
	e, rows := c.entries[bus], messages.rows[:len(messages.multiplicity)]
	if e == nil {
		for k := range rows {
			rows[k] = air.NoRow
		}
	} else {
		e.find(rows, messages.values)
	}
	for k, row := range rows {
		switch multiplicity := messages.multiplicity[k]; {
		case multiplicity == 0:
		case row == air.NoRow:
			c.miss(bus, messages.values, k)
		case own == nil:
			e.counts[row] = e.counts[row].Add(multiplicity)
		case e.private:
			if own[e.number] == nil {
				own[e.number] = make([]goldilocks.Element, len(e.counts))
			}
			own[e.number][row] = own[e.number][row].Add(multiplicity)
		default:
			addAtomic(&e.counts[row], multiplicity)
		}
	}
}

// find sets rows to those that answer messages of these values, air.NoRow where none says the same.
func (e *entryCounter) find(rows []uint64, values [][]goldilocks.Element) {
	e.entry.Rows(rows, values, uint64(len(e.counts)))
	for j, says := range e.says {
		for k, value := range values[j][:len(rows)] {
			if row := rows[k]; row != air.NoRow && says[row] != value {
				rows[k] = air.NoRow
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
			goldilocks.AddVector(e.counts, e.counts, counts)
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
