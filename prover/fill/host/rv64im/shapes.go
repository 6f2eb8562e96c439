package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// filled fills an instance of a table from its records, of which the instance takes those from first on.
type filled func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64)

// The functions below make one of what fills a row from a record of their shape and the program row that it names.

func plain(fill func(*line, *record.Plain, *rv64im.Row)) filled {
	return func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64) {
		rows := f.program.Rows
		fillRows(pool, columns, f.set.Plain, first, func(l *line, r *record.Plain) { fill(l, r, &rows[r.Row]) })
	}
}

func constants(fill func(*line, *record.Constant, *rv64im.Row)) filled {
	return func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64) {
		rows := f.program.Rows
		fillRows(pool, columns, f.set.Constant, first, func(l *line, r *record.Constant) { fill(l, r, &rows[r.Row]) })
	}
}

func unary(fill func(*line, *record.Unary, *rv64im.Row)) filled {
	return func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64) {
		rows := f.program.Rows
		fillRows(pool, columns, f.set.Unary[t], first, func(l *line, r *record.Unary) { fill(l, r, &rows[r.Row]) })
	}
}

func binary(fill func(*line, *record.Binary, *rv64im.Row)) filled {
	return func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64) {
		rows := f.program.Rows
		fillRows(pool, columns, f.set.Binary[t], first, func(l *line, r *record.Binary) { fill(l, r, &rows[r.Row]) })
	}
}

func branch(fill func(*line, *record.Branch, *rv64im.Row)) filled {
	return func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64) {
		rows := f.program.Rows
		fillRows(pool, columns, f.set.Branch[t], first, func(l *line, r *record.Branch) { fill(l, r, &rows[r.Row]) })
	}
}

func load(fill func(*Filler, *line, *record.Load, *rv64im.Row)) filled {
	return func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64) {
		rows := f.program.Rows
		fillRows(pool, columns, f.set.Load[t], first, func(l *line, r *record.Load) { fill(f, l, r, &rows[r.Row]) })
	}
}

func store(fill func(*Filler, *line, *record.Store, *rv64im.Row)) filled {
	return func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64) {
		rows := f.program.Rows
		fillRows(pool, columns, f.set.Store[t], first, func(l *line, r *record.Store) { fill(f, l, r, &rows[r.Row]) })
	}
}

func halts(fill func(*line, *record.Halt, *rv64im.Row)) filled {
	return func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64) {
		rows := f.program.Rows
		fillRows(pool, columns, f.set.Halt, first, func(l *line, r *record.Halt) { fill(l, r, &rows[r.Row]) })
	}
}

func calls(fill func(*line, *record.Call, *rv64im.Row)) filled {
	return func(f *Filler, pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64) {
		rows := f.program.Rows
		fillRows(pool, columns, f.set.Call[t], first, func(l *line, r *record.Call) { fill(l, r, &rows[r.Row]) })
	}
}

// fillers are what makes the rows of records that name a program row, by [table.Family.Row].
var fillers = map[string]filled{
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
	"setLess":            binary(fillSetLess(false)),
	"setLessSigned":      binary(fillSetLess(true)),
	"multiply":           binary(fillMultiply),
	"multiplyHigh":       binary(fillMultiplyHigh),
	"multiplyHighSigned": binary(fillMultiplyHighSigned),
	"divide":             binary(fillDivide),
	"ifZero":             branch(fillIfZero),
	"ifEqual":            branch(fillIfEqual),
	"ifLess":             branch(fillIfLess(false)),
	"ifLessSigned":       branch(fillIfLess(true)),
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
