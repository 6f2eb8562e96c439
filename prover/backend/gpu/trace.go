package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/tracegen"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

// Trace fills the main columns: tables with records on the device, the others on the host meanwhile.
func (b *Backend) Trace(ctx backend.Context, witness machine.Witness) (backend.Columns, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, err
	}
	var result *columns
	err = c.stage("trace", func(scope *cuda.Scope) error {
		if result, err = c.newColumns(backend.Main); err != nil {
			return err
		}
		return c.settle(c.trace(scope, result, witness))
	})
	return c.filled(result, err)
}

// filled returns the columns, or gives them back where filling them failed.
func (c *proverContext) filled(result *columns, err error) (backend.Columns, error) {
	if err == nil {
		return result, nil
	}
	if result != nil {
		c.backend.Release(c, result)
	}
	return nil, err
}

// Preprocessed fills, extends and commits to the preprocessed columns.
func (b *Backend) Preprocessed(ctx backend.Context) (backend.Commitment, []merkle.Digest, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, nil, err
	}
	var result *columns
	err = c.stage("preprocessed", func(scope *cuda.Scope) error {
		if result, err = c.newColumns(backend.Preprocessed); err != nil {
			return err
		}
		return c.preprocess(scope, result)
	})
	if _, err := c.filled(result, err); err != nil {
		return nil, nil, err
	}
	keep := make([][]int, len(c.shape.Machine.Tables))
	for i, table := range c.shape.Machine.Tables {
		keep[i] = backend.KeptColumns(table, backend.Preprocessed)
	}
	commitment, digests, err := b.Commit(ctx, backend.Preprocessed, result, keep)
	if err != nil {
		b.Release(ctx, result)
		return nil, nil, err
	}
	c.preprocessed = result.scope
	return commitment, digests, nil
}

// generatorMemory is the working memory of tables that are filled on the device.
type generatorMemory struct {
	records []*cuda.Buffer // by table; nil where the generator takes none
	work    *cuda.Buffer   // for one table after the other
}

// generators are the tables' generators for a phase, nil where the host fills a table or it has no columns.
func generators(shape *backend.Shape, phase backend.Phase) []*tracegen.Generator {
	list := make([]*tracegen.Generator, len(shape.Machine.Tables))
	for i, table := range shape.Machine.Tables {
		switch {
		case backend.Width(table, phase) == 0:
		case phase == backend.Main:
			list[i] = tracegen.Main(shape.Machine, table)
		case phase == backend.Preprocessed:
			list[i] = tracegen.Preprocessed(shape.Machine, table)
		}
	}
	return list
}

// takeGenerators takes room for as many records as the heights allow.
func takeGenerators(scope *cuda.Scope, shape *backend.Shape, phase backend.Phase) (*generatorMemory, error) {
	m := &generatorMemory{records: make([]*cuda.Buffer, len(shape.Machine.Tables)), work: &cuda.Buffer{}}
	t := taker{}
	work := uint64(0)
	for i, generator := range generators(shape, phase) {
		if generator == nil {
			continue
		}
		n := uint64(1) << shape.LogHeights[i]
		work = max(work, generator.WorkWords(n))
		if records := generator.RecordWords(n); records > 0 {
			m.records[i] = t.buffer(scope, "records of "+shape.Machine.Tables[i].Name, records*wordBytes)
		}
	}
	if work > 0 {
		m.work = t.buffer(scope, "trace scratch", work*wordBytes)
	}
	return m, t.err
}

// trace queues the device's tables, the largest first, and then fills the host's.
func (c *proverContext) trace(scope *cuda.Scope, into *columns, witness machine.Witness) error {
	memory, err := takeGenerators(scope, &c.shape, backend.Main)
	if err != nil {
		return err
	}
	bulk := c.backend.bulk
	if err := bulk.begin(c.stream); err != nil {
		return err
	}
	list := generators(&c.shape, backend.Main)
	var onHost []int
	for _, i := range c.largestFirst(into.matrices) {
		var records []uint64
		if list[i] != nil {
			records = witness.Records(i)
		}
		if records == nil {
			onHost = append(onHost, i)
			continue
		}
		if err := c.generate(list[i], memory, into, witness, i, records); err != nil {
			return fmt.Errorf("table %s: %w", c.shape.Machine.Tables[i].Name, err)
		}
	}
	for _, i := range onHost {
		fill := func(columns [][]goldilocks.Element) error { return witness.Fill(c.pool, i, columns) }
		if err := c.fillOnHost(into.tables[i], c.height(i), fill); err != nil {
			return fmt.Errorf("table %s: %w", c.shape.Machine.Tables[i].Name, err)
		}
	}
	return bulk.join(c.stream)
}

// largestFirst are the tables with columns, by falling number of cells.
func (c *proverContext) largestFirst(m *matrices) []int {
	var order []int
	for i, table := range m.tables {
		if table.Count > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(m.tables[k].Span.Size(), m.tables[i].Span.Size()) })
	return order
}

// generate sends a table's records and queues the kernels that expand them.
func (c *proverContext) generate(g *tracegen.Generator, memory *generatorMemory, into *columns, witness machine.Witness, table int, records []uint64) error {
	if logHeight := witness.LogHeights()[table]; logHeight != c.shape.LogHeights[table] {
		return fmt.Errorf("the witness has 2^%d rows, want 2^%d", logHeight, c.shape.LogHeights[table])
	}
	job := &tracegen.Job{Columns: into.tables[table], Rows: c.height(table), Work: memory.work.All()}
	if len(records) > 0 {
		var err error
		if most := g.RecordWords(job.Rows); uint64(len(records)) > most {
			return fmt.Errorf("%d words of records, at most %d are possible", len(records), most)
		}
		if job.Records, err = memory.records[table].Span(0, uint64(len(records))*wordBytes); err != nil {
			return err
		}
		if err := errors.Join(send(c.backend.bulk, c.pool, job.Records, records), c.backend.bulk.join(c.stream)); err != nil {
			return err
		}
	}
	return g.Fill(c.set, c.stream, job)
}

// preprocess fills the preprocessed columns.
func (c *proverContext) preprocess(scope *cuda.Scope, into *columns) error {
	memory, err := takeGenerators(scope, &c.shape, backend.Preprocessed)
	if err != nil {
		return err
	}
	if err := c.backend.bulk.begin(c.stream); err != nil {
		return err
	}
	list := generators(&c.shape, backend.Preprocessed)
	for i, table := range c.shape.Machine.Tables {
		switch {
		case into.tables[i].Count == 0:
			continue
		case list[i] != nil:
			err = list[i].Fill(c.set, c.stream, &tracegen.Job{Columns: into.tables[i], Rows: c.height(i), Work: memory.work.All()})
		default:
			err = c.fillOnHost(into.tables[i], c.height(i), fillPreprocessed(table))
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	return c.backend.bulk.join(c.stream)
}

func fillPreprocessed(table *air.Table) func(columns [][]goldilocks.Element) error {
	return func(columns [][]goldilocks.Element) error {
		table.FillPreprocessed(columns)
		return nil
	}
}

// fillOnHost fills columns of n rows on the host, in the staging memory itself if they fit it, and sends them.
func (c *proverContext) fillOnHost(to kernels.Columns, n uint64, fill func(columns [][]goldilocks.Element) error) error {
	bulk := c.backend.bulk
	if n*uint64(to.Count) > bulk.each {
		return c.fillLarge(to, n, fill)
	}
	half, err := bulk.next()
	if err != nil {
		return err
	}
	cells := stagedWords[goldilocks.Element](bulk, half)[:n*uint64(to.Count)]
	c.pool.For(len(cells), copyGrain, func(lo, hi int) { clear(cells[lo:hi]) })
	if err := fill(cut(cells, n)); err != nil {
		return err
	}
	for k := range to.Count {
		column, err := to.Part(k, 1, n)
		if err != nil {
			return err
		}
		if err := bulk.upload(column.Span, half, uint64(k)*n, n); err != nil {
			return err
		}
	}
	return half.sent.Record(bulk.copies)
}

// fillLarge fills columns in ordinary memory, from where they pass through the staging memory piece by piece.
func (c *proverContext) fillLarge(to kernels.Columns, n uint64, fill func(columns [][]goldilocks.Element) error) error {
	columns := cut(make([]goldilocks.Element, n*uint64(to.Count)), n)
	if err := fill(columns); err != nil {
		return err
	}
	for k, cells := range columns {
		column, err := to.Part(uint32(k), 1, n)
		if err != nil {
			return err
		}
		if err := send(c.backend.bulk, c.pool, column.Span, cells); err != nil {
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
