package absorb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
	circuit "github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/absorb"
	"github.com/chiasmus/chiasmus/prover/fill/host/rv64im/accelerator/acceleratortest"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// examples are calls with all shifts, the first of them of extreme words.
func examples(count int) (calls [][]uint64) {
	random := rand.New(rand.NewPCG(7, 8))
	for i := range count {
		call := make([]uint64, circuit.ReadWords)
		for k := range call {
			switch i {
			case 0: // zeros
			case 1:
				call[k] = ^uint64(0)
			default:
				call[k] = random.Uint64()
			}
		}
		call[0] = uint64(i) % circuit.Shifts
		calls = append(calls, call)
	}
	return calls
}

// zeros is a call that reads zeros, except for the shift.
func zeros(shift uint64) []uint64 {
	call := make([]uint64, circuit.ReadWords)
	call[0] = shift
	return call
}

func refused(t *testing.T, name string, s *acceleratortest.Subject, want ...string) {
	t.Helper()
	if found := s.Broken(); !slices.Equal(found, want) {
		t.Errorf("%s: refused by %q, want %q", name, found, want)
	}
}

// most is the number of calls that fill table Work.
const most = 256 / 24

// Every constraint holds for filled rows: without calls, with some, and with the maximum number; with each shift.
func TestFilledRowsHold(t *testing.T) {
	calls := examples(most)
	for _, n := range []int{0, 1, 5, most} {
		if found := acceleratortest.New(t, Filler, calls[:n]...).Honest(); len(found) > 0 {
			t.Errorf("%d calls: %q", n, found)
		}
	}
	for call := range slices.Chunk(examples(4*circuit.Shifts), circuit.Shifts) {
		if found := acceleratortest.New(t, Filler, call...).Honest(); len(found) > 0 {
			t.Error(found)
		}
	}
}

// No cell of a call is free: every change is refused.
func TestEachCell(t *testing.T) {
	longtest.Only(t)
	for _, call := range examples(circuit.Shifts + 2)[1:] {
		s := acceleratortest.New(t, Filler, call)
		for c, name := range s.Calls.Table.Main {
			if name == "ts" {
				continue // the machine orders times
			}
			cell := &s.Calls.Columns[c][0]
			before := *cell
			if *cell = cell.Add(1); len(s.Broken()) == 0 {
				t.Errorf("shift %d: %s is any", call[0], name)
			}
			*cell = before
		}
	}
	s := acceleratortest.New(t, Filler, examples(3)[2])
	for c, name := range s.Work.Table.Main {
		cell := &s.Work.Columns[c][c%24]
		before := *cell
		if *cell = cell.Add(1); len(s.Broken()) == 0 {
			t.Errorf("table Work, row %d: %s is any", c%24, name)
		}
		*cell = before
	}
}

// Each constraint of a call's row can be violated alone.
func TestConstraintsAreIndependent(t *testing.T) {
	flag := func(s *acceleratortest.Subject, k int, v goldilocks.Element) {
		*s.Calls.Cell(fmt.Sprintf("shift[%d]", k), 0) = v
	}
	tested := map[string]bool{"m is boolean": true, "a number is below 2^32": true}
	alone := func(constraint string, s *acceleratortest.Subject) {
		t.Helper()
		refused(t, constraint, s, constraint)
		tested[constraint] = true
	}
	// With zeros, the limbs do not depend on the flags.
	for k := range circuit.Shifts {
		// Flags of -1, 1 and 1, which add up to 1.
		a, b := 0, 1
		switch {
		case k == 7:
			a, b = 5, 6
		case k > 1:
			a, b = k-1, k+1
		case k == 1:
			a, b = 0, 2
		default:
			a, b = 1, 2
		}
		s := acceleratortest.New(t, Filler, zeros(uint64(a+b-k)))
		for i := range circuit.Shifts {
			flag(s, i, 0)
		}
		flag(s, k, goldilocks.Element(1).Neg())
		flag(s, a, 1)
		flag(s, b, 1)
		alone(fmt.Sprintf("shift[%d] is boolean", k), s)
	}
	s := acceleratortest.New(t, Filler, zeros(5))
	flag(s, 5, 0)
	flag(s, 2, 1)
	flag(s, 3, 1)
	alone("a call has one shift", s)
	s = acceleratortest.New(t, Filler, zeros(0))
	flag(s, 0, 0)
	refused(t, "no shift", s, "a call has one shift")

	s = acceleratortest.New(t, Filler, zeros(0))
	*s.Calls.Cell("read[0]", 0) = 8
	alone("the shift's number", s)
	s = acceleratortest.New(t, Filler, examples(5)[4])
	for i := range 2 * circuit.Words {
		cell := s.Calls.Cell(fmt.Sprintf("read[%d]", 2+i), 0)
		before := *cell
		*cell = cell.Add(1)
		alone(fmt.Sprintf("limb %d of the words", i), s)
		*cell = before
	}
	for _, c := range s.Calls.Table.Constraints {
		if !tested[c.Name] {
			t.Errorf("nothing violates %q alone", c.Name)
		}
	}
}

// Bytes that carry into each other, so that every limb is right, are refused by their lookups.
func TestBytesThatCarry(t *testing.T) {
	longtest.Only(t)
	for shift := range circuit.Shifts {
		call := examples(3)[2]
		call[0] = uint64(shift)
		s := acceleratortest.New(t, Filler, call)
		try := func(low string, more ...string) {
			t.Helper()
			a := s.Calls.Cell(low, 0)
			*a = a.Add(256)
			for _, high := range more {
				b := s.Calls.Cell(high, 0)
				*b = b.Sub(1)
			}
			refused(t, fmt.Sprintf("shift %d, %s", shift, low), s, "B8")
			*a = a.Sub(256)
			for _, high := range more {
				b := s.Calls.Cell(high, 0)
				*b = b.Add(1)
			}
		}
		// Byte p of the words, which is in one limb with byte p + 1.
		name := func(p int) string {
			switch {
			case p < shift:
				return fmt.Sprintf("outside[%d]", p)
			case p < shift+circuit.BlockBytes:
				return fmt.Sprintf("block[%d]", p-shift)
			}
			return fmt.Sprintf("outside[%d]", p-circuit.BlockBytes)
		}
		for p := range 8 * circuit.Words {
			if p%circuit.LimbBytes != circuit.LimbBytes-1 {
				try(name(p), name(p+1))
			}
		}
		for i := range circuit.BlockBytes / circuit.LimbBytes {
			for k := range circuit.LowBytes - 1 {
				try(fmt.Sprintf("state[%d]", circuit.LowBytes*i+k), fmt.Sprintf("state[%d]", circuit.LowBytes*i+k+1))
			}
			for k := range circuit.LimbBytes - 1 {
				try(fmt.Sprintf("mixed[%d]", circuit.LimbBytes*i+k), fmt.Sprintf("mixed[%d]", circuit.LimbBytes*i+k+1))
			}
			try(fmt.Sprintf("state[%d]", circuit.LowBytes*i+circuit.LowBytes-1)) // into the highest, which has no column
		}
	}
}

// claim is the row of a call that reads these words, with the permutation of another one and the columns of a third.
func claim(t *testing.T, read, permuted, own []uint64) *acceleratortest.Subject {
	t.Helper()
	s := acceleratortest.New(t, Filler, permuted)
	written, err := circuit.Kind.Result(permuted)
	if err != nil {
		t.Fatal(err)
	}
	cells := make([]goldilocks.Element, len(s.Calls.Columns)-2-2*len(read)-2*len(written))
	fillCall(cells, own, nil)
	s.Claim(0, read, written, cells)
	return s
}

// A wrong step, with everything that follows from it, is refused by the check of that step.
func TestWrongSteps(t *testing.T) {
	longtest.Only(t)
	for shift := range uint64(circuit.Shifts) {
		call := examples(3)[2]
		call[0] = shift
		refused(t, "the honest claim", claim(t, call, call, call))

		// The block from another byte on.
		for other := range uint64(circuit.Shifts) {
			if other == shift {
				continue
			}
			moved := slices.Clone(call)
			moved[0] = other
			refused(t, fmt.Sprintf("shift %d for %d", other, shift), claim(t, call, moved, moved), "the shift's number")
		}
		for _, beyond := range []uint64{8, 15, 1<<32 - 1} {
			moved := slices.Clone(call)
			moved[0] = beyond
			refused(t, fmt.Sprintf("shift %d for %d", shift, beyond), claim(t, moved, call, call), "the shift's number")
		}

		// Another bit of the block, of the state, and of what no block changes.
		for _, word := range []int{3, 1 + circuit.Words + 3, 1 + circuit.Words + circuit.BlockWords} {
			lie := slices.Clone(call)
			lie[word] ^= 1 << 40
			s := claim(t, call, lie, lie)
			found := s.Broken()
			switch {
			case word == 3:
				refused(t, "another block", s, "limb 5 of the words")
			case word < 1+circuit.Words+circuit.BlockWords:
				refused(t, "another state", s, "B8") // of the highest byte, which the limb determines
			case !slices.Equal(found, []string{"ABSORBF"}):
				t.Errorf("another capacity: refused by %q", found)
			}
		}

		// The permutation of a mixed state with another bit.
		for _, bit := range []int{0, 77, 64*circuit.BlockWords - 1} {
			lie := slices.Clone(call)
			lie[1+circuit.Words+bit/64] ^= 1 << (bit % 64)
			s := claim(t, call, lie, call)
			cell := s.Calls.Cell(fmt.Sprintf("mixed[%d]", bit/8), 0)
			*cell = goldilocks.Element(uint64(*cell) ^ 1<<(bit%8))
			refused(t, fmt.Sprintf("bit %d of the mixed state", bit), s, "B8")
		}
	}
}

// Cells of a call: a change of the tables fails the test.
func TestCellsOfACall(t *testing.T) {
	s := acceleratortest.New(t, Filler)
	const own = circuit.Shifts + circuit.Outside + 102 + 2*circuit.BlockBytes
	if n := len(s.Calls.Table.Main) - 2 - 2*circuit.ReadWords - 2*circuit.StateWords; n != own {
		t.Errorf("a call has %d own columns, want %d", n, own)
	}
	if degree := s.Calls.Table.MaxConstraintDegree(); degree > 2 {
		t.Errorf("constraints have degree %d", degree)
	}
	work := circuit.Kind.Tables.Work
	if cells := circuit.Kind.Tables.Cells + work.Rows*work.Cells; cells != 51824 {
		t.Errorf("a call takes %d cells, without its instruction", cells)
	}
}
