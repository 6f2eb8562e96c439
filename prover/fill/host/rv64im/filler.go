// Package rv64im fills the tables of the RISC-V machine on the host, from the records of a run.
//
// A filler writes a row's cells in the order in which its columns are declared (see [line]). What nothing fixes is 0,
// also for the inverse of 0, so that every filler writes the same.
package rv64im

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Filler fills tables from the records of one run.
type Filler struct {
	program  *program.Program
	set      *record.Set
	accesses *record.Accesses
	private  []memorymap.Word // of the private input, from its first word on
	boundary []boundaryRow
}

// NewFiller makes a filler. private is the private input, and the boundary's instance has 2^logBoundary rows, which is
// an error where they do not hold what the run touched.
func NewFiller(p *program.Program, set *record.Set, private []byte, logBoundary int) (*Filler, error) {
	boundary, err := boundaryOf(set, logBoundary)
	if err != nil {
		return nil, err
	}
	f := &Filler{program: p, set: set, accesses: &set.Accesses, boundary: boundary}
	f.private = memorymap.Words(memorymap.PrivateInput, private)
	return f, nil
}

// byRow gives a filler of rows the program rows that its records name.
func byRow[R any](f *Filler, of func(r *R) uint32, fill func(l *line, r *R, k *rv64im.Row)) func(l *line, r *R) {
	rows := f.program.Rows
	return func(l *line, r *R) { fill(l, r, &rows[of(r)]) }
}

func (f *Filler) unary(pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64,
	fill func(*line, *record.Unary, *rv64im.Row)) {
	fillRows(pool, columns, f.set.Unary[t], first, byRow(f, func(r *record.Unary) uint32 { return r.Row }, fill))
}

func (f *Filler) binary(pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64,
	fill func(*line, *record.Binary, *rv64im.Row)) {
	fillRows(pool, columns, f.set.Binary[t], first, byRow(f, func(r *record.Binary) uint32 { return r.Row }, fill))
}

func (f *Filler) branch(pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64,
	fill func(*line, *record.Branch, *rv64im.Row)) {
	fillRows(pool, columns, f.set.Branch[t], first, byRow(f, func(r *record.Branch) uint32 { return r.Row }, fill))
}

func (f *Filler) loads(pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64,
	fill func(*line, *record.Load, *rv64im.Row)) {
	fillRows(pool, columns, f.set.Load[t], first, byRow(f, func(r *record.Load) uint32 { return r.Row }, fill))
}

func (f *Filler) stores(pool *parallel.Pool, columns [][]goldilocks.Element, t table.Table, first uint64,
	fill func(*line, *record.Store, *rv64im.Row)) {
	fillRows(pool, columns, f.set.Store[t], first, byRow(f, func(r *record.Store) uint32 { return r.Row }, fill))
}

// Fill writes an instance of a table, which takes the table's records from first on; of a table of an accelerator's
// work its calls.
func (f *Filler) Fill(pool *parallel.Pool, t table.Table, first uint64, columns [][]goldilocks.Element) error {
	if fill, ok := unaryFillers[t]; ok {
		f.unary(pool, columns, t, first, fill)
		return nil
	}
	if fill, ok := binaryFillers[t]; ok {
		f.binary(pool, columns, t, first, fill)
		return nil
	}
	if fill, ok := branchFillers[t]; ok {
		f.branch(pool, columns, t, first, fill)
		return nil
	}
	switch t {
	case table.J:
		fillRows(pool, columns, f.set.Plain, first, byRow(f, func(r *record.Plain) uint32 { return r.Row }, fillJump))
	case table.UJ:
		fillRows(pool, columns, f.set.Constant, first,
			byRow(f, func(r *record.Constant) uint32 { return r.Row }, fillConstant))
	case table.LD:
		f.loads(pool, columns, t, first, f.loadDouble)
	case table.LW:
		f.loads(pool, columns, t, first, f.loadWord)
	case table.LBH:
		f.loads(pool, columns, t, first, f.loadSmall)
	case table.Unal:
		f.loads(pool, columns, t, first, f.unalignedAccess)
	case table.SD:
		f.stores(pool, columns, t, first, f.storeDouble)
	case table.SW:
		f.stores(pool, columns, t, first, f.storeWord)
	case table.SBH:
		f.stores(pool, columns, t, first, f.storeSmall)
	case table.Halt:
		fillRows(pool, columns, f.set.Halt, first, byRow(f, func(r *record.Halt) uint32 { return r.Row }, fillHalt))
	case table.Call:
		fillRows(pool, columns, f.set.Call[t], first, byRow(f, func(r *record.Call) uint32 { return r.Row }, fillCall))
	case table.Refresh:
		fillRows(pool, columns, f.set.Refresh, first, fillRefresh)
	case table.Register:
		fillRows(pool, columns, f.set.Registers[:], first, fillFinal)
	case table.Boundary:
		fillRows(pool, columns, f.boundary, first, fillBoundary)
	case table.Private:
		f.fillPrivate(columns)
	default:
		return f.fillAccelerator(pool, t, first, columns)
	}
	return nil
}

var unaryFillers = map[table.Table]func(*line, *record.Unary, *rv64im.Row){
	table.MV:    fillMove,
	table.ADDI:  fillAddConstant,
	table.ADDIQ: fillAddInPlace,
	table.ADDIW: fillAddConstant32,
	table.LOGI:  fillLogicConstant,
	table.SHI:   fillShiftConstant,
	table.SHWI:  fillShiftConstant32,
	table.JALR:  fillJumpRegisterLink,
}

var binaryFillers = map[table.Table]func(*line, *record.Binary, *rv64im.Row){
	table.ADD:   fillAdd,
	table.SUB:   fillSubtract,
	table.LOGR:  fillLogic,
	table.SHR:   fillShiftRegister,
	table.SHWR:  fillShiftRegister32,
	table.SLTU:  fillSetLess(false),
	table.SLT:   fillSetLess(true),
	table.MUL:   fillMultiply,
	table.MULHU: fillMultiplyHigh,
	table.MULH:  fillMultiplyHighSigned,
	table.DIV:   fillDivide,
}

var branchFillers = map[table.Table]func(*line, *record.Branch, *rv64im.Row){
	table.BEQZ: fillIfZero,
	table.BEQ:  fillIfEqual,
	table.BLTU: fillIfLess(false),
	table.BLT:  fillIfLess(true),
	table.JR:   fillJumpRegister,
}

// boundaryRow is a row of MB: a word, and how many lie between it and the next row's.
type boundaryRow struct {
	record.Touched
	gap uint32
}

func fillBoundary(l *line, x *boundaryRow) {
	l.words(uint64(x.Word), uint64(x.gap), uint64(x.Last))
	l.limbs(x.Value)
}

// boundaryOf lists the rows of a boundary of 2^log rows.
func boundaryOf(set *record.Set, log int) ([]boundaryRow, error) {
	words, err := set.Boundary(log)
	if err != nil {
		return nil, err
	}
	rows := make([]boundaryRow, len(words))
	for i, word := range words {
		rows[i].Touched = word
		if i > 0 {
			rows[i-1].gap = word.Word - words[i-1].Word - 1
		}
	}
	return rows, nil
}

// fillPrivate fills PRIV: the words that the program accessed, of the private input.
func (f *Filler) fillPrivate(columns [][]goldilocks.Element) {
	first := uint32(memorymap.PrivateInput / memorymap.WordBytes)
	accessed := map[uint32]bool{}
	for i := range f.set.Touched {
		accessed[f.set.Touched[i].Word] = true
	}
	for row := range columns[0] {
		word := first + uint32(row)
		var value, m uint64
		if row < len(f.private) && accessed[word] {
			m, value = 1, f.private[row].Value
		}
		cells := []uint64{m, uint64(word), value & (H - 1), value >> 16 & (H - 1), value >> 32 & (H - 1), value >> 48}
		for c, v := range cells {
			columns[c][row] = element(v)
		}
	}
}
