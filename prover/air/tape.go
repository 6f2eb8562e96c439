package air

import "github.com/chiasmus/chiasmus/prover/goldilocks"

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
	table     *Table
	steps     []step
	registers int // block-sized temporaries

	// uniform are the nodes that are equal on all rows: constants, public
	// values and what is computed from them. They are evaluated once a run.
	uniform []uniformStep

	// first vector numbers of each class of operands, after the registers
	mainAt, nextMainAt, preprocessedAt, nextPreprocessedAt, selectorAt int32
	vectors                                                            int

	groups        [groupCount]bool // the constraint groups that are used
	constraints   bool
	interactions  []interactionPlace
	splatUniforms []splat
}

// opcode is one operation on blocks.
type opcode uint8

const (
	vectorAdd          opcode = iota // dst = a + b
	vectorSub                        // dst = a - b
	vectorMul                        // dst = a * b
	vectorMulAdd                     // dst = a * b + c
	scalarAdd                        // dst = a + scalar b
	scalarSubtractFrom               // dst = scalar b - a
	scalarMul                        // dst = scalar b * a
	foldRoot                         // accumulator group c += weight b * a
)

// step is one operation. dst, a and c are vectors, b too unless the
// operation says otherwise.
type step struct {
	op           opcode
	dst, a, b, c int32
}

// uniformStep computes one node that is equal on all rows. A negated slot is
// minus the slot a.
type uniformStep struct {
	node Node // operands are slots
	neg  bool
}

// group collects the constraints that have the same selector as a factor, so
// that the selector is multiplied once and not once a constraint.
type group = int32

const (
	groupPlain group = iota
	groupFirst
	groupLast
	groupTransition
	groupCount
)

// interactionPlace says in which vectors an interaction's nodes are.
type interactionPlace struct {
	multiplicity int32
	values       []int32
}

// splat is a register that holds a uniform value in all rows.
type splat struct{ register, slot int32 }

// Block is what a tape reads: the columns of a block of rows. Slices are at
// least as long as the block; columns that the tape does not read may be nil.
type Block struct {
	Main, Preprocessed         [][]goldilocks.Element
	NextMain, NextPreprocessed [][]goldilocks.Element // by place in the table's lists
	First, Last, Transition    []goldilocks.Element   // selectors
	Public                     []goldilocks.Element
	Weights                    []goldilocks.Extension // one for each constraint
}

// Registers is the number of block-sized temporaries an evaluator holds.
func (t *Tape) Registers() int { return t.registers }

// Steps is the number of block operations of a run.
func (t *Tape) Steps() int { return len(t.steps) }
