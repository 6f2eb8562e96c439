package riscv

import (
	"context"
	"fmt"
	"math/bits"
	"sort"
	"sync"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
)

var (
	_ machine.Sharded = (*Program)(nil)
	_ machine.Placed  = (*Execution)(nil)
)

// Shards runs the program and cuts its run between chunks, so that shards commit to the parts of all cells that are
// asked for. The last has among its own what a run has once: the end, the boundary, the registers, image and inputs.
//
// A run with the inputs of the one before is as long as that, and cut in the same places. So its shards are known
// before it begins, and returned then: the program runs beside, and a shard waits, when its tables are filled, until
// the run has passed its end. What ends such a run early is the error of the shards that wait.
//
// Tokens need nothing at a cut: what an access in one shard leaves, the next one receives in another.
func (p *Program) Shards(ctx context.Context, input machine.Input, cut machine.Cut) ([]machine.Shard, error) {
	if p.guest == nil {
		return nil, errNoGuest
	}
	c := &cutter{run: p.newRun(input)}
	var trace *record.Trace
	o := p.before(c.in, input.Limit)
	if o == nil || o.marks == nil {
		var err error
		if o, trace, err = p.mark(ctx, c.in, input); err != nil {
			return nil, err
		}
	}
	if err := c.cut(o, cut); err != nil {
		return nil, err
	}
	if c.trace = (&coming{trace: trace}); trace == nil {
		c.trace = p.again(ctx, o, c.ends())
	}
	return c.shards(ctx)
}

// mark runs the program, keeps its trace and where it can be cut, and remembers the outcome.
func (p *Program) mark(ctx context.Context, in memory.Inputs,
	input machine.Input) (*outcome, *record.Trace, error) {
	marks := replay.NewMarks(p.guest)
	result, trace, err := p.emulator.Record(ctx, in, emulator.Options{
		Limit: input.Limit, Observe: marks.Observe, Note: input.Note})
	if err != nil {
		return nil, nil, err
	}
	return p.marked(in, result, marks), trace, nil
}

// marked remembers the outcome of a run that was marked.
func (p *Program) marked(in memory.Inputs, result *emulator.Result, marks *replay.Marks) *outcome {
	o := outcomeOf(in, result, &marks.Tally)
	o.marks = marks.List(result)
	p.remember(o)
	return o
}

// cutter cuts a run.
type cutter struct {
	*run
	cuts  []replay.Mark // where shards begin, and the end
	trace *coming
}

// ends are where shards end.
func (c *cutter) ends() (list []emulator.Cut) {
	for i := range c.cuts[1:] {
		list = append(list, c.cuts[i+1].Cut)
	}
	return list
}

// cut places the cuts of a run with this outcome.
func (c *cutter) cut(o *outcome, cut machine.Cut) error {
	parts, err := cut.Parts(int(o.stated.Cycles))
	if err != nil {
		return err
	}
	count, most := len(parts), len(o.marks)-1
	if count < 1 || count > most {
		return fmt.Errorf("%d shards of a run of %d cycles, which makes %d at most: a shard has %d cycles at least", count,
			o.stated.Cycles, most, record.ChunkCycles*o.marks[1].Chunk)
	}
	c.outcome, c.cuts = *o, o.cuts(parts)
	return nil
}

func (c *cutter) shards(ctx context.Context) ([]machine.Shard, error) {
	count := len(c.cuts) - 1
	whole := sync.OnceValues(func() (*record.Set, error) { return c.build(ctx) })
	shards, left := make([]machine.Shard, count), new(users)
	left.last = func() { c.trace.recycle(c.program.emulator) }
	left.count.Store(int64(count))
	for i := range shards {
		shard, err := c.shard(i, i == count-1, whole)
		if err != nil {
			return nil, fmt.Errorf("shard %d of %d: %w", i, count, err)
		}
		shard.recycle = sync.OnceFunc(left.leave)
		shards[i] = shard
	}
	return shards, nil
}

// build makes the records of the whole run, when it has ended.
func (c *cutter) build(ctx context.Context) (*record.Set, error) {
	trace, err := c.trace.whole()
	if err != nil {
		return nil, err
	}
	placed, err := replay.Place(ctx, c.pool, c.program.guest, c.in, trace)
	if err != nil {
		return nil, err
	}
	for _, cut := range c.cuts {
		if placed.Before(cut.Chunk) != cut.Place {
			return nil, fmt.Errorf("the chunks before chunk %d have other records than were counted", cut.Chunk)
		}
	}
	return placed.Build(ctx)
}

// shard is the one of a number, which may be the last.
func (c *cutter) shard(number int, last bool, whole func() (*record.Set, error)) (*Execution, error) {
	from, to := &c.cuts[number].Place, &c.cuts[number+1].Place
	rows := rowsOf(from, to)
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
		part := set.Part(from, to)
		if last {
			part = set.WithEnds(part)
		}
		return part, nil
	})
	if err != nil {
		return nil, err
	}
	e.last, e.beside, e.end = last, c.trace.flight, c.cuts[number+1].Chunk*record.ChunkCycles
	e.replayed = func() *device.Run {
		stops := c.stops(number)
		run := c.replayed(c.trace, stops, c.cuts[number+1].Log, &rows, uint64(to.Accesses-from.Accesses))
		run.Part = &device.Part{First: c.cuts[number].Chunk, Most: c.most(number), Ends: last}
		return run
	}
	return e, nil
}

// stops are the ends of the groups of chunks that a device replays for a shard: the shards before it, for what they
// leave in registers and memory, and its own. All are in parts where they come while the program runs, which the device
// then keeps up with.
func (c *cutter) stops(number int) (list []int) {
	if c.trace.trace == nil {
		behind := sort.SearchInts(c.trace.stops, c.cuts[number+1].Chunk+1)
		return c.trace.stops[:behind]
	}
	for i := range number + 1 {
		list = append(list, c.cuts[i+1].Chunk)
	}
	return list
}

// most are the most rows of each table, refreshes and accesses of a shard before one.
func (c *cutter) most(number int) (most record.Place) {
	for i := range number {
		from, to := &c.cuts[i].Place, &c.cuts[i+1].Place
		for t := range most.Rows {
			most.Rows[t] = max(most.Rows[t], to.Rows[t]-from.Rows[t])
		}
		most.Refresh = max(most.Refresh, to.Refresh-from.Refresh)
		most.Accesses = max(most.Accesses, to.Accesses-from.Accesses)
	}
	return most
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

// cuts are the marks at which shards begin, and the end. Every shard has a mark's chunks at least; but for that the
// last gets its part of all cells, with those of what a run has once, and the others their parts of what is left.
func (o *outcome) cuts(parts []int) []replay.Mark {
	once := 0
	for _, t := range []table.Table{table.Private, table.Boundary} {
		once += o.rows[t] * table.Cells(t)
	}
	count, end := len(parts), len(o.marks)-1
	others := sum(parts[:count-1])
	all := cellsBefore(&o.marks[end]) + once
	left := min(shareOf(all, others, others+parts[count-1]), cellsBefore(&o.marks[end-1])) // to all but the last
	at, cuts := 0, make([]replay.Mark, 1, count+1)
	for i := 1; i < count; i++ {
		want := shareOf(left, sum(parts[:i]), others)
		found := sort.Search(end, func(mark int) bool { return cellsBefore(&o.marks[mark]) >= want })
		at = min(max(found, at+1), end-(count-i))
		cuts = append(cuts, o.marks[at])
	}
	return append(cuts, o.marks[end])
}

// shareOf is what a part of a whole has of a number of cells.
func shareOf(cells, part, whole int) int {
	high, low := bits.Mul64(uint64(cells), uint64(part))
	share, _ := bits.Div64(high, low, uint64(whole))
	return int(share)
}

func sum(parts []int) (total int) {
	for _, part := range parts {
		total += part
	}
	return total
}

// cellsBefore are those of the rows of the chunks before a mark.
func cellsBefore(mark *replay.Mark) (total int) {
	for t, n := range rowsOf(new(record.Place), &mark.Place) {
		total += n * table.Cells(table.Table(t))
	}
	return total
}
