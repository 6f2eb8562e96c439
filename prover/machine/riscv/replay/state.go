package replay

import (
	"slices"
	"sort"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// State is the state before a part of a run from which the part's records can be made: the checkpoint there, the time
// of each register's last access, and the contents of words of memory with the time of each word's last access. These
// are the words that the part accesses; if the program ends with the part, they are all words accessed before. Any part
// can be replayed alone, in memory for the part. A [Ledger] makes the states of a run.
type State struct {
	program *program.Program
	inputs  memory.Inputs
	initial []memorymap.Word // words with initial contents at time 1, by word

	at       record.Checkpoint
	clock    clock
	accessed []record.Touched // words that were accessed or have initial contents, by word
	words    int              // number of words that the part accesses; 0 if that is unknown
}

// Begin returns the state before the first cycle of a program with these inputs.
func Begin(p *program.Program, in memory.Inputs) *State {
	s := &State{program: p, inputs: in, at: record.Checkpoint{PC: uint32(p.File.Entry), Cycle: 1}}
	s.initial = slices.Clone(p.Image)
	s.initial = append(s.initial, memorymap.Words(memorymap.PrivateInput, in.Private)...)
	s.initial = append(s.initial, memorymap.Words(memorymap.PublicInput, in.Public)...)
	slices.SortFunc(s.initial, compareWords)
	return s
}

// Delay moves the beginning of the run to after this number of cycles. Registers were last accessed just before it, and
// memory was never accessed.
func (s *State) Delay(cycles uint32) {
	s.at.Cycle += cycles
	for r := range s.clock {
		s.clock[r] += 4 * uint64(cycles)
	}
}

// before returns the contents of a word and the time of its last access.
func (s *State) before(word uint32) record.Touched {
	if i, ok := search(s.accessed, word); ok {
		return s.accessed[i]
	}
	t := record.Touched{Word: word}
	n := sort.Search(len(s.initial), func(n int) bool { return s.initial[n].Index >= word })
	if n < len(s.initial) && s.initial[n].Index == word {
		t.Last, t.Value = 1, s.initial[n].Value
	}
	return t
}

// At returns the checkpoint before the part.
func (s *State) At() *record.Checkpoint { return &s.at }

// Clock returns the time of each register's last access.
func (s *State) Clock() []uint64 { return s.clock[:] }

// Known returns the words of memory in the state, by word: their contents and the times of their last accesses.
func (s *State) Known() []record.Touched { return s.accessed }

// Words returns the number of words that the part accesses, including those not in Known; 0 if unknown.
func (s *State) Words() int { return s.words }

// merged returns the words of both lists, by word. A word of the second list replaces the same word of the first.
func merged(first, second []record.Touched) []record.Touched {
	if len(first) == 0 {
		return second
	}
	list := make([]record.Touched, 0, len(first)+len(second))
	for _, t := range second {
		for len(first) > 0 && first[0].Word < t.Word {
			list, first = append(list, first[0]), first[1:]
		}
		if len(first) > 0 && first[0].Word == t.Word {
			first = first[1:]
		}
		list = append(list, t)
	}
	return append(list, first...)
}
