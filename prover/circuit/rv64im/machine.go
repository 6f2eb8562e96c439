package rv64im

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Declared has the machine's tables in order: families by their numbers, then the machine's own tables, then the
// accelerators'.
type Declared struct {
	Tables []*air.Table
	Number []table.Table // of each; 0 for the lookup tables, which have only counts
	Buses  []*air.Bus

	buses *buses
}

// Declare declares the machine for a program. If only the program's heights are known, p is nil and nothing fills the
// program's tables. Machines share the tables that do not depend on the program.
func Declare(p *Program, heights Heights) (*Declared, error) {
	shared, err := common()
	if err != nil {
		return nil, err
	}
	d := &Declared{slices.Clone(shared.Tables), slices.Clone(shared.Number), slices.Clone(shared.Buses), shared.buses}
	var image, rows fillColumns
	if p != nil {
		image, rows = imageColumns(p.Image), programColumns(p)
	}
	own := map[table.Table]*row{
		table.Image:   d.buses.image(heights.Image, image),
		table.Program: d.buses.programTable(heights.Program, rows, programIndex(p)),
	}
	for i, number := range d.Number {
		if declared := own[number]; declared != nil {
			var e error
			d.Tables[i], e = declared.Build()
			err = errors.Join(err, e)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("riscv: %w", err)
	}
	return d, nil
}

// common declares the tables that do not depend on the program; the program's own tables are nil. A process that
// declares many programs builds them once.
var common = sync.OnceValues(func() (*Declared, error) {
	b := newBuses()
	d := &Declared{buses: b}
	var declarations []func() *row
	add := func(number table.Table, declare func() *row) {
		d.Number = append(d.Number, number)
		declarations = append(declarations, declare)
	}
	for _, f := range b.families() {
		add(f.number, func() *row { return f })
	}
	add(table.Halt, b.halt)
	add(table.Call, b.instructionCall)
	add(table.Unal, b.unalignedAccess)
	add(table.Refresh, b.refresh)
	add(table.Boundary, b.boundary)
	add(table.Private, b.private)
	add(table.Register, b.registerFile)
	add(table.Image, nil)
	add(table.Program, nil)
	for _, lookup := range []func() *row{b.range20Table, b.range16Table, b.signTable, b.bytesTable, b.shiftTable} {
		add(0, lookup)
	}
	for _, k := range all.Kinds() {
		b.accelerator(k, add)
	}
	d.Buses = b.all.List()
	if err := d.build(declarations); err != nil {
		return nil, fmt.Errorf("riscv: %w", err)
	}
	return d, nil
})

// Gaps returns the bus on which the boundary looks up the distances between words: see [buses.boundary].
func (d *Declared) Gaps() *air.Bus { return d.buses.range20.Bus }

// build builds the tables concurrently, the last ones first, because one accelerator's table is larger than all others
// together.
func (d *Declared) build(declarations []func() *row) error {
	d.Tables = make([]*air.Table, len(declarations))
	errs := make([]error, len(declarations))
	var built sync.WaitGroup
	for i, declare := range slices.Backward(declarations) {
		if declare == nil {
			continue
		}
		built.Go(func() { d.Tables[i], errs[i] = declare().Build() })
	}
	built.Wait()
	return errors.Join(errs...)
}

// declarations has a function for each table of instructions that program rows name, by [table.Family.Row].
var declarations = map[string]func(b *buses, number table.Table) *row{
	"jump":               (*buses).jump,
	"constant":           (*buses).constant,
	"move":               (*buses).move,
	"addConstant":        (*buses).addConstant,
	"addInPlace":         (*buses).addInPlace,
	"addConstant32":      (*buses).addConstant32,
	"add":                (*buses).add,
	"subtract":           (*buses).subtract,
	"logic":              (*buses).logic,
	"logicConstant":      (*buses).logicConstant,
	"shiftConstant":      (*buses).shiftConstant,
	"shiftConstant32":    (*buses).shiftConstant32,
	"shiftRegister":      (*buses).shiftRegister,
	"shiftRegister32":    (*buses).shiftRegister32,
	"ifZero":             (*buses).ifZero,
	"ifEqual":            (*buses).ifEqual,
	"ifLess":             (*buses).ifLess,
	"ifLessSigned":       (*buses).ifLessSigned,
	"setLess":            (*buses).setLess,
	"setLessSigned":      (*buses).setLessSigned,
	"jumpRegisterLink":   (*buses).jumpRegisterLink,
	"jumpRegister":       (*buses).jumpRegister,
	"loadDouble":         (*buses).loadDouble,
	"loadWord":           (*buses).loadWord,
	"loadSmall":          (*buses).loadSmall,
	"storeDouble":        (*buses).storeDouble,
	"storeWord":          (*buses).storeWord,
	"storeSmall":         (*buses).storeSmall,
	"multiply":           (*buses).multiply,
	"multiplyHigh":       (*buses).multiplyHigh,
	"multiplyHighSigned": (*buses).multiplyHighSigned,
	"divide":             (*buses).divide,
}

// families declares the tables of instructions that program rows name, in the order of their numbers.
func (b *buses) families() (list []*row) {
	for number := table.J; number < table.ECALLS; number++ {
		list = append(list, declarations[number.Family().Row](b, number))
	}
	return list
}
