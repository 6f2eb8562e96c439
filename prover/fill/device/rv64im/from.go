package rv64im

import (
	"cmp"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// clock returns the time of each register's last access before the trace.
func (r *Run) clock() []uint64 {
	if r.From != nil {
		return r.From.Clock()
	}
	return slices.Repeat([]uint64{4 * uint64(r.Late)}, program.Registers)
}

// known returns an access for each word that is known before the trace. For a shard with the boundary, these are also
// the words that were not accessed before.
func (r *Run) known() []wordAccess {
	if r.From == nil {
		return r.initial()
	}
	var others []wordAccess
	if r.Part.Ends {
		others = r.initial()
		slices.SortFunc(others, func(a, b wordAccess) int { return cmp.Compare(a.Word, b.Word) })
	}
	list := make([]wordAccess, 0, len(others)+len(r.From.Known()))
	for _, w := range r.From.Known() {
		for len(others) > 0 && others[0].Word < w.Word {
			list, others = append(list, others[0]), others[1:]
		}
		if len(others) > 0 && others[0].Word == w.Word {
			others = others[1:]
		}
		list = append(list, wordAccess{Word: w.Word, Time: w.Last, Mask: 0xff, Role: rolePlain, Value: w.Value})
	}
	return append(list, others...)
}

// privateRows returns the words of the private input as their table has them before the trace: words that were not
// accessed have index 0.
func (r *Run) privateRows() []memorymap.Word {
	rows, known := memorymap.Words(memorymap.PrivateInput, r.Inputs.Private)[:r.Private], r.From.Known()
	for i := range rows {
		if !isKnown(known, rows[i].Index) {
			rows[i].Index = 0
		}
	}
	return rows
}

// isKnown reports whether a word is in a list that is sorted by words.
func isKnown(list []record.Touched, word uint32) bool {
	_, ok := slices.BinarySearchFunc(list, word, func(t record.Touched, w uint32) int { return cmp.Compare(t.Word, w) })
	return ok
}

// fromFirst returns the checkpoints of a part with the words of the load log counted from its first.
func fromFirst(list []record.Checkpoint) []record.Checkpoint {
	first := list[0].Log
	if first == 0 {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		list[i].Log -= first
	}
	return list
}
