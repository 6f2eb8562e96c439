package replay

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// allocate makes the slices of the set, with the lengths after the last chunk.
func (b *builder) allocate() {
	end := &b.starts[len(b.starts)-1]
	s := b.set
	s.Cycles = b.trace.Cycles()
	for t := range table.Table(table.Count) {
		n := end.rows[t]
		switch record.ShapeOf(t) {
		case record.ShapePlain:
			s.Plain = make([]record.Plain, n)
		case record.ShapeConstant:
			s.Constant = make([]record.Constant, n)
		case record.ShapeUnary:
			s.Unary[t] = make([]record.Unary, n)
		case record.ShapeBinary:
			s.Binary[t] = make([]record.Binary, n)
		case record.ShapeBranch:
			s.Branch[t] = make([]record.Branch, n)
		case record.ShapeLoad:
			s.Load[t] = make([]record.Load, n)
		case record.ShapeStore:
			s.Store[t] = make([]record.Store, n)
		case record.ShapeHalt:
			s.Halt = make([]record.Halt, n)
		case record.ShapeCall:
			s.Call[t] = make([]record.Call, n)
		}
	}
	s.Refresh = make([]record.Refresh, end.refresh)
	n := end.accesses
	s.Accesses = record.Accesses{
		Word: make([]uint32, n), Time: make([]uint64, n), Mask: make([]uint8, n), Value: make([]uint64, n),
		Previous: make([]uint64, n), Old: make([]uint64, n),
	}
}

// emit makes the second pass over chunk k, which writes its records.
func (b *builder) emit(k int) error {
	at := b.starts[k]
	b.emitRefreshes(k)
	return b.walk(k, func(s *step, _ uint32) {
		var previous [4]uint32 // in the order of the step's accesses
		for i, r := range s.registers[:s.registerCount] {
			previous[i] = uint32(at.clock[r.register])
			at.clock[r.register] = 4*uint64(s.cycle) + uint64(r.slot)
		}
		b.emitStep(s, &at, previous)
		for _, w := range s.words[:s.wordCount] {
			a := &b.set.Accesses
			a.Word[at.accesses], a.Time[at.accesses] = w.word, 4*uint64(s.cycle)+uint64(w.slot)
			a.Mask[at.accesses], a.Value[at.accesses] = w.mask, w.value
			at.accesses++
		}
	})
}

// emitStep writes the record of an instruction and counts its row.
func (b *builder) emitStep(s *step, at *place, previous [4]uint32) {
	set, t := b.set, s.table
	row := at.rows[t]
	at.rows[t]++
	switch record.ShapeOf(t) {
	case record.ShapePlain:
		set.Plain[row] = record.Plain{Cycle: s.cycle, Row: s.row}
	case record.ShapeConstant:
		set.Constant[row] = record.Constant{Cycle: s.cycle, Row: s.row, PreviousD: previous[0], Old: s.old}
	case record.ShapeUnary:
		r := record.Unary{
			Cycle:     s.cycle,
			Row:       s.row,
			Previous1: previous[0],
			PreviousD: previous[1],
			A:         s.a,
			Old:       s.old,
			Result:    s.result,
		}
		if s.registerCount == 1 { // in place
			r.Previous1, r.PreviousD = 0, previous[0]
		}
		set.Unary[t][row] = r
	case record.ShapeBinary:
		set.Binary[t][row] = record.Binary{
			Cycle: s.cycle, Row: s.row, Previous1: previous[0], Previous2: previous[1], PreviousD: previous[2],
			A: s.a, B: s.b, Old: s.old, Result: s.result,
		}
	case record.ShapeBranch:
		set.Branch[t][row] = record.Branch{
			Cycle:     s.cycle,
			Row:       s.row,
			Previous1: previous[0],
			Previous2: previous[1],
			A:         s.a,
			B:         s.b,
		}
	case record.ShapeLoad:
		set.Load[t][row] = record.Load{
			Cycle: s.cycle, Row: s.row, Previous1: previous[0], PreviousD: previous[1],
			Base: uint32(s.a), Access: at.accesses, Old: s.old, Result: s.result,
		}
	case record.ShapeStore:
		set.Store[t][row] = record.Store{
			Cycle:     s.cycle,
			Row:       s.row,
			Previous1: previous[0],
			Previous2: previous[1],
			Base:      uint32(s.a),
			Access:    at.accesses,
			B:         s.b,
		}
	case record.ShapeHalt:
		set.Halt[row] = record.Halt{Cycle: s.cycle, Row: s.row, Previous1: previous[0], Previous2: previous[1], Exit: s.b}
		set.Exit = s.b // there is one
	case record.ShapeCall:
		call := record.Call{
			Cycle:     s.cycle,
			Row:       s.row,
			Code:      uint32(s.a),
			Arguments: s.arguments,
			Previous:  previous,
			Access:    at.accesses,
		}
		set.Call[t][row] = call
		if s.call == nil {
			break
		}
		set.Call[s.call.Table][at.rows[s.call.Table]] = call
		at.rows[s.call.Table]++
	}
}

// emitRefreshes writes the refreshes that chunk k needs.
func (b *builder) emitRefreshes(k int) {
	at, checkpoint := &b.starts[k], &b.trace.Checkpoints[k]
	place := at.refresh
	if b.starts[k+1].refresh == place {
		return
	}
	before := b.clockBefore(k)
	for r, last := range before {
		for ; last != at.clock[r]; last += refreshGap {
			value := uint64(0)
			if r > 0 {
				value = checkpoint.X[r%program.Sink]
			}
			b.set.Refresh[place] = record.Refresh{Index: uint32(r), Previous: last, Value: value}
			place++
		}
	}
}

// clockBefore returns the clock before chunk k and its refreshes: the time of every register's last access in an
// earlier chunk.
func (b *builder) clockBefore(k int) (before clock) {
	if k == 0 {
		return b.clock
	}
	before = b.starts[k-1].clock
	before.pass(&b.counts[k-1], b.trace.Checkpoints[k-1].Cycle, func(int, uint64, uint32) {})
	return before
}

// checkCalls checks that the words of calls are those from which their results were computed.
func (b *builder) checkCalls() error {
	a := &b.set.Accesses
	for _, c := range b.set.Call[table.Call] {
		kind := all.ByCode(uint64(c.Code))
		if kind == nil { // a note
			continue
		}
		read := append(kind.AppendNumbers(nil, c.Arguments), a.Old[c.Access:][:kind.Words()]...)
		written, err := kind.Result(read)
		if err != nil {
			return err
		}
		for i, word := range written {
			if at := int(c.Access) + kind.Words() - len(written) + i; a.Value[at] != word {
				return b.mismatch(uint32(at))
			}
		}
	}
	return nil
}
