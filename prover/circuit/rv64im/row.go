package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/air/columns"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Powers of two by the names that the derivations use, and M = W - 1.
const (
	W = 1 << 32
	H = 1 << 16
	B = 1 << 8
	M = W - 1
)

// Inverses of divisors of limbs and addresses.
var (
	inverseW  = goldilocks.Element(W).Inverse()
	inverseH  = goldilocks.Element(H).Inverse()
	inverseB  = goldilocks.Element(B).Inverse()
	inverse2  = goldilocks.Element(2).Inverse()
	inverse8  = goldilocks.Element(8).Inverse()
	inverse32 = goldilocks.Element(32).Inverse()
	inverse64 = goldilocks.Element(64).Inverse()
)

// The log heights of instruction tables.
const (
	minLogHeight = 8
	maxLogHeight = 24
)

// expr is a cell of columns in a declaration, and pair a value of 64 bits.
type (
	expr = air.Expr
	pair = Limbs[expr]
)

// row is a table being declared.
type row struct {
	*air.Builder
	*buses
	number table.Table // 0 for a table that no program row names
	names  []string    // of the columns
	m, ts  expr        // 1 in an active row, and the time of its first slot
	pc     expr
}

// newTable begins a table without columns, of one instance.
func (b *buses) newTable(name string, number table.Table) *row {
	r := &row{Builder: air.NewTable(name), buses: b, number: number}
	r.Heights(minLogHeight, maxLogHeight)
	return r
}

// newRow begins a table of one instance with the columns of a struct.
func newRow[C any](b *buses, number table.Table) (r *row, c C) {
	r = b.newTable(number.String(), number)
	c, r.names = columns.Declare[C](r.Builder)
	return r, c
}

// newInstruction begins a table of instructions. A constraint makes m boolean.
func newInstruction[C interface{ header() Header[expr] }](b *buses, number table.Table) (r *row, c C) {
	r, c = newRow[C](b, number)
	r.Instances(0, air.MaxInstances)
	header := c.header()
	r.m, r.ts, r.pc = header.M, header.Time, header.PC
	r.AssertBoolean("m is boolean", r.m)
	return r, c
}

// or0 returns e, or the constant 0 for the zero value.
func (r *row) or0(e expr) expr {
	if e == (expr{}) {
		return r.zero()
	}
	return e
}

// limb packs halves into a limb, and whole quarters into a value of 64 bits.
func (r *row) limb(h Halves[expr]) expr    { return r.halves(h.Low, h.High) }
func (r *row) whole(q Quarters[expr]) pair { return pair{r.limb(q.Low), r.limb(q.High)} }

// halves returns low + H high.
func (r *row) halves(low, high expr) expr { return low.Add(high.Scale(H)) }

// scale returns a field element times an expression.
func (r *row) scale(factor goldilocks.Element, e expr) expr { return e.Mul(r.ConstantElement(factor)) }

func (r *row) one() expr  { return r.Constant(1) }
func (r *row) zero() expr { return r.Constant(0) }

// goes consumes the state and produces the next one: one cycle later, with program counter next.
func (r *row) goes(next expr) {
	r.state.Consume(r.Builder, r.m, state{r.pc, r.ts})
	r.state.Produce(r.Builder, r.m, state{next, r.ts.AddConstant(4)})
}

// continues goes to the following instruction.
func (r *row) continues() { r.goes(r.pc.AddConstant(4)) }

// is asks the program whether the instruction at pc belongs to this table, and has these registers and constants.
func (r *row) is(o operands[expr], k ...expr) { r.isOf(r.Constant(uint64(r.number)), o, k...) }

// isOf is [row.is] for a table with another number.
func (r *row) isOf(number expr, o operands[expr], k ...expr) {
	message := instruction{PC: r.pc, Table: number, Rd: r.or0(o.rd), Rs1: r.or0(o.rs1), Rs2: r.or0(o.rs2)}
	for i := range message.K {
		message.K[i] = r.zero()
	}
	copy(message.K[:], k)
	r.program.Ask(r.Builder, r.m, message)
}

// access consumes a register's token of an earlier time and produces one with another value. The lookup shows that now
// is 1 to 2^20 later.
func (r *row) access(index, previous, now expr, old, value pair) {
	r.register.Consume(r.Builder, r.m, register{index, previous, old.Low, old.High})
	r.register.Produce(r.Builder, r.m, register{index, now, value.Low, value.High})
	r.range20.Ask(r.Builder, r.m, inRange{now.Sub(previous).SubConstant(1)})
}

// reads1 reads the first source register.
func (r *row) reads1(index, previous expr, value pair) { r.access(index, previous, r.ts, value, value) }

// reads2 reads the second source register.
func (r *row) reads2(index, previous expr, value pair) {
	r.access(index, previous, r.ts.AddConstant(1), value, value)
}

// readsBoth reads both source registers.
func (r *row) readsBoth(o operands[expr], previous Sources[expr], a, b pair) {
	r.reads1(o.rs1, previous.Previous1, a)
	r.reads2(o.rs2, previous.Previous2, b)
}

// writes writes the destination register.
func (r *row) writes(rd expr, d Destination[expr], value pair) {
	r.access(rd, d.PreviousD, r.ts.AddConstant(3), d.Old, value)
}

// slotMemory is the slot at which loads and stores access memory.
const slotMemory = 2

// accessWord accesses a word at the slot of loads and stores.
func (r *row) accessWord(k, number expr, a WordAccess[expr], old, value pair) {
	r.accessWordAt(slotMemory, k, number, a, old, value)
}

// accessWordAt consumes a word's token of an earlier time and produces one with another value, k times. The two lookups
// show that the time rises, by 1 + r + 2^14 y with r and y below 2^20. The digits overlap: the same two lookups cover
// every gap up to 2^34.
func (r *row) accessWordAt(slot uint64, k, number expr, a WordAccess[expr], old, value pair) {
	now := r.ts.AddConstant(slot)
	r.memory.Consume(r.Builder, k, word{number, a.Previous, old.Low, old.High})
	r.memory.Produce(r.Builder, k, word{number, now, value.Low, value.High})
	r.range20.Ask(r.Builder, k, inRange{a.Gap})
	r.range20.Ask(r.Builder, k, inRange{now.Sub(a.Previous).SubConstant(1).Sub(a.Gap.Scale(1 << LogGap))})
}

// inRange16 shows that values are below 2^16.
func (r *row) inRange16(values ...expr) {
	for _, v := range values {
		r.range16.Ask(r.Builder, r.m, inRange{v})
	}
}

// halvesInRange shows that the halves of limbs are below 2^16.
func (r *row) halvesInRange(limbs ...Halves[expr]) {
	for _, h := range limbs {
		r.inRange16(h.Low, h.High)
	}
}

// hasSign shows that value is below 2^16 and s its bit 15.
func (r *row) hasSign(value, s expr) { r.sign.Ask(r.Builder, r.m, sign{r.one(), value, s}) }

// areBytes shows that two values are bytes.
func (r *row) areBytes(x, y expr) {
	r.bytes.Ask(r.Builder, r.m, bytes{r.Constant(3), x, y, r.zero()})
}

// assert declares that an expression is 0 in every row.
func (r *row) assert(name string, zero expr) { r.AssertZero(name, zero) }

// boolean declares that columns are 0 or 1.
func (r *row) boolean(columns ...expr) {
	for _, c := range columns {
		r.AssertBoolean(r.names[c.Node().Column]+" is boolean", c)
	}
}
