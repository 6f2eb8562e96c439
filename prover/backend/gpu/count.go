package gpu

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
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
	return c.stage("count", func(scope *cuda.Scope) error {
		memory, err := takeCount(scope, &c.shape)
		if err != nil {
			return err
		}
		return c.count(memory, own, committed[backend.Preprocessed], public)
	})
}

// publicMessages is how many messages of the public values are counted at a time.
const publicMessages = 64

// countMemory is the working memory of the stage.
type countMemory struct {
	rows    []cuda.Span // by table: addresses of columns and public values
	lookups []lookupMemory
}

// lookupMemory is that of one lookup table.
type lookupMemory struct {
	contents cuda.Span
	counts   cuda.Span // low halves, then high halves
	misses   cuda.Span // a word a sending table, and one for the public values
	message  cuda.Span // one message, for errors
	public   cuda.Span
}

func takeCount(scope *cuda.Scope, shape *backend.Shape) (*countMemory, error) {
	tables := uint64(len(shape.Machine.Tables))
	m := &countMemory{rows: make([]cuda.Span, tables), lookups: make([]lookupMemory, tables)}
	t := taker{}
	counted := false
	for i, table := range shape.Machine.Tables {
		if table.Lookup == nil {
			continue
		}
		counted = true
		arity, n := uint64(table.Lookup.Bus.Arity), uint64(1)<<shape.LogHeights[i]
		m.lookups[i] = lookupMemory{
			contents: t.take(scope, "contents of "+table.Name, arity*n*wordBytes),
			counts:   t.take(scope, "counts of "+table.Name, 2*n*wordBytes),
			misses:   t.take(scope, "misses of "+table.Name, (tables+1)*wordBytes),
			message:  t.take(scope, "message to "+table.Name, arity*wordBytes),
			public:   t.take(scope, "public messages to "+table.Name, publicMessages*(arity+1)*wordBytes),
		}
	}
	for i, table := range shape.Machine.Tables {
		if words := traceRowWords(shape, i); counted && words > 0 {
			m.rows[i] = t.take(scope, "columns of "+table.Name, words*wordBytes)
		}
	}
	return m, t.err
}

// counter counts the messages to one lookup table.
type counter struct {
	*proverContext
	*lookupMemory
	lookup int // the table
	rows   []*traceRows
}

func (c *proverContext) count(memory *countMemory, main *columns, preprocessed *commitment, public []goldilocks.Element) error {
	rows := make([]*traceRows, len(memory.rows))
	for i, span := range memory.rows {
		if span.Size() == 0 {
			continue
		}
		var err error
		if rows[i], err = c.traceRows(span, i, valueColumn(main.tables[i]), keptColumn(preprocessed, i), public); err != nil {
			return err
		}
	}
	for i, table := range c.shape.Machine.Tables {
		if table.Lookup == nil {
			continue
		}
		counter := &counter{proverContext: c, lookupMemory: &memory.lookups[i], lookup: i, rows: rows}
		if err := counter.count(main, public); err != nil {
			return fmt.Errorf("bus %s: %w", table.Lookup.Bus.Name, err)
		}
	}
	return nil
}

func (c *counter) count(main *columns, public []goldilocks.Element) error {
	table := c.shape.Machine.Tables[c.lookup]
	n := c.height(c.lookup)
	if err := errors.Join(c.stream.Fill(c.counts, 0), c.stream.Fill(c.misses, 0xff)); err != nil {
		return err
	}
	if err := c.launch(contentsKernel(c.shape.Machine, table), cuda.Linear(n, 128), c.rows[c.lookup].argument(0), cuda.Address(c.contents)); err != nil {
		return err
	}
	if err := c.checkSums(); err != nil {
		return err
	}
	for i := range c.shape.Machine.Tables {
		if err := c.countSender(i, noMessage); err != nil {
			return err
		}
	}
	if err := c.countPublic(public); err != nil {
		return err
	}
	column, err := main.tables[c.lookup].Part(uint32(table.Lookup.CountColumn), 1, n)
	if err != nil {
		return err
	}
	if err := c.launch("count_fold", cuda.Linear(n, 256), cuda.Address(column.Span), cuda.Address(c.counts), cuda.U64(n)); err != nil {
		return err
	}
	return c.findMiss(public)
}

// checkSums refuses heights at which the sums of 32-bit halves might not fit 64 bits.
func (c *counter) checkSums() error {
	total := uint64(0)
	for i := range c.shape.Machine.Tables {
		total += c.height(i) * uint64(len(c.sendsOf(i)))
	}
	if total >= 1<<32 {
		return fmt.Errorf("%d messages, fewer than 2^32 can be counted", total)
	}
	return nil
}

// sendsOf are the interactions of a table that are counted.
func (c *counter) sendsOf(sender int) []int {
	if sender == c.lookup {
		return nil
	}
	return sends(c.shape.Machine.Tables[sender], c.shape.Machine.Tables[c.lookup].Lookup.Bus)
}

// noMessage is the id of no message.
const noMessage = ^uint64(0)

// argument lays out struct Lookup of count.cuh. place is the word of misses.
func (c *counter) argument(place int, wanted uint64) cuda.Argument {
	return cuda.Words(uint64(c.contents.Pointer()), c.height(c.lookup), uint64(c.counts.Pointer()), uint64(c.misses.Pointer())+uint64(place)*wordBytes,
		wanted, uint64(c.message.Pointer()))
}

// countSender counts what a table sends. If one of its messages is wanted, and missing, it is written down.
func (c *counter) countSender(sender int, wanted uint64) error {
	list := c.sendsOf(sender)
	if len(list) == 0 {
		return nil
	}
	m := c.shape.Machine
	shape := cuda.Shape{Grid: cuda.Dim{X: (c.height(sender) + 127) / 128, Y: uint64(parts(len(list), sendsPerPart))}, Block: cuda.Dim{X: 128}}
	return c.launch(countKernel(m, m.Tables[c.lookup], m.Tables[sender]), shape, c.rows[sender].argument(0), c.argument(sender, wanted))
}

// publicSends are the messages of the public values on the bus: each its multiplicity, negative if received, and its
// values.
func (c *counter) publicSends(public []goldilocks.Element) (words []uint64) {
	for _, message := range c.shape.Machine.Messages(public) {
		if message.Bus.Index != c.shape.Machine.Tables[c.lookup].Lookup.Bus.Index {
			continue
		}
		multiplicity := message.Multiplicity
		if message.Kind == air.Receive {
			multiplicity = multiplicity.Neg()
		}
		words = append(words, uint64(multiplicity))
		for _, value := range message.Values {
			words = append(words, uint64(value))
		}
	}
	return words
}

func (c *counter) countPublic(public []goldilocks.Element) error {
	table := c.shape.Machine.Tables[c.lookup]
	words := c.publicSends(public)
	each := table.Lookup.Bus.Arity + 1
	for first := 0; first < len(words); first += publicMessages * each {
		some := words[first:min(first+publicMessages*each, len(words))]
		span, err := c.public.Part(0, uint64(len(some))*wordBytes)
		if err != nil {
			return err
		}
		if err := c.upload(span, some); err != nil {
			return err
		}
		count := uint64(len(some) / each)
		err = c.launch(countPublicKernel(c.shape.Machine, table), cuda.Linear(count, 32), cuda.Address(span), cuda.U64(uint64(first/each)), cuda.U64(count),
			c.argument(len(c.shape.Machine.Tables), noMessage))
		if err != nil {
			return err
		}
	}
	return nil
}

// findMiss waits, and names the first message that is not in the table, if there is one.
func (c *counter) findMiss(public []goldilocks.Element) error {
	misses, err := c.download(c.misses)
	if err != nil {
		return err
	}
	for sender, id := range misses {
		switch {
		case id == noMessage:
		case sender == len(c.shape.Machine.Tables):
			each := c.shape.Machine.Tables[c.lookup].Lookup.Bus.Arity + 1
			message := c.publicSends(public)[id*uint64(each):][1:each]
			return fmt.Errorf("%d, sent by the public values: %w", message, backend.ErrLookupMiss)
		default:
			return c.miss(sender, id)
		}
	}
	return nil
}

// miss names a table's message: the table is counted once more, and the message written down.
func (c *counter) miss(sender int, id uint64) error {
	if err := c.countSender(sender, id); err != nil {
		return err
	}
	words, err := c.download(c.message)
	if err != nil {
		return err
	}
	return fmt.Errorf("%d, sent by table %s in row %d: %w", words, c.shape.Machine.Tables[sender].Name, id>>16, backend.ErrLookupMiss)
}
