package riscv

import (
	"bytes"
	"errors"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
)

// errOtherRun is returned if a program behaves differently with the same inputs.
var errOtherRun = errors.New("riscv: the program ran differently than before with the same inputs")

// outcome is what is known about a run that has ended.
type outcome struct {
	stated   statement.Stated
	rows     [table.Count]int
	accesses uint64           // to words of memory
	chunks   int              // of the trace
	log      uint64           // words in its load log
	private  []byte           // the run's private input
	places   []emulator.Cut   // where it can be cut into parts that are recorded concurrently
	marks    []replay.Mark    // where it can be cut into shards; nil if that was not requested
	trace    *record.Trace    // of a run whose instances were predicted wrongly, for the next attempt to prove it
	most     [table.Count]int // predicted for the next run: at least the run's own rows
	similar  bool             // the previous run had other inputs, and the same length and logged words up to each place
}

// outcomeOf returns the outcome of a run with these counts.
func outcomeOf(in memory.Inputs, result *emulator.Result, tally *replay.Tally) *outcome {
	o := &outcome{stated: state(result, in), rows: tally.Rows(in, result), accesses: result.Accesses, private: in.Private,
		places: tally.Cuts()}
	o.chunks, o.log = int((result.Cycles+record.ChunkCycles-1)/record.ChunkCycles), result.End.Log
	o.stated.Times = replay.Times(result)
	return o
}

// of reports whether a run has this outcome, as far as is known before its records are made.
func (o *outcome) of(result *emulator.Result) bool {
	return result.Cycles == o.stated.Cycles && result.Exit == o.stated.Exit && result.Accesses == o.accesses &&
		result.End.Log == o.log && bytes.Equal(result.Output, o.stated.Output)
}

// before returns the outcome of the last run or of a planned run that had these inputs and was within the limit, or
// nil.
func (p *Program) before(in memory.Inputs, limit uint64) *outcome {
	p.mutex.Lock()
	known := append([]*outcome{p.last}, p.plans...)
	p.mutex.Unlock()
	for _, o := range known {
		if o != nil && (limit == 0 || o.stated.Cycles <= limit) && o.hadInputs(in.Private, in.Public) {
			return o
		}
	}
	return nil
}

// mostPlanned is the number of planned runs whose outcomes are kept: an aggregation plans nodes while it proves others.
const mostPlanned = 4

// rememberPlan keeps the outcome of a planned run while other runs precede its proof.
func (p *Program) rememberPlan(o *outcome) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.plans = append(p.plans, o); len(p.plans) > mostPlanned {
		p.plans = slices.Clone(p.plans[1:])
	}
}

func (p *Program) lastRun() *outcome {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.last
}

func (p *Program) remember(o *outcome) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if last := p.last; last != nil && last.hadInputs(o.private, o.stated.Input) {
		o.similar = last.similar
	} else if last != nil {
		o.similar = o.end() == last.end() && slices.Equal(o.places, last.places)
	}
	o.predict(p.last)
	if last := p.last; last != nil && last.trace != nil {
		p.emulator.Recycle(last.trace)
		last.trace = nil
	}
	p.last = o
}

// predict predicts the rows of the next run: this run's and twice the difference to the previous run's, or the number
// predicted before if that is higher, but at most a sixteenth more than this run's. Too many rows cost memory, and too
// few a second attempt.
func (o *outcome) predict(last *outcome) {
	o.most = o.rows
	if last == nil {
		return
	}
	for t, n := range o.rows {
		const part = 16
		differs := max(n-last.rows[t], last.rows[t]-n)
		o.most[t] = min(max(n+2*differs, last.most[t]), n+n/part+part)
	}
}

// takeTrace returns the trace that was kept with a run's outcome, or nil. The caller owns it.
func (p *Program) takeTrace(o *outcome) (trace *record.Trace) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	trace, o.trace = o.trace, nil
	return trace
}

// hadInputs reports whether the run had these inputs.
func (o *outcome) hadInputs(private, public []byte) bool {
	return bytes.Equal(o.private, private) && bytes.Equal(o.stated.Input, public)
}

// end returns the end of the run as a cut.
func (o *outcome) end() emulator.Cut { return emulator.Cut{Chunk: o.chunks, Log: o.log} }
