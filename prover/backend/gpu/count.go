package gpu

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// Count fills the count columns of the lookup entries.
func (p *proof) Count(messages []machine.Message) error {
	return p.step(backend.StepCount, "count", func(scope *cuda.Scope) error {
		memory, err := takeCount(scope, p.shape)
		if err != nil {
			return err
		}
		return p.count(memory, messages)
	})
}

// publicMessages is how many public messages are counted at a time.
const publicMessages = 64

// countMemory is the working memory of the stage.
type countMemory struct {
	constants cuda.Span // addresses of columns, public values and periodic columns
	entries   []entryMemory
}

// entryMemory is that of one lookup entry.
type entryMemory struct {
	instance int // of its table
	number   int // among the table's entries
	contents cuda.Span
	counts   cuda.Span // low halves, then high halves
	misses   cuda.Span // a word a sending instance, and one for public messages
	message  cuda.Span // one message, for errors
	staged   cuda.Span // public messages
}

func takeCount(scope *cuda.Scope, shape *backend.Shape) (*countMemory, error) {
	m := &countMemory{}
	t := device.Taker{}
	for i := range shape.Instances {
		table, n := shape.Table(i), uint64(shape.Rows(i))
		for k := range table.Lookups {
			bus := table.Lookups[k].Bus
			arity, places := uint64(bus.Arity()), n*uint64(table.Lookups[k].Lanes)
			m.entries = append(m.entries, entryMemory{
				instance: i, number: k,
				contents: t.Take(scope, "contents of "+bus.Name, arity*places*wordBytes),
				counts:   t.Take(scope, "counts of "+bus.Name, 2*places*wordBytes),
				misses:   t.Take(scope, "misses of "+bus.Name, uint64(len(shape.Instances)+1)*wordBytes),
				message:  t.Take(scope, "message on "+bus.Name, arity*wordBytes),
				staged:   t.Take(scope, "public messages on "+bus.Name, publicMessages*(arity+1)*wordBytes),
			})
		}
	}
	if len(m.entries) == 0 {
		return m, t.Err
	}
	words := uint64(0)
	for i := range shape.Instances {
		words += traceRowWords(shape, i)
	}
	m.constants = t.Take(scope, "places of columns to count", words*wordBytes)
	return m, t.Err
}

// counter counts the messages to one lookup entry.
type counter struct {
	*proof
	*entryMemory
	entry    *air.Entry
	rows     []*generate.TraceRows
	messages []machine.Message // public, on the bus
}

func (p *proof) count(memory *countMemory, messages []machine.Message) error {
	if len(memory.entries) == 0 {
		return nil
	}
	rows, words := make([]*generate.TraceRows, len(p.shape.Instances)), &constants{span: memory.constants}
	for i := range rows {
		rows[i] = p.traceRows(words, i, valueColumns(p.phases[backend.Main].list[i]))
	}
	if err := p.sendConstants(words); err != nil {
		return err
	}
	if err := p.clearCounts(); err != nil {
		return err
	}
	var counters []*counter
	for k := range memory.entries {
		own := &memory.entries[k]
		c := &counter{proof: p, entryMemory: own, rows: rows, entry: &p.shape.Table(own.instance).Lookups[own.number]}
		for _, message := range messages {
			if message.Bus == c.entry.Bus && message.Kind == air.Send {
				c.messages = append(c.messages, message)
			}
		}
		if err := c.count(); err != nil {
			return fmt.Errorf("bus %s: %w", c.entry.Bus.Name, err)
		}
		counters = append(counters, c)
	}
	for _, c := range counters {
		if err := c.findMiss(); err != nil {
			return fmt.Errorf("bus %s: %w", c.entry.Bus.Name, err)
		}
	}
	return nil
}

// clearCounts clears the count columns, of which entries fill their own rows only.
func (p *proof) clearCounts() error {
	for i := range p.shape.Instances {
		for _, entry := range p.shape.Table(i).Lookups {
			for lane := range entry.Lanes {
				column, err := p.phases[backend.Main].list[i].Part(uint32(entry.CountColumn+lane), 1, p.rows(i))
				if err != nil {
					return err
				}
				cells, err := column.Span.Part(0, p.rows(i)*wordBytes)
				if err != nil {
					return err
				}
				if err := p.device.Stream.Fill(cells, 0); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// count queues what counts the entry's rows.
func (c *counter) count() error {
	n := c.proof.rows(c.instance)
	if err := errors.Join(c.device.Stream.Fill(c.counts, 0), c.device.Stream.Fill(c.misses, 0xff)); err != nil {
		return err
	}
	if err := c.launch(generate.ContentsKernel(c.machine, c.entry), cuda.Linear(n, 128), cuda.Value(*c.rows[c.instance]),
		cuda.Address(c.contents)); err != nil {
		return err
	}
	if err := c.checkSums(); err != nil {
		return err
	}
	for i := range c.shape.Instances {
		if err := c.countSender(i, noMessage); err != nil {
			return err
		}
	}
	if err := c.countPublic(); err != nil {
		return err
	}
	columns, err := c.phases[backend.Main].list[c.instance].Part(uint32(c.entry.CountColumn), uint32(c.entry.Lanes), n)
	if err != nil {
		return err
	}
	length := c.entry.Length(n)
	return c.launch("count_fold", cuda.Linear(length, 256), cuda.Address(columns.Span), cuda.U64(columns.Stride),
		cuda.Address(c.counts), cuda.U64(n), cuda.U64(c.places()), cuda.U64(c.entry.First), cuda.U64(length))
}

// checkSums refuses heights at which the sums of 32-bit halves might not fit 64 bits.
func (c *counter) checkSums() error {
	total := uint64(len(c.messages))
	for i := range c.shape.Instances {
		total += c.proof.rows(i) * uint64(len(c.sendsOf(i)))
	}
	if total >= 1<<32 {
		return fmt.Errorf("%d messages, fewer than 2^32 can be counted", total)
	}
	return nil
}

// places are those of all rows and lanes of the table.
func (c *counter) places() uint64 { return c.proof.rows(c.instance) * uint64(c.entry.Lanes) }

// sendsOf are the interactions of an instance that are counted.
func (c *counter) sendsOf(instance int) []int {
	return generate.Sends(c.shape.Table(instance), c.entry.Bus)
}

// noMessage is the id of no message.
const noMessage = ^uint64(0)

// argument describes the entry. place is the word of misses.
func (c *counter) argument(place int, wanted uint64) cuda.Argument {
	n := c.proof.rows(c.instance)
	l := generate.Lookup{
		Contents: uint64(c.contents.Pointer()), Places: c.places(), Counts: uint64(c.counts.Pointer()),
		Miss: uint64(c.misses.Pointer()) + uint64(place)*wordBytes, Wanted: wanted, Message: uint64(c.message.Pointer()),
		First: c.entry.First, Length: c.entry.Length(n), Stride: 1,
	}
	if index := c.entry.Index; index != nil {
		l.Entries, l.EntryCount = uint64(c.indexes[c.entry].Pointer()), uint64(len(index.Entries))
		l.Base, l.Stride = index.Base, index.Stride
	}
	return cuda.Value(l)
}

// countSender counts what an instance asks for. If one of its messages is wanted, and missing, it is written down.
func (c *counter) countSender(instance int, wanted uint64) error {
	list := c.sendsOf(instance)
	if len(list) == 0 {
		return nil
	}
	rows := c.proof.rows(instance)
	shape := cuda.Shape{Grid: cuda.Dim{X: (rows + 127) / 128, Y: uint64(generate.SendParts(len(list)))},
		Block: cuda.Dim{X: 128}}
	return c.launch(generate.CountKernel(c.machine, c.entry, c.shape.Table(instance)), shape,
		cuda.Value(*c.rows[instance]), c.argument(instance, wanted))
}

// countPublic counts the public messages on the bus: each its multiplicity and its values.
func (c *counter) countPublic() error {
	for first := 0; first < len(c.messages); first += publicMessages {
		some := c.messages[first:min(first+publicMessages, len(c.messages))]
		var words []uint64
		for _, message := range some {
			words = append(words, uint64(message.Multiplicity))
			for _, value := range message.Values {
				words = append(words, uint64(value))
			}
		}
		span, err := c.staged.Part(0, uint64(len(words))*wordBytes)
		if err != nil {
			return err
		}
		if err := c.upload(span, words); err != nil {
			return err
		}
		count := uint64(len(some))
		err = c.launch(generate.CountPublicKernel(c.machine, c.entry), cuda.Linear(count, 32), cuda.Address(span),
			cuda.U64(uint64(first)), cuda.U64(count),
			c.argument(len(c.shape.Instances), noMessage))
		if err != nil {
			return err
		}
	}
	return nil
}

// findMiss waits, and names the first message that is not in the table, if there is one.
func (c *counter) findMiss() error {
	misses, err := c.download(c.misses)
	if err != nil {
		return err
	}
	for sender, id := range misses {
		switch {
		case id == noMessage:
		case sender == len(c.shape.Instances):
			return fmt.Errorf("%d, a public message: %w", c.messages[id].Values, backend.ErrLookupMiss)
		default:
			return c.miss(sender, id)
		}
	}
	return nil
}

// miss names an instance's message: the instance is counted once more, and the message written down.
func (c *counter) miss(sender int, id uint64) error {
	if err := c.countSender(sender, id); err != nil {
		return err
	}
	words, err := c.download(c.message)
	if err != nil {
		return err
	}
	return fmt.Errorf("%d, sent by table %s in row %d: %w", words, c.shape.Table(sender).Name, id>>16,
		backend.ErrLookupMiss)
}

// indexWords is the memory of an index in words: two entries in each.
func indexWords(index *air.Index) uint64 { return (uint64(len(index.Entries)) + 1) / 2 }

// uploadIndexes brings the indexes of a machine's lookup entries to the device, where they stay.
func (o *openMachine) uploadIndexes(scope *cuda.Scope) error {
	o.indexes = map[*air.Entry]cuda.Span{}
	return eachIndex(o.machine, func(entry *air.Entry) error {
		buffer, err := takeIndex(scope, entry)
		if err != nil {
			return err
		}
		words := make([]uint64, indexWords(entry.Index))
		for i, e := range entry.Index.Entries {
			words[i/2] |= uint64(e) << (32 * (i % 2))
		}
		o.indexes[entry] = buffer.All()
		return o.upload(buffer.All(), words)
	})
}

func takeIndex(scope *cuda.Scope, entry *air.Entry) (*cuda.Buffer, error) {
	return scope.Take("index of "+entry.Bus.Name, indexWords(entry.Index)*wordBytes)
}

// eachIndex visits the lookup entries that have an index.
func eachIndex(m *machine.Machine, visit func(entry *air.Entry) error) error {
	for _, table := range m.Tables {
		for k := range table.Lookups {
			if entry := &table.Lookups[k]; entry.Index != nil && len(entry.Index.Entries) > 0 {
				if err := visit(entry); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
