package emulator

import (
	"context"
	"sync"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator/native"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// As many runners as there are parts of a run begin it at once, and each records one part. Which one is decided while
// they run: a part is for the last that comes to its begin, as all others can still take one behind it. So the slowest
// take the first parts, and those for which there is most to go ahead are recorded by the fastest.
//
// For cores are not equally fast. Those of a virtual machine are threads of the host's, whose other threads belong to
// others: a core whose other thread works runs a guest half as fast, and stays so for some milliseconds or for seconds,
// which nothing here can tell before.

// race is who runs for the parts of a run.
type race struct {
	emulator *Emulator
	in       memory.Inputs
	parts    []*part

	mutex  sync.Mutex
	coming []int // by part: the runners that have not come to its begin and took none before
	err    error // of one that failed on the way
}

// runner runs a guest up to the begin of a part, and records that.
type runner struct {
	race     *race
	first    bool // whose part is the first
	recorder *native.Code
	bare     *native.Code // for what comes before; nil of the first
	pattern  *native.Pattern
}

// newRace is one of which the first part is taken, and as many come to all others.
func newRace(e *Emulator, in memory.Inputs, parts []*part) *race {
	r := &race{emulator: e, in: in, parts: parts, coming: make([]int, len(parts))}
	parts[0].taken = true
	for i := range parts[1:] {
		r.coming[i+1] = len(parts) - 1
	}
	return r
}

// runners are those for parts, with translations: those that are missing each makes like the first one's, while that
// goes on.
func (e *Emulator) runners(in memory.Inputs, parts []*part) (list []*runner) {
	r := newRace(e, in, parts)
	first := &runner{race: r, first: true, recorder: e.take()}
	list, pattern := append(list, first), first.recorder.Pattern()
	for range parts[1:] {
		list = append(list, &runner{race: r, recorder: e.takeIdle(), bare: e.takeFrom(&e.bare), pattern: pattern})
	}
	return list
}

// begin has runners run. When all have ended, so have all parts: what nobody took ends with the error of who could
// have.
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

// run goes ahead to the begin of the part that the runner takes, and records it.
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

// start is the guest at the run's begin.
func (r *runner) start(e *Emulator) *machine {
	m := newMachine(e.program, e.uses, r.race.in, new(record.Trace))
	m.aside = new([logSize]uint64)
	return m
}

// record records a part, at whose begin the guest is.
func (r *runner) record(ctx context.Context, m *machine, p *part) {
	defer close(p.done)
	m.seen.restart()
	m.native, m.trace, m.before = r.recorder, &p.trace, p.from.Log
	p.machine, p.recorder = m, r.recorder
	p.err = p.record(ctx)
}

// translate makes the translations that are missing, side by side.
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

// ahead runs the guest up to a cut.
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

// take is asked by who has come to the begin of a part, and reports whether it is for him: it is where fewer come yet
// than are needed for that part and those before it which nobody has taken.
func (r *race) take(number int) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.coming[number]--
	needed := 0
	for _, p := range r.parts[1 : number+1] {
		if !p.taken {
			needed++
		}
	}
	if r.parts[number].taken || r.coming[number] >= needed {
		return false
	}
	r.parts[number].taken = true
	for i := number + 1; i < len(r.coming); i++ {
		r.coming[i]--
	}
	return true
}

// fail is told by who takes no part.
func (r *race) fail(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.err = err
}
