package replay

import (
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Tally computes the numbers of rows of a proof of a run from the emulator's counts. Its Observe is an observer of the
// emulator: it finds registers whose accesses are so far apart that they need refreshes, and replays only the chunks of
// these accesses.
type Tally struct {
	program   *program.Program
	refreshes uint64
	last      emulator.Chunk // the previous chunk
	// For each register that the last chunk did not access, the chunk of its last access; nil for none.
	away  [program.Registers]*kept
	spare []*kept
	cuts  thinned[emulator.Cut]
}

// kept is a chunk that has the last access to some registers.
type kept struct {
	emulator.Chunk
	copied  []uint64 // a copy of its log, if the log does not stay valid
	start   record.Checkpoint
	waiting int
}

// NewTally returns a tally for a run of a program.
func NewTally(p *program.Program) *Tally {
	return &Tally{program: p, cuts: thinned[emulator.Cut]{spacing: 1}}
}

// Observe counts a chunk.
func (t *Tally) Observe(chunk *emulator.Chunk) error {
	if gone := t.last.Registers &^ chunk.Registers; gone != 0 {
		k := t.keep()
		for ; gone != 0; gone &= gone - 1 {
			t.away[bits.TrailingZeros64(gone)] = k
			k.waiting++
		}
	}
	for back := chunk.Registers &^ t.last.Registers; back != 0; back &= back - 1 {
		if err := t.returned(chunk, bits.TrailingZeros64(back)); err != nil {
			return err
		}
	}
	t.last = *chunk
	if t.cuts.passed() {
		t.cuts.add(t.cutBehind(chunk))
	}
	return nil
}

// cutBehind returns the cut after a chunk.
func (t *Tally) cutBehind(chunk *emulator.Chunk) emulator.Cut {
	return emulator.Cut{Chunk: t.cuts.chunks, Log: chunk.Logged + uint64(len(chunk.Log))}
}

// Cuts returns the cuts at which a run that behaves like this one can be divided, ascending: after every chunk of a
// short run, some hundreds in a long one.
func (t *Tally) Cuts() []emulator.Cut { return t.cuts.list }

// keep returns a copy of the previous chunk that stays valid.
func (t *Tally) keep() *kept {
	k := new(kept)
	if n := len(t.spare); n > 0 {
		k, t.spare = t.spare[n-1], t.spare[:n-1]
	}
	k.Chunk = t.last
	if !k.Lasting() {
		k.copied = append(k.copied[:0], k.Log...)
		k.start = *k.Start
		k.Log, k.Start = k.copied, &k.start
	}
	return k
}

// returned counts the refreshes of a register that the previous chunk did not access.
func (t *Tally) returned(chunk *emulator.Chunk, register int) error {
	k := t.away[register]
	t.away[register] = nil
	last := uint64(0)
	if k != nil {
		if k.waiting--; k.waiting == 0 {
			defer func() { t.spare = append(t.spare, k) }()
		}
		last = 4 * uint64(k.First)
	}
	if refreshes(last, 4*(uint64(chunk.First)+uint64(chunk.Cycles))) == 0 {
		return nil // even the beginning of the earlier chunk and the end of this chunk are near enough
	}
	if k != nil {
		c, err := t.count(&k.Chunk)
		if err != nil {
			return err
		}
		last = 4*uint64(k.First) + uint64(c.last[register]) - 1
	}
	c, err := t.count(chunk)
	t.refreshes += uint64(refreshes(last, 4*uint64(chunk.First)+uint64(c.first[register])-1))
	return err
}

// count replays a chunk.
func (t *Tally) count(chunk *emulator.Chunk) (c counts, err error) {
	g, err := start(t.program, chunk.Start, chunk.Log)
	if err != nil {
		return c, err
	}
	var s step
	for n := range chunk.Cycles {
		if err := g.step(&s); err != nil {
			return c, err
		}
		c.add(&s, n)
	}
	return c, nil
}

// Rows returns the number of rows of every table, for a run with these inputs that has ended.
func (t *Tally) Rows(in memory.Inputs, run *emulator.Result) [table.Count]int {
	rows := instructionRows(t.program, &run.Seen)
	rows[table.Halt] = 1
	for kind, n := range run.Calls {
		if kind.Work != 0 {
			rows[kind.Work] += int(n) * table.RowsOfRecord(kind.Work)
		}
	}
	rows[table.Refresh] = int(t.refreshes)
	rows[table.Boundary] = t.boundaryRows(in, run)
	rows[table.Private] = privateRows(in, run.Memory)
	rows[table.Register] = program.Registers
	rows[table.Image], rows[table.Program] = len(t.program.Image), len(t.program.Rows)
	return rows
}

// instructionRows returns the rows of the tables with a row for each instruction, and of calls, except the end.
func instructionRows(p *program.Program, seen *emulator.Seen) (rows [table.Count]int) {
	for i, n := range seen.Executed {
		if n == 0 {
			continue
		}
		own := p.Rows[p.FirstRow[i]].Table
		if own == table.ECALLS {
			continue
		}
		rows[own] += int(n)
		if seen.Unaligned != nil {
			rows[own] -= int(seen.Unaligned[i])
		}
	}
	rows[table.Unal] = int(seen.Misaligned)
	rows[table.Call] = int(seen.Notes)
	for kind, n := range seen.Calls {
		rows[table.Call] += int(n)
		rows[kind.Table] += int(n)
	}
	return rows
}

// place returns the place after chunks with these counts.
func (t *Tally) place(seen *emulator.Seen) record.Offsets {
	at := record.Offsets{Refresh: uint32(t.refreshes), Accesses: seen.Accesses}
	for i, n := range instructionRows(t.program, seen) {
		at.Rows[i] = uint32(n)
	}
	return at
}

// Times returns the times of the last access to each word of the public output, its length first.
func Times(run *emulator.Result) []uint64 {
	times := make([]uint64, memorymap.Count(run.Output))
	copy(times, run.OutputTimes)
	return times
}

// boundaryRows returns the number of rows of the boundary: words that were accessed or belong to image, public input or
// public output, the words before and after memory, and words between that keep distances within the limit.
func (t *Tally) boundaryRows(in memory.Inputs, run *emulator.Result) int {
	for _, words := range [][]memorymap.Word{
		t.program.Image, memorymap.Words(memorymap.PublicInput, in.Public),
		memorymap.Words(memorymap.PublicOutput, run.Output),
	} {
		for _, w := range words {
			run.Memory.Touch(w.Index)
		}
	}
	rows, last := 1, memorymap.FirstWord-1
	next := func(word uint32) {
		rows += 1 + int((word-last-1)/rv64im.MaxBoundaryGap)
		last = word
	}
	run.Memory.EachTouched(func(first, behind uint32, count int) {
		next(first)
		rows += count - 1
		last = behind
	})
	next(memorymap.EndWord)
	return rows
}

var _ [rv64im.MaxBoundaryGap - memory.PageWords]struct{} // or words of one page may need rows between

// privateRows returns the number of words of the private input up to the last accessed one.
func privateRows(in memory.Inputs, m *memory.Memory) int {
	const base = uint32(memorymap.PrivateInput / memorymap.WordBytes)
	rows := 0
	m.EachTouched(func(_, last uint32, _ int) {
		if n := last - base; n < uint32(memorymap.PrivateRegion/memorymap.WordBytes) {
			rows = int(n) + 1
		}
	})
	return min(rows, memorymap.Count(in.Private))
}
