package cpu

import (
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Count fills the count columns of the lookup tables: it counts each row, send and public message of a lookup bus in
// the row that answers it.
func (p *traced) Count(messages []circuit.Message) (backend.Columns[backend.Main], error) {
	c := &counting{entries: map[*air.Bus]*entryCounter{}}
	for i := range p.shape.Instances {
		for k := range p.shape.Table(i).Lookups {
			entry := &p.shape.Table(i).Lookups[k]
			c.entries[entry.Bus] = p.newEntryCounter(i, entry)
		}
	}
	p.shareOut(c)
	for i := range p.shape.Instances {
		if len(p.program(i).lookups) > 0 {
			p.countInstance(c, i)
		}
	}
	p.mergeShares(c)
	for i := range messages {
		if m := &messages[i]; m.Bus.Kind == air.Lookup && m.Kind == air.Send {
			c.add(m.Bus, nil, oneMessage(m))
		}
	}
	if c.err != nil && !p.ignoreMisses {
		return nil, c.err
	}
	return &mainColumns{p}, nil
}

// counting is the state that the workers of Count share.
type counting struct {
	entries map[*air.Bus]*entryCounter
	shares  *freeList[[]goldilocks.Element] // each worker's own counts, for the entries that have a share
	memory  loan                            // backs the shares

	mutex sync.Mutex
	err   error
}

// trace returns an instance's columns before they are extended.
func (p *traced) trace(instance int) traceColumns {
	return p.traceColumns(instance, prefixes(p.phases[protocol.Main].columns[instance], p.shape.Rows(instance)))
}

// answers returns the values of an entry's messages in each row. Constants and columns are used as they are, everything
// else is evaluated.
func (p *traced) answers(instance int, entry *air.Entry) [][]laneValue {
	program, source := p.program(instance), p.trace(instance)
	n := p.shape.Rows(instance)
	type value struct{ interaction, number int }
	evaluated := map[value][]goldilocks.Element{}
	lanes := make([][]laneValue, entry.Bus.Arity())
	for lane := range entry.Lanes {
		interaction := entry.Interaction + lane
		for j, node := range program.table.Interactions[interaction].Values {
			s, ok := source.laneValue(program.table.Graph, node)
			if !ok {
				s.column = make([]goldilocks.Element, n)
				evaluated[value{interaction, j}] = s.column
			}
			lanes[j] = append(lanes[j], s)
		}
	}
	if len(evaluated) == 0 {
		return lanes
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
	return lanes
}

// laneValue returns a node as a constant, a column of the current row, or their sum. It returns false for any other
// node.
func (c *traceColumns) laneValue(graph []air.Node, id air.NodeID) (s laneValue, ok bool) {
	switch n := &graph[id]; {
	case n.Op == air.Constant:
		return laneValue{plus: n.Value}, true
	case n.Op == air.Main && !n.Next:
		return laneValue{column: c.main[n.Column]}, true
	case n.Op == air.Preprocessed && !n.Next:
		return laneValue{column: c.preprocessed[n.Column]}, true
	case n.Op == air.Add:
		a, okA := c.laneValue(graph, n.A)
		b, okB := c.laneValue(graph, n.B)
		if a.column == nil {
			a, b = b, a
		}
		return laneValue{a.column, a.plus.Add(b.plus)}, okA && okB && b.column == nil
	}
	return laneValue{}, false
}

// countInstance counts the lookup messages that an instance sends.
func (p *traced) countInstance(c *counting, instance int) {
	program, source := p.program(instance), p.trace(instance)
	n := p.shape.Rows(instance)
	size := blockRows(p.pool, n, program.traceRows)
	p.pool.For(n, size, func(first, end int) {
		own := c.shares.take()
		defer c.shares.put(own)
		b := program.logUpBlocks.take()
		defer program.logUpBlocks.put(b)
		b.rows.traceColumns = source
		room := &messageBlock{positions: make([]uint64, size)}
		for lo := first; lo < end; lo += size {
			hi := min(lo+size, end)
			b.run.Run(b.rows.at(lo, hi), hi-lo)
			for _, i := range program.lookups {
				interaction := &program.table.Interactions[i]
				room.multiplicity, room.values = b.run.Multiplicity(i), room.values[:0]
				for j := range interaction.Values {
					room.values = append(room.values, b.run.Value(i, j))
				}
				c.add(interaction.Bus, own, room)
			}
		}
	})
}

// messageBlock is a block of messages of one interaction.
type messageBlock struct {
	multiplicity []goldilocks.Element
	values       [][]goldilocks.Element // by value of the message
	positions    []uint64               // scratch memory for the indices of the answering rows
}

// oneMessage returns a block of one message.
func oneMessage(m *circuit.Message) *messageBlock {
	block := &messageBlock{multiplicity: []goldilocks.Element{m.Multiplicity}, positions: make([]uint64, 1)}
	for _, value := range m.Values {
		block.values = append(block.values, []goldilocks.Element{value})
	}
	return block
}

// add counts messages on a bus. Each must be answered by a row unless its multiplicity is 0. own is a worker's share.
func (c *counting) add(bus *air.Bus, own []goldilocks.Element, messages *messageBlock) {
	e, positions := c.entries[bus], messages.positions[:len(messages.multiplicity)]
	if e == nil {
		for k := range positions {
			positions[k] = air.NoPosition
		}
	} else {
		e.find(positions, messages.values)
		e.count(own, positions, messages.multiplicity)
	}
	for k, position := range positions {
		if position == air.NoPosition && messages.multiplicity[k] != 0 {
			c.miss(bus, messages.values, k)
		}
	}
}

// miss records a message that no row answers.
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
