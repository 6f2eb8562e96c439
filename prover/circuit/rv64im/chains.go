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

	// ExitCode is what a7 holds where the program ends.
	ExitCode = 93
)

// halt declares HALT, the ECALL that ends the program: it receives the state and produces none. The verifier receives
// the end once, so exactly one row is active, and with it the chain of states is one from the entry to this row: every
// other instruction produces a state, and a cycle of states without beginning would need about p rows.
func (b *buses) halt() *row {
	r := b.newInstruction(table.Halt, "e0 e1 pts1 pts2")
	r.Instances(1, 1)
	a7, exit := pair{r.Constant(ExitCode), r.zero()}, pair{r.at("e0"), r.at("e1")}
	r.state.Consume(r.Builder, r.m, state{r.pc, r.ts})
	r.isOf(r.Constant(uint64(table.ECALLS)))
	r.access(r.Constant(registerA7), r.at("pts1"), r.ts, a7, a7)
	r.access(r.Constant(registerA0), r.at("pts2"), r.ts.AddConstant(1), exit, exit)
	r.end.Call(r.Builder, r.m, end{r.ts, exit[0], exit[1]})
	return r
}

const (
	registers       = 33 // with the sink
	registerLogRows = 8
)

// registerFile declares REG, the first and the last token of each register: all begin with 0 at time 0. Row i is
// register i, and the rows behind are nothing's. Every access raises the time by 1 to 2^20 as an integer, and all
// accesses together by less than p, so no chain of tokens closes; what is left is one chain from the first to the last
// token, in the order of time.
func (b *buses) registerFile() *row {
	r := b.newRow(table.Register.String(), 0, "fts lo hi")
	r.Heights(registerLogRows, registerLogRows)
	idx, sel := r.Preprocessed("idx"), r.Preprocessed("sel")
	r.FillPreprocessed(fillRegisterNumbers)
	r.register.Produce(r.Builder, sel, register{idx, r.zero(), r.zero(), r.zero()})
	r.register.Consume(r.Builder, sel, register{idx, r.at("fts"), r.at("lo"), r.at("hi")})
	return r
}

// fillRegisterNumbers writes REG's preprocessed columns.
func fillRegisterNumbers(columns [][]goldilocks.Element) {
	number(columns[0])
	for i := range registers {
		columns[1][i] = 1
	}
}

// refreshGap is by how much REFRESH raises a token's time: the most that one lookup can.
const refreshGap = 1 << 20

// refresh declares REFRESH: a register's token 2^20 later, where accesses are further apart than a lookup reaches.
func (b *buses) refresh() *row {
	r := b.newRow(table.Refresh.String(), 0, "m idx lo hi pts")
	r.Instances(0, air.MaxInstances)
	m, idx, lo, hi, pts := r.at("m"), r.at("idx"), r.at("lo"), r.at("hi"), r.at("pts")
	r.AssertBoolean("m is boolean", m)
	r.register.Consume(r.Builder, m, register{idx, pts, lo, hi})
	r.register.Produce(r.Builder, m, register{idx, pts.AddConstant(refreshGap), lo, hi})
	return r
}

// boundaryLogRows is the least height of the boundary: 2^29 words with gaps of at most 2^20 take at most 512 rows of
// filling.
const boundaryLogRows = 10

// boundary declares MB, the first and the last token of each word that was touched, in order: w rises by 1 + d from WB
// - 1, which nothing touches, to WT. So each word has one token at time 0, and its accesses are a chain as for
// registers. Initial contents are accesses at time 1.
func (b *buses) boundary() *row {
	r := b.newRow(table.Boundary.String(), 0, "w d fts lo hi")
	r.Heights(boundaryLogRows, maxLogHeight)
	w, fts, one := r.at("w"), r.at("fts"), r.one()
	r.WhenTransition().AssertEqual("words are in order", w.Next(), w.Add(r.at("d")).AddConstant(1))
	r.WhenFirst().AssertEqual("the first word is the one before memory", w, r.Constant(uint64(memorymap.FirstWord)-1))
	r.WhenFirst().AssertZero("nothing touches it", fts)
	r.WhenLast().AssertEqual("the last word is the one behind memory", w, r.Constant(uint64(memorymap.EndWord)))
	r.WhenLast().AssertZero("nothing touches that either", fts)
	r.memory.Produce(r.Builder, one, word{w, r.zero(), r.zero(), r.zero()})
	r.memory.Consume(r.Builder, one, word{w, fts, r.at("lo"), r.at("hi")})
	r.range20.Ask(r.Builder, one, inRange{r.at("d")})
	return r
}

// image declares IMAGE, the initial contents that the program brings: writes at time 1 that consume the word's token of
// time 0, so that no word begins with anything else.
func (b *buses) image(logHeight int, fill fillColumns) *row {
	r := b.newRow(table.Image.String(), 0, "")
	r.Heights(minLogHeight, maxProgramLogHeight)
	w, lo, hi, sel := r.Preprocessed("w"), r.Preprocessed("lo"), r.Preprocessed("hi"), r.Preprocessed("sel")
	r.FillProgram(logHeight, fill)
	r.memory.Consume(r.Builder, sel, word{w, r.zero(), r.zero(), r.zero()})
	r.memory.Produce(r.Builder, sel, word{w, r.one(), lo, hi})
	return r
}

// private declares PRIV, the private input: the prover's choice in the words from PB on, and nowhere else, whatever its
// height.
func (b *buses) private() *row {
	r := b.newRow(table.Private.String(), 0, "m w c0 c1 c2 c3")
	m, w := r.at("m"), r.at("w")
	r.AssertBoolean("m is boolean", m)
	r.WhenFirst().AssertEqual("the first word", w, r.Constant(memorymap.PrivateInput/memorymap.WordBytes))
	r.WhenTransition().AssertEqual("words follow each other", w.Next(), w.AddConstant(1))
	r.memory.Consume(r.Builder, m, word{w, r.zero(), r.zero(), r.zero()})
	r.memory.Produce(r.Builder, m, word{w, r.one(), r.halves(r.at("c0"), r.at("c1")), r.halves(r.at("c2"), r.at("c3"))})
	for _, c := range r.list("c0 c1 c2 c3") {
		r.range16.Ask(r.Builder, m, inRange{c})
	}
	return r
}
