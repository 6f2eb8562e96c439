package replay_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// joined concatenates the records of consecutive parts.
func joined(parts []*record.Set) *record.Set {
	s := new(record.Set)
	for _, p := range parts {
		before := uint32(s.Accesses.Len())
		s.Plain, s.Constant = append(s.Plain, p.Plain...), append(s.Constant, p.Constant...)
		s.Halt, s.Refresh = append(s.Halt, p.Halt...), append(s.Refresh, p.Refresh...)
		for t := range table.Count {
			s.Unary[t], s.Binary[t] = append(s.Unary[t], p.Unary[t]...), append(s.Binary[t], p.Binary[t]...)
			s.Branch[t] = append(s.Branch[t], p.Branch[t]...)
			for _, r := range p.Load[t] {
				r.Access += before
				s.Load[t] = append(s.Load[t], r)
			}
			for _, r := range p.Store[t] {
				r.Access += before
				s.Store[t] = append(s.Store[t], r)
			}
			for _, r := range p.Call[t] {
				r.Access += before
				s.Call[t] = append(s.Call[t], r)
			}
		}
		a, b := &s.Accesses, &p.Accesses
		a.Word, a.Time, a.Mask = append(a.Word, b.Word...), append(a.Time, b.Time...), append(a.Mask, b.Mask...)
		a.Value, a.Old = append(a.Value, b.Value...), append(a.Old, b.Old...)
		a.Previous = append(a.Previous, b.Previous...)
		s.Cycles, s.Exit, s.Registers, s.Touched = p.Cycles, p.Exit, p.Registers, p.Touched
		s.OutputTimes, s.Output, s.Private = p.OutputTimes, p.Output, p.Private
	}
	return s
}

// same reports whether two sets have equal records: an empty slice is nil.
func same(a, b *record.Set) bool {
	return reflect.DeepEqual(joined([]*record.Set{a}), joined([]*record.Set{b}))
}

// built are the records of a part.
func built(t *testing.T, placed *replay.Placed) *record.Set {
	t.Helper()
	set, err := placed.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The records of a run's parts, each made from the state before it, equal the run's.
func TestParts(t *testing.T) {
	for _, s := range slices.Concat(subjects(), guests(t), calls(t)) {
		p := riscvtest.Load(t, s.elf)
		_, trace, err := emulator.Record(t.Context(), p, s.inputs, emulator.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pool, n := parallel.New(2), trace.Chunks()
		whole, err := replay.Build(t.Context(), pool, p, s.inputs, trace)
		if err != nil {
			t.Fatal(err)
		}
		for _, cuts := range [][]int{{0, n}, {0, n / 2, n}, {0, 1, n / 3, n - 1, n}} {
			if cuts = slices.Compact(cuts); !slices.IsSorted(cuts) {
				continue // a short run
			}
			var parts, alone []*record.Set
			tape, err := emulator.New(p).Tape(s.inputs)
			if err != nil {
				t.Fatal(err)
			}
			ledger := replay.NewLedger(p, s.inputs, 0)
			for i, from := range cuts[:len(cuts)-1] {
				part, ends := trace.Part(from, cuts[i+1]), cuts[i+1] == n
				cut := emulator.Cut{Chunk: cuts[i+1], Log: part.Checkpoints[part.Chunks()].Log}
				if _, err := tape.Next(t.Context(), cut); err != nil {
					t.Fatal(err)
				}
				accessed := tape.Accessed()
				placed, err := ledger.Place(t.Context(), pool, part, accessed, ends)
				if err != nil {
					t.Fatal(err)
				}
				parts = append(parts, built(t, placed))
				if placed, err = placed.State().Place(t.Context(), pool, part, ends); err != nil {
					t.Fatal(err)
				}
				alone = append(alone, built(t, placed))
				if state := placed.State(); !ends && (state.Words() != len(accessed) || len(state.Known()) > len(accessed)) {
					t.Errorf("%s: a state of %d words of %d, of a part that accesses %d", s.name, len(state.Known()), state.Words(),
						len(accessed))
				}
			}
			tape.Close()
			if !same(joined(parts), whole) || !same(joined(alone), whole) {
				t.Errorf("%s: the records of the parts between %v are not the run's", s.name, cuts)
			}
		}
		if n < 3 {
			continue
		}
		if _, err := replay.Begin(p, s.inputs).Place(t.Context(), pool, trace.Part(1, n), true); err == nil {
			t.Errorf("%s: a part is replayed from another state", s.name)
		}
		if _, err := replay.Begin(p, s.inputs).Place(t.Context(), pool, trace.Part(0, n-1), true); err == nil {
			t.Errorf("%s: a part that does not end is replayed as one that does", s.name)
		}
		if _, err := replay.Begin(p, s.inputs).Place(t.Context(), pool, trace, false); err == nil {
			t.Errorf("%s: a run that ends is replayed as one that does not", s.name)
		}
	}
}
