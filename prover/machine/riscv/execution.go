package riscv

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/device"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instances"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/tables"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Execution is one run of a program, with its trace. Every table's records are made of that on a device, or on the host when
// they are first asked for.
type Execution struct {
	stated    Stated
	public    machine.Public
	instances []machine.Instance
	made      func() (*made, error) // the host's records, made when they are asked for
	replayed  *device.Run           // what a device replays; nil where it cannot, or was let go of
	recycle   func()                // lets the next run have the trace's memory
}

// made is what the host fills tables from, and sends to devices.
type made struct {
	filler  *tables.Filler
	records func() [][]uint64
}

var (
	_ machine.Releaser = (*Execution)(nil)
	_ machine.Derived  = (*Execution)(nil)
)

// Execute runs the program and counts its tables' rows. Data is the private input, Public the public one; a synthetic
// input is Size bytes, drawn from the seed.
func (p *Program) Execute(ctx context.Context, input machine.Input) (machine.Execution, error) {
	if p.guest == nil {
		return nil, errNoGuest
	}
	pool := input.Pool
	if pool == nil {
		pool = parallel.New(0)
	}
	in := inputs(input)
	tally := replay.NewTally(p.guest)
	result, trace, err := p.emulator.Record(ctx, in, emulator.Options{Limit: input.Limit, Observe: tally.Observe})
	if err != nil {
		return nil, err
	}
	rows := tally.Rows(in, result)
	e := &Execution{stated: state(result, in), recycle: sync.OnceFunc(func() { p.emulator.Recycle(trace) })}
	e.stated.times = replay.Times(result)
	e.public = e.stated.public()
	plan, err := instances.Choose(rows)
	if err != nil {
		return nil, err
	}
	if e.instances, err = p.cut(plan, input.MinLogHeight); err != nil {
		return nil, err
	}
	boundary := max(1<<plan[table.Boundary][0], 1<<input.MinLogHeight)
	e.made = sync.OnceValues(func() (*made, error) {
		set, err := replay.Build(ctx, pool, p.guest, in, trace)
		if err != nil {
			return nil, err
		}
		records := sync.OnceValue(func() [][]uint64 { return device.Records(p.guest, set) })
		return &made{tables.NewFiller(p.guest, set, in.Private, boundary), records}, nil
	})
	if rows[table.Call] == 0 {
		e.replayed = &device.Run{Program: p.guest, Inputs: in, Trace: trace, Output: result.Output, Times: e.stated.times}
		e.replayed.Accesses = result.Accesses
		for t, n := range rows {
			e.replayed.Rows[t] = uint64(n)
		}
	}
	return e, nil
}

// Derivation is how a device replays the run into records; nil where accelerators are called, which only the host replays.
func (e *Execution) Derivation() *machine.Derivation {
	if e.replayed == nil {
		return nil
	}
	return e.replayed.Derivation()
}

// Release lets go of trace and records. No table may be filled at the same time, nor afterwards.
func (e *Execution) Release() {
	e.made, e.replayed = func() (*made, error) { return nil, errReleased }, nil
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

// cut lists the instances in the order of proofs. Tables of a program, and those that are fixed, have their own heights.
func (p *Program) cut(plan instances.Plan, minLogHeight int) ([]machine.Instance, error) {
	var list []machine.Instance
	for i, number := range p.declared.Number {
		t := p.declared.Tables[i]
		if number == 0 || number == table.Register || number == table.Image || number == table.Program {
			list = append(list, machine.Instance{Table: i, LogHeight: t.PreprocessedLogHeight})
			continue
		}
		for _, logHeight := range plan[number] {
			list = append(list, machine.Instance{Table: i, LogHeight: max(logHeight, minLogHeight)})
		}
	}
	machine.SortInstances(list)
	if err := p.machine.CheckInstances(list); err != nil {
		return nil, fmt.Errorf("the run does not fit one proof: %w", err)
	}
	return list, nil
}

// Public is what the run states.
func (e *Execution) Public() machine.Public { return e.public }

// Stated is the same, taken apart.
func (e *Execution) Stated() *Stated { return &e.stated }

// Instances are those of every table.
func (e *Execution) Instances() []machine.Instance { return e.instances }

// Records are those that devices fill tables from: see package device. There are none where they cannot be made: then filling a
// table says why.
func (e *Execution) Records() [][]uint64 {
	if made, err := e.made(); err == nil {
		return made.records()
	}
	return nil
}
