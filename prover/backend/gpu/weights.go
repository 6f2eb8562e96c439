package gpu

import (
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// constraintRows is the data of the quotient's kernels that is the same for all entries. Everything except the weights
// is known before the commitment after which the challenge is drawn. It is listed and sent during that commitment,
// since the device would wait for it between the stages. The device computes the weights as soon as the challenge is
// drawn.
//
// In memory all weights come first, then challenges, then the data of each instance.
type constraintRows struct {
	weights    uint64                   // number of weights
	challenges uint64                   // address of alpha and the powers of beta, for the longest message
	rows       []*generate.ExtendedRows // by instance, without the fields that a stage or a launch sets
}

// takeConstraintWords takes the memory of [constraintRows].
func takeConstraintWords(scope *cuda.Scope, shape *protocol.Shape, code *program, lean bool) (*cuda.Buffer, error) {
	words := uint64(protocol.ExtensionDegree * (1 + mostArity(shape)))
	for i := range shape.Instances {
		words += constraintWords(shape, code, i, lean)
	}
	return scope.Take("weights and challenges", words*wordBytes)
}

// weightWords is the number of words of a weight: its coordinates. Until the challenge is drawn, the words are the
// number of the constraint in the class, a factor, and the number of the LogUp challenge that is another factor.
const weightWords = protocol.ExtensionDegree

// constraintWords returns the number of words of an instance: weights, then alpha, the powers of beta and the share of
// the claimed sum, public values, and periodic columns; in a lean proof the latter again, from the second coset on.
func constraintWords(shape *protocol.Shape, code *program, instance int, lean bool) uint64 {
	t := shape.Table(instance)
	periodic := periodicWords(t, shape.Params.LogBlowup)
	if lean {
		periodic *= 2
	}
	plan := code.quotients[shape.Instances[instance].Table]
	extensions := protocol.ExtensionDegree * (2 + maxArity(t))
	return uint64(weightWords*weightCount(plan)+extensions+len(shape.Machine.PublicNames)) + periodic
}

// weightCount returns the number of weights of a table's constraints. The staged weights are last.
func weightCount(plan *generate.Quotient) int { return len(plan.Weights) + len(plan.Staged) }

// maxArity returns the largest number of values in a message of the table.
func maxArity(t *air.Table) int {
	arity := 0
	for _, interaction := range t.Interactions {
		arity = max(arity, interaction.Bus.Arity())
	}
	return arity
}

// mostArity returns the largest number of values in a message of the shape's tables.
func mostArity(shape *protocol.Shape) (arity int) {
	for i := range shape.Instances {
		arity = max(arity, maxArity(shape.Table(i)))
	}
	return arity
}

// listConstraints builds and sends everything that is known before the challenge is drawn.
func (p *witness) listConstraints() error {
	own := &p.constraints
	words := &constants{span: p.weights.All(), words: make([]uint64, 0, p.weights.Size()/wordBytes)}
	weights, offsets := make([]uint64, len(p.shape.Instances)), p.shape.ConstraintOffsets()
	for i, instance := range p.shape.Instances {
		weights[i] = words.add(listWeights(p.program.quotients[instance.Table], uint64(offsets[i])))
	}
	own.weights = uint64(len(words.words)) / weightWords
	own.challenges = words.add(fingerprintWords(p.challenges, mostArity(p.shape)))
	own.rows = make([]*generate.ExtendedRows, len(p.shape.Instances))
	for i := range p.shape.Instances {
		own.rows[i] = p.extendedRowsOf(words, i)
		own.rows[i].Weights = weights[i]
	}
	return p.sendConstants(words)
}

// listWeights lists the words from which the device computes the weights of an instance. first is the number of the
// instance's first constraint in the class.
func listWeights(plan *generate.Quotient, first uint64) []uint64 {
	words := make([]uint64, 0, weightWords*weightCount(plan))
	for _, list := range [][]generate.Weight{plan.Weights, plan.Staged} {
		for _, w := range list {
			words = append(words, first+uint64(w.Constraint), uint64(w.Coefficient), uint64(w.Challenge)|uint64(w.Bus)<<32)
		}
	}
	return words
}

// makeWeights queues the kernel that computes the weights. The weight of a class's first constraint is 1, and that of
// each next constraint is the challenge times the previous one.
func (p *witness) makeWeights(challenge goldilocks.Extension) error {
	own := &p.constraints
	return p.launch("quotient_weights", cuda.Linear(own.weights, 128), cuda.Address(p.weights.All()),
		cuda.U64(own.challenges), cuda.U64(uint64(challenge[0])), cuda.U64(uint64(challenge[1])),
		cuda.U64(uint64(challenge[2])), cuda.U64(own.weights))
}

// periodicAt identifies a periodic column on the extension of a height.
type periodicAt struct {
	column    *air.PeriodicColumn
	logHeight int
}

// extendedPeriodic returns a periodic column on the extension. It computes the column once for each height:
// interpolating the columns of Keccak-f again for each proof would take as long as evaluating the constraints of a
// small proof.
func (o *openMachine) extendedPeriodic(column *air.PeriodicColumn, logHeight int) []goldilocks.Element {
	at := periodicAt{column, logHeight}
	values, known := o.extended[at]
	if !known {
		values = column.Extended(logHeight, o.params.LogBlowup)
		o.extended[at] = values
	}
	return values
}

// extendedRowsOf describes the rows of an instance, and adds their constants to to.
func (p *witness) extendedRowsOf(to *constants, i int) *generate.ExtendedRows {
	t := p.shape.Table(i)
	words := fingerprintWords(p.challenges, maxArity(t))
	var share goldilocks.Extension
	if p.claimed != nil {
		share = p.claimed[i].MulBase(goldilocks.Element(p.rows(i)).Inverse())
	}
	words = appendExtension(words, share)
	public := len(words)
	for _, v := range p.public {
		words = append(words, uint64(v))
	}
	periodic, logHeight := len(words), p.shape.Instances[i].LogHeight
	words = appendPeriodic(words, t, func(column *air.PeriodicColumn) ([]goldilocks.Element, int) {
		return p.extendedPeriodic(column, logHeight), logHeight - column.LogPeriod()
	})
	if p.lean {
		words = appendPeriodic(words, t, func(column *air.PeriodicColumn) ([]goldilocks.Element, int) {
			values, period := p.extendedPeriodic(column, logHeight), 1<<column.LogPeriod()
			return slices.Concat(values[period:], values[:period]), logHeight - column.LogPeriod()
		})
	}
	at := to.add(words)
	generator, shift := goldilocks.RootOfUnity(logHeight), goldilocks.Generator.Exp(1<<logHeight)
	// x^n is s^n on the first half, s*H, and -s^n on the second, because the n-th power of a root of order 2n is -1.
	vanishing := [2]goldilocks.Element{shift.Sub(1), shift.Neg().Sub(1)}
	r := &generate.ExtendedRows{
		LogHeight:        uint32(logHeight),
		PublicValues:     at + uint64(public)*wordBytes,
		PeriodicColumns:  at + uint64(periodic)*wordBytes,
		Points:           uint64(p.points.Span.Pointer()),
		Generator:        uint64(generator),
		GeneratorInverse: uint64(generator.Inverse()),
		Challenges:       at,
	}
	for k, v := range vanishing {
		r.Vanishing[k], r.Scale[k] = uint64(v), uint64(v.Inverse())
	}
	r.MainColumns, r.MainStride = p.extensionOf(protocol.Main, i)
	r.PreprocessedColumns, r.PreprocessedStride = p.extensionOf(protocol.PreprocessedPhase(t), i)
	r.AuxiliaryColumns, r.AuxiliaryStride = p.extensionOf(protocol.Auxiliary, i)
	return r
}
