package tables

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// Declared are the machine's tables in order. Families come first, by their numbers; then what only the machine
// itself needs; then the accelerators'.
type Declared struct {
	Tables []*air.Table
	Number []table.Table // of each; 0 for the lookup tables, which nothing but counts fill
	Buses  []*air.Bus

	buses *buses
}

// Heights are those of a program's tables.
type Heights struct{ Image, Program int }

// HeightsOf are the least heights that a program fits.
func HeightsOf(p *program.Program) Heights {
	fit := func(rows int) int { return max(bits.Len(uint(max(rows, 1)-1)), minLogHeight) }
	return Heights{Image: fit(len(p.Image)), Program: fit(len(p.Rows))}
}

// Declare declares the machine for a program; p is nil where only its heights are known, and then nothing fills the program's
// tables.
func Declare(p *program.Program, heights Heights) (*Declared, error) {
	b := newBuses()
	d := &Declared{buses: b}
	var image, rows fillColumns
	if p != nil {
		image, rows = imageColumns(p.Image), programColumns(p)
	}
	var errs []error
	add := func(number table.Table, r *row) {
		t, err := r.Build()
		errs = append(errs, err)
		d.Tables, d.Number = append(d.Tables, t), append(d.Number, number)
	}
	for _, f := range b.families() {
		add(f.number, f)
	}
	add(table.Halt, b.halt())
	add(table.Call, b.instructionCall())
	add(table.Unal, b.unalignedAccess())
	add(table.Refresh, b.refresh())
	add(table.Boundary, b.boundary())
	add(table.Private, b.private())
	add(table.Register, b.registerFile())
	add(table.Image, b.image(heights.Image, image))
	add(table.Program, b.programTable(heights.Program, rows, programIndex(p)))
	for _, r := range []*row{b.range20Table(), b.range16Table(), b.signTable(), b.bytesTable(), b.shiftTable()} {
		add(0, r)
	}
	for _, k := range all.Kinds() {
		b.accelerator(k, add)
	}
	d.Buses = b.all.List()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("riscv: %w", err)
	}
	return d, nil
}

// families are the tables of instructions that program rows name.
func (b *buses) families() []*row {
	return []*row{
		b.jump(), b.constant(), b.move(), b.addConstant(), b.addInPlace(), b.addConstant32(), b.add(), b.subtract(),
		b.logic(), b.logicConstant(), b.shiftConstant(), b.shiftConstant32(), b.shiftRegister(), b.shiftRegister32(),
		b.ifZero(), b.ifEqual(), b.ifLess(table.BLTU, false), b.ifLess(table.BLT, true),
		b.setLess(table.SLTU, false), b.setLess(table.SLT, true), b.jumpRegister(table.JALR), b.jumpRegister(table.JR),
		b.loadDouble(), b.loadWord(), b.loadSmall(), b.storeDouble(), b.storeWord(), b.storeSmall(),
		b.multiply(), b.multiplyHigh(), b.multiplyHighSigned(), b.divide(),
	}
}
