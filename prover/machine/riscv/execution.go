package riscv

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	host "github.com/chiasmus/chiasmus/prover/fill/host/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Execution is one run of a program, with its trace. Every table's records are made of that on a device, or on the host
// when they are first asked for.
type Execution struct {
	stated     *outcome // what the run came to; where it is foretold, what the one before came to
	goesOn     *flight  // a run whose outcome is waited for
	foretold   bool     // from the one before; else it is a shard of a run that goes on
	beside     *flight  // the run, where it goes on beside what is done with it
	instances  []circuit.Instance
	last       bool                  // of a run in shards
	end        int                   // of a shard, in cycles of the run
	unanswered []circuit.Message     // of a shard before
	made       func() (*made, error) // the host's records, made when they are asked for
	replayed   func() *device.Run    // what a device replays; nil where it was let go of
	recycle    func()                // lets the next run have the trace's memory
}

// made is what the host fills tables from, and sends to devices.
type made struct {
	filler  *host.Filler
	records func() [][]uint64
}

var (
	_ machine.Releaser = (*Execution)(nil)
	_ machine.Derived  = (*Execution)(nil)
	_ machine.Foretold = (*Execution)(nil)
	_ machine.Timed    = (*Execution)(nil)
)

// Execute runs the program and counts its tables' rows. Data is the private input, Public the public one; a synthetic
// input is Size bytes, drawn from the seed.
//
// A run with the inputs of the one before, or of the one that Plan made, is known before it begins. It goes on beside
// what is done with the execution, which waits for it when its tables are filled; what ends it early is the error then.
// Where the input lets it be foretold, another run does so too, with the instances of the one before.
func (p *Program) Execute(ctx context.Context, input machine.Input) (machine.Execution, error) {
	if p.guest == nil {
		return nil, errNoGuest
	}
	r := p.newRun(input)
	if input.Foretell {
		if e, err := p.foretell(ctx, r, input.Limit); e != nil || err != nil {
			return e, err
		}
	}
	var trace *coming
	if o := p.before(r.in, input.Limit); o != nil {
		r.outcome, trace = *o, p.again(ctx, o, []emulator.Cut{o.end()})
	} else {
		tally := replay.NewTally(p.guest)
		result, recorded, err := p.emulator.Record(ctx, r.in, emulator.Options{
			Limit: input.Limit, Observe: tally.Observe, Note: input.Note})
		if err != nil {
			return nil, err
		}
		r.outcome = *outcomeOf(r.in, result, tally)
		trace = &coming{trace: recorded, stops: []int{r.chunks}}
		p.remember(&r.outcome)
	}
	e, err := r.whole(ctx, trace)
	if err != nil {
		return nil, err
	}
	e.replayed = func() *device.Run { return r.replayed(trace, trace.stops, r.log, &r.rows, r.accesses) }
	return e, nil
}

// whole is the execution of all of a run.
func (r *run) whole(ctx context.Context, trace *coming) (*Execution, error) {
	e, err := r.execution(r.rows, func() (*record.Set, error) {
		whole, err := trace.whole()
		if err != nil {
			return nil, err
		}
		return replay.Build(ctx, r.pool, r.program.guest, r.in, whole)
	})
	if err == nil {
		e.beside = trace.flight
		e.recycle = sync.OnceFunc(func() { trace.recycle(r.program.emulator) })
	}
	return e, err
}

// coming is a trace that is there, or comes with a run that goes on.
type coming struct {
	trace  *record.Trace // nil where it comes
	flight *flight
	stops  []int // the ends of the groups of chunks in which a device replays it, where those are known
}

// whole waits for all of it.
func (c *coming) whole() (*record.Trace, error) {
	if c.trace != nil {
		return c.trace, nil
	}
	trace, _, err := c.flight.before(c.flight.stops[len(c.flight.stops)-1].chunk)
	return trace, err
}

// recycle lets the next run have its memory.
func (c *coming) recycle(e *emulator.Emulator) {
	if whole, err := c.whole(); err == nil {
		e.Recycle(whole)
	}
}

// run is a run that has ended, or whose outcome is known.
type run struct {
	program      *Program
	in           memory.Inputs
	pool         *parallel.Pool
	minLogHeight int
	compact      bool
	outcome
}

func (p *Program) newRun(input machine.Input) *run {
	r := &run{program: p, in: inputs(input), pool: input.Pool, minLogHeight: input.MinLogHeight,
		compact: input.Compact}
	if r.pool == nil {
		r.pool = parallel.New(0)
	}
	return r
}

// replayed is what a device replays of a run, which has these rows and accesses: its trace, up to the last of the stops
// and with so many words of the load log.
func (r *run) replayed(trace *coming, stops []int, log uint64, rows *[table.Count]int, accesses uint64) *device.Run {
	chunks := stops[len(stops)-1]
	d := &device.Run{
		Program:  r.program.guest,
		Inputs:   r.in,
		Chunks:   chunks,
		Log:      log,
		Stops:    stops,
		Output:   r.stated.Output,
		Times:    r.stated.Times,
		Accesses: accesses,
		Private:  uint64(r.rows[table.Private]),
		Known:    uint64(r.rows[table.Private] + r.rows[table.Boundary]),
	}
	for t, n := range rows {
		d.Rows[t] = uint64(n)
	}
	if trace.trace != nil {
		d.Trace = &record.Trace{Checkpoints: trace.trace.Checkpoints[:chunks+1], Log: trace.trace.Log[:log]}
	} else {
		d.Comes, d.Before = trace.flight.comes(chunks), trace.flight.before
	}
	return d
}

// execution is one with so many rows of each table, which are filled from the records that build makes.
func (r *run) execution(rows [table.Count]int, build func() (*record.Set, error)) (*Execution, error) {
	e := &Execution{stated: &r.outcome}
	plan, err := choose(rows, r.compact)
	if err != nil {
		return nil, err
	}
	if e.instances, err = r.program.cut(plan, r.minLogHeight); err != nil {
		return nil, err
	}
	guest, boundary := r.program.guest, max(plan[table.Boundary][0], r.minLogHeight)
	e.made = sync.OnceValues(func() (*made, error) {
		set, err := build()
		if err != nil {
			return nil, err
		}
		records := sync.OnceValue(func() [][]uint64 { return device.Records(guest, set) })
		filler, err := host.NewFiller(guest, set, r.in.Private, boundary)
		return &made{filler, records}, err
	})
	if rows[table.Boundary] == 0 {
		e.unanswered, err = host.UntouchedAsks(r.program.Declared(), boundary)
	}
	return e, err
}

// Derivation is how a device replays the run into records; nil where the trace was let go of: then filling a table says
// why.
func (e *Execution) Derivation() *machine.Derivation { return e.DerivationInGroups() }

// DerivationInGroups is the same of a run that has ended, in groups of chunks with these ends and behind them; the
// records are alike.
func (e *Execution) DerivationInGroups(ends ...int) *machine.Derivation {
	run := e.replayed()
	if run == nil {
		return nil
	}
	run.Stops = append(slices.Clone(ends), run.Stops...)
	return run.Derivation()
}

// Release lets go of trace and records. No table may be filled at the same time, nor afterwards.
func (e *Execution) Release() {
	e.made, e.replayed = func() (*made, error) { return nil, errReleased }, func() *device.Run { return nil }
	e.recycle()
}

// Synthetic is a private input of so many bytes.
func Synthetic(size int, seed uint64) []byte {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	data := make([]byte, size)
	_, _ = rand.NewChaCha8(key).Read(data) // never fails
	return data
}

// cut lists the instances in the order of proofs. Tables of a program, and those that are fixed, have their own
// heights.
func (p *Program) cut(plan instances.Plan, minLogHeight int) ([]circuit.Instance, error) {
	var list []circuit.Instance
	for i, number := range p.Declared().Number {
		t := p.Declared().Tables[i]
		if number == 0 || number == table.Register || number == table.Image || number == table.Program {
			list = append(list, circuit.Instance{Table: i, LogHeight: t.PreprocessedLogHeight})
			continue
		}
		for _, logHeight := range plan[number] {
			list = append(list, circuit.Instance{Table: i, LogHeight: max(logHeight, minLogHeight)})
		}
	}
	circuit.SortInstances(list)
	if err := p.Machine().CheckInstances(list); err != nil {
		return nil, fmt.Errorf("the run does not fit one proof: %w", err)
	}
	return list, nil
}

// Public is what the run states; nothing where it failed.
func (e *Execution) Public() circuit.Public { return e.Stated().Public() }

// Stated is the same, taken apart.
func (e *Execution) Stated() *statement.Stated {
	if o := e.outcome(); o != nil {
		return &o.stated
	}
	return new(statement.Stated)
}

// outcome is what the run came to, for which it is waited; nil where it failed.
func (e *Execution) outcome() *outcome {
	if e.goesOn != nil {
		return e.goesOn.end()
	}
	return e.stated
}

// Ran waits for the end of a run that goes on, and says how long that took.
func (e *Execution) Ran() time.Duration {
	if e.beside == nil {
		return 0
	}
	e.beside.end()
	return e.beside.took
}

// Foretold reports whether no more is known than the instances of the run before, and gives a statement as long as its
// own.
func (e *Execution) Foretold() (like circuit.Public, ok bool) {
	if !e.foretold {
		return like, false
	}
	return e.stated.stated.Public(), true
}

// Last reports whether it is the last shard of a run, whose end and boundary count.
func (e *Execution) Last() bool { return e.last }

// End is how many cycles the run has up to a shard's end.
func (e *Execution) End() int { return e.end }

// Unanswered is what the boundary of a shard before the last asks, which does not count.
func (e *Execution) Unanswered() []circuit.Message { return e.unanswered }

// Instances are those of every table.
func (e *Execution) Instances() []circuit.Instance { return e.instances }

// Records are those that devices fill tables from: see package device. There are none where they cannot be made: then
// filling a table says why.
func (e *Execution) Records() [][]uint64 {
	if made, err := e.made(); err == nil {
		return made.records()
	}
	return nil
}
