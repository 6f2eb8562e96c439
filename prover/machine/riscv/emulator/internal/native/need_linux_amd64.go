package native

import "github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"

// needs determines which values are needed, which of them with their upper half, and by which other values. The
// registers' current values are needed at the end.
func (g *graph) needs() {
	end := g.state()
	g.give(end)
	for i := len(g.values) - 1; i >= guestRegisters; i-- {
		v := &g.values[i]
		if v.kind >= loaded {
			v.needed = true
		}
		if v.needed && v.kind != constant {
			g.needOperands(v)
			g.give(v.state)
		}
	}
	for i := range g.values {
		v := &g.values[i]
		if !v.needed || v.kind == constant || v.kind == held {
			continue
		}
		g.use(i, v.a)
		g.use(i, v.b)
		for _, r := range v.state {
			g.use(i, r.value)
		}
	}
	for _, r := range end {
		g.use(len(g.values), r.value)
	}
	for i := range g.values {
		if v := &g.values[i]; v.owner != 0 && g.now[v.owner] != i {
			v.owner = 0
		}
	}
}

func (g *graph) give(state []given) {
	for _, r := range state {
		g.need(r.value, true)
	}
}

func (g *graph) need(v int, full bool) {
	if v != none {
		g.values[v].needed = true
		g.values[v].full = g.values[v].full || full
	}
}

func (g *graph) use(by, v int) {
	if v == none || g.values[v].kind == constant {
		return
	}
	if list := g.values[v].uses; len(list) == 0 || list[len(list)-1] != by {
		g.values[v].uses = append(list, by)
	}
}

// needOperands marks the operands of a value as needed, with or without their upper half.
func (g *graph) needOperands(v *value) {
	a, b := true, true
	switch v.kind {
	case rotated, cleared:
		a = false
	case scaled:
		a, b = v.full, v.full
	case stored:
		b = v.op == instruction.SD
	case computed:
		switch v.op {
		case instruction.ADD, instruction.SUB, instruction.MUL, instruction.AND, instruction.OR, instruction.XOR:
			a, b = v.full, v.full
		case instruction.SLL:
			a, b = v.full, false
		case instruction.SRL, instruction.SRA:
			b = false
		default:
			if widthOf(v.op) == narrow {
				a, b = false, false
			}
		}
	}
	g.need(v.a, a)
	g.need(v.b, b)
}
