package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Trace fills the main columns: tables with a device filler on the device, and concurrently the others on the host.
func (p *proof) Trace(execution machine.Execution) (backend.Traced, error) {
	next := &traced{stated: &stated{proof: p}}
	err := p.stage(firstStage, func(scope *cuda.Scope) error {
		if !slices.Equal(execution.Instances(), p.shape.Instances) {
			return errors.New("the execution has other instances than the proof")
		}
		counted, err := next.take()
		if err != nil {
			return err
		}
		memory, err := p.traceRecords(scope, execution)
		if err != nil {
			return err
		}
		if own := execution.Instances(); !slices.Equal(own, p.shape.Instances) {
			if counted, err = next.reshape(scope, memory, own); err != nil {
				return err
			}
		}
		if err := p.fill(memory, execution); err != nil {
			return err
		}
		if p.program.readsPublic {
			next.public = execution.Public().Values
		}
		return p.wait(next.listCounted(counted))
	})
	if err != nil {
		return nil, err
	}
	return next, nil
}

// traceMemory is the working memory of the stage.
type traceMemory struct {
	work  *cuda.Buffer
	sets  map[int]*cuda.Buffer // record sets that device fillers read, and those from which the device derives them
	read  []int                // numbers of the sets that fillers read
	words []uint64             // length of each set, once it is known
	grown map[int]uint64       // number of records used, by instance that is filled while its records grow
	parts map[int]machine.Part // parts that fillers receive instead of whole sets

	filled bool // whether the instances that do not grow are filled
}

// part returns the part of a record set that fillers receive.
func (m *traceMemory) part(set int) (span cuda.Span, words uint64, err error) {
	part, ok := m.parts[set]
	if !ok {
		part = machine.Part{Set: set, Words: m.words[set]}
	}
	if part.Words == 0 {
		return span, 0, nil
	}
	span, err = m.sets[part.Set].Span(part.First*wordBytes, part.Words*wordBytes)
	return span, part.Words, err
}

// extend enlarges sets to the lengths of the whole run if the execution is a part of one. It reports whether there is
// enough memory.
func (m *traceMemory) extend(scope *cuda.Scope, d *machine.Derivation) bool {
	if d.Parts == nil {
		return true
	}
	for set, words := range d.Words {
		if buffer := m.sets[set]; words == 0 || buffer != nil && buffer.Size()/wordBytes >= words {
			continue
		}
		buffer, err := scope.Take(fmt.Sprintf("record set %d of all shards", set), words*wordBytes)
		if err != nil {
			return false
		}
		m.sets[set] = buffer
	}
	return true
}

func takeTrace(scope *cuda.Scope, fillers *machine.Fillers, shape *protocol.Shape) (*traceMemory, error) {
	m, needed := &traceMemory{work: &cuda.Buffer{}, sets: map[int]*cuda.Buffer{}}, map[int]bool{}
	for _, instance := range shape.Instances {
		if filler := fillers.Of(instance).Device; filler != nil {
			for _, set := range filler.Records {
				needed[set] = true
			}
		}
	}
	var t device.Taker
	if words := scratchWords(fillers, shape); words > 0 {
		m.work = t.Buffer(scope, "trace scratch", words*wordBytes)
	}
	m.read = slices.Sorted(maps.Keys(needed))
	var most []uint64
	if len(needed) > 0 {
		most = fillers.RecordWords(shape.Instances)
	}
	for set := range most {
		if most[set] > 0 && (needed[set] || fillers.Deriver != nil) {
			m.sets[set] = t.Buffer(scope, fmt.Sprintf("record set %d", set), most[set]*wordBytes)
		}
	}
	return m, t.Err
}

// scratchWords returns the number of words of scratch memory that tables share while they are filled.
func scratchWords(fillers *machine.Fillers, shape *protocol.Shape) (words uint64) {
	for _, instance := range shape.Instances {
		if filler := fillers.Of(instance).Device; filler != nil && filler.Work != nil {
			words = max(words, filler.Work(1<<instance.LogHeight))
		}
	}
	return words
}

// traceRecords takes the stage's memory and brings the records to the device. If there are growing instances, it also
// queues the filling of all of the device's instances.
func (p *proof) traceRecords(scope *cuda.Scope, execution machine.Execution) (*traceMemory, error) {
	memory, err := takeTrace(scope, p.fillers, p.shape)
	if err != nil {
		return nil, err
	}
	if err := p.device.Bulk.Begin(p.device.Stream); err != nil {
		return nil, err
	}
	return memory, p.bringRecords(scope, memory, execution)
}

// fill queues the device's instances, the largest first, unless they were filled before, and then fills the host's.
func (p *proof) fill(memory *traceMemory, execution machine.Execution) error {
	if !memory.filled {
		if err := p.device.Lanes.Split(func() error { return p.fillAllOnDevice(memory) }); err != nil {
			return err
		}
	}
	return p.fillAllOnHost(execution)
}

// bringRecords derives the records on the device if possible, else sends them.
func (p *proof) bringRecords(scope *cuda.Scope, memory *traceMemory, execution machine.Execution) error {
	records := execution.Device()
	if records.Derive != nil && p.fillers.Deriver != nil {
		derivation := records.Derive()
		replayed := derivation != nil && memory.extend(scope, derivation)
		p.device.Meter.Replayed(replayed)
		if replayed {
			return p.derive(memory, derivation)
		}
	}
	if records.Grow != nil {
		return p.growRecords(memory, records)
	}
	return p.sendRecords(memory, execution.Records())
}

// growRecords sends the record sets as they grow, and fills the rows of the new records. It fills rows without records
// before the first records arrive, and tables that need whole sets concurrently with the last.
func (p *proof) growRecords(memory *traceMemory, records machine.DeviceRecords) error {
	memory.grown = map[int]uint64{}
	words := records.Words
	for i := range p.shape.Instances {
		if filler := p.filler(i).Device; filler != nil && filler.GrowsBy != 0 {
			memory.grown[i] = 0
			if err := p.fillWithout(memory, i, words[filler.Records[0]]); err != nil {
				return fmt.Errorf("table %s: %w", p.shape.Table(i).Name, err)
			}
		}
	}
	return records.Grow(func(known [][]uint64) error {
		if err := p.sendRecords(memory, known); err != nil {
			return err
		}
		if !slices.Equal(memory.words, words) {
			return p.fillAllGrown(memory)
		}
		memory.filled = true
		return p.device.Lanes.Split(func() error {
			return errors.Join(p.fillAllOnDevice(memory), p.fillAllGrown(memory))
		})
	})
}

// fillAllGrown queues the rows of the records that have arrived.
func (p *proof) fillAllGrown(memory *traceMemory) error {
	for i := range p.shape.Instances {
		if _, grows := memory.grown[i]; grows {
			if err := p.fillGrown(memory, i); err != nil {
				return fmt.Errorf("table %s: %w", p.shape.Table(i).Name, err)
			}
		}
	}
	return nil
}

// sendRecords queues the copies of the words by which the record sets that device fillers read have grown.
func (p *proof) sendRecords(memory *traceMemory, records [][]uint64) error {
	before := memory.words
	memory.words = nil
	for _, words := range records {
		memory.words = append(memory.words, uint64(len(words)))
	}
	for _, set := range memory.read {
		if memory.sets[set] == nil && (set >= len(records) || len(records[set]) == 0) {
			continue
		}
		if set >= len(records) {
			return fmt.Errorf("the execution has %d record sets, and a device filler reads number %d", len(records), set)
		}
		room := uint64(0)
		if memory.sets[set] != nil {
			room = memory.sets[set].Size() / wordBytes
		}
		if uint64(len(records[set])) > room {
			return fmt.Errorf("record set %d has %d words, at most %d are possible", set, len(records[set]), room)
		}
		sent := uint64(0)
		if before != nil {
			sent = before[set]
		}
		grown := records[set][sent:]
		if len(grown) == 0 {
			continue
		}
		span, err := memory.sets[set].Span(sent*wordBytes, uint64(len(grown))*wordBytes)
		if err != nil {
			return err
		}
		if err := device.Send(p.device.Bulk, p.device.Pool, span, grown); err != nil {
			return err
		}
	}
	return p.device.Bulk.Join(p.device.Stream)
}

// fillAllOnHost fills the tables that have no device filler.
func (p *proof) fillAllOnHost(execution machine.Execution) error {
	columns := p.phases[protocol.Main].list
	for _, i := range largestFirst(columns) {
		table, filler := p.shape.Table(i), p.filler(i)
		if filler.Device != nil {
			continue
		}
		fill := func(columns [][]goldilocks.Element) error { return filler.Fill(p.device.Pool, execution, i, columns) }
		if err := p.fillOnHost(columns[i], p.rows(i), fill); err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	return p.device.Bulk.Join(p.device.Stream)
}

// fillAllOnDevice queues the device's instances, tables concurrently. Tables that need scratch memory share it, so they
// use the main stream.
func (p *proof) fillAllOnDevice(memory *traceMemory) error {
	joined := map[int]bool{} // tables whose instances were filled together
	for _, i := range largestFirst(p.phases[protocol.Main].list) {
		filler, number := p.filler(i).Device, p.shape.Instances[i].Table
		if _, grown := memory.grown[i]; grown || joined[number] || filler == nil {
			continue
		}
		joined[number] = filler.Unit != ""
		stream := p.device.Stream
		if filler.Work == nil {
			stream = p.device.Lanes.Next()
		}
		if err := p.fillOnDevice(stream, memory, i); err != nil {
			return fmt.Errorf("table %s: %w", p.shape.Table(i).Name, err)
		}
	}
	return nil
}

// largestFirst returns the instances in decreasing order of the number of cells.
func largestFirst(columns []kernels.Columns) []int {
	var order []int
	for i, own := range columns {
		if own.Count > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(columns[k].Span.Size(), columns[i].Span.Size()) })
	return order
}

// fillOnHost fills columns of n rows on the host, in the staging memory itself if they fit, and sends them.
func (p *proof) fillOnHost(to kernels.Columns, n uint64, fill func(columns [][]goldilocks.Element) error) error {
	bulk := p.device.Bulk
	if n*uint64(to.Count) > bulk.Each {
		return p.fillLarge(to, n, fill)
	}
	half, err := bulk.Next()
	if err != nil {
		return err
	}
	cells := device.Staged[goldilocks.Element](bulk, half)[:n*uint64(to.Count)]
	p.device.Pool.For(len(cells), device.CopyGrain, func(lo, hi int) { clear(cells[lo:hi]) })
	if err := fill(cut(cells, n)); err != nil {
		return err
	}
	for k := range to.Count {
		column, err := to.Part(k, 1, n)
		if err != nil {
			return err
		}
		if err := bulk.Upload(column.Span, half, uint64(k)*n, n); err != nil {
			return err
		}
	}
	return bulk.Done(half)
}

// fillLarge fills columns in ordinary memory, and sends them through the staging memory piece by piece.
func (p *proof) fillLarge(to kernels.Columns, n uint64, fill func(columns [][]goldilocks.Element) error) error {
	columns := cut(make([]goldilocks.Element, n*uint64(to.Count)), n)
	if err := fill(columns); err != nil {
		return err
	}
	for k, cells := range columns {
		column, err := to.Part(uint32(k), 1, n)
		if err != nil {
			return err
		}
		if err := device.Send(p.device.Bulk, p.device.Pool, column.Span, cells); err != nil {
			return err
		}
	}
	return nil
}

// cut cuts cells into columns of n rows.
func cut(cells []goldilocks.Element, n uint64) [][]goldilocks.Element {
	columns := make([][]goldilocks.Element, 0, uint64(len(cells))/n)
	for column := range slices.Chunk(cells, int(n)) {
		columns = append(columns, column[:n:n])
	}
	return columns
}

// commitKey fills, extends and commits to the preprocessed columns of a phase, in memory that lives with the machine.
func (p *proof) commitKey(lifetime *cuda.Scope, phase protocol.Phase) (*commitment, []merkle.Digest, error) {
	m, err := takeMatrices(lifetime, p.shape, phase, false)
	if err != nil {
		return nil, nil, err
	}
	p.phases[phase] = m
	if err := p.fillKey(m); err != nil {
		return nil, nil, err
	}
	kept, err := takeKept(lifetime, nil, keptHeights(p.shape, phase))
	if err != nil {
		return nil, nil, err
	}
	scope := p.resident.Scope("commit")
	p.scopesOfKeys = append(p.scopesOfKeys, scope)
	own, digests, err := p.commit(scope, phase, kept, func(*commitment) error { return nil })
	if err != nil {
		return nil, nil, err // the scope ends when the device has been drained
	}
	return own, digests, scope.End()
}

// fillKey fills preprocessed columns.
func (p *proof) fillKey(m *matrices) error {
	if err := p.device.Bulk.Begin(p.device.Stream); err != nil {
		return err
	}
	for i := range p.shape.Instances {
		if m.list[i].Count == 0 {
			continue
		}
		table := p.shape.Table(i)
		if table.FillPreprocessed == nil {
			return fmt.Errorf("nothing fills the columns of table %s: a prover needs the program's file", table.Name)
		}
		fill := func(columns [][]goldilocks.Element) error {
			table.FillPreprocessed(columns)
			return nil
		}
		if err := p.fillOnHost(m.list[i], p.rows(i), fill); err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	return p.device.Bulk.Join(p.device.Stream)
}
