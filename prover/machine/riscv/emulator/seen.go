package emulator

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator/internal/native"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// Seen holds the statistics of a run. Together with the set of touched words in its memory, they determine the size of
// a proof's tables, except for the number of registers that were not accessed for a long time.
type Seen struct {
	Executed   []uint64 // number of executions of each code
	Unaligned  []uint64 // number of misaligned accesses of each code; nil if there were none
	Misaligned uint64   // total number of misaligned accesses
	Calls      map[*accelerator.Kind]uint64
	Notes      uint64
	Accesses   uint64 // number of accesses to aligned words
	// OutputTimes holds the time of the last access to each word of the public output's region, up to the last word that
	// was accessed.
	OutputTimes []uint64
}

// seen holds the statistics of a run that is still running.
type seen struct {
	Seen
	executed []uint64 // excluding executions in translated blocks
	entered  []uint64 // number of entries to and exits from blocks; nil if everything is interpreted
	calls    []uint64 // number of calls of each accelerator, in the order of all.Kinds()
	crossed  uint64   // number of stores that cross into a second word
}

func (s *seen) start(codes, kinds int, m *memory.Memory) {
	s.executed, s.entered, s.calls = make([]uint64, codes), native.Entered(m, codes), make([]uint64, kinds)
}

// restart resets the counts at the start of a part of a run. Times are kept.
func (s *seen) restart() {
	clear(s.executed)
	clear(s.calls)
	s.crossed = 0
	s.Seen = Seen{OutputTimes: s.OutputTimes}
}

// add adds the counts of the preceding part of a run.
func (s *Seen) add(before *Seen) {
	for i, n := range before.Executed {
		s.Executed[i] += n
	}
	for i, n := range before.Unaligned {
		if s.Unaligned == nil {
			s.Unaligned = make([]uint64, len(before.Unaligned))
		}
		s.Unaligned[i] += n
	}
	for kind, n := range before.Calls {
		s.Calls[kind] += n
	}
	s.Notes += before.Notes
	s.Misaligned += before.Misaligned
	s.Accesses += before.Accesses
}

// misalign counts a misaligned access by a code.
func (s *seen) misalign(index uint32) {
	if s.Unaligned == nil {
		s.Unaligned = make([]uint64, len(s.executed))
	}
	s.Unaligned[index]++
	s.Misaligned++
}

// output records an access to a word of the public output's region.
func (s *seen) output(word uint32, time uint64) {
	for uint32(len(s.OutputTimes)) <= word {
		s.OutputTimes = append(s.OutputTimes, 0)
	}
	s.OutputTimes[word] = time
}

// upTo returns the statistics up to now, with the given number of words logged.
func (s *seen) upTo(p *program.Program, code *native.Code, logged uint64) Seen {
	sum := s.Seen
	sum.Executed = slices.Clone(s.executed)
	code.Count(s.entered, sum.Executed)
	sum.Calls = map[*accelerator.Kind]uint64{}
	for i, k := range all.Kinds() {
		if n := s.calls[i]; n > 0 {
			sum.Calls[k] = n
		}
	}
	sum.Accesses = logged + s.crossed
	for i, n := range sum.Executed {
		if n > 0 && p.Code[i].Op.Store() {
			sum.Accesses += n
		}
	}
	return sum
}

// uses returns the set of registers that each code of a program accesses. For ECALL, these are the registers that all
// calls access.
func uses(p *program.Program) []uint64 {
	list := make([]uint64, len(p.Code))
	for i := range p.Code {
		c := &p.Code[i]
		if c.Op == instruction.Illegal {
			continue
		}
		rd, rs1, rs2 := uint64(1)<<c.Rd, uint64(1)<<c.Rs1, uint64(1)<<c.Rs2
		switch t := p.Rows[p.FirstRow[i]].Table; record.ShapeOf(t) {
		case record.ShapePlain:
		case record.ShapeConstant:
			list[i] = rd
		case record.ShapeUnary, record.ShapeLoad:
			list[i] = rs1 | rd
		case record.ShapeBinary:
			list[i] = rs1 | rs2 | rd
		case record.ShapeBranch, record.ShapeStore:
			list[i] = rs1 | rs2
		default:
			list[i] = 1<<10 | 1<<17
		}
		switch { // these access fewer registers than the shape suggests
		case c.Op == instruction.AddIn:
			list[i] = rd
		case c.Op == instruction.Indir || c.Op == instruction.IfZero || c.Op == instruction.IfOther:
			list[i] = rs1
		}
	}
	return list
}
