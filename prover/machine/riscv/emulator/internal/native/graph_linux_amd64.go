package native

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
)

// kind is the origin of a value, or the kind of an action that has no value.
type kind uint8

const (
	held     kind = iota // the content of a guest register before the block
	constant             // the field constant
	computed             // op applied to a and b
	rotated              // a's lower half rotated left by constant, sign-extended
	turned               // a rotated left by constant
	cleared              // a with its upper half cleared
	scaled               // a + b * 2^constant
	loaded               // load from a + constant
	stored               // store of b at a + constant
	branched             // branch by op on a and b
	led                  // jump to a + constant
	guarded              // check that the block continues at a + constant
)

// none is the absence of a value.
const none = -1

// value is a value that a block computes, or an action. It never changes, and its operands precede it.
type value struct {
	kind     kind
	op       instruction.Op
	a, b     int
	constant int64
	code     int     // index within the block of the instruction that created it
	state    []given // the guest's state before that instruction, if the block may be left there
	checks   bool    // whether an access must check for a plain aligned word
	touches  bool    // whether no earlier access in the block touched the word
	owner    uint8   // the register that it is computed for and that holds it at the end; 0 for none

	needed bool
	full   bool  // whether its upper half is needed
	uses   []int // the values that use it, ascending
}

// given is a guest register and its value.
type given struct {
	register uint8
	value    int
}

// graph holds the values of a block, or of one of its instructions. The first values are the initial contents of the
// guest's registers.
type graph struct {
	values  []value
	now     [guestRegisters]int // the current value of each register
	program *program.Program
	homes   *assignment
	bare    bool   // accesses are not recorded
	known   bool   // whether the target of the indirect jump that ends the block is known
	target  uint32 // the index of that target
	checked []access
	seen    []access
	written access // the last store, if it stored a whole word
	content int    // the value that it stored
}

// access is an access that was checked, or whose word was touched.
type access struct {
	root     int
	constant int64
	width    uint64
}

const guestRegisters = program.Registers

// newGraph returns a graph that reuses the memory of a graph that is no longer needed.
func newGraph(homes *assignment, room []value) *graph {
	g := &graph{homes: homes, values: append(room[:0], heldAtFirst[:]...)}
	for r := range guestRegisters {
		g.now[r] = r
	}
	return g
}

// heldAtFirst holds the initial values of the guest's registers. That of x0 is a constant.
var heldAtFirst = func() (list [guestRegisters]value) {
	for r := range list {
		list[r] = value{kind: held, a: none, b: none}
	}
	list[0].kind = constant
	return list
}()

func (g *graph) add(v value) int {
	g.values = append(g.values, v)
	return len(g.values) - 1
}

func (g *graph) constant(c int64) int {
	return g.add(value{kind: constant, a: none, b: none, constant: c})
}

// constantOf returns the constant that a value is, if it is one.
func (g *graph) constantOf(v int) (c int64, ok bool) {
	return g.values[v].constant, g.values[v].kind == constant
}

// set sets the current value of a register.
func (g *graph) set(r uint8, v int) { g.now[r] = v }

// state returns the current values of the guest's registers, except for registers in the state that are unchanged.
func (g *graph) state() []given {
	list := make([]given, 0, 2*len(hosts))
	for r := 1; r < guestRegisters; r++ {
		if g.now[r] != r || !g.homes[r].inState {
			list = append(list, given{uint8(r), g.now[r]})
		}
	}
	return list
}

// instruction adds the values and actions of an instruction with the given index in the block, after which the block
// continues as goes says.
func (g *graph) instruction(code int, c *program.Code, goes way) {
	before := len(g.values)
	switch op := c.Op; {
	case op == instruction.Nop || op == instruction.Jump:
	case op == instruction.Const || op == instruction.Link:
		g.set(c.Rd, g.constant(c.Imm))
	case op == instruction.Move:
		g.set(c.Rd, g.now[c.Rs1])
	case op == instruction.AddIn:
		g.set(c.Rd, g.compute(instruction.ADD, g.now[c.Rd], g.constant(c.Imm)))
	case op.Load() || op.Store():
		g.access(c)
	case op == instruction.IfZero || op == instruction.IfOther:
		g.add(value{kind: branched, op: op, a: g.now[c.Rs1], b: g.constant(0), state: g.state()})
	case op.Branch():
		g.add(value{kind: branched, op: op, a: g.now[c.Rs1], b: g.now[c.Rs2], state: g.state()})
	case op == instruction.JALR || op == instruction.Indir:
		if g.known = goes == ends && g.leads(c); goes != straight && !g.known {
			g.add(value{kind: jumps[goes], op: op, a: g.now[c.Rs1], b: none, constant: c.Imm, state: g.state()})
		}
		if op == instruction.JALR {
			g.set(c.Rd, g.constant(int64(c.Target)))
		}
	case op.Immediate():
		g.set(c.Rd, g.compute(op.Register(), g.now[c.Rs1], g.constant(c.Imm)))
	case divides(op):
		v := value{kind: computed, op: op, a: g.now[c.Rs1], b: g.now[c.Rs2], state: g.state()}
		g.set(c.Rd, g.add(v))
	default:
		g.set(c.Rd, g.compute(op, g.now[c.Rs1], g.now[c.Rs2]))
	}
	for i := before; i < len(g.values); i++ {
		g.values[i].code = code
	}
	if last := len(g.values) - 1; last >= before && g.now[c.Rd] == last && c.Op != instruction.JALR {
		g.values[last].owner = c.Rd
	}
}

// leads reports whether the target of an indirect jump is known, and records it.
func (g *graph) leads(c *program.Code) (ok bool) {
	address, ok := g.constantOf(g.now[c.Rs1])
	if ok {
		g.target, ok = g.program.Index(uint64(address+c.Imm) &^ 1)
	}
	return ok
}

// jumps holds the kinds of indirect jumps.
var jumps = map[way]kind{ends: led, guards: guarded}

// sum splits a value into the sum of another value and a constant that fits an instruction.
func (g *graph) sum(v int) (root int, c int64) {
	if w := &g.values[v]; w.kind == computed && w.op == instruction.ADD {
		if c, ok := g.constantOf(w.b); ok && c == int64(int32(c)) {
			return w.a, c
		}
	}
	return v, 0
}

// margin is the distance in bytes from the ends of plain memory within which accesses are left to the interpreter. It
// makes it unnecessary to check accesses near a checked address.
const margin = 4096

// access adds a load or a store.
func (g *graph) access(c *program.Code) {
	root, constant := g.sum(g.now[c.Rs1])
	if constant += c.Imm; constant != int64(int32(constant)) || constant+margin > 1<<30 || constant-margin < -1<<30 {
		root, constant = g.now[c.Rs1], c.Imm
	}
	v := value{kind: loaded, op: c.Op, a: root, b: none, constant: constant, checks: true}
	if c.Op.Store() {
		v.kind, v.b = stored, g.now[c.Rs2]
	}
	this := access{root, constant, c.Op.Width()}
	switch {
	case g.bare && c.Op == instruction.LD && this == g.written: // the result is known, and the read is not logged
		g.set(c.Rd, g.content)
		return
	case c.Op == instruction.SD:
		g.written, g.content = this, v.b
	case c.Op.Store():
		g.written = access{}
	}
	if slices.ContainsFunc(g.checked, this.near) {
		v.checks = false
	} else {
		v.state = g.state()
		g.checked = append(g.checked, this)
	}
	v.touches = !g.bare && !slices.ContainsFunc(g.seen, func(o access) bool {
		return o.root == root && o.constant == constant
	})
	g.seen = append(g.seen, this)
	number := g.add(v)
	if c.Op.Load() {
		g.set(c.Rd, number)
	}
}

// near reports whether an access is to a plain aligned word if the checked access is.
func (a access) near(checked access) bool {
	distance := a.constant - checked.constant
	return a.root == checked.root && a.width <= checked.width && distance%int64(a.width) == 0 &&
		-margin < distance && distance < margin-8
}

// commutes reports whether an operation's operands can be exchanged.
func commutes(op instruction.Op) bool {
	switch op {
	case instruction.ADD, instruction.AND, instruction.OR, instruction.XOR, instruction.MUL, instruction.MULH,
		instruction.MULHU, instruction.ADDW, instruction.MULW:
		return true
	}
	return false
}

// compute returns the value of an operation on two values: a constant, an existing value, or a new one.
func (g *graph) compute(op instruction.Op, a, b int) int {
	x, known := g.constantOf(a)
	y, ok := g.constantOf(b)
	if known && ok {
		return g.constant(int64(instruction.Evaluate(op, uint64(x), uint64(y))))
	}
	if known && commutes(op) {
		a, b, y, ok = b, a, x, true
	}
	if ok && y == 0 {
		switch op {
		case instruction.ADD, instruction.SUB, instruction.OR, instruction.XOR, instruction.SLL, instruction.SRL,
			instruction.SRA:
			return a
		case instruction.ADDW, instruction.SUBW:
			if g.extended(a) {
				return a
			}
		}
	}
	if v, ok := g.fused(op, a, b); ok {
		return g.add(v)
	}
	return g.add(value{kind: computed, op: op, a: a, b: b})
}

// fused returns a single value for the result of several instructions, if there is one.
func (g *graph) fused(op instruction.Op, a, b int) (value, bool) {
	switch op {
	case instruction.OR, instruction.XOR, instruction.ADD:
		if v, ok := g.rotation(a, b); ok {
			return v, true
		}
		if v, ok := g.rotation(b, a); ok {
			return v, true
		}
	case instruction.SRL:
		if source, left, ok := g.shifted(a, instruction.SLL); ok && left == 32 {
			if right, ok := g.constantOf(b); ok && right&63 == 32 {
				return value{kind: cleared, a: source, b: none}, true
			}
		}
	}
	if op != instruction.ADD {
		return value{}, false
	}
	if c, ok := g.constantOf(b); ok {
		if root, first := g.sum(a); root != a && first+c == int64(int32(first+c)) {
			return value{kind: computed, op: op, a: root, b: g.constant(first + c)}, true
		}
		return value{}, false
	}
	if source, left, ok := g.shifted(b, instruction.SLL); ok && left <= 3 {
		return value{kind: scaled, a: a, b: source, constant: left}, true
	}
	if source, left, ok := g.shifted(a, instruction.SLL); ok && left <= 3 {
		return value{kind: scaled, a: b, b: source, constant: left}, true
	}
	return value{}, false
}

// shifted returns the source and the distance of a value that is a shift by a constant.
func (g *graph) shifted(v int, op instruction.Op) (source int, by int64, ok bool) {
	w := &g.values[v]
	if w.kind != computed || w.op != op {
		return none, 0, false
	}
	by, ok = g.constantOf(w.b)
	return w.a, by & 63, ok
}

// rotation returns a rotation for the sum of a left and a right shift of the same value, if they have no bit in common.
func (g *graph) rotation(left, right int) (value, bool) {
	source, l, ok := g.shifted(left, instruction.SLLW)
	if other, r, too := g.shifted(right, instruction.SRLW); ok && too && other == source && l&31 != 0 && l&31+r&31 == 32 {
		return value{kind: rotated, a: source, b: none, constant: l & 31}, true
	}
	source, l, ok = g.shifted(left, instruction.SLL)
	if other, r, too := g.shifted(right, instruction.SRL); ok && too && other == source && l+r == 64 {
		return value{kind: turned, a: source, b: none, constant: l}, true
	}
	return value{}, false
}

// extended reports whether a value is the sign extension of its lower half.
func (g *graph) extended(v int) bool {
	switch w := &g.values[v]; w.kind {
	case constant:
		return w.constant == int64(int32(w.constant))
	case rotated:
		return true
	case loaded:
		return w.op != instruction.LD && w.op != instruction.LWU
	case computed:
		switch w.op {
		case instruction.SLT, instruction.SLTU:
			return true
		case instruction.AND, instruction.OR, instruction.XOR:
			return g.extended(w.a) && g.extended(w.b)
		}
		return widthOf(w.op) == narrow
	}
	return false
}
