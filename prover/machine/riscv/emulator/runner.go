package emulator

import (
	"context"
	"sync"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator/internal/native"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// There is one runner for each part of a run. All runners start the run at once, and each records one part. The
// assignment is decided while they run: the last runner that reaches the start of a part takes it, because all others
// can still take a later part. So the slowest runners take the first parts, and the fastest runners record the last
// parts, before which they have to run ahead the furthest.
//
// The reason is that cores are not equally fast. The cores of a virtual machine are hardware threads of the host, and
// the sibling thread of a core may belong to another tenant. While the sibling is busy, a core runs a guest half as
// fast, for some milliseconds or for seconds. A process cannot predict this.

// race is the state that the runners of a run share.
type race struct {
	emulator *Emulator
	in       memory.Inputs
	parts    []*part

	mutex       sync.Mutex
	approaching []int // by part: the runners that have neither reached its start nor taken an earlier part
	err         error // of a runner that failed before it took a part
}

// runner runs a guest up to the start of a part, and records the part.
type runner struct {
	race     *race
	first    bool // whether it records the first part
	recorder *native.Code
	bare     *native.Code // for running ahead; nil for the first runner
	pattern  *native.Pattern
}

// newRace returns a race in which the first part is taken, and every other runner has yet to reach the other parts.
func newRace(e *Emulator, in memory.Inputs, parts []*part) *race {
	r := &race{emulator: e, in: in, parts: parts, approaching: make([]int, len(parts))}
	parts[0].taken = true
	for i := range parts[1:] {
		r.approaching[i+1] = len(parts) - 1
	}
	return r
}

// runners returns the runners for the parts, with their translations. Each runner makes its missing translations after
// the pattern of the first runner's, while the first runner is running.
func (e *Emulator) runners(in memory.Inputs, parts []*part) (list []*runner) {
	r := newRace(e, in, parts)
	first := &runner{race: r, first: true, recorder: e.take()}
	list, pattern := append(list, first), first.recorder.Pattern()
	for range parts[1:] {
		list = append(list, &runner{race: r, recorder: e.takeIdle(), bare: e.takeFrom(&e.bare), pattern: pattern})
	}
	return list
}

// begin starts the runners. Once all runners have ended, all parts are done: a part that no runner took ends with the
// error of a runner that could have taken it.
func begin(ctx context.Context, runners []*runner) {
	var all sync.WaitGroup
	for _, r := range runners {
		all.Go(func() { r.run(ctx) })
	}
	go func() {
		all.Wait()
		race := runners[0].race
		for _, p := range race.parts {
			if !p.taken {
				p.err = race.err
				close(p.done)
			}
		}
	}()
}

func (e *Emulator) takeBack(runners []*runner) {
	for i := len(runners) - 1; i >= 0; i-- {
		e.giveBack(runners[i].recorder)
		e.giveTo(&e.bare, runners[i].bare)
	}
}

// run runs ahead to the start of the part that the runner takes, and records the part.
func (r *runner) run(ctx context.Context) {
	e, parts := r.race.emulator, r.race.parts
	if r.first {
		r.record(ctx, r.start(e), parts[0])
		return
	}
	r.translate()
	m := r.start(e)
	for number := 1; number < len(parts); number++ {
		if err := r.ahead(ctx, m, parts[number].from); err != nil {
			r.race.fail(err)
			return
		}
		if r.race.take(number) {
			r.record(ctx, m, parts[number])
			return
		}
	}
}

// start returns the guest at the start of the run.
func (r *runner) start(e *Emulator) *machine {
	m := e.newMachine(r.race.in, new(record.Trace))
	m.aside = new([logSize]uint64)
	return m
}

// record records a part. The guest must be at its start.
func (r *runner) record(ctx context.Context, m *machine, p *part) {
	defer close(p.done)
	m.seen.restart()
	m.native, m.trace, m.before = r.recorder, &p.trace, p.from.Log
	p.machine, p.recorder = m, r.recorder
	p.err = p.record(ctx)
}

// translate makes the missing translations concurrently.
func (r *runner) translate() {
	var recorder sync.WaitGroup
	if r.recorder == nil {
		recorder.Go(func() { r.recorder = r.pattern.New(false) })
	}
	if r.bare == nil {
		r.bare = r.pattern.New(true)
	}
	recorder.Wait()
}

// ahead runs the guest up to a cut without keeping its log.
func (r *runner) ahead(ctx context.Context, m *machine, to Cut) error {
	m.native, m.log = r.bare, m.aside
	for end := uint64(to.Chunk)*record.ChunkCycles + 1; m.cycle < end; {
		if m.halted {
			return ErrOtherRun
		}
		if ctx.Err() != nil {
			return m.stopped(ctx)
		}
		if err := m.chunk(min(chunksBetweenChecks*record.ChunkCycles, end-m.cycle)); err != nil {
			return err
		}
		m.logged = 0
	}
	return nil
}

// take is called by a runner that has reached the start of a part, and reports whether the runner takes the part. It
// does if fewer runners are still to come than are needed for this part and the untaken parts before it.
func (r *race) take(number int) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.approaching[number]--
	needed := 0
	for _, p := range r.parts[1 : number+1] {
		if !p.taken {
			needed++
		}
	}
	if r.parts[number].taken || r.approaching[number] >= needed {
		return false
	}
	r.parts[number].taken = true
	for i := number + 1; i < len(r.approaching); i++ {
		r.approaching[i]--
	}
	return true
}

// fail records the error of a runner that takes no part.
func (r *race) fail(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.err = err
}
