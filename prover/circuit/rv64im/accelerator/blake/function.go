package blake

import (
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// A Function is a compression function of the family.
type Function struct {
	Name  string // of the accelerator
	Table string // of calls; the name of the rounds' table has the suffix F
	Code  uint32

	Limbs     int       // of 32 bits in a word: 1 or 2
	Rotations [4]int    // to the right, of a quarter round
	IV        [4]uint64 // words 8 to 11 of the first state
	Schedule  [][16]int // for each round, the indices of the block's words in the order of the quarter rounds
	Feed      bool      // the result is also combined with the chaining value by exclusive or
	Cells     Cells     // of rows
	Instances int       // the largest number of instances of the rounds' table
}

// Cells are the committed cells of a call's row, and of a row of rounds.
type Cells struct{ Call, Round int }

// Sizes.
const (
	LimbBits  = 32
	limbBytes = LimbBits / 8
	Words     = 16 // of a state, and of a block
	Quarters  = 8  // quarter rounds in a round: four of columns, four of diagonals
)

// Rounds returns the number of rounds.
func (f *Function) Rounds() int { return len(f.Schedule) }

func (f *Function) bits() int { return LimbBits * f.Limbs }

// Bytes returns the number of bytes in a word.
func (f *Function) Bytes() int { return limbBytes * f.Limbs }

// Kind returns the accelerator. In words of the function, a0 has the chaining value (8 words), which the result
// replaces, a1 the block (16 words), and a2 the last four words of the first state.
func (f *Function) Kind() accelerator.Kind {
	memoryWords := func(n int) int { return n * f.Limbs / 2 }
	return accelerator.Kind{
		Name: f.Name,
		Code: f.Code,
		Operands: []accelerator.Operand{
			{Argument: 2, Words: memoryWords(4), Slot: 0},
			{Argument: 1, Words: memoryWords(16), Slot: 1},
			{Argument: 0, Words: memoryWords(8), Slot: 2, Writes: true},
		},
		Compute: f.compute,
		Tables: table.Accelerator{
			Calls: f.Table, Cells: f.Cells.Call,
			Work: &table.Work{Name: f.Table + "F", Cells: f.Cells.Round, Rows: f.Rounds(), Instances: f.Instances},
		},
		Declare: f.declare,
	}
}

// ReadWords returns the number of words of memory that a call reads, which hold 28 words of the function.
func (f *Function) ReadWords() int { return 28 * f.Limbs / 2 }

// Inputs returns the first state and the block of a call, given the words that it reads.
func (f *Function) Inputs(read []uint64) (state, block [Words]uint64) {
	list := f.unpack(read)
	copy(state[12:], list[:4])
	copy(block[:], list[4:20])
	copy(state[:8], list[20:28])
	copy(state[8:12], f.IV[:])
	return state, block
}

// unpack splits words of memory into words of the function.
func (f *Function) unpack(memory []uint64) []uint64 {
	if f.Limbs == 2 {
		return memory
	}
	list := make([]uint64, 0, 2*len(memory))
	for _, w := range memory {
		list = append(list, w&(1<<LimbBits-1), w>>LimbBits)
	}
	return list
}

func (f *Function) compute(written, read []uint64) error {
	state, block := f.Inputs(read)
	chaining := [8]uint64(state[:])
	for r := range f.Rounds() {
		f.Round(&state, f.Scheduled(r, &block))
	}
	var result [8]uint64
	for i := range result {
		result[i] = state[i] ^ state[i+8]
		if f.Feed {
			result[i] ^= chaining[i]
		}
	}
	if f.Limbs == 2 {
		copy(written, result[:])
		return nil
	}
	for i := range written {
		written[i] = result[2*i] | result[2*i+1]<<LimbBits
	}
	return nil
}

// Scheduled returns the words of the block in the order of a round.
func (f *Function) Scheduled(round int, block *[Words]uint64) (m [Words]uint64) {
	for i, k := range f.Schedule[round] {
		m[i] = block[k]
	}
	return m
}

// Quarter holds the values that a quarter round computes, in this order, except d1 and d2, which are rotations of x1
// and x3.
type Quarter struct{ a1, x1, c1, x2, b1, a2, x3, c2, x4, b2 uint64 }

// lanes returns the indices of the state's words that quarter round i changes.
func lanes(i int) (a, b, c, d int) {
	if i < 4 {
		return i, 4 + i, 8 + i, 12 + i
	}
	j := i - 4
	return j, 4 + (j+1)%4, 8 + (j+2)%4, 12 + (j+3)%4
}

// Round computes a round on v. m is the block in the round's order.
func (f *Function) Round(v *[Words]uint64, m [Words]uint64) (list [Quarters]Quarter) {
	for i := range list {
		a, b, c, d := lanes(i)
		q := &list[i]
		q.a1 = f.Cut(v[a] + v[b] + m[2*i])
		q.x1 = v[d] ^ q.a1
		q.c1 = f.Cut(v[c] + f.Turned(q.x1, 0))
		q.x2 = v[b] ^ q.c1
		q.b1 = f.Turned(q.x2, 1)
		q.a2 = f.Cut(q.a1 + q.b1 + m[2*i+1])
		q.x3 = f.Turned(q.x1, 0) ^ q.a2
		q.c2 = f.Cut(q.c1 + f.Turned(q.x3, 2))
		q.x4 = q.b1 ^ q.c2
		q.b2 = f.Turned(q.x4, 3)
		v[a], v[b], v[c], v[d] = q.a2, q.b2, q.c2, f.Turned(q.x3, 2)
	}
	return list
}

// Cut reduces x modulo 2^32 or 2^64, the size of a word.
func (f *Function) Cut(x uint64) uint64 { return x & (^uint64(0) >> (64 - f.bits())) }

// Turned returns x rotated to the right by rotation number n.
func (f *Function) Turned(x uint64, n int) uint64 {
	return f.Cut(x>>f.Rotations[n] | x<<(f.bits()-f.Rotations[n]))
}

// whole reports whether rotation number n moves whole bytes.
func (f *Function) whole(n int) bool { return f.Rotations[n]%8 == 0 }

// moves maps the next round's order of the block to this round's: word i of the next round is word moves[i] of this
// round.
func (f *Function) moves(round int) (moves [Words]int) {
	for i, k := range f.Schedule[round+1] {
		moves[i] = slices.Index(f.Schedule[round][:], k)
	}
	return moves
}

// families returns the families of columns in a row of rounds, in the order of the columns.
func (f *Function) families() []family {
	half, whole := 4*f.Limbs, 4*f.Bytes()
	list := []family{
		{"time", 1}, {"place", f.Rounds()}, {"a", half}, {"b", whole}, {"c", half}, {"d", whole}, {"m", Words * f.Limbs},
	}
	for _, name := range f.steps() {
		list = append(list, family{name, Quarters * f.Bytes()})
	}
	return list
}

// family is a name and the number of columns with that name.
type family struct {
	name  string
	count int
}

// steps returns the names of the values of a quarter round that have columns. A rotation by whole bytes has none.
func (f *Function) steps() []string {
	if f.whole(1) {
		return []string{"a1", "x1", "c1", "x2", "a2", "x3", "c2", "x4", "b2"}
	}
	return []string{"a1", "x1", "c1", "x2", "b1", "a2", "x3", "c2", "x4", "b2"}
}

// StepsOf returns the values of a quarter round that have columns, in the order of the columns.
func (f *Function) StepsOf(q *Quarter) []uint64 {
	if f.whole(1) {
		return []uint64{q.a1, q.x1, q.c1, q.x2, q.a2, q.x3, q.c2, q.x4, q.b2}
	}
	return []uint64{q.a1, q.x1, q.c1, q.x2, q.b1, q.a2, q.x3, q.c2, q.x4, q.b2}
}

// check panics if the circuit does not support the function's limbs or rotations.
func (f *Function) check() {
	switch aligned := f.whole(0) && f.whole(2) && !f.whole(3); {
	case f.Limbs != 1 && f.Limbs != 2, !aligned:
		panic(fmt.Sprintf("blake: %s has %d limbs and rotations by %d", f.Name, f.Limbs, f.Rotations))
	case f.Limbs == 2 && (!f.whole(1) || f.Rotations[3] != 63):
		panic(fmt.Sprintf("blake: %s rotates words of 64 bits by %d", f.Name, f.Rotations))
	case f.Limbs == 1 && max(f.Rotations[1], f.Rotations[3]) > 16:
		panic(fmt.Sprintf("blake: %s rotates words of 32 bits by %d", f.Name, f.Rotations))
	}
}

// inverse returns the inverse of 2^k - 1.
func inverse(k int) goldilocks.Element {
	return goldilocks.Element(2).Exp(uint64(k)).Sub(1).Inverse()
}
