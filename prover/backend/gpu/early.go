package gpu

import (
	"errors"
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// Of a table with several instances all but the last are full before the execution ends. While that goes on, a device
// that makes its records fills those that are full and extends their columns, in the time in which it would wait for
// the execution. What counting and LogUp read of them is kept before, where it is kept anyway: behind the auxiliary
// columns, which are there from then on. Which columns are extended when changes nothing of what they are.

// earlyCells is how many cells an instance has at least that is extended early: more than there are, as long as that is
// not faster (see docs/prover.md). Tests lower it.
var earlyCells = math.MaxInt

// mayBeEarly reports of each instance whether it may be full while the execution goes on.
func mayBeEarly(shape *backend.Shape) (may []bool, some bool) {
	may = make([]bool, len(shape.Instances))
	if shape.Machine.Deriver == nil || !shape.Present(backend.Auxiliary) {
		return may, false
	}
	for i, instance := range shape.Instances {
		table := shape.Table(i)
		follows := i+1 < len(may) && shape.Instances[i+1].Table == instance.Table
		fills := table.Device != nil && table.Device.RecordWords != 0
		may[i] = follows && fills && len(table.Main)<<instance.LogHeight >= earlyCells
		some = some || may[i]
	}
	return may, some
}

// early is what is needed to extend instances while the execution goes on.
type early struct {
	may    []bool // by instance
	memory *extensionMemory
}

// takeEarly takes memory for it where an instance may be full so soon: that of the auxiliary columns and of what is
// kept with them, which is theirs from then on, and working memory.
func (p *proof) takeEarly(scope *cuda.Scope) (e *early, err error) {
	may, some := mayBeEarly(p.shape)
	if !some || p.lean {
		return nil, nil
	}
	if err := p.takeKept(backend.Main); err != nil {
		return nil, err
	}
	e = &early{may: may}
	if e.memory, err = takeExtension(scope, p.shape, backend.Main, p.lean); err != nil {
		return e, err
	}
	return e, p.sendKeptNumbers(p.phases[backend.Main], e.memory)
}

// giveBack gives all of that memory back, for a proof whose execution needs the room. Nothing has been extended.
func (p *proof) giveBack(e *early) error {
	main := p.phases[backend.Main]
	main.kept, main.keptHeights = nil, nil
	err := errors.Join(p.kept.End(), p.scopes[backend.Auxiliary].End(), p.arena.Return(e.memory.coefficients))
	p.kept, p.phases[backend.Auxiliary] = p.arena.Scope("kept columns"), nil
	return err
}

// extendFull fills and extends the instances of which all records are final, behind a part of an execution that goes
// on.
func (p *proof) extendFull(memory *traceMemory, d *machine.Derivation) error {
	e := memory.early
	if e == nil || d.Final == nil {
		return nil
	}
	status, errStatus := p.download(memory.status)
	behind, errBehind := p.download(memory.sets[d.Final.Set].All())
	if err := errors.Join(errStatus, errBehind); err != nil {
		return err
	}
	if status[0] != ^uint64(0) {
		return nil // records may be missing: the end says what was found
	}
	own, words := p.phases[backend.Main], d.Final.Words(behind)
	now := map[int]bool{}
	for i, may := range e.may {
		filler, end := p.shape.Table(i).Device, machine.FirstRow(p.shape.Instances, i)+p.rows(i)
		if !may || memory.full[i] || words[filler.Records[0]] < end*filler.RecordWords {
			continue
		}
		now[i], memory.full[i] = true, true
		p.device.Meter.ExtendedEarly()
		read, err := memory.recordsOf(filler)
		if err != nil {
			return err
		}
		read[0].words = end * filler.RecordWords
		if err := p.fillJoined([]int{i}, read); err != nil {
			return fmt.Errorf("table %s: %w", p.shape.Table(i).Name, err)
		}
	}
	if len(now) == 0 {
		return nil
	}
	return p.keepAndExtend(own, e.memory, own.unextended(p.shape, backend.Main, func(i int) bool { return now[i] }))
}
