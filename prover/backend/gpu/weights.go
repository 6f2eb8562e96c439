package gpu

import (
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// constraintRows is what kernels of the quotient read that is the same for all entries. All but the weights is known
// before the commitment behind which the challenge is drawn: it is listed and sent beside that, since the device would
// wait for it between the stages. The weights the device makes itself, as soon as the challenge is drawn.
//
// In memory all weights come first, then challenges, then what each instance has of its own.
type constraintRows struct {
	weights    uint64                   // how many
	challenges uint64                   // address of alpha, beta and so on, as the longest message has
	rows       []*generate.ExtendedRows // by instance, without what a stage or a launch has of its own
}

// takeConstraintWords takes the memory of that.
func takeConstraintWords(scope *cuda.Scope, shape *protocol.Shape, code *program, lean bool) (*cuda.Buffer, error) {
	words := uint64(protocol.ExtensionDegree * (1 + mostArity(shape)))
	for i := range shape.Instances {
		words += constraintWords(shape, code, i, lean)
	}
	return scope.Take("weights and challenges", words*wordBytes)
}

// weightWords is how many words a weight has: its coordinates, and until the challenge is drawn what they are made of,
// which is the number of its constraint in the class, a factor, and which of LogUp's challenges is another.
const weightWords = protocol.ExtensionDegree

// constraintWords is how many words there are of an instance: weights, then alpha, the powers of beta and the share of
// the claimed sum, public values, periodic columns; in a lean proof those once more, from the second coset on.
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

// weightCount is how many weights a table's constraints have. The staged ones are the last.
func weightCount(plan *generate.Quotient) int { return len(plan.Weights) + len(plan.Staged) }

// maxArity is the largest number of values in a message of the table.
func maxArity(t *air.Table) int {
	arity := 0
	for _, interaction := range t.Interactions {
		arity = max(arity, interaction.Bus.Arity())
	}
	return arity
}

// mostArity is that of all tables.
func mostArity(shape *protocol.Shape) (arity int) {
	for i := range shape.Instances {
		arity = max(arity, maxArity(shape.Table(i)))
	}
	return arity
}

// listConstraints lists all that is known before the challenge is drawn, and sends it.
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

// listWeights lists what the weights of an instance are made of, of whose constraints the first has a number in the
// class.
func listWeights(plan *generate.Quotient, first uint64) []uint64 {
	words := make([]uint64, 0, weightWords*weightCount(plan))
	for _, list := range [][]generate.Weight{plan.Weights, plan.Staged} {
		for _, w := range list {
			words = append(words, first+uint64(w.Constraint), uint64(w.Coefficient), uint64(w.Challenge)|uint64(w.Bus)<<32)
		}
	}
	return words
}

// makeWeights has the device make the weights: the first constraint of a class weighs 1, each further one the challenge
// times more.
func (p *witness) makeWeights(challenge goldilocks.Extension) error {
	own := &p.constraints
	return p.launch("quotient_weights", cuda.Linear(own.weights, 128), cuda.Address(p.weights.All()),
		cuda.U64(own.challenges), cuda.U64(uint64(challenge[0])), cuda.U64(uint64(challenge[1])),
		cuda.U64(uint64(challenge[2])), cuda.U64(own.weights))
}

// periodicAt is a periodic column on the extension of a height.
type periodicAt struct {
	column    *air.PeriodicColumn
	logHeight int
}

// extendedPeriodic is a periodic column on the extension, computed once a height: interpolating the columns of Keccak-f
// anew for each proof takes as long as evaluating the constraints of a small one.
func (o *openMachine) extendedPeriodic(column *air.PeriodicColumn, logHeight int) []goldilocks.Element {
	at := periodicAt{column, logHeight}
	values, known := o.extended[at]
	if !known {
		values = column.Extended(logHeight, o.params.LogBlowup)
		o.extended[at] = values
	}
	return values
}

// extendedRowsOf describes the rows of an instance, and adds what is constant in them.
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
