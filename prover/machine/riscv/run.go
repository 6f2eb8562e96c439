package riscv

import (
	"context"
	"fmt"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Run runs the program, and cuts the run into shards. Data is the private input, and Public the public input; a
// synthetic input is Size bytes, sampled from the seed.
//
// The outcome of a run with the inputs of the previous run is known before it begins. Run returns its shards at once,
// while the program is running: filling the tables of a shard waits until the run has passed the end of the shard, and
// returns the error if the run ends early. A planned run keeps no trace: allocating the pages for the trace of 67
// million cycles takes a fresh process longer than the run. The outcome of the next run with the same inputs is then
// known.
func (p *Program) Run(ctx context.Context, input run.Input) (*run.Run, error) {
	if p.guest == nil {
		return nil, errNoGuest
	}
	if input.Synthetic() && (input.Size < 0 || input.Size > memorymap.MaxPrivateBytes) {
		return nil, fmt.Errorf("riscv: a synthetic input of %d bytes, want 0 to %d", input.Size, memorymap.MaxPrivateBytes)
	}
	g := p.newGuestRun(input)
	if end := input.Cut.WhileRunning(); end != nil {
		return p.newStream(g, end).start(ctx, input.Limit), nil
	}
	if input.Speculate && input.Cut.Whole() && !input.Plan {
		if r, err := p.speculate(ctx, g, input.Limit); r != nil || err != nil {
			return r, err
		}
	}
	o, trace := p.before(g.in, input.Limit), (*record.Trace)(nil)
	if o != nil && input.Cut.Whole() && !input.Plan {
		trace = p.takeTrace(o)
	}
	if o == nil || o.marks == nil && !input.Cut.Whole() {
		var err error
		if o, trace, err = p.observe(ctx, g.in, input); err != nil {
			return nil, err
		}
	}
	c := &cutter{guestRun: g}
	if err := c.cut(o, input.Cut); err != nil {
		return nil, err
	}
	switch {
	case input.Plan: // no trace
	case trace != nil && !c.apart():
		c.trace = &streamedTrace{trace: trace}
	default:
		c.trace = p.again(ctx, o, c.ends())
	}
	r, _, err := c.run(ctx)
	return r, err
}

// observe runs the program and remembers the outcome, with the places of possible cuts unless the run stays whole. It
// returns the trace too, unless the run is planned or certainly cut into shards that are recorded one by one.
func (p *Program) observe(ctx context.Context, in memory.Inputs, input run.Input) (o *outcome, trace *record.Trace,
	err error) {
	var marks *replay.Marks
	tally := replay.NewTally(p.guest)
	options := emulator.Options{Limit: input.Limit, Note: input.Note, Observe: tally.Observe}
	if !input.Cut.Whole() {
		marks = replay.NewMarks(p.guest)
		tally, options.Observe = &marks.Tally, marks.Observe
	}
	var result *emulator.Result
	if input.Plan || input.Cut.Certain() > fewShards {
		options.Observe = reporting(input.Progress, options.Observe)
		result, err = p.emulator.Run(ctx, in, options)
	} else {
		result, trace, err = p.emulator.Record(ctx, in, options)
	}
	if err != nil {
		return nil, nil, err
	}
	o = outcomeOf(in, result, tally)
	o.delay(p.late)
	if marks != nil {
		o.marks = marks.List(result)
	}
	p.remember(o)
	if input.Plan {
		p.rememberPlan(o)
	}
	return o, trace, nil
}

// reporting calls progress with the cycles of each chunk before it is observed; a nil progress is not called.
func reporting(progress func(uint64), observe func(*emulator.Chunk) error) func(*emulator.Chunk) error {
	if progress == nil {
		return observe
	}
	return func(c *emulator.Chunk) error {
		progress(uint64(c.Cycles))
		return observe(c)
	}
}

// guestRun is a run that has ended, or whose outcome is known.
type guestRun struct {
	program      *Program
	in           memory.Inputs
	pool         *parallel.Pool
	minLogHeight int
	aim          circuit.Aim
	outcome
}

func (p *Program) newGuestRun(input run.Input) *guestRun {
	g := &guestRun{program: p, in: inputs(input), pool: input.Pool, minLogHeight: input.MinLogHeight,
		aim: input.Aim}
	if g.pool == nil {
		g.pool = parallel.New(0)
	}
	return g
}

// replayed describes what a device replays of a run with these rows and accesses: its trace up to the last stop, with
// this number of words in the load log.
func (g *guestRun) replayed(trace *streamedTrace, stops []int, log uint64, rows *[table.Count]int,
	accesses uint64) *device.Run {
	chunks := stops[len(stops)-1]
	d := g.known(rows, accesses)
	d.Chunks, d.Log, d.Stops = chunks, log, stops
	if trace.trace != nil {
		d.Trace = delayed(trace.trace.Part(0, chunks), d.Late)
	} else {
		f := trace.start()
		d.PartEnds, d.Before = f.stopsUpTo(chunks), f.before
	}
	return d
}

// known returns what is known, apart from its trace, of a run with these rows and accesses that a device replays.
func (g *guestRun) known(rows *[table.Count]int, accesses uint64) *device.Run {
	d := &device.Run{
		Program:  g.program.guest,
		Inputs:   g.in,
		Pool:     g.pool,
		Output:   g.stated.Output,
		Times:    g.stated.Times,
		Accesses: accesses,
		Private:  uint64(g.rows[table.Private]),
		Late:     g.program.late,
		Known:    uint64(g.rows[table.Private] + g.rows[table.Boundary]),
	}
	for t, n := range rows {
		d.Rows[t] = uint64(n)
	}
	return d
}
