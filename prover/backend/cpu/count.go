package cpu

import (
	"fmt"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Count fills the count columns of the lookup tables.
func (b *Backend) Count(ctx backend.Context, main backend.Columns, preprocessed backend.Commitment, public []goldilocks.Element) error {
	c, err := b.context(ctx)
	if err != nil {
		return err
	}
	own, err := c.columns(main)
	if err != nil {
		return err
	}
	committed, err := c.commitments(backend.Commitments{backend.Preprocessed: preprocessed})
	if err != nil {
		return err
	}
	source := func(table int) traceColumns {
		return traceColumns{c.shape.LogHeights[table], prefixes(own.slab.tables[table], c.height(table)),
			keptOf(committed[backend.Preprocessed]).list(table, len(c.tables[table].table.Preprocessed)), public}
	}
	for table := range c.tables {
		if c.tables[table].table.Lookup != nil {
			if err := c.countLookups(table, own, source, public); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookupCounter counts the messages of one bus by the rows of its table.
type lookupCounter struct {
	lookup   *air.Lookup
	contents [][]goldilocks.Element // by value of the message: what the table's rows say
	counts   []goldilocks.Element

	mutex sync.Mutex
	err   error
}

func (c *proverContext) countLookups(table int, main *columns, source func(int) traceColumns, public []goldilocks.Element) error {
	lookup := c.tables[table].table.Lookup
	n := c.height(table)
	counter := &lookupCounter{lookup: lookup, counts: main.slab.tables[table][lookup.CountColumn][:n]}
	clear(counter.counts)
	counter.contents = c.lookupContents(table, source(table))
	for sender, program := range c.tables {
		if sender == table {
			continue
		}
		var said []int
		for i, interaction := range program.table.Interactions {
			if interaction.Bus.Index == lookup.Bus.Index {
				said = append(said, i)
			}
		}
		if said != nil {
			c.countSender(counter, sender, source(sender), said)
		}
	}
	for _, message := range c.shape.Machine.Messages(public) {
		if message.Bus.Index == lookup.Bus.Index {
			counter.add(counter.counts, message.Kind, message.Multiplicity, func(j int) goldilocks.Element { return message.Values[j] })
		}
	}
	return counter.err
}

// lookupContents evaluates the message of each row of a lookup table.
func (c *proverContext) lookupContents(table int, source traceColumns) [][]goldilocks.Element {
	program := c.tables[table]
	bus := program.table.Lookup.Bus
	n := c.height(table)
	contents := make([][]goldilocks.Element, bus.Arity)
	b := program.logUpBlocks.take()
	defer program.logUpBlocks.put(b)
	b.rows.traceColumns = source
	for i, interaction := range program.table.Interactions {
		if interaction.Bus.Index != bus.Index {
			continue
		}
		for lo := 0; lo < n; lo += program.rows {
			hi := min(lo+program.rows, n)
			b.run.Run(b.rows.at(lo, hi), hi-lo)
			for j := range contents {
				contents[j] = append(contents[j], b.run.Value(i, j)...)
			}
		}
		break
	}
	return contents
}

// countSender counts what some interactions of a table say, a share of the
// rows a worker.
func (c *proverContext) countSender(counter *lookupCounter, sender int, source traceColumns, said []int) {
	program := c.tables[sender]
	n, size := c.height(sender), program.rows
	blocks := (n + size - 1) / size
	shares := min(c.pool.Workers(), blocks)
	c.pool.For(shares, 1, func(first, end int) {
		counts := make([]goldilocks.Element, len(counter.counts))
		b := program.logUpBlocks.take()
		defer program.logUpBlocks.put(b)
		b.rows.traceColumns = source
		for block := first * blocks / shares; block < end*blocks/shares; block++ {
			lo := block * size
			hi := min(lo+size, n)
			b.run.Run(b.rows.at(lo, hi), hi-lo)
			for _, i := range said {
				kind := program.table.Interactions[i].Kind
				for row, m := range b.run.Multiplicity(i) {
					if m != 0 {
						counter.add(counts, kind, m, func(j int) goldilocks.Element { return b.run.Value(i, j)[row] })
					}
				}
			}
		}
		counter.mutex.Lock()
		goldilocks.AddVector(counter.counts, counter.counts, counts)
		counter.mutex.Unlock()
	})
}

// add counts one message, which must be what the row says that the weights
// point to.
func (l *lookupCounter) add(counts []goldilocks.Element, kind air.Kind, multiplicity goldilocks.Element, value func(j int) goldilocks.Element) {
	var place goldilocks.Element
	for j, weight := range l.lookup.Weights {
		place = place.Add(weight.Mul(value(j)))
	}
	row := uint64(place)
	found := row < uint64(len(counts))
	for j := 0; found && j < len(l.contents); j++ {
		found = l.contents[j][row] == value(j)
	}
	switch {
	case !found:
		l.miss(value)
	case kind == air.Receive:
		counts[row] = counts[row].Sub(multiplicity)
	default:
		counts[row] = counts[row].Add(multiplicity)
	}
}

// miss remembers the first message that is not in the table.
func (l *lookupCounter) miss(value func(j int) goldilocks.Element) {
	message := make([]goldilocks.Element, len(l.contents))
	for j := range message {
		message[j] = value(j)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.err == nil {
		l.err = fmt.Errorf("bus %s: %v: %w", l.lookup.Bus.Name, message, backend.ErrLookupMiss)
	}
}
