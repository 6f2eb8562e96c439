package tape

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Part selects what a tape evaluates.
type Part uint8

// The parts of a table, which can be combined.
const (
	ConstraintPart  Part = 1 << iota // all constraints, folded with weights
	InteractionPart                  // multiplicities and values of all interactions
)

// Tape is a table's graph compiled to steps on blocks of rows. It is read-only, and its evaluators may run
// concurrently.
type Tape struct {
	table     *air.Table
	steps     []step
	registers int // block-sized temporaries

	// uniform are the nodes that are equal on all rows: constants, public values and expressions of them. They are
	// evaluated once per run.
	uniform []uniformStep

	// first vector of each class of operands, after the registers
	mainAt, nextMainAt, preprocessedAt, nextPreprocessedAt, selectorAt, periodicAt int32
	vectors                                                                        int
	// by vector: columns and selectors that the tape reads
	reads []bool

	groups       [groupCount]bool // the constraint groups in use
	constraints  bool
	runs         []run // all steps in order
	lowRuns      int   // index of the first run of low constraints, see IsLow
	packs        []pack
	terms        []int32 // of sums, as vectors
	folds        []fold
	interactions []interactionVectors
	splats       []splat
}

// opcode is an operation on blocks. The kernels know the operations up to sumTerms by these numbers.
type opcode int32

const (
	vectorAdd          opcode = iota // dst = a + b
	vectorSub                        // dst = a - b
	vectorMul                        // dst = a * b
	vectorMulAdd                     // dst = a * b + c
	scalarAdd                        // dst = a + scalar b
	scalarSubtractFrom               // dst = scalar b - a
	scalarMul                        // dst = scalar b * a
	squareDifference                 // dst = (a - b)^2, which is a xor b for booleans
	signedXor                        // dst = a * (1 - 2b) + b, which is also a xor b
	sumTerms                         // dst = the sum of b terms minus the sum of c terms, from index a on

	packXor   // dst = packing a with terms x xor y
	packChi   // dst = packing a with terms x xor (not y and z)
	foldTerms // fold a
)

// step is one operation. Its operands are vectors unless the operation says otherwise. Kernels read it as five words.
type step struct {
	op           opcode
	dst, a, b, c int32
}

// uniformStep computes one uniform node. If neg is set, it negates slot a.
type uniformStep struct {
	node air.Node // operands are slots
	neg  bool
}

// run is a sequence of steps that one kernel executes together, or one other step.
type run struct{ first, count int }

// isPlain reports whether kernels execute this kind of step together.
func (op opcode) isPlain() bool { return op <= sumTerms }

// pack has a packing's operands as vectors; start is -1 for zero.
type pack struct {
	start int32
	terms []int32
}

// fold adds weighted constraints of one group to its accumulator: first the plain ones, then those of the form x*x - x,
// for which terms has x.
type fold struct {
	group       group
	terms       []int32
	constraints []int32 // indices of their weights
	plain       int
}

// group is a set of constraints with the same selector factor, so that the selector is multiplied in once instead of
// once per constraint. Low constraints have separate groups.
type group = int32

const (
	groupPlain group = iota
	groupFirst
	groupLast
	groupTransition
	selectorGroups
	groupLow   = selectorGroups // offset of the low groups
	groupCount = 2 * selectorGroups
)

// interactionVectors has the vectors of an interaction's nodes.
type interactionVectors struct {
	multiplicity int32
	values       []int32
	slots        []int32 // by value: its uniform slot, or -1 if it varies between rows
}

// splat is a register that holds a uniform value in all rows.
type splat struct{ register, slot int32 }

// Block is the input of a tape: the columns of a block of rows. Slices are at least as long as the block; columns that
// the tape does not read may be nil.
type Block struct {
	Main, Preprocessed         [][]goldilocks.Element // the block starts at row Row of these
	Row                        int
	NextMain, NextPreprocessed [][]goldilocks.Element // by index in the table's lists
	First, Last, Transition    []goldilocks.Element   // selectors
	Periodic                   [][]goldilocks.Element // the block's values of each periodic column
	Public                     []goldilocks.Element
	Weights                    []goldilocks.Extension // one per constraint; use a new slice for new weights
}

// Registers returns the number of block-sized temporaries of an evaluator.
func (t *Tape) Registers() int { return t.registers }

// BlockRows returns the number of rows per block, a power of two, for which registers and columns fit the second-level
// cache.
func (t *Tape) BlockRows() int {
	const cacheElements, least, most = 768 << 10 / 8, 32, 512
	rows := least
	for rows < most && 2*rows*t.vectors <= cacheElements {
		rows *= 2
	}
	return rows
}

// UsesSelectors reports whether a run reads the selectors of its block.
func (t *Tape) UsesSelectors() bool {
	for g, used := range t.groups {
		if used && group(g)%selectorGroups != groupPlain {
			return true
		}
	}
	return slices.Contains(t.reads[t.selectorAt:t.periodicAt], true)
}

// Steps returns the number of block operations of a run.
func (t *Tape) Steps() int { return len(t.steps) }
