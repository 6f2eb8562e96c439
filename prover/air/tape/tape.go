package tape

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Part selects what a tape evaluates.
type Part uint8

// The parts of a table; they can be combined.
const (
	ConstraintPart  Part = 1 << iota // all constraints, folded with weights
	InteractionPart                  // multiplicities and values of all interactions
)

// Tape is a table's graph as a list of steps on blocks of rows. It is
// read-only; evaluators made from it run concurrently.
type Tape struct {
	table     *air.Table
	steps     []step
	registers int // block-sized temporaries

	// uniform are the nodes that are equal on all rows: constants, public
	// values and what is computed from them. They are evaluated once a run.
	uniform []uniformStep

	// first vector numbers of each class of operands, after the registers
	mainAt, nextMainAt, preprocessedAt, nextPreprocessedAt, selectorAt, periodicAt int32
	vectors                                                                        int
	// by vector: columns and selectors that the tape reads
	reads []bool

	groups       [groupCount]bool // the constraint groups that are used
	constraints  bool
	runs         []run // all steps in order
	lowRuns      int   // the first of the runs of low constraints, see IsLow
	packs        []pack
	terms        []int32 // of sums, as vectors
	folds        []fold
	interactions []interactionPlace
	splats       []splat
}

// opcode is one operation on blocks. The kernels know those up to sumTerms by
// these numbers.
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
	signedXor                        // dst = a * (1 - 2b) + b, which is a xor b too
	sumTerms                         // dst = the sum of b terms less the sum of c terms, from number a on

	packXor   // dst = packing a with terms x xor y
	packChi   // dst = packing a with terms x xor (not y and z)
	foldTerms // fold a
)

// step is one operation. Its operands are vectors where the operation does not
// say otherwise. Kernels read it as five words.
type step struct {
	op           opcode
	dst, a, b, c int32
}

// uniformStep computes one node that is equal on all rows. A negated slot is
// minus the slot a.
type uniformStep struct {
	node air.Node // operands are slots
	neg  bool
}

// run is a number of consecutive steps of the kind that one kernel takes, or one
// step of another kind.
type run struct{ first, count int }

// isPlain reports whether a step is one of those that run together.
func (op opcode) isPlain() bool { return op <= sumTerms }

// pack is a packing's operands as vectors; start is -1 for zero.
type pack struct {
	start int32
	terms []int32
}

// fold adds constraints of one group, times their weights, to its accumulator:
// first the plain ones, then those of the form x*x - x, of which terms has x.
type fold struct {
	group       group
	terms       []int32
	constraints []int32 // whose weights they have
	plain       int
}

// group collects the constraints that have the same selector as a factor, so
// that the selector is multiplied once and not once a constraint. Low
// constraints have groups of their own.
type group = int32

const (
	groupPlain group = iota
	groupFirst
	groupLast
	groupTransition
	selectorGroups
	groupLow   = selectorGroups // added to the above
	groupCount = 2 * selectorGroups
)

// interactionPlace says in which vectors an interaction's nodes are.
type interactionPlace struct {
	multiplicity int32
	values       []int32
	slots        []int32 // by value, the uniform slot that it is; -1 where it differs from row to row
}

// splat is a register that holds a uniform value in all rows.
type splat struct{ register, slot int32 }

// Block is what a tape reads: the columns of a block of rows. Slices are at
// least as long as the block; columns that the tape does not read may be nil.
type Block struct {
	Main, Preprocessed         [][]goldilocks.Element // the block begins at row Row of these
	Row                        int
	NextMain, NextPreprocessed [][]goldilocks.Element // by place in the table's lists
	First, Last, Transition    []goldilocks.Element   // selectors
	Periodic                   [][]goldilocks.Element // the block's values of each periodic column
	Public                     []goldilocks.Element
	Weights                    []goldilocks.Extension // one for each constraint; other weights are another slice
}

// Registers is the number of block-sized temporaries an evaluator holds.
func (t *Tape) Registers() int { return t.registers }

// BlockRows is the number of rows of a block for which registers and columns
// together fit the second-level cache, a power of two.
func (t *Tape) BlockRows() int {
	const cacheElements, least, most = 768 << 10 / 8, 32, 512
	rows := least
	for rows < most && 2*rows*t.vectors <= cacheElements {
		rows *= 2
	}
	return rows
}

// UsesSelectors says whether a run reads the selectors of its block.
func (t *Tape) UsesSelectors() bool {
	for g, used := range t.groups {
		if used && group(g)%selectorGroups != groupPlain {
			return true
		}
	}
	return slices.Contains(t.reads[t.selectorAt:t.periodicAt], true)
}

// Steps is the number of block operations of a run.
func (t *Tape) Steps() int { return len(t.steps) }
