package rv64im

import (
	"fmt"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// octets are eight columns name0 to name7, and eightColumns their list.
func eightColumns(name string) (list string) {
	for i := range 8 {
		list += fmt.Sprintf(" %s%d", name, i)
	}
	return list
}

func (r *row) octets(name string) []air.Expr { return r.list(eightColumns(name)) }

// fromBytes is the number of four bytes, the lowest first.
func (r *row) fromBytes(list []air.Expr) air.Expr { return r.Pack(8, list...) }

// ofBytes is a value of 64 bits of eight bytes.
func (r *row) ofBytes(list []air.Expr) pair {
	return pair{r.fromBytes(list[:4]), r.fromBytes(list[4:])}
}

// logic declares LOGR: both operands and the result are bytes, because the lookup says so; the digits of a limb to base
// 256 are unique, and the lookup gives the result.
func (b *buses) logic(number table.Table) *row {
	r := b.newInstruction(number,
		"rd rs1 rs2 op"+eightColumns("x")+eightColumns("y")+eightColumns("z")+" pt0 pt1 pt3 old_lo old_hi")
	x, y, z := r.octets("x"), r.octets("y"), r.octets("z")
	r.goesOn()
	r.is(r.at("op"))
	r.reads1(r.ofBytes(x))
	r.reads2(r.ofBytes(y))
	r.writes(r.ofBytes(z))
	for i := range x {
		r.bytes.Ask(r.Builder, r.m, bytes{r.at("op"), x[i], y[i], z[i]})
	}
	return r
}

// logicConstant declares LOGI: the two lower bytes are looked up with those of the constant, i0 and i1. The upper 48
// bits of the constant are all its sign, on which the operation is 0, x, all ones or all ones less x: ka x + kb (all
// ones).
func (b *buses) logicConstant(number table.Table) *row {
	r := b.newInstruction(number, "rd rs1 op i0 i1 ka kb alo ahi x0 x1 z0 z1 clo chi pt0 pt3 old_lo old_hi")
	op, ka, kb, x0, x1, z0, z1 := r.at("op"), r.at("ka"), r.at("kb"), r.at("x0"), r.at("x1"), r.at("z0"), r.at("z1")
	xh := r.scale(inverseH, r.at("alo").Sub(x0).Sub(x1.Scale(B)))
	upper := ka.Mul(xh).Add(kb.Scale(H - 1))
	r.assert("the low limb", r.at("clo").Sub(z0).Sub(z1.Scale(B)).Sub(upper.Scale(H)))
	r.assert("the high limb", r.at("chi").Sub(ka.Mul(r.at("ahi"))).Sub(kb.Scale(M)))
	r.goesOn()
	r.is(r.list("op i0 i1 ka kb")...)
	r.reads1(pair{r.at("alo"), r.at("ahi")})
	r.writes(pair{r.at("clo"), r.at("chi")})
	r.inRange16(xh)
	r.bytes.Ask(r.Builder, r.m, bytes{op, x0, r.at("i0"), z0})
	r.bytes.Ask(r.Builder, r.m, bytes{op, x1, r.at("i1"), z1})
	return r
}
