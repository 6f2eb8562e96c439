package riscv

import (
	"context"
	"fmt"
	"sort"
	"sync"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/device"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

var (
	_ machine.Sharded = (*Program)(nil)
	_ machine.Shard   = (*Execution)(nil)
)

// Shards runs the program and cuts its run between chunks, so that all shards commit to about as many cells. The last has
// besides what a run has once: the end, the boundary, the registers, image and inputs.
//
// Tokens need nothing at a cut: what an access in one shard leaves, the next one receives in another.
func (p *Program) Shards(ctx context.Context, input machine.Input, cut func(cycles int) int) ([]machine.Shard, error) {
	r, err := p.run(ctx, input)
	if err != nil {
		return nil, err
	}
	placed, err := replay.Place(ctx, r.pool, p.guest, r.in, r.trace)
	if err != nil {
		return nil, err
	}
	c := &cutter{r, placed}
	count, chunks := cut(int(r.stated.Cycles)), placed.Chunks()
	if count < 1 || count > chunks {
		return nil, fmt.Errorf("%d shards of a run of %d cycles, want 1 to %d: a shard has %d cycles at least", count, r.stated.Cycles, chunks, record.ChunkCycles)
	}
	borders := c.borders(count)
	whole := sync.OnceValues(func() (*record.Set, error) { return placed.Build(ctx) })
	shards := make([]machine.Shard, count)
	for i := range shards {
		if shards[i], err = c.shard(borders[i], borders[i+1], i == count-1, whole); err != nil {
			return nil, fmt.Errorf("shard %d of %d: %w", i, count, err)
		}
	}
	return shards, nil
}

// cutter cuts a run.
type cutter struct {
	*run
	placed *replay.Placed
}

// shard has the chunks from one to before another.
func (c *cutter) shard(first, end int, last bool, whole func() (*record.Set, error)) (*Execution, error) {
	from, to := c.placed.Before(first), c.placed.Before(end)
	rows := rowsOf(&from, &to)
	for _, t := range []table.Table{table.Program, table.Image, table.Register} {
		rows[t] = c.rows[t]
	}
	rows[table.Halt], rows[table.Private], rows[table.Boundary] = 0, 0, 0
	if last {
		rows[table.Halt] = 1
		rows[table.Private], rows[table.Boundary] = c.rows[table.Private], c.rows[table.Boundary]
	}
	e, err := c.execution(rows, func() (*record.Set, error) {
		set, err := whole()
		if err != nil {
			return nil, err
		}
		part := set.Part(&from, &to)
		if last {
			part = set.WithEnds(part)
		}
		return part, nil
	})
	if err != nil {
		return nil, err
	}
	e.last = last
	if e.replayed = c.replayed(); e.replayed != nil {
		e.replayed.Part = &device.Part{From: from, To: to, Ends: last}
	}
	return e, nil
}

// rowsOf are the rows between two places, with those of the work of calls.
func rowsOf(from, to *record.Place) (rows [table.Count]int) {
	for t := range rows {
		rows[t] = int(to.Rows[t] - from.Rows[t])
	}
	rows[table.Refresh] = int(to.Refresh - from.Refresh)
	for t := range table.Table(table.Count) {
		if work, ok := table.WorkOf(t); ok {
			rows[t] = work.Rows * rows[work.Calls]
		}
	}
	return rows
}

// borders are the chunks at which shards begin, and the number of chunks. Every shard has a chunk at least; but for that the last
// gets its share of all cells, with those of what a run has once, and the others as many as each other.
func (c *cutter) borders(count int) []int {
	once := 0
	for _, t := range []table.Table{table.Private, table.Boundary} {
		once += c.rows[t] * table.Cells(t)
	}
	chunks := c.placed.Chunks()
	borders := make([]int, count+1)
	borders[count] = chunks
	left := c.cells(chunks) - ((c.cells(chunks)+once)/count - once) // to all but the last
	left = min(left, c.cells(chunks-1))
	for i := 1; i < count; i++ {
		want := left / (count - 1) * i
		at := sort.Search(chunks, func(chunk int) bool { return c.cells(chunk) >= want })
		borders[i] = min(max(at, borders[i-1]+1), chunks-(count-i))
	}
	return borders
}

// cells are those of the rows of the chunks before one.
func (c *cutter) cells(chunk int) (total int) {
	var start record.Place
	at := c.placed.Before(chunk)
	for t, n := range rowsOf(&start, &at) {
		total += n * table.Cells(table.Table(t))
	}
	return total
}
