package record

import (
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
)

// Set has the records from which a run's tables are filled. A slice that is indexed by table is empty for tables of
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
	Call     [table.Count][]Call // table.Call has all calls, an accelerator's table its own
	Refresh  []Refresh           // by chunk, within it by register, then by time
	Accesses Accesses

	Registers [33]Final
	Touched   []Touched // by word, ascending
	// OutputTimes are the times of the last access to each word of the public output, its length first.
	OutputTimes []uint64
	Output      []byte
	// Private are the accessed words of the private input, ascending, with their initial contents.
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

// shapes has the tables' shapes in compact form, because a replay needs the shape of every instruction.
var shapes [table.Count]Shape

func init() {
	for t := range shapes {
		shapes[t] = table.Table(t).Family().Shape
	}
	for t := table.FirstCalls; t < table.FirstWork; t++ { // accelerators may still be listed
		shapes[t] = ShapeCall
	}
}

// ShapeOf returns the shape of a table's records.
func ShapeOf(t table.Table) Shape { return shapes[t] }

// Rows returns the number of rows of a table that the run needs. For the boundary these are the rows that its order
// needs, for the private input the rows up to the last accessed word. The number is 0 for image and program, which do
// not depend on the run.
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
