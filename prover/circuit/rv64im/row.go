package rv64im

import (
	"strings"

	"github.com/chiasmus/chiasmus/prover/air"
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

// The inverses of what limbs and addresses are divided by.
var (
	inverseW  = goldilocks.Element(W).Inverse()
	inverseH  = goldilocks.Element(H).Inverse()
	inverseB  = goldilocks.Element(B).Inverse()
	inverse8  = goldilocks.Element(8).Inverse()
	inverse32 = goldilocks.Element(32).Inverse()
	inverse64 = goldilocks.Element(64).Inverse()
)

// The log heights of instruction tables.
const (
	minLogHeight = 8
	maxLogHeight = 24
)

// row is a table being declared, with the columns of its row.
type row struct {
	*air.Builder
	*buses
	number  table.Table // 0 for a table that no program row names
	columns map[string]air.Expr
	m, ts   air.Expr // whether the row is active, and the time of its first slot
	pc      air.Expr
}

// newRow begins a table of up to 16 instances with the columns of a list, in its order.
func (b *buses) newRow(name string, number table.Table, columns string) *row {
	r := &row{Builder: air.NewTable(name), buses: b, number: number, columns: map[string]air.Expr{}}
	r.Heights(minLogHeight, maxLogHeight)
	for _, column := range strings.Fields(columns) {
		r.columns[column] = r.Main(column)
	}
	return r
}

// newInstruction begins a table of instructions: its first columns are m, which constraints keep 0 or 1, ts and pc.
func (b *buses) newInstruction(number table.Table, columns string) *row {
	r := b.newRow(number.String(), number, "m ts pc "+columns)
	r.Instances(0, air.MaxInstances)
	r.m, r.ts, r.pc = r.at("m"), r.at("ts"), r.at("pc")
	r.AssertBoolean("m is boolean", r.m)
	return r
}

// at is a column by its name.
func (r *row) at(name string) air.Expr { return r.columns[name] }

// list are columns by their names.
func (r *row) list(names string) []air.Expr {
	var columns []air.Expr
	for _, name := range strings.Fields(names) {
		columns = append(columns, r.at(name))
	}
	return columns
}

// or0 is a column, or the constant 0 where the table has none of that name.
func (r *row) or0(name string) air.Expr {
	if column, ok := r.columns[name]; ok {
		return column
	}
	return r.Constant(0)
}

// limb is the value of two columns name0 and name1 of 16 bits.
func (r *row) limb(name string) air.Expr { return r.halves(r.at(name+"0"), r.at(name+"1")) }

// halves is low + H high.
func (r *row) halves(low, high air.Expr) air.Expr { return low.Add(high.Scale(H)) }

// scale is a field element times an expression.
func (r *row) scale(factor goldilocks.Element, e air.Expr) air.Expr {
	return e.Mul(r.ConstantElement(factor))
}

// one is the constant 1, zero the constant 0.
func (r *row) one() air.Expr  { return r.Constant(1) }
func (r *row) zero() air.Expr { return r.Constant(0) }

// goes consumes the state and produces the next: at next, one cycle later.
func (r *row) goes(next air.Expr) {
	r.state.Consume(r.Builder, r.m, state{r.pc, r.ts})
	r.state.Produce(r.Builder, r.m, state{next, r.ts.AddConstant(4)})
}

// goesOn is goes to the instruction behind.
func (r *row) goesOn() { r.goes(r.pc.AddConstant(4)) }

// is asks the program whether the instruction at pc is of the table, has the registers in columns rd, rs1 and rs2 and
// the constants k.
func (r *row) is(k ...air.Expr) { r.isOf(r.Constant(uint64(r.number)), k...) }

func (r *row) isOf(number air.Expr, k ...air.Expr) {
	message := instruction{PC: r.pc, Table: number, Rd: r.or0("rd"), Rs1: r.or0("rs1"), Rs2: r.or0("rs2")}
	for i := range message.K {
		message.K[i] = r.zero()
	}
	copy(message.K[:], k)
	r.program.Ask(r.Builder, r.m, message)
}

// pair is a value of 64 bits, its low limb first.
type pair [2]air.Expr

// access consumes the token that a register got at a time and produces one with another value. The lookup says that it
// is at most 2^20 later.
func (r *row) access(index, previous, now air.Expr, old, value pair) {
	r.register.Consume(r.Builder, r.m, register{index, previous, old[0], old[1]})
	r.register.Produce(r.Builder, r.m, register{index, now, value[0], value[1]})
	r.range20.Ask(r.Builder, r.m, inRange{now.Sub(previous).SubConstant(1)})
}

// reads1 reads the first source register.
func (r *row) reads1(value pair) { r.access(r.at("rs1"), r.at("pt0"), r.ts, value, value) }

// reads2 reads the second.
func (r *row) reads2(value pair) {
	r.access(r.at("rs2"), r.at("pt1"), r.ts.AddConstant(1), value, value)
}

// writes writes the destination register.
func (r *row) writes(value pair) {
	r.access(r.at("rd"), r.at("pt3"), r.ts.AddConstant(3), pair{r.at("old_lo"), r.at("old_hi")}, value)
}

// slotMemory is the slot at which loads and stores access memory.
const slotMemory = 2

// accessWord accesses a word at the slot of loads and stores.
func (r *row) accessWord(k, number, previous, y air.Expr, old, value pair) {
	r.accessWordAt(slotMemory, k, number, previous, y, old, value)
}

// accessWordAt consumes the token that a word got at a time and produces one with another value, k times. The two
// lookups say that it is later: by 1 + r + 2^10 y with r and y below 2^20.
func (r *row) accessWordAt(slot uint64, k, number, previous, y air.Expr, old, value pair) {
	now := r.ts.AddConstant(slot)
	r.memory.Consume(r.Builder, k, word{number, previous, old[0], old[1]})
	r.memory.Produce(r.Builder, k, word{number, now, value[0], value[1]})
	r.range20.Ask(r.Builder, k, inRange{y})
	r.range20.Ask(r.Builder, k, inRange{now.Sub(previous).SubConstant(1).Sub(y.Scale(1 << 10))})
}

// inRange16 says that values are below 2^16.
func (r *row) inRange16(values ...air.Expr) {
	for _, v := range values {
		r.range16.Ask(r.Builder, r.m, inRange{v})
	}
}

// hasSign says that value is below 2^16 and s its bit 15.
func (r *row) hasSign(value, s air.Expr) { r.sign.Ask(r.Builder, r.m, sign{r.one(), value, s}) }

// areBytes says that two values are bytes.
func (r *row) areBytes(x, y air.Expr) {
	r.bytes.Ask(r.Builder, r.m, bytes{r.Constant(3), x, y, r.zero()})
}

// assert declares constraints name 0, name 1 and so on; one alone has the name itself.
func (r *row) assert(name string, constraints ...air.Expr) {
	for i, c := range constraints {
		if len(constraints) > 1 {
			r.AssertZero(name+" "+string(rune('0'+i)), c)
		} else {
			r.AssertZero(name, c)
		}
	}
}

// boolean declares that columns are 0 or 1.
func (r *row) boolean(names string) {
	for _, name := range strings.Fields(names) {
		r.AssertBoolean(name+" is boolean", r.at(name))
	}
}
