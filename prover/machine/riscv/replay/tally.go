package replay

import (
	"math/bits"
	"sync/atomic"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// Tally counts what a proof of a run would have, while it runs: its Observe is an observer of the emulator.
type Tally struct {
	program *program.Program
	rows    [table.Count]uint64
	clock   clock
	touched bitmap
	private uint32 // words of the private input up to the last that was accessed

	// Ops counts instructions.
	Ops [instruction.OpCount]uint64
	// Each, where it is set, is called for every instruction, with the index of its code and the cells of its rows.
	Each func(index uint32, cells int)
}

// NewTally is a tally of a program with these inputs.
func NewTally(p *program.Program, in memory.Inputs) *Tally {
	t := &Tally{program: p}
	for _, w := range p.Image {
		t.touched.add(w.Index)
	}
	for _, w := range memory.Words(memory.PublicInput, in.Public) {
		t.touched.add(w.Index)
	}
	return t
}

// Observe counts a chunk.
func (t *Tally) Observe(chunk *emulator.Chunk) error {
	g, err := start(t.program, &chunk.Start, chunk.Log)
	if err != nil {
		return err
	}
	var c counts
	var s step
	for n := range chunk.Cycles {
		index := g.index
		if err := g.step(&s); err != nil {
			return err
		}
		c.add(&s, n)
		t.Ops[s.code.Op]++
		if t.Each != nil {
			t.Each(index, cells(&s))
		}
		for _, w := range s.words[:s.wordCount] {
			t.touch(w.word)
		}
	}
	for i, n := range c.rows {
		t.rows[i] += uint64(n)
	}
	t.clock.pass(&c, chunk.Start.Cycle, func(_ int, _, n uint32) { t.rows[table.Refresh] += uint64(n) })
	return nil
}

// cells are those of an instruction's rows.
func cells(s *step) int {
	n := table.Cells(s.table)
	if s.call != nil {
		n += table.Cells(s.call.Table) + table.RowsOfRecord(s.call.Work)*table.Cells(s.call.Work)
	}
	return n
}

func (t *Tally) touch(word uint32) {
	t.touched.add(word)
	const first = uint32(memory.PrivateInput / memory.WordBytes)
	if n := word - first; n < uint32(memory.PrivateRegion/memory.WordBytes) {
		t.private = max(t.private, n+1)
	}
}

// Rows is the number of rows of every table, for a run whose result has been reached. in and output are those of
// the run.
func (t *Tally) Rows(in memory.Inputs, output []byte) [table.Count]int {
	for _, w := range memory.Words(memory.PublicOutput, output) {
		t.touched.add(w.Index)
	}
	var rows [table.Count]int
	for i, n := range t.rows {
		rows[i] = int(n)
	}
	for i := range rows {
		if work, ok := table.WorkOf(table.Table(i)); ok {
			rows[i] = work.Rows * rows[work.Calls]
		}
	}
	rows[table.Boundary] = boundaryRows(&t.touched)
	rows[table.Private] = int(min(t.private, uint32(len(memory.Words(memory.PrivateInput, in.Private)))))
	rows[table.Register] = program.Registers
	rows[table.Image], rows[table.Program] = len(t.program.Image), len(t.program.Rows)
	return rows
}

// boundaryRows is the number of rows of the boundary: touched words, the word before and behind memory,
// and so many between that no distance is too large.
func boundaryRows(b *bitmap) int {
	rows, last := 1, memory.FirstWord-1
	next := func(word uint32) {
		rows += 1 + int((word-last-1)/record.MaxBoundaryGap)
		last = word
	}
	b.each(next)
	next(memory.EndWord)
	return rows
}

// bitmap is a set of words, in parts that exist where a word of them was added. Words may be added at the same time.
type bitmap struct {
	parts [1 << 14]atomic.Pointer[[1 << 9]atomic.Uint64] // of 2^15 words each
}

func (b *bitmap) add(word uint32) {
	part := &b.parts[word>>15%uint32(len(b.parts))]
	if part.Load() == nil {
		part.CompareAndSwap(nil, new([1 << 9]atomic.Uint64))
	}
	set, bit := &part.Load()[word>>6%(1<<9)], uint64(1)<<(word&63)
	if set.Load()&bit == 0 {
		set.Or(bit)
	}
}

// each calls visit for every word, ascending.
func (b *bitmap) each(visit func(word uint32)) {
	for i := range b.parts {
		part := b.parts[i].Load()
		if part == nil {
			continue
		}
		for k := range part {
			for set := part[k].Load(); set != 0; set &= set - 1 {
				visit(uint32(i)<<15 | uint32(k)<<6 | uint32(bits.TrailingZeros64(set)))
			}
		}
	}
}
