package record

import "github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"

// Place is the number of records of each table, and of accesses, before a chunk.
type Place struct {
	Rows     [table.Count]uint32
	Refresh  uint32
	Accesses uint32
}

// Part returns a set of the chunks between two places: their records and accesses. It does not include what a run has
// once: the end, the boundary, the registers.
func (s *Set) Part(from, to *Place) *Set {
	p := &Set{Cycles: s.Cycles, Exit: s.Exit}
	for t := range table.Table(table.Count) {
		switch lo, hi := from.Rows[t], to.Rows[t]; ShapeOf(t) {
		case ShapePlain:
			p.Plain = s.Plain[lo:hi]
		case ShapeConstant:
			p.Constant = s.Constant[lo:hi]
		case ShapeUnary:
			p.Unary[t] = s.Unary[t][lo:hi]
		case ShapeBinary:
			p.Binary[t] = s.Binary[t][lo:hi]
		case ShapeBranch:
			p.Branch[t] = s.Branch[t][lo:hi]
		case ShapeLoad:
			p.Load[t] = moved(s.Load[t][lo:hi], func(r *Load) { r.Access -= from.Accesses })
		case ShapeStore:
			p.Store[t] = moved(s.Store[t][lo:hi], func(r *Store) { r.Access -= from.Accesses })
		case ShapeCall:
			p.Call[t] = moved(s.Call[t][lo:hi], func(r *Call) { r.Access -= from.Accesses })
		}
	}
	p.Refresh = s.Refresh[from.Refresh:to.Refresh]
	a, lo, hi := &s.Accesses, from.Accesses, to.Accesses
	p.Accesses = Accesses{
		Word:  a.Word[lo:hi],
		Time:  a.Time[lo:hi],
		Mask:  a.Mask[lo:hi],
		Value: a.Value[lo:hi],
		Old:   a.Old[lo:hi],
	}
	n := hi - lo
	p.Accesses.Previous = append(make([]uint32, 0, n+n%2), a.Previous[lo:hi]...) // devices read two as a word
	return p
}

// moved returns changed copies of records.
func moved[R any](records []R, change func(r *R)) []R {
	list := make([]R, len(records))
	copy(list, records)
	for i := range list {
		change(&list[i])
	}
	return list
}

// WithEnds adds to the part what a run has once: the end, the boundary, the registers, the words read from the inputs
// and written to the output.
func (s *Set) WithEnds(part *Set) *Set {
	p := *part
	p.Halt = s.Halt
	p.Registers, p.Touched = s.Registers, s.Touched
	p.OutputTimes, p.Output, p.Private = s.OutputTimes, s.Output, s.Private
	return &p
}
