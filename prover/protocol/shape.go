package protocol

import (
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/fri"
	"github.com/chiasmus/chiasmus/prover/merkle"
)

const (
	// ExtensionDegree is the number of base columns per extension column.
	ExtensionDegree = 3

	// QuotientParts is the number of polynomials of degree below n into which a quotient is split, for constraints of
	// degree 3.
	QuotientParts = 2

	// QuotientWidth is the number of base columns of a class's quotient.
	QuotientWidth = ExtensionDegree * QuotientParts
)

// Layout has the parameters that determine the computation, without the number of queries and grinding bits.
type Layout struct {
	LogBlowup      int
	LogArity       int
	LogFinalLength int
	CapHeight      int
	Hash           merkle.Hash
}

// Shape determines the sizes and memory of a proof.
type Shape struct {
	Machine   *circuit.Machine
	Params    Layout
	Instances []circuit.Instance // in the proof's order
	Classes   []Class            // by decreasing height
	Schedule  []int              // FRI's folds, log arities

	// Precomputed, because a stage that computed them would keep the device idle.
	matrices [PhaseCount][]Matrix
	trees    [PhaseCount]merkle.Shape
	layers   []merkle.Shape
}

// Class has the instances of one height. They share a domain, a quotient and a codeword.
type Class struct {
	LogHeight int
	Members   []int // indices of instances, in order
}

// NewShape returns the shape of a proof with these instances.
func NewShape(m *circuit.Machine, params Layout, instances []circuit.Instance) *Shape {
	s := &Shape{Machine: m, Params: params, Instances: slices.Clone(instances)}
	logSizes := make([]int, len(instances))
	for i, instance := range instances {
		logSizes[i] = instance.LogHeight + params.LogBlowup
	}
	for class := classBelow(instances, math.MaxInt); class.Members != nil; class = classBelow(instances, class.LogHeight) {
		s.Classes = append(s.Classes, class)
	}
	s.Schedule = fri.Schedule(logSizes, params.LogArity, params.LogFinalLength+params.LogBlowup)
	for phase := range Phase(PhaseCount) {
		s.matrices[phase] = s.matricesOf(phase)
		s.trees[phase] = s.treeOf(phase)
	}
	s.layers = s.layerShapes()
	return s
}

// classBelow returns the class of the tallest instances below a height; it has no members if there are none.
func classBelow(instances []circuit.Instance, logHeight int) (class Class) {
	for i, instance := range instances {
		switch h := instance.LogHeight; {
		case h >= logHeight || class.Members != nil && h < class.LogHeight:
		case h == class.LogHeight:
			class.Members = append(class.Members, i)
		default:
			class = Class{h, []int{i}}
		}
	}
	return class
}

// Table returns the table of an instance.
func (s *Shape) Table(instance int) *air.Table {
	return s.Machine.Tables[s.Instances[instance].Table]
}

// Rows returns the number of rows of an instance.
func (s *Shape) Rows(instance int) int { return 1 << s.Instances[instance].LogHeight }

// MaxLogSize returns the log size of the largest extension domain.
func (s *Shape) MaxLogSize() int { return s.Classes[0].LogHeight + s.Params.LogBlowup }

// Width returns the number of base columns of a table in a phase other than the quotient.
func Width(table *air.Table, phase Phase) int {
	switch {
	case phase == Main:
		return len(table.Main)
	case phase == Auxiliary:
		return table.AuxiliaryColumns()
	case phase == Fixed && table.Kind == air.FixedPreprocessed, phase == Program && table.Kind == air.ProgramPreprocessed:
		return len(table.Preprocessed)
	}
	return 0
}

// PreprocessedPhase returns the phase of a table's preprocessed columns, if it has any.
func PreprocessedPhase(table *air.Table) Phase {
	if table.Kind == air.ProgramPreprocessed {
		return Program
	}
	return Fixed
}

// NextColumns returns the columns of a phase that are read at the next row, and therefore also opened at g*z, in
// ascending order. Among the auxiliary columns this is the running sum, the last one.
func NextColumns(table *air.Table, phase Phase) []int {
	width := Width(table, phase)
	switch {
	case width == 0:
		return nil
	case phase == Main:
		return table.NextMain
	case phase == Auxiliary:
		return []int{width - 3, width - 2, width - 1}
	default:
		return table.NextPreprocessed
	}
}

// KeptColumns returns the preprocessed or main columns that a table's interactions read, in ascending order: LogUp
// reads their values on the trace domain after they have been committed.
func KeptColumns(table *air.Table, phase Phase) []int {
	switch {
	case Width(table, phase) == 0 || phase == Auxiliary:
		return nil
	case phase == Main:
		return table.InteractionMain
	default:
		return table.InteractionPreprocessed
	}
}

// Matrix is one matrix in a phase's tree: an instance's columns, or a class's quotient.
type Matrix struct {
	Index     int // of the instance, or of the class
	LogHeight int // of the trace, not of the extension
	Width     int
}

// Matrices returns the matrices of a phase's tree, in order; none if the proof lacks the phase. The caller must not
// modify them.
func (s *Shape) Matrices(phase Phase) []Matrix { return s.matrices[phase] }

func (s *Shape) matricesOf(phase Phase) (matrices []Matrix) {
	if phase == Quotient {
		for i, class := range s.Classes {
			matrices = append(matrices, Matrix{i, class.LogHeight, QuotientWidth})
		}
		return matrices
	}
	for i, instance := range s.Instances {
		if width := Width(s.Table(i), phase); width > 0 {
			matrices = append(matrices, Matrix{i, instance.LogHeight, width})
		}
	}
	return matrices
}

// Present reports whether a proof has columns in a phase.
func (s *Shape) Present(phase Phase) bool { return len(s.Matrices(phase)) > 0 }

// Entries returns the number of entries in the openings of a phase: instances, classes for the quotient, or 0 if the
// proof lacks the phase.
func (s *Shape) Entries(phase Phase) int {
	switch {
	case !s.Present(phase):
		return 0
	case phase == Quotient:
		return len(s.Classes)
	default:
		return len(s.Instances)
	}
}

// OpenedWidths returns the numbers of values in entry i of a phase's openings, at z and at g*z.
func (s *Shape) OpenedWidths(phase Phase, i int) (current, next int) {
	if phase == Quotient {
		return QuotientWidth, 0
	}
	table := s.Table(i)
	return Width(table, phase), len(NextColumns(table, phase))
}

// TreeShape returns the shape of the tree over a phase's extensions. The caller must not modify it.
func (s *Shape) TreeShape(phase Phase) merkle.Shape { return s.trees[phase] }

func (s *Shape) treeOf(phase Phase) merkle.Shape {
	shape := merkle.Shape{Kind: merkle.Kind{Hash: s.Params.Hash}, CapHeight: s.Params.CapHeight}
	for _, matrix := range s.matrices[phase] {
		shape.LogHeights = append(shape.LogHeights, matrix.LogHeight+s.Params.LogBlowup)
		shape.Widths = append(shape.Widths, matrix.Width)
	}
	return shape
}

// LayerShape returns the shape of the tree over FRI layer i: one matrix with 2^logArity entries of three elements per
// row.
func (s *Shape) LayerShape(i int) merkle.Shape { return s.layers[i] }

func (s *Shape) layerShapes() (layers []merkle.Shape) {
	if len(s.Schedule) == 0 {
		return nil
	}
	logRows := s.MaxLogSize()
	for _, logArity := range s.Schedule {
		logRows -= logArity
		layers = append(layers, merkle.Shape{
			Kind:       merkle.Kind{Hash: s.Params.Hash, Extension: true},
			LogHeights: []int{logRows},
			Widths:     []int{ExtensionDegree << logArity},
			CapHeight:  s.Params.CapHeight,
		})
	}
	return layers
}

// Claiming returns the instances with interactions, in order. Each claims a sum.
func (s *Shape) Claiming() []int {
	var list []int
	for i := range s.Instances {
		if len(s.Table(i).Interactions) > 0 {
			list = append(list, i)
		}
	}
	return list
}

// Constraints returns the number of constraints of an instance, including LogUp's: one per batch.
func (s *Shape) Constraints(instance int) int {
	table := s.Table(instance)
	return len(table.Constraints) + len(table.Batches)
}

// ConstraintOffsets returns, by instance, the power of the constraint challenge for its first constraint. Powers start
// at 0 in each class and continue from member to member.
func (s *Shape) ConstraintOffsets() []int {
	offsets := make([]int, len(s.Instances))
	for _, class := range s.Classes {
		at := 0
		for _, i := range class.Members {
			offsets[i] = at
			at += s.Constraints(i)
		}
	}
	return offsets
}
