package backend

import (
	"github.com/chiasmus/chiasmus/prover/machine"
)

// Shape is what decides sizes and memory.
type Shape struct {
	Machine    *machine.Machine
	LogHeights []int // one a table, in machine order
	LogBlowup  int   // 1 or 2
	CapHeight  int
	Schedule   []int // FRI's folds, log arities
}

// Context is a backend's device, stream and memory for one shape.
type Context interface {
	// PredictedPeak is the most memory a proof of this shape takes, in
	// bytes.
	PredictedPeak() uint64
}

// Handle is data that lives with the backend.
type Handle interface {
	// Bytes is the memory the handle holds.
	Bytes() uint64
}

// Columns are the uncommitted matrices of one phase.
type Columns interface {
	Handle
	IsColumns()
}

// Tree is a handle that Gather can open: a Commitment or a Layer.
type Tree interface {
	Handle
	IsTree()
}

// Commitment is the low-degree extensions of one phase and their tree.
type Commitment interface {
	Tree
	IsCommitment()
}

// Layer is one committed FRI layer.
type Layer interface {
	Tree
	IsLayer()
}

// Codewords are the DEEP codewords of all height classes; folding works on
// them in place.
type Codewords interface {
	Handle
	IsCodewords()
}
