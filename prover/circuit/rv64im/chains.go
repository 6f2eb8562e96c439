package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// The tables that begin and end the chains of tokens: of the state, of each register, of each word of memory.

const (
	registerA7 = 17
	registerA0 = 10

	// exitCall is the value of a7 in the ECALL that ends the program.
	exitCall = 93
)

// Halt has the columns of HALT.
type Halt[T any] struct {
	Header[T]
	Exit       Limbs[T] `column:"e0 e1"`
	PreviousA7 T        `column:"pts1"`
	PreviousA0 T        `column:"pts2"`
}

// halt declares HALT, the ECALL that ends the program: it receives the state and produces none. The verifier receives
// the end once, so exactly one row is active, and with it the chain of states is one from the entry to this row: every
// other instruction produces a state, and a cycle of states would need about p rows.
func (b *buses) halt() *row {
	r, c := newInstruction[Halt[expr]](b, table.Halt)
	r.Instances(1, 1)
	a7 := pair{r.Constant(exitCall), r.zero()}
	r.state.Consume(r.Builder, r.m, state{r.pc, r.ts})
	r.isOf(r.Constant(uint64(table.ECALLS)), operands[expr]{})
	r.access(r.Constant(registerA7), c.PreviousA7, r.ts, a7, a7)
	r.access(r.Constant(registerA0), c.PreviousA0, r.ts.AddConstant(1), c.Exit, c.Exit)
	r.end.Call(r.Builder, r.m, end{r.ts, c.Exit.Low, c.Exit.High})
	return r
}

const (
	registers       = 33 // with the sink
	registerLogRows = 8
)

// Final has the columns of REG: the last token of a register.
type Final[T any] struct {
	Last  T        `column:"fts"`
	Value Limbs[T] `column:"lo hi"`
}

// registerFile declares REG, the first and the last token of each register: all begin with 0 at time 0. Row i is
// register i; the remaining rows are unused. Every access raises the time by 1 to 2^20 as an integer, and all accesses
// together by less than p, so no chain of tokens is a cycle. Hence there is one chain from the first to the last token,
// in the order of time.
func (b *buses) registerFile() *row {
	r, c := newRow[Final[expr]](b, table.Register)
	r.Heights(registerLogRows, registerLogRows)
	idx, sel := r.Preprocessed("idx"), r.Preprocessed("sel")
	r.FillPreprocessed(fillRegisterNumbers)
	r.register.Produce(r.Builder, sel, register{idx, r.zero(), r.zero(), r.zero()})
	r.register.Consume(r.Builder, sel, register{idx, c.Last, c.Value.Low, c.Value.High})
	return r
}

// fillRegisterNumbers writes REG's preprocessed columns.
func fillRegisterNumbers(columns [][]goldilocks.Element) {
	number(columns[0])
	for i := range registers {
		columns[1][i] = 1
	}
}

// refreshGap is the amount by which REFRESH raises a token's time: the most that one lookup allows.
const refreshGap = 1 << 20

// Refresh has the columns of REFRESH.
type Refresh[T any] struct {
	M        T
	Index    T        `column:"idx"`
	Value    Limbs[T] `column:"lo hi"`
	Previous T        `column:"pts"`
}

// refresh declares REFRESH: a register's token 2^20 later, where accesses are further apart than a lookup reaches.
func (b *buses) refresh() *row {
	r, c := newRow[Refresh[expr]](b, table.Refresh)
	r.Instances(0, air.MaxInstances)
	r.AssertBoolean("m is boolean", c.M)
	r.register.Consume(r.Builder, c.M, register{c.Index, c.Previous, c.Value.Low, c.Value.High})
	r.register.Produce(r.Builder, c.M,
		register{c.Index, c.Previous.AddConstant(refreshGap), c.Value.Low, c.Value.High})
	return r
}

// boundaryLogRows is the least log height of the boundary. 2^29 words with gaps of at most 2^20 need at most 512 rows
// between touched words.
const boundaryLogRows = 10

// Boundary has the columns of MB: a word, the number of words between it and the next row's word, and its last token.
type Boundary[T any] struct {
	Word  T        `column:"w"`
	Gap   T        `column:"d"`
	Last  T        `column:"fts"`
	Value Limbs[T] `column:"lo hi"`
}

// boundary declares MB, the first and the last token of each word that was touched, in order: w rises by 1 + d from WB
// - 1, which nothing touches, to WT. So each word has one token at time 0, and its accesses are a chain as for
// registers. Initial contents are accesses at time 1.
func (b *buses) boundary() *row {
	r, c := newRow[Boundary[expr]](b, table.Boundary)
	r.Heights(boundaryLogRows, maxLogHeight)
	w, fts, one := c.Word, c.Last, r.one()
	r.WhenTransition().AssertEqual("words are in order", w.Next(), w.Add(c.Gap).AddConstant(1))
	r.WhenFirst().AssertEqual("the first word is the one before memory", w, r.Constant(uint64(memorymap.FirstWord)-1))
	r.WhenFirst().AssertZero("nothing touches it", fts)
	r.WhenLast().AssertEqual("the last word is the one behind memory", w, r.Constant(uint64(memorymap.EndWord)))
	r.WhenLast().AssertZero("nothing touches that either", fts)
	r.memory.Produce(r.Builder, one, word{w, r.zero(), r.zero(), r.zero()})
	r.memory.Consume(r.Builder, one, word{w, fts, c.Value.Low, c.Value.High})
	r.range20.Ask(r.Builder, one, inRange{c.Gap})
	return r
}

// image declares IMAGE, the program's initial contents of memory: writes at time 1 that consume a word's token of time
// 0, so that no word begins with other contents.
func (b *buses) image(logHeight int, fill fillColumns) *row {
	r := b.newTable(table.Image.String(), table.Image)
	r.Heights(minLogHeight, maxProgramLogHeight)
	w, lo, hi, sel := r.Preprocessed("w"), r.Preprocessed("lo"), r.Preprocessed("hi"), r.Preprocessed("sel")
	r.FillProgram(logHeight, fill)
	r.memory.Consume(r.Builder, sel, word{w, r.zero(), r.zero(), r.zero()})
	r.memory.Produce(r.Builder, sel, word{w, r.one(), lo, hi})
	return r
}

// Private has the columns of PRIV.
type Private[T any] struct {
	M     T
	Word  T           `column:"w"`
	Value Quarters[T] `column:"c"`
}

// private declares PRIV, the private input: the prover's choice in the words from PB on, and nowhere else. The height
// of the table does not matter.
func (b *buses) private() *row {
	r, c := newRow[Private[expr]](b, table.Private)
	m, w := c.M, c.Word
	r.AssertBoolean("m is boolean", m)
	r.WhenFirst().AssertEqual("the first word", w, r.Constant(memorymap.PrivateInput/memorymap.WordBytes))
	r.WhenTransition().AssertEqual("words follow each other", w.Next(), w.AddConstant(1))
	r.memory.Consume(r.Builder, m, word{w, r.zero(), r.zero(), r.zero()})
	r.memory.Produce(r.Builder, m, word{w, r.one(), r.limb(c.Value.Low), r.limb(c.Value.High)})
	for _, half := range []expr{c.Value.Low.Low, c.Value.Low.High, c.Value.High.Low, c.Value.High.High} {
		r.range16.Ask(r.Builder, m, inRange{half})
	}
	return r
}
