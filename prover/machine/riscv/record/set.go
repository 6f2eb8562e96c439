package record

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Set is what a run's tables are filled from. A slice that is indexed by table is empty for tables of
// another shape.
type Set struct {
	Cycles uint32
	Exit   uint64

	Plain    []Plain
	Constant []Constant
	Unary    [table.Count][]Unary
	Binary   [table.Count][]Binary
	Branch   [table.Count][]Branch
	Load     [table.Count][]Load
	Store    [table.Count][]Store
	Halt     []Halt
	Call     [table.Count][]Call // table.Call has all calls, the adapters' tables those of each accelerator
	Refresh  []Refresh           // by chunk, within it by register, then by time
	Accesses Accesses

	Registers [33]Final
	Touched   []Touched // by word, ascending
	// OutputTimes are the times of the last access to each word of the public output, its length first.
	OutputTimes []uint32
	Output      []byte
	// Private are the words of the private input that were accessed, ascending, with what they held at first.
	Private []memorymap.Word
}

// Shape is the kind of a table's records.
type Shape = table.Shape

// The shapes, by the names of the records.
const (
	ShapeNone     = table.ShapeNone
	ShapePlain    = table.ShapePlain
	ShapeConstant = table.ShapeConstant
	ShapeUnary    = table.ShapeUnary
	ShapeBinary   = table.ShapeBinary
	ShapeBranch   = table.ShapeBranch
	ShapeLoad     = table.ShapeLoad
	ShapeStore    = table.ShapeStore
	ShapeHalt     = table.ShapeHalt
	ShapeCall     = table.ShapeCall
)

// shapes are those of the tables, close together: a replay asks for the shape of every instruction.
var shapes [table.Count]Shape

func init() {
	for t := range shapes {
		shapes[t] = table.Table(t).Family().Shape
	}
	for t := table.FirstCalls; t < table.FirstWork; t++ { // accelerators may still be listed
		shapes[t] = ShapeCall
	}
}

// ShapeOf is the shape of a table's records.
func ShapeOf(t table.Table) Shape { return shapes[t] }

// Rows is how many rows of a table the run takes. Of the boundary it counts the rows that its order needs, of the
// private input those up to the last that was accessed. Image and program are not of the run.
func (s *Set) Rows(t table.Table) int {
	switch ShapeOf(t) {
	case ShapePlain:
		return len(s.Plain)
	case ShapeConstant:
		return len(s.Constant)
	case ShapeUnary:
		return len(s.Unary[t])
	case ShapeBinary:
		return len(s.Binary[t])
	case ShapeBranch:
		return len(s.Branch[t])
	case ShapeLoad:
		return len(s.Load[t])
	case ShapeStore:
		return len(s.Store[t])
	case ShapeHalt:
		return len(s.Halt)
	case ShapeCall:
		return len(s.Call[t])
	}
	if work, ok := table.WorkOf(t); ok {
		return work.Rows * len(s.Call[work.Calls])
	}
	switch t {
	case table.Refresh:
		return len(s.Refresh)
	case table.Boundary:
		return len(s.Ordered())
	case table.Private:
		if n := len(s.Private); n > 0 {
			return int(s.Private[n-1].Index) - int(memorymap.PrivateInput/memorymap.WordBytes) + 1
		}
		return 0
	case table.Register:
		return len(s.Registers)
	}
	return 0
}
