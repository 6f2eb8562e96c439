package rv64im

import (
	"cmp"
	"slices"

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
