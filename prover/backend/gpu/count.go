package gpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Count fills the count columns of the lookup entries.
func (p *traced) Count(messages []circuit.Message) (backend.Columns[backend.Main], error) {
	next := &mainColumns{traced: p}
	err := p.stage("count", func(scope *cuda.Scope) error {
		memory, err := takeCount(scope, p.shape)
		if err != nil {
			return err
		}
		return next.count(memory, messages)
	})
	if err != nil {
		return nil, err
	}
	return next, nil
}

// publicMessages is the number of public messages counted at a time.
const publicMessages = 64

// counter counts the messages to one lookup entry.
type counter struct {
	*proof
	*entryMemory
	*countedRows
	entry    *air.Entry
	messages []circuit.Message // public, on the bus
}

// sender is a table whose messages are counted, all of its instances in one launch.
type sender struct {
	*air.Table
	instances []int
	rows      partList
	sends     map[*air.Bus]int // number of interactions that send on the bus
}

// countedRows describes the rows of all instances for the kernels that count.
type countedRows struct {
	rows    []*generate.TraceRows // by instance
	senders []*sender
	asked   map[*air.Bus]uint64 // number of messages sent on each bus
}

// listCounted builds and sends countedRows once the addresses of the main columns are known. It runs while the device
// fills the columns: between the stages, the device would wait for it.
func (p *traced) listCounted(memory cuda.Span) error {
	if memory.Size() == 0 {
		return nil
	}
	rows, words := make([]*generate.TraceRows, len(p.shape.Instances)), &constants{span: memory}
	for i := range rows {
		rows[i] = p.traceRows(words, i, p.listRows(i, valueColumns(p.phases[protocol.Main].list[i])))
	}
	p.counted = &countedRows{rows, p.senders(words, rows), askedOf(p.shape)}
	return p.sendConstants(words)
}

// count counts the messages to all entries. While the device works, it lists the columns to keep.
func (p *mainColumns) count(memory *countMemory, messages []circuit.Message) error {
	if len(memory.entries) == 0 {
		p.keeping = keptHeights(p.shape, protocol.Main)
		return nil
	}
	counters := make([]*counter, len(memory.entries))
	for k := range memory.entries {
		own := &memory.entries[k]
		c := &counter{proof: p.proof, entryMemory: own, countedRows: p.counted,
			entry: &p.shape.Table(own.instance).Lookups[own.number]}
		for _, message := range messages {
			if message.Bus == c.entry.Bus && message.Kind == air.Send {
				c.messages = append(c.messages, message)
			}
		}
		if err := c.checkSums(); err != nil {
			return fmt.Errorf("bus %s: %w", c.entry.Bus.Name, err)
		}
		counters[k] = c
	}
	if err := p.launchCounts(memory, counters); err != nil {
		return err
	}
	p.keeping = keptHeights(p.shape, protocol.Main)
	return findMiss(memory, counters)
}

// senders lists the tables of the instances, with the parts of the counting launches for each.
func (p *proof) senders(words *constants, rows []*generate.TraceRows) (list []*sender) {
	byTable := map[*air.Table]*sender{}
	for i := range p.shape.Instances {
		t := p.shape.Table(i)
		own := byTable[t]
		if own == nil {
			own = &sender{Table: t, sends: map[*air.Bus]int{}}
			for k := range t.Interactions {
				if interaction := &t.Interactions[k]; interaction.Kind == air.Send {
					own.sends[interaction.Bus]++
				}
			}
			byTable[t], list = own, append(list, own)
		}
		own.instances = append(own.instances, i)
		part := generate.CountedRows{Rows: *rows[i], Instance: uint64(i), FirstBlock: own.rows.blocks}
		addPart(&own.rows, &part, rows[i].N)
	}
	for _, own := range list {
		own.rows.place(words)
	}
	return list
}

// launchCounts queues the counting for all entries. Its three steps each run concurrently over entries and tables:
// evaluate the contents of entries, count the messages, and write the columns of counts.
func (p *proof) launchCounts(memory *countMemory, counters []*counter) error {
	err := errors.Join(p.device.Stream.Fill(memory.counts, 0), p.device.Stream.Fill(memory.misses, 0xff),
		p.clearCounts())
	if err != nil {
		return err
	}
	for _, step := range []func(c *counter) error{(*counter).readContents, (*counter).countAll, (*counter).fold} {
		err := p.device.Lanes.Split(func() error {
			for _, c := range counters {
				if err := step(c); err != nil {
					return fmt.Errorf("bus %s: %w", c.entry.Bus.Name, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// clearCounts clears the count columns, because entries write only their own rows.
func (p *proof) clearCounts() error {
	for i := range p.shape.Instances {
		for _, entry := range p.shape.Table(i).Lookups {
			own, err := p.countColumns(i, &entry)
			if err != nil {
				return err
			}
			shape := cuda.Linear(p.rows(i), 256)
			shape.Grid.Y = uint64(entry.Lanes)
			if err := p.launch("count_clear", shape, cuda.Address(own.Span), cuda.U64(own.Stride),
				cuda.U64(p.rows(i))); err != nil {
				return err
			}
		}
	}
	return nil
}

// countColumns returns the count columns of an entry of an instance, one a lane.
func (p *proof) countColumns(i int, entry *air.Entry) (kernels.Columns, error) {
	return p.phases[protocol.Main].list[i].Part(uint32(entry.CountColumn), uint32(entry.Lanes), p.rows(i))
}

// readContents queues the kernel that evaluates the messages that the entry answers.
func (c *counter) readContents() error {
	return c.launchOn(c.device.Lanes.Next(), generate.ContentsKernel(c.machine, c.entry),
		cuda.Linear(c.proof.rows(c.instance), 128), cuda.Value(*c.countedRows.rows[c.instance]), cuda.Address(c.contents))
}

// countAll queues the counting of the messages of all instances and of public messages.
func (c *counter) countAll() error {
	for _, own := range c.countedRows.senders {
		if err := c.countSender(own, &own.rows, noMessage); err != nil {
			return err
		}
	}
	return c.countPublic()
}

// fold queues the kernel that writes the counts to their columns.
func (c *counter) fold() error {
	n := c.proof.rows(c.instance)
	columns, err := c.countColumns(c.instance, c.entry)
	if err != nil {
		return err
	}
	length := c.entry.Length(n)
	return c.launchOn(c.device.Lanes.Next(), "count_fold", cuda.Linear(length, 256), cuda.Address(columns.Span),
		cuda.U64(columns.Stride), cuda.Address(c.counts), cuda.U64(c.copies), cuda.U64(c.copied), cuda.U64(n),
		cuda.U64(c.positions()), cuda.U64(c.entry.First), cuda.U64(length))
}

// checkSums returns an error for heights at which the sums of 32-bit halves might not fit in 64 bits.
func (c *counter) checkSums() error {
	total := uint64(len(c.messages)) + c.asked[c.entry.Bus]
	if total >= 1<<32 {
		return fmt.Errorf("%d messages, fewer than 2^32 can be counted", total)
	}
	return nil
}

// positions returns the number of positions of the entry, one for each row and lane of the table.
func (c *counter) positions() uint64 { return c.proof.rows(c.instance) * uint64(c.entry.Lanes) }

// noMessage is an id that no message has.
const noMessage = ^uint64(0)

// argument describes the entry to kernels. Misses of public messages follow those of the instances.
func (c *counter) argument(public bool, wanted uint64) cuda.Argument {
	n := c.proof.rows(c.instance)
	l := generate.Lookup{
		Contents: uint64(c.contents.Pointer()), Places: c.positions(), Counts: uint64(c.counts.Pointer()),
		CopyMask: c.copies - 1, Copied: c.copied,
		Miss: uint64(c.misses.Pointer()), Wanted: wanted, Message: uint64(c.message.Pointer()),
		First: c.entry.First, Length: c.entry.Length(n), Stride: 1,
	}
	if public {
		l.Miss += uint64(len(c.shape.Instances)) * wordBytes
	}
	if index := c.entry.Index; index != nil {
		l.Entries, l.EntryCount = uint64(c.indexes[c.entry].Pointer()), uint64(len(index.Entries))
		l.Base, l.Stride = index.Base, index.Stride
	}
	return cuda.Value(l)
}

// countSender counts the messages that instances of a table send. If the message with the id wanted is missing from the
// entry, the kernel writes it to c.message.
func (c *counter) countSender(own *sender, rows *partList, wanted uint64) error {
	sends := own.sends[c.entry.Bus]
	if sends == 0 {
		return nil
	}
	return c.launchParts(c.device.Lanes.Next(), generate.CountKernel(c.machine, c.entry, own.Table), rows,
		generate.SendParts(sends), c.argument(false, wanted))
}

// countPublic counts the public messages on the bus. It uses the main stream, where they are copied, each as its
// multiplicity and its values.
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
			cuda.U64(uint64(first)), cuda.U64(count), c.argument(true, noMessage))
		if err != nil {
			return err
		}
	}
	return nil
}

// findMiss waits for the device, and returns an error that names the first message that is not in its table, if any.
func findMiss(memory *countMemory, counters []*counter) error {
	misses, err := counters[0].download(memory.misses)
	if err != nil {
		return err
	}
	for _, c := range counters {
		own := misses[:c.misses.Size()/wordBytes]
		misses = misses[len(own):]
		if at := slices.IndexFunc(own, func(id uint64) bool { return id != noMessage }); at >= 0 {
			return fmt.Errorf("bus %s: %w", c.entry.Bus.Name, c.miss(at, own[at]))
		}
	}
	return nil
}

// miss returns the error for an instance's message or a public one. It counts an instance's messages again, alone, to
// obtain the message.
func (c *counter) miss(instance int, id uint64) error {
	if instance == len(c.shape.Instances) {
		return fmt.Errorf("%d, a public message: %w", c.messages[id].Values, backend.ErrLookupMiss)
	}
	t := c.shape.Table(instance)
	again := func() error {
		for _, own := range c.countedRows.senders {
			if at := slices.Index(own.instances, instance); at >= 0 {
				return c.countSender(own, own.rows.alone(at, c.proof.rows(instance)), id)
			}
		}
		return nil
	}
	if err := c.device.Lanes.Split(again); err != nil {
		return err
	}
	words, err := c.download(c.message)
	if err != nil {
		return err
	}
	return fmt.Errorf("%d, sent by table %s in row %d: %w", words, t.Name, id>>16, backend.ErrLookupMiss)
}

// indexWords returns the memory of an index in words, which hold two entries each.
func indexWords(index *air.Index) uint64 { return (uint64(len(index.Entries)) + 1) / 2 }

// uploadIndexes copies the indexes of a machine's lookup entries to the device, where they remain.
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
func eachIndex(m *circuit.Machine, visit func(entry *air.Entry) error) error {
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
