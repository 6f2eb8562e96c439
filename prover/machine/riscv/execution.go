package riscv

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/statement"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	device "github.com/chiasmus/chiasmus/prover/fill/device/rv64im"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/run"
)

// Execution is one run of a program with its trace, or a shard of it. A device makes every table's records from the
// trace, or the host does when they are first needed.
type Execution struct {
	stated    *outcome // the outcome of the run; of a speculative run that of the previous run
	pending   *liveRun // the run, if its outcome is not known yet
	running   *liveRun // the run, if it may still be running
	instances []circuit.Instance
	own       atomic.Pointer[[]circuit.Instance] // of a speculative run whose instances were not the predicted ones
	boundary  int                                // log height of the boundary's table
	records   *hostRecords                       // the host's records, made on demand
	replayed  func() *device.Run                 // what a device replays; nil if it was released
	recycle   func()                             // gives the trace's memory to the next run
}

// execution returns an execution whose tables have these numbers of rows and are filled from the records that build
// makes.
func (g *guestRun) execution(rows [table.Count]int, build func() (*record.Set, error)) (*Execution, error) {
	e := &Execution{stated: &g.outcome}
	plan, err := choose(rows, g.aim)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", run.ErrTooLarge, err)
	}
	if e.instances, err = g.program.cut(plan, g.minLogHeight); err != nil {
		return nil, err
	}
	e.boundary = max(plan[table.Boundary][0], g.minLogHeight)
	e.records = g.recordsOf(e.boundary, build)
	return e, nil
}

// Device lets a device replay the run into records.
func (e *Execution) Device() machine.DeviceRecords {
	return machine.DeviceRecords{Derive: func() *machine.Derivation { return e.DerivationInGroups() }}
}

// DerivationInGroups describes how a device replays the run into records. It is nil if the trace was released; then
// filling a table returns the reason. For a run that has ended, ends are the ends of additional groups of chunks before
// its own, which does not change the records.
func (e *Execution) DerivationInGroups(ends ...int) *machine.Derivation {
	replayed := e.replayed()
	if replayed == nil {
		return nil
	}
	replayed.Stops = append(slices.Clone(ends), replayed.Stops...)
	return replayed.Derivation()
}

// Release frees trace and records. No table may be filled concurrently or afterwards.
func (e *Execution) Release() {
	e.records.release()
	e.replayed = func() *device.Run { return nil }
	e.recycle()
}

// Rest frees a shard's records until they are needed again. The records of a whole run stay.
func (e *Execution) Rest() { e.records.rest() }

// Synthetic returns a private input of size bytes.
func Synthetic(size int, seed uint64) []byte {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	data := make([]byte, size)
	_, _ = rand.NewChaCha8(key).Read(data) // never fails
	return data
}

// cut lists the instances in the order of proofs. Tables of a program and fixed tables have their own heights.
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
		return nil, fmt.Errorf("%w: %w", run.ErrTooLarge, err)
	}
	return list, nil
}

// Public returns what the run states, or the zero value if it failed.
func (e *Execution) Public() circuit.Public { return e.Stated().Public() }

// Stated returns what the run states, decoded.
func (e *Execution) Stated() *statement.Stated {
	if o := e.outcome(); o != nil {
		return &o.stated
	}
	return new(statement.Stated)
}

// outcome waits for the outcome of the run. It is nil if the run failed.
func (e *Execution) outcome() *outcome {
	if e.pending != nil {
		return e.pending.end()
	}
	return e.stated
}

// Instances returns the instances of every table.
func (e *Execution) Instances() []circuit.Instance {
	if own := e.own.Load(); own != nil {
		return *own
	}
	return e.instances
}

// Records returns the record sets from which devices fill tables: see package fill/device/rv64im. It is nil if they
// cannot be made; then filling a table returns the reason.
func (e *Execution) Records() [][]uint64 {
	if made, err := e.records.get(); err == nil {
		return made.records()
	}
	return nil
}
