package replay_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
)

// constantsOf is the number of constants K of a table's rows in the model, in order. In the store table of halves the
// second is missing.
var constantsOf = map[table.Table][]int{
	table.J:     {0},
	table.UJ:    {0, 1, 2},
	table.ADDI:  {0},
	table.ADDIQ: {0},
	table.ADDIW: {0},
	table.SUB:   {0, 1},
	table.LOGR:  {0},
	table.LOGI:  {0, 1, 2, 3, 4},
	table.SHI:   {0, 1, 2, 3, 4, 5},
	table.SHWI:  {0, 1, 2, 3, 4, 5},
	table.SHR:   {0, 1},
	table.SHWR:  {0},
	table.BEQZ:  {0, 1},
	table.BEQ:   {0, 1},
	table.BLTU:  {0, 1},
	table.BLT:   {0, 1},
	table.SLTU:  {0, 1},
	table.SLT:   {0, 1},
	table.JALR:  {0},
	table.JR:    {0},
	table.LD:    {0},
	table.LW:    {0, 1},
	table.LBH:   {0, 1, 2},
	table.SD:    {0},
	table.SW:    {0},
	table.SBH:   {0, 2},
	table.MUL:   {0},
	table.MULH:  {0},
	table.DIV:   {0, 1, 2},
	table.Unal:  {0, 1},
}

// text writes a table's records in the format of testdata/model.py.
type text struct {
	strings.Builder
	program *program.Program
	set     *record.Set
	rows    int
}

func (w *text) line(values ...any) {
	w.rows++
	w.WriteString(strings.TrimSuffix(fmt.Sprintln(values...), "\n") + "\n")
}

// head are the columns that follow from the program row: time, address, the table's registers, constants.
func (w *text) head(t table.Table, cycle, row uint32, registers string) []any {
	r := &w.program.Rows[row]
	values := []any{4 * cycle, r.PC}
	for _, c := range registers {
		values = append(values, map[rune]uint8{'d': r.Rd, '1': r.Rs1, '2': r.Rs2}[c])
	}
	for _, k := range constantsOf[t] {
		values = append(values, uint64(r.K[k]))
	}
	return values
}

func (w *text) table(t table.Table) {
	s := w.set
	add := func(head []any, values ...any) { w.line(append(head, values...)...) }
	switch record.ShapeOf(t) {
	case record.ShapePlain:
		for _, r := range s.Plain {
			add(w.head(t, r.Cycle, r.Row, ""))
		}
	case record.ShapeConstant:
		for _, r := range s.Constant {
			add(w.head(t, r.Cycle, r.Row, "d"), r.PreviousD, r.Old)
		}
	case record.ShapeUnary:
		for _, r := range s.Unary[t] {
			switch t {
			case table.ADDIQ:
				add(w.head(t, r.Cycle, r.Row, "d"), r.Old, r.PreviousD)
			default:
				add(w.head(t, r.Cycle, r.Row, "d1"), r.A, r.Previous1, r.PreviousD, r.Old)
			}
		}
	case record.ShapeBinary:
		for _, r := range s.Binary[t] {
			add(w.head(t, r.Cycle, r.Row, "d12"), r.A, r.B, r.Previous1, r.Previous2, r.PreviousD, r.Old)
		}
	case record.ShapeBranch:
		for _, r := range s.Branch[t] {
			if t == table.BEQZ || t == table.JR {
				add(w.head(t, r.Cycle, r.Row, "1"), r.A, r.Previous1)
			} else {
				add(w.head(t, r.Cycle, r.Row, "12"), r.A, r.B, r.Previous1, r.Previous2)
			}
		}
	default:
		w.memory(t)
	}
}

// memory writes the tables about memory, and the tables without instructions.
func (w *text) memory(t table.Table) {
	s, a := w.set, &w.set.Accesses
	switch t {
	case table.LD, table.LW, table.LBH:
		for _, r := range s.Load[t] {
			w.line(append(w.head(t, r.Cycle, r.Row, "d1"), r.Base, a.Old[r.Access], a.Previous[r.Access], r.Previous1,
				r.PreviousD, r.Old)...)
		}
	case table.SD, table.SW, table.SBH:
		for _, r := range s.Store[t] {
			w.line(append(w.head(t, r.Cycle, r.Row, "12"), r.Base, r.B, a.Previous[r.Access], a.Old[r.Access], a.New(r.Access),
				r.Previous1, r.Previous2)...)
		}
	case table.Unal:
		for _, r := range s.Load[t] {
			var words [2]struct{ previous, old, new any }
			words[1].previous, words[1].old, words[1].new = 0, 0, 0
			crosses := 0
			for i := range uint32(2) {
				if at := r.Access + i; i == 0 || int(at) < a.Len() && a.Time[at] == a.Time[r.Access] {
					words[i].previous, words[i].old, words[i].new = a.Previous[at], a.Old[at], a.New(at)
					crosses = int(i)
				}
			}
			x, y := words[0], words[1]
			w.line(append(w.head(t, r.Cycle, r.Row, "d12"), r.Base, crosses, x.previous, y.previous, r.Previous1, r.PreviousD,
				r.Old, r.Result,
				x.old, y.old, x.new, y.new)...)
		}
	case table.Halt:
		for _, r := range s.Halt {
			w.line(4*r.Cycle, w.program.Rows[r.Row].PC, r.Exit, r.Previous1, r.Previous2)
		}
	case table.Register:
		for i, r := range s.Registers {
			w.line(i, r.Last, r.Value)
		}
	case table.Refresh:
		sorted := slices.SortedFunc(slices.Values(s.Refresh), func(a, b record.Refresh) int {
			return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Previous, b.Previous))
		})
		for _, r := range sorted {
			w.line(r.Index, r.Previous, r.Value)
		}
	case table.Boundary:
		log := 10
		for 1<<log < s.Rows(t) {
			log++
		}
		rows, err := s.Boundary(log)
		if err != nil {
			w.line(err)
		}
		for _, r := range rows {
			w.line(r.Word, r.Last, r.Value)
		}
	case table.Private:
		for _, word := range s.Private {
			w.line(word.Index, word.Value)
		}
	case table.Program:
		for _, r := range w.program.Rows {
			w.line(r.PC, uint8(r.Table), r.Rd, r.Rs1, r.Rs2, r.K[0], r.K[1], r.K[2], r.K[3], r.K[4], r.K[5])
		}
	case table.Image:
		for _, word := range w.program.Image {
			w.line(word.Index, word.Value)
		}
	}
}
