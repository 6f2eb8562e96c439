package riscv

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sort"
	"sync"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/run"
)

// cutter cuts a run between chunks, so that shards commit to the requested parts of all cells. The last shard also has
// the tables that a run has once: the end, the boundary, the registers, image and inputs. A whole run is one shard.
//
// Tokens cross cuts without extra rows: an access in one shard produces a token, and the next access consumes it in
// another shard.
type cutter struct {
	*guestRun
	cuts  []replay.Mark  // where shards begin, and the end
	ended bool           // whether the last cut is the end
	trace *streamedTrace // nil for a planned run
}

// ends returns the ends of shards.
func (c *cutter) ends() (list []emulator.Cut) {
	for i := range c.cuts[1:] {
		list = append(list, c.cuts[i+1].Cut)
	}
	return list
}

// cut chooses the cuts of a run with this outcome.
func (c *cutter) cut(o *outcome, cut run.Cut) error {
	c.outcome, c.ended = *o, true
	if cut.Whole() {
		c.cuts = []replay.Mark{{}, {Cut: o.end()}}
		return nil
	}
	parts, err := cut.Of(int(o.stated.Cycles))
	if err != nil {
		return err
	}
	count, most := len(parts), len(o.marks)-1
	if count < 1 || count > most {
		return fmt.Errorf("%w for %d shards: it has %d cycles and can have at most %d shards, of at least %d cycles each",
			run.ErrTooShort, count, o.stated.Cycles, most, record.ChunkCycles*o.marks[1].Chunk)
	}
	c.cuts = o.cuts(parts)
	return nil
}

// whole reports whether a shard is the whole run.
func (c *cutter) whole(number int, last bool) bool { return number == 0 && last }

// errPlanned is returned if the tables of a planned run are filled.
var errPlanned = errors.New("riscv: the run was planned, and kept no trace: run the program again")

// run yields all shards. It also returns their executions.
func (c *cutter) run(ctx context.Context) (*run.Run, []*Execution, error) {
	count := len(c.cuts) - 1
	records := &roll{guestRun: c.guestRun, ctx: ctx}
	shards, executions, left := make([]*machine.Shard, count), make([]*Execution, count), new(users)
	left.last = func() {
		records.release()
		c.trace.recycle(c.program)
	}
	left.count.Store(int64(count))
	for i := range shards {
		var err error
		shards[i], executions[i], err = c.shard(i, i == count-1, records, sync.OnceFunc(left.leave))
		if err != nil && count > 1 {
			err = fmt.Errorf("shard %d of %d: %w", i, count, err)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	r := run.Known(c.stated.Public(), shards...)
	if c.trace != nil {
		r.Report = func() run.Report { return records.report(c.trace.report()) }
	}
	return r, executions, nil
}

// shard returns the shard with a number. records makes its records on the host, and release is called when the shard no
// longer needs the trace.
func (c *cutter) shard(number int, last bool, records *roll, release func()) (shard *machine.Shard, e *Execution,
	err error) {
	rows := c.rowsOf(number, last)
	e, err = c.execution(rows, func() (*record.Set, error) { return records.records(c, number, last) })
	if err != nil {
		return nil, nil, err
	}
	e.replayed, e.recycle = func() *device.Run { return c.replayedShard(records, number, last, &rows) }, func() {
		records.drop(number)
		release()
	}
	if c.trace == nil {
		e.replayed, e.recycle = func() *device.Run { return nil }, func() {}
	} else {
		e.running = c.trace.live
	}
	e.records.keep = c.whole(number, last)
	shard = &machine.Shard{Execution: e, Last: last, End: c.cuts[number+1].Chunk * record.ChunkCycles}
	if rows[table.Boundary] == 0 {
		shard.Unanswered, err = host.UntouchedAsks(c.program.Declared(), e.boundary)
	}
	return shard, e, err
}

// rowsOf returns the rows of a shard's tables.
func (c *cutter) rowsOf(number int, last bool) [table.Count]int {
	if c.whole(number, last) {
		return c.rows
	}
	rows := rowsBetween(&c.cuts[number].Offsets, &c.cuts[number+1].Offsets)
	for _, t := range []table.Table{table.Program, table.Image, table.Register} {
		rows[t] = c.rows[t]
	}
	rows[table.Halt], rows[table.Private], rows[table.Boundary] = 0, 0, 0
	if last {
		rows[table.Halt] = 1
		rows[table.Private], rows[table.Boundary] = c.rows[table.Private], c.rows[table.Boundary]
	}
	return rows
}

// replayedShard returns what a device replays for a shard with these rows.
func (c *cutter) replayedShard(records *roll, number int, last bool, rows *[table.Count]int) *device.Run {
	if !c.whole(number, last) && c.apart() {
		return c.replayedApart(records, number, last, rows)
	}
	stops := c.stops(number)
	if c.whole(number, last) {
		return c.replayed(c.trace, stops, c.log, rows, c.accesses)
	}
	from, to := &c.cuts[number], &c.cuts[number+1]
	replayed := c.replayed(c.trace, stops, to.Log, rows, uint64(to.Accesses-from.Accesses))
	replayed.Part = &device.Part{First: from.Chunk, Most: c.most(number), Ends: last}
	return replayed
}

// fewShards is the largest number of shards for which a device also replays the shards before its own, while the run
// arrives. This way the shards of a short run need not wait for each other on several devices.
const fewShards = 4

// apart reports whether a device replays a shard from the state before it. If the run is cut while it is running, the
// first shards are not replayed this way.
func (c *cutter) apart() bool { return len(c.cuts)-1 > fewShards }

// replayedApart returns what a device replays for a shard from the state before it. Meanwhile the host makes the next
// shard.
func (c *cutter) replayedApart(records *roll, number int, last bool, rows *[table.Count]int) *device.Run {
	d := c.known(rows, uint64(c.cuts[number+1].Accesses-c.cuts[number].Accesses))
	d.Part = &device.Part{Ends: last}
	p, err := records.part(c, number, last)
	if err != nil {
		d.Chunks, d.Stops, d.PartEnds = 1, []int{1}, []int{1}
		d.Before = func(int) (*record.Trace, bool, error) { return nil, false, err }
		return d
	}
	if next := number + 1; next < len(c.cuts)-1 {
		records.prepare(c, next, next == len(c.cuts)-2 && c.ended)
	}
	d.From, d.Trace, d.Chunks, d.Log = p.state, p.trace, p.trace.Chunks(), uint64(len(p.trace.Log))
	d.Stops = []int{d.Chunks}
	return d
}

// stops returns the ends of the groups of chunks that a device replays for a shard: the shards before it, for their
// final registers and memory, and the shard itself. If the trace arrives while the program is running, the groups are
// divided into parts, so that the device keeps up.
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

// most returns the maxima of each table's rows, of refreshes and of accesses over the shards before a shard.
func (c *cutter) most(number int) (most record.Offsets) {
	for i := range number {
		from, to := &c.cuts[i].Offsets, &c.cuts[i+1].Offsets
		for t := range most.Rows {
			most.Rows[t] = max(most.Rows[t], to.Rows[t]-from.Rows[t])
		}
		most.Refresh = max(most.Refresh, to.Refresh-from.Refresh)
		most.Accesses = max(most.Accesses, to.Accesses-from.Accesses)
	}
	return most
}

// rowsBetween returns the rows between two places, including the rows of calls' work.
func rowsBetween(from, to *record.Offsets) (rows [table.Count]int) {
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

// cuts returns the marks at which shards begin, and the end. Every shard has at least the chunks of one mark.
// Otherwise the last shard gets its part of all cells, including those that a run has once, and the other shards get
// their parts of the remaining cells.
func (o *outcome) cuts(parts []int) []replay.Mark {
	once := 0
	for _, t := range []table.Table{table.Private, table.Boundary} {
		once += o.rows[t] * table.Cells(t)
	}
	count, end := len(parts), len(o.marks)-1
	others := sum(parts[:count-1])
	all := cellsBefore(&o.marks[end]) + once
	left := min(shareOf(all, others, others+parts[count-1]), cellsBefore(&o.marks[end-1])) // for all but the last
	at, cuts := 0, make([]replay.Mark, 1, count+1)
	for i := 1; i < count; i++ {
		want := shareOf(left, sum(parts[:i]), others)
		found := sort.Search(end, func(mark int) bool { return cellsBefore(&o.marks[mark]) >= want })
		at = min(max(found, at+1), end-(count-i))
		cuts = append(cuts, o.marks[at])
	}
	return append(cuts, o.marks[end])
}

// shareOf returns the share of a part in a number of cells.
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

// cellsBefore returns the number of cells of the chunks before a mark.
func cellsBefore(mark *replay.Mark) (total int) {
	for t, n := range rowsBetween(new(record.Offsets), &mark.Offsets) {
		total += n * table.Cells(table.Table(t))
	}
	return total
}
