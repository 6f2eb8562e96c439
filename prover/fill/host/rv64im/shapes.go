package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/air/columns"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/fill/host/rows"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// A tableFiller fills the instances of a table.
type tableFiller struct {
	columns func() ([]columns.Column, error) // that it writes
	fill    fill
}

// A fill writes an instance, which takes the table's records from first on.
type fill = func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error

// with returns a tableFiller that writes the columns of struct C.
func with[C any](fill fill) tableFiller { return tableFiller{columns.List[C, cell], fill} }

// The functions below make a tableFiller from a function that fills a row from a record of their shape and the program
// row that the record names.

func plain[C any](row func(*C, *record.Plain, *rv64im.Row)) tableFiller {
	return with[C](func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error {
		program := f.program.Rows
		return rows.Fill(pool, to, f.set.Plain, first, func(c *C, r *record.Plain) { row(c, r, &program[r.Row]) })
	})
}

func constants[C any](row func(*C, *record.Constant, *rv64im.Row)) tableFiller {
	return with[C](func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error {
		program := f.program.Rows
		return rows.Fill(pool, to, f.set.Constant, first, func(c *C, r *record.Constant) { row(c, r, &program[r.Row]) })
	})
}

func unary[C any](row func(*C, *record.Unary, *rv64im.Row)) tableFiller {
	return with[C](func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error {
		program := f.program.Rows
		return rows.Fill(pool, to, f.set.Unary[t], first, func(c *C, r *record.Unary) { row(c, r, &program[r.Row]) })
	})
}

func binary[C any](row func(*C, *record.Binary, *rv64im.Row)) tableFiller {
	return with[C](func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error {
		program := f.program.Rows
		return rows.Fill(pool, to, f.set.Binary[t], first, func(c *C, r *record.Binary) { row(c, r, &program[r.Row]) })
	})
}

func branch[C any](row func(*C, *record.Branch, *rv64im.Row)) tableFiller {
	return with[C](func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error {
		program := f.program.Rows
		return rows.Fill(pool, to, f.set.Branch[t], first, func(c *C, r *record.Branch) { row(c, r, &program[r.Row]) })
	})
}

func load[C any](row func(*Filler, *C, *record.Load, *rv64im.Row)) tableFiller {
	return with[C](func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error {
		program := f.program.Rows
		return rows.Fill(pool, to, f.set.Load[t], first, func(c *C, r *record.Load) { row(f, c, r, &program[r.Row]) })
	})
}

func store[C any](row func(*Filler, *C, *record.Store, *rv64im.Row)) tableFiller {
	return with[C](func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error {
		program := f.program.Rows
		return rows.Fill(pool, to, f.set.Store[t], first, func(c *C, r *record.Store) { row(f, c, r, &program[r.Row]) })
	})
}

func halts[C any](row func(*C, *record.Halt, *rv64im.Row)) tableFiller {
	return with[C](func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error {
		program := f.program.Rows
		return rows.Fill(pool, to, f.set.Halt, first, func(c *C, r *record.Halt) { row(c, r, &program[r.Row]) })
	})
}

func calls[C any](row func(*C, *record.Call, *rv64im.Row)) tableFiller {
	return with[C](func(f *Filler, pool *parallel.Pool, to [][]cell, t table.Table, first uint64) error {
		program := f.program.Rows
		return rows.Fill(pool, to, f.set.Call[t], first, func(c *C, r *record.Call) { row(c, r, &program[r.Row]) })
	})
}

// fillers fill the tables whose records name a program row, by [table.Family.Row].
var fillers = map[string]tableFiller{
	"jump":               plain(fillJump),
	"constant":           constants(fillConstant),
	"move":               unary(fillMove),
	"addConstant":        unary(fillAddConstant),
	"addInPlace":         unary(fillAddInPlace),
	"addConstant32":      unary(fillAddConstant32),
	"logicConstant":      unary(fillLogicConstant),
	"shiftConstant":      unary(fillShiftConstant),
	"shiftConstant32":    unary(fillShiftConstant32),
	"jumpRegisterLink":   unary(fillJumpRegisterLink),
	"add":                binary(fillAdd),
	"subtract":           binary(fillSubtract),
	"logic":              binary(fillLogic),
	"shiftRegister":      binary(fillShiftRegister),
	"shiftRegister32":    binary(fillShiftRegister32),
	"setLess":            binary(fillSetLess),
	"setLessSigned":      binary(fillSetLessSigned),
	"multiply":           binary(fillMultiply),
	"multiplyHigh":       binary(fillMultiplyHigh),
	"multiplyHighSigned": binary(fillMultiplyHighSigned),
	"divide":             binary(fillDivide),
	"ifZero":             branch(fillIfZero),
	"ifEqual":            branch(fillIfEqual),
	"ifLess":             branch(fillIfLess),
	"ifLessSigned":       branch(fillIfLessSigned),
	"jumpRegister":       branch(fillJumpRegister),
	"loadDouble":         load((*Filler).loadDouble),
	"loadWord":           load((*Filler).loadWord),
	"loadSmall":          load((*Filler).loadSmall),
	"unaligned":          load((*Filler).unalignedAccess),
	"storeDouble":        store((*Filler).storeDouble),
	"storeWord":          store((*Filler).storeWord),
	"storeSmall":         store((*Filler).storeSmall),
	"halt":               halts(fillHalt),
	"call":               calls(fillCall),
}

// others fill the tables whose records name no program row, except the tables of accelerators.
var others = map[table.Table]tableFiller{
	table.Refresh: with[rv64im.Refresh[cell]](func(f *Filler, pool *parallel.Pool, to [][]cell, _ table.Table,
		first uint64) error {
		return rows.Fill(pool, to, f.set.Refresh, first, fillRefresh)
	}),
	table.Register: with[rv64im.Final[cell]](func(f *Filler, pool *parallel.Pool, to [][]cell, _ table.Table,
		first uint64) error {
		return rows.Fill(pool, to, f.set.Registers[:], first, fillFinal)
	}),
	table.Boundary: with[rv64im.Boundary[cell]](func(f *Filler, pool *parallel.Pool, to [][]cell, _ table.Table,
		first uint64) error {
		return rows.Fill(pool, to, f.boundary, first, fillBoundary)
	}),
	table.Private: with[rv64im.Private[cell]]((*Filler).fillPrivate),
}
