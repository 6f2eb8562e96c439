package gpu

import (
	"errors"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// Quotient evaluates the constraints on the first entries of the extensions, divides by the vanishing polynomial and
// interpolates. Constraints whose quotients have degree below n are evaluated on the coset of size n only, the others on
// that of size 2n; the coefficients of the former are added to the lower half of the latter's.
func (b *Backend) Quotient(ctx backend.Context, committed backend.Commitments, input backend.QuotientInput) (backend.Columns, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, err
	}
	own, err := c.commitments(committed)
	if err != nil {
		return nil, err
	}
	var result *columns
	err = c.stage("quotient", func(scope *cuda.Scope) error {
		if result, err = c.newColumns(backend.Quotient); err != nil {
			return err
		}
		result.coefficients = true
		memory, err := takeQuotient(scope, &c.shape)
		if err != nil {
			return err
		}
		return c.settle(c.quotients(memory, own, &input, result))
	})
	if err != nil {
		if result != nil {
			result.release(c)
		}
		return nil, err
	}
	return result, nil
}

// quotientMemory is the working memory of the stage.
type quotientMemory struct {
	constants []cuda.Span // by table: weights and claimed sum, challenges, public values
	inverses  cuda.Span   // 1/(x-1), of the tallest table's 2n points; others are prefixes
	zeros     cuda.Span
	work      cuda.Span // of interpolation
}

func takeQuotient(scope *cuda.Scope, shape *backend.Shape) (*quotientMemory, error) {
	m := &quotientMemory{}
	t := taker{}
	points := uint64(2) << slices.Max(shape.LogHeights)
	for i, table := range shape.Machine.Tables {
		words := quotientConstantWords(shape, i)
		m.constants = append(m.constants, t.take(scope, "weights of "+table.Name, uint64(words)*wordBytes))
	}
	m.inverses = t.take(scope, "inverse points", points*wordBytes)
	m.zeros = t.take(scope, "count of zeros", wordBytes)
	m.work = t.take(scope, "interpolation of the quotient", 3*points*wordBytes)
	return m, t.err
}

// quotientConstantWords is how many words a table's kernels read that are the same for all entries.
func quotientConstantWords(shape *backend.Shape, table int) int {
	t := shape.Machine.Tables[table]
	return 3*(len(quotientPlan(shape.Machine, table).Weights)+3+1) + 3*(1+maxArity(t)) + len(shape.Machine.PublicNames)
}

// maxArity is the largest number of values in a message of the table.
func maxArity(t *air.Table) int {
	arity := 0
	for _, interaction := range t.Interactions {
		arity = max(arity, interaction.Bus.Arity)
	}
	return arity
}

// invertPoints computes 1/(x-1). No point of the coset is 1, so that there is no zero to count.
func (c *proverContext) invertPoints(memory *quotientMemory) error {
	points := memory.inverses.Size() / wordBytes
	if err := c.launch("quotient_offsets", cuda.Linear(points, 256), cuda.Address(memory.inverses), cuda.Address(c.points.Span), cuda.U64(points)); err != nil {
		return err
	}
	return c.set.InvertBase(c.stream, memory.inverses, memory.inverses, points, memory.zeros)
}

func (c *proverContext) quotients(memory *quotientMemory, own [backend.PhaseCount]*commitment, input *backend.QuotientInput, result *columns) error {
	if err := c.invertPoints(memory); err != nil {
		return err
	}
	for i := range c.shape.Machine.Tables {
		if err := c.sumConstraints(memory, own, input, result, i); err != nil {
			return err
		}
		if err := c.splitQuotient(memory, result.tables[i], c.shape.LogHeights[i]); err != nil {
			return err
		}
	}
	return nil
}

// launch queues a kernel by name.
func (c *proverContext) launch(name string, shape cuda.Shape, arguments ...cuda.Argument) error {
	f, err := c.set.Function(name)
	if err != nil {
		return err
	}
	return f.Launch(c.stream, shape, arguments...)
}

// sumConstraints writes the sum of all weighed constraints, divided by x^n - 1: of those that need 2n points to columns 0
// to 2 of the result, of the others to columns 3 to 5.
func (c *proverContext) sumConstraints(memory *quotientMemory, own [backend.PhaseCount]*commitment, input *backend.QuotientInput, result *columns, table int) error {
	t, plan := c.shape.Machine.Tables[table], quotientPlan(c.shape.Machine, table)
	n, sums := c.height(table), result.tables[table]
	rows, err := c.extendedRows(memory, own, input, table)
	if err != nil {
		return err
	}
	if err := c.launch("quotient_clear", cuda.Linear(2*n, 256), cuda.Address(sums.Span), cuda.U64(sums.Stride), cuda.U64(n)); err != nil {
		return err
	}
	for _, kernel := range plan.Kernels {
		if err := c.launch(kernel.Name, rows.shape(kernel.Low), rows.argument(sums, kernel.Low)); err != nil {
			return err
		}
	}
	if len(t.Interactions) == 0 {
		return nil
	}
	parameters, err := memory.constants[table].Part(uint64(3*len(plan.Weights))*wordBytes, 12*wordBytes)
	if err != nil {
		return err
	}
	return c.launch("quotient_running_sum", cuda.Linear(n, 128), rows.argument(sums, true), cuda.U32(uint32(len(t.Batches))), cuda.Address(parameters))
}

// extendedRows is what the kernels of a table read.
type extendedRows struct {
	n          uint64
	columns    [6]uint64 // addresses of main, preprocessed and auxiliary columns, then their strides in bytes
	public     uint64
	points     uint64
	inverses   uint64
	logHeight  uint64
	generator  goldilocks.Element
	vanishing  [2]goldilocks.Element
	challenges uint64
	weights    uint64
}

// extendedRows uploads a table's constants and describes its rows.
func (c *proverContext) extendedRows(memory *quotientMemory, own [backend.PhaseCount]*commitment, input *backend.QuotientInput, table int) (*extendedRows, error) {
	t, plan := c.shape.Machine.Tables[table], quotientPlan(c.shape.Machine, table)
	words := quotientWeights(t, plan, input.Constraint)
	words = appendExtension(words, input.Claimed[table])
	challenges := len(words)
	words = appendExtension(words, input.LogUp.Alpha)
	power := goldilocks.Extension{1}
	for range maxArity(t) {
		power = power.Mul(input.LogUp.Beta)
		words = appendExtension(words, power)
	}
	public := len(words)
	for _, v := range input.Public {
		words = append(words, uint64(v))
	}
	constants := memory.constants[table]
	if err := c.upload(constants, words); err != nil {
		return nil, err
	}
	logHeight := c.shape.LogHeights[table]
	at := uint64(constants.Pointer())
	shift := goldilocks.Generator.Exp(1 << logHeight)
	r := &extendedRows{
		n:         c.height(table),
		public:    at + uint64(public)*wordBytes,
		points:    uint64(c.points.Span.Pointer()),
		inverses:  uint64(memory.inverses.Pointer()),
		logHeight: uint64(logHeight),
		generator: goldilocks.RootOfUnity(logHeight),
		// x^n is s^n on the first half, s*H, and -s^n on the second, because the n-th power of a root of order 2n is -1.
		vanishing:  [2]goldilocks.Element{shift.Sub(1), shift.Neg().Sub(1)},
		challenges: at + uint64(challenges)*wordBytes,
		weights:    at,
	}
	for k, phase := range []backend.Phase{backend.Main, backend.Preprocessed, backend.Auxiliary} {
		if own[phase] != nil && own[phase].tables[table].Count > 0 {
			columns := own[phase].tables[table]
			r.columns[k], r.columns[3+k] = uint64(columns.Span.Pointer()), columns.Stride*wordBytes
		}
	}
	return r, nil
}

func (r *extendedRows) entries(low bool) uint64 {
	if low {
		return r.n
	}
	return 2 * r.n
}

func (r *extendedRows) shape(low bool) cuda.Shape {
	return cuda.Linear(r.entries(low), generate.KernelThreads)
}

// argument lays out struct ExtendedRows of rows.cuh. Strides are below 2^32 because no extension is longer than 2^26.
func (r *extendedRows) argument(sums kernels.Columns, low bool) cuda.Argument {
	to := uint64(sums.Span.Pointer())
	if low {
		to += 3 * sums.Stride * wordBytes
	}
	words := append(slices.Clone(r.columns[:3]), r.columns[3]|r.columns[4]<<32, r.columns[5]|r.logHeight<<32, r.public, r.points, r.inverses, r.entries(low),
		uint64(r.generator), uint64(r.generator.Inverse()), uint64(r.vanishing[0]), uint64(r.vanishing[1]),
		uint64(r.vanishing[0].Inverse()), uint64(r.vanishing[1].Inverse()), r.challenges, r.weights, to, sums.Stride*wordBytes)
	return cuda.Words(words...)
}

// splitQuotient interpolates the sums and leaves the low coefficients in columns 0 to 2 and the high ones in columns 3
// to 5.
func (c *proverContext) splitQuotient(memory *quotientMemory, sums kernels.Columns, logHeight int) error {
	n := uint64(1) << logHeight
	high, errHigh := sums.Part(0, 3, 2*n)
	low, errLow := sums.Part(3, 3, n)
	if err := errors.Join(errHigh, errLow); err != nil {
		return err
	}
	work := kernels.Columns{Span: memory.work, Stride: 2 * n, Count: 3}
	if err := c.transforms.Interpolate(c.stream, high, high, work, logHeight+1, kernels.Reversed, true); err != nil {
		return err
	}
	work.Stride = n
	if err := c.transforms.Interpolate(c.stream, low, low, work, logHeight, kernels.Reversed, true); err != nil {
		return err
	}
	return c.launch("quotient_join", cuda.Linear(n, 256), cuda.Address(sums.Span), cuda.U64(sums.Stride), cuda.U64(n))
}
