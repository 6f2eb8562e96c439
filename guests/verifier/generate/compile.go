package generate

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// operation corresponds to enum operation of guests/verifier/machine.h.
type operation uint16

const (
	load operation = iota
	store
	add
	subtract
	subtractFrom
	multiply
	constant
	addConstant
	subtractFromConstant
	scale
	doubleAdd
	value
	valueConstant
	send
	receive
	special
)

// The operands of special correspond to enum special.
const (
	specialEnd = iota
	specialAssert
	specialValue
	specialBatch
	specialDouble
	specialSquare
)

const (
	addresses       = 1 << 12 // of a table's values, and of its constants
	multiplicityOne = 1 << 11
)

// program is a program for an accumulator that computes a table's constraints and interactions.
type program struct {
	Words     []uint16
	Constants []goldilocks.Element
	Registers int
}

// compiler writes one program. A node that is read several times, or that waits for its sibling, is kept in a register
// until the last read.
type compiler struct {
	table     *air.Table
	uses      []int // each node's remaining reads
	need      []int // registers that a node needs besides the accumulator, by Sethi and Ullman
	place     []int // a node's address, or -1
	firstFree int   // the address of register 0
	free      []int
	registers int
	constants map[goldilocks.Element]int
	program   program
}

// compile writes a table's program. publics is the number of the machine's public values.
func compile(t *air.Table, publics int) (*program, error) {
	c := &compiler{table: t, constants: map[goldilocks.Element]int{}}
	if err := c.numberLeaves(publics); err != nil {
		return nil, err
	}
	c.countUses()
	for b := len(t.Batches) - 1; b >= 0; b-- {
		for _, i := range t.Batches[b] {
			c.interaction(&t.Interactions[i])
		}
		c.emit(special, specialBatch)
	}
	for i := len(t.Constraints) - 1; i >= 0; i-- {
		c.toAccumulator(t.Constraints[i].Root)
		c.emit(special, specialAssert)
	}
	c.emit(special, specialEnd)
	c.program.Registers = c.registers
	if most := max(c.firstFree+c.registers, len(c.constants)); most > addresses {
		return nil, fmt.Errorf("table %s: %d values or constants, and an operand of 12 bits names %d", t.Name, most,
			addresses)
	}
	return &c.program, nil
}

// numberLeaves gives columns, selectors and public values their addresses, in the order of struct table.
func (c *compiler) numberLeaves(publics int) error {
	t := c.table
	nextMain := len(t.Main)
	preprocessed := nextMain + len(t.NextMain)
	nextPreprocessed := preprocessed + len(t.Preprocessed)
	selectors := nextPreprocessed + len(t.NextPreprocessed)
	public := selectors + 3
	if t.MaxInstances > 1 {
		publics = 0
	}
	periodic := public + publics
	c.firstFree = periodic + len(t.Periodic)
	c.place = make([]int, len(t.Graph))
	for id, n := range t.Graph {
		c.place[id] = -1
		column := int(n.Column)
		switch n.Op {
		case air.Main:
			c.place[id] = column
			if n.Next {
				c.place[id] = nextMain + position(t.NextMain, column)
			}
		case air.Preprocessed:
			c.place[id] = preprocessed + column
			if n.Next {
				c.place[id] = nextPreprocessed + position(t.NextPreprocessed, column)
			}
		case air.First, air.Last, air.Transition:
			c.place[id] = selectors + int(n.Op-air.First)
		case air.Public:
			if column >= publics {
				return fmt.Errorf("table %s has several instances and reads public value %d", t.Name, column)
			}
			c.place[id] = public + column
		case air.Periodic:
			c.place[id] = periodic + column
		}
	}
	return nil
}

// position returns the index of a column in a list that has it.
func position(list []int, column int) int {
	for i, have := range list {
		if have == column {
			return i
		}
	}
	panic(fmt.Sprintf("generate: column %d is read at the next row and not listed", column))
}

// countUses counts the reads of every node, and the registers that it needs.
func (c *compiler) countUses() {
	t := c.table
	c.uses, c.need = make([]int, len(t.Graph)), make([]int, len(t.Graph))
	for _, constraint := range t.Constraints {
		c.uses[constraint.Root]++
	}
	for _, interaction := range t.Interactions {
		c.uses[interaction.Multiplicity]++
		for _, v := range interaction.Values {
			c.uses[v]++
		}
	}
	for id := len(t.Graph) - 1; id >= 0; id-- {
		if n := t.Graph[id]; n.Op.IsBinary() && c.uses[id] > 0 {
			c.uses[n.A]++
			c.uses[n.B]++
		}
	}
	for id, n := range t.Graph {
		if !n.Op.IsBinary() {
			continue
		}
		a, b := c.need[n.A], c.need[n.B]
		c.need[id] = max(a, b)
		if a == b && c.isComputed(n.A) && c.isComputed(n.B) {
			c.need[id]++
		}
	}
}

// isComputed reports whether a node must be computed before it can be read: whether it is not a leaf.
func (c *compiler) isComputed(id air.NodeID) bool { return c.table.Graph[id].Op.IsBinary() }

func (c *compiler) isConstant(id air.NodeID) bool { return c.table.Graph[id].Op == air.Constant }

func (c *compiler) emit(op operation, operand int) {
	c.program.Words = append(c.program.Words, uint16(op)<<12|uint16(operand&(addresses-1)))
}

// number returns the number of a constant.
func (c *compiler) number(v goldilocks.Element) int {
	n, ok := c.constants[v]
	if !ok {
		n = len(c.constants)
		c.constants[v] = n
		c.program.Constants = append(c.program.Constants, v)
	}
	return n
}

// read returns the address of a node for a read. The last read frees the node's register.
func (c *compiler) read(id air.NodeID) int {
	at := c.place[id]
	c.uses[id]--
	if c.uses[id] == 0 && at >= c.firstFree {
		c.free = append(c.free, at)
		c.place[id] = -1
	}
	return at
}

// keep stores the accumulator, whose value is the node's, in a register.
func (c *compiler) keep(id air.NodeID) {
	if last := len(c.free) - 1; last >= 0 {
		c.place[id], c.free = c.free[last], c.free[:last]
	} else {
		c.place[id] = c.firstFree + c.registers
		c.registers++
	}
	c.emit(store, c.place[id])
}

// toAccumulator gets a node's value into the accumulator, as one of its reads.
func (c *compiler) toAccumulator(id air.NodeID) {
	switch {
	case c.isConstant(id):
		c.uses[id]--
		c.emit(constant, c.number(c.table.Graph[id].Value))
	case c.place[id] >= 0:
		c.emit(load, c.read(id))
	default:
		c.compute(id)
		c.uses[id]--
		if c.uses[id] > 0 {
			c.keep(id)
		}
	}
}

// compute computes a node's value in the accumulator.
func (c *compiler) compute(id air.NodeID) {
	n := c.table.Graph[id]
	switch {
	case n.A == n.B:
		c.same(n)
	case c.isConstant(n.B):
		c.withConstant(n.Op, n.A, n.B, false)
	case c.isConstant(n.A):
		c.withConstant(n.Op, n.B, n.A, true)
	case c.place[n.B] >= 0:
		if c.doubled(n, n.A, n.B) {
			return
		}
		c.toAccumulator(n.A)
		c.emit(map[air.Op]operation{air.Add: add, air.Sub: subtract, air.Mul: multiply}[n.Op], c.read(n.B))
	case c.place[n.A] >= 0:
		if c.doubled(n, n.B, n.A) {
			return
		}
		c.toAccumulator(n.B)
		c.emit(map[air.Op]operation{air.Add: add, air.Sub: subtractFrom, air.Mul: multiply}[n.Op], c.read(n.A))
	default: // the operand that needs more goes first, and waits in a register
		first := n.A
		if c.need[n.B] > c.need[n.A] {
			first = n.B
		}
		c.compute(first)
		c.keep(first)
		c.compute(id)
	}
}

// same computes x + x or x x, whose operands are the same node.
func (c *compiler) same(n air.Node) {
	c.uses[n.A]--
	c.toAccumulator(n.A)
	switch n.Op {
	case air.Add:
		c.emit(special, specialDouble)
	case air.Mul:
		c.emit(special, specialSquare)
	default:
		c.emit(constant, c.number(0))
	}
}

// withConstant computes x op k, or k op x.
func (c *compiler) withConstant(op air.Op, x, k air.NodeID, constantFirst bool) {
	c.toAccumulator(x)
	c.uses[k]--
	v := c.table.Graph[k].Value
	switch {
	case op == air.Mul:
		c.emit(scale, c.number(v))
	case op == air.Add:
		c.emit(addConstant, c.number(v))
	case constantFirst:
		c.emit(subtractFromConstant, c.number(v))
	default:
		c.emit(addConstant, c.number(v.Neg()))
	}
}

// doubled computes 2x + y in one step, if twice is x + x and read only here. Packings of bits have this form.
func (c *compiler) doubled(n air.Node, twice, y air.NodeID) bool {
	x := c.table.Graph[twice]
	if n.Op != air.Add || x.Op != air.Add || x.A != x.B || c.uses[twice] != 1 || c.place[twice] >= 0 {
		return false
	}
	c.uses[twice]--
	c.uses[x.A]--
	c.toAccumulator(x.A)
	c.emit(doubleAdd, c.read(y))
	return true
}

// interaction adds a fraction to the batch: the message's values from the last on, by Horner's rule, then the
// multiplicity. Zeros at the message's end leave the fingerprint 0.
func (c *compiler) interaction(i *air.Interaction) {
	isZero := true
	for k := len(i.Values) - 1; k >= 0; k-- {
		v := i.Values[k]
		n := c.table.Graph[v]
		switch {
		case n.Op == air.Constant && n.Value == 0 && isZero:
			c.uses[v]--
			continue
		case n.Op == air.Constant:
			c.uses[v]--
			c.emit(valueConstant, c.number(n.Value))
		case c.place[v] >= 0:
			c.emit(value, c.read(v))
		default:
			c.toAccumulator(v)
			c.emit(special, specialValue)
		}
		isZero = false
	}
	operand := i.Bus.Index
	if m := c.table.Graph[i.Multiplicity]; m.Op == air.Constant && m.Value == 1 {
		c.uses[i.Multiplicity]--
		operand |= multiplicityOne
	} else {
		c.toAccumulator(i.Multiplicity)
	}
	if i.Kind == air.Send {
		c.emit(send, operand)
	} else {
		c.emit(receive, operand)
	}
}
