package gpu

import (
	"errors"
	"fmt"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// LogUp computes the auxiliary columns over the trace domain: for each batch h, the sum of its fractions, and the running
// sum of all h.
func (b *Backend) LogUp(ctx backend.Context, committed backend.Commitments, public []goldilocks.Element, challenges backend.LogUpChallenges) (backend.Columns, []goldilocks.Extension, error) {
	c, err := b.context(ctx)
	if err != nil {
		return nil, nil, err
	}
	own, err := c.commitments(committed)
	if err != nil {
		return nil, nil, err
	}
	var result *columns
	var claimed []goldilocks.Extension
	err = c.stage("logup", func(scope *cuda.Scope) error {
		if result, err = c.newColumns(backend.Auxiliary); err != nil {
			return err
		}
		claimed, err = c.logUp(scope, result, own, public, challenges)
		return err
	})
	handle, err := c.filled(result, err)
	return handle, claimed, err
}

// denominatorBytes is how many bytes of denominators are inverted at a time, unless one row has more. Tests lower it.
var denominatorBytes uint64 = 256 << 20

// resultWords are what a table's LogUp leaves for the host: the number of zero denominators and the claimed sum.
const resultWords = 1 + backend.ExtensionDegree

// logUpMemory is the working memory of the stage.
type logUpMemory struct {
	constants    []cuda.Span // by table: addresses of columns, public values, then challenges
	denominators cuda.Span
	totals       cuda.Span // of rows, three coordinates
	scan         cuda.Span
	results      cuda.Span // by table
}

// logUpRows is how many rows of a table are worked on at a time: a power of two.
func logUpRows(shape *backend.Shape, table int) uint64 {
	batches := uint64(len(shape.Machine.Tables[table].Batches))
	rows := uint64(1) << shape.LogHeights[table]
	for rows > 1 && rows*batches*backend.ExtensionDegree*wordBytes > denominatorBytes {
		rows /= 2
	}
	return rows
}

func takeLogUp(scope *cuda.Scope, shape *backend.Shape) (*logUpMemory, error) {
	m := &logUpMemory{constants: make([]cuda.Span, len(shape.Machine.Tables))}
	t := taker{}
	denominators, tallest := uint64(0), uint64(0)
	for i, table := range shape.Machine.Tables {
		if len(table.Interactions) == 0 {
			continue
		}
		words := traceRowWords(shape, i) + backend.ExtensionDegree*uint64(1+maxArity(table))
		m.constants[i] = t.take(scope, "columns and challenges of "+table.Name, words*wordBytes)
		denominators = max(denominators, logUpRows(shape, i)*uint64(len(table.Batches))*backend.ExtensionDegree*wordBytes)
		tallest = max(tallest, 1<<shape.LogHeights[i])
	}
	if tallest == 0 {
		return m, nil
	}
	m.denominators = t.take(scope, "LogUp denominators", denominators)
	m.totals = t.take(scope, "LogUp totals", tallest*backend.ExtensionDegree*wordBytes)
	m.scan = t.take(scope, "LogUp running sums", kernels.ScanWorkBytes(tallest))
	m.results = t.take(scope, "LogUp results", uint64(len(shape.Machine.Tables))*resultWords*wordBytes)
	return m, t.err
}

func (c *proverContext) logUp(scope *cuda.Scope, into *columns, own [backend.PhaseCount]*commitment, public []goldilocks.Element, challenges backend.LogUpChallenges) ([]goldilocks.Extension, error) {
	claimed := make([]goldilocks.Extension, len(c.shape.Machine.Tables))
	memory, err := takeLogUp(scope, &c.shape)
	if err != nil || memory.results.Size() == 0 {
		return claimed, err
	}
	if err := c.stream.Fill(memory.results, 0); err != nil {
		return nil, err
	}
	for i, table := range c.shape.Machine.Tables {
		if len(table.Interactions) == 0 {
			continue
		}
		if err := c.logUpTable(memory, into.tables[i], own, public, challenges, i); err != nil {
			return nil, fmt.Errorf("table %s: %w", table.Name, err)
		}
	}
	results, err := c.download(memory.results)
	if err != nil {
		return nil, err
	}
	for i, table := range c.shape.Machine.Tables {
		result := results[i*resultWords:][:resultWords]
		if result[0] != 0 {
			return nil, fmt.Errorf("table %s: %w", table.Name, backend.ErrZeroDenominator)
		}
		for k, word := range result[1:] {
			claimed[i][k] = goldilocks.Element(word)
		}
	}
	return claimed, nil
}

// logUpTable queues the work of one table: fractions, their division some rows at a time, the running sum.
func (c *proverContext) logUpTable(memory *logUpMemory, auxiliary kernels.Columns, own [backend.PhaseCount]*commitment, public []goldilocks.Element, challenges backend.LogUpChallenges, table int) error {
	n, step := c.height(table), logUpRows(&c.shape, table)
	rows, err := c.traceRows(memory.constants[table], table, keptColumn(own[backend.Main], table), keptColumn(own[backend.Preprocessed], table), public)
	if err != nil {
		return err
	}
	fingerprint, err := c.uploadChallenges(memory.constants[table], table, challenges)
	if err != nil {
		return err
	}
	zeros, errZeros := memory.results.Part(uint64(table)*resultWords*wordBytes, wordBytes)
	claimed, errClaimed := memory.results.Part((uint64(table)*resultWords+1)*wordBytes, backend.ExtensionDegree*wordBytes)
	if err := errors.Join(errZeros, errClaimed); err != nil {
		return err
	}
	for first := uint64(0); first < n; first += step {
		if err := c.divideFractions(memory, auxiliary, rows, fingerprint, zeros, table, first, step); err != nil {
			return err
		}
	}
	totals := kernels.Columns{Span: memory.totals, Stride: n, Count: backend.ExtensionDegree}
	if err := c.set.Scan(c.stream, totals, totals, n, memory.scan); err != nil {
		return err
	}
	sum, err := auxiliary.Part(auxiliary.Count-backend.ExtensionDegree, backend.ExtensionDegree, n)
	if err != nil {
		return err
	}
	return c.launch("logup_shift", cuda.Linear(n, 256), cuda.Address(sum.Span), cuda.U64(sum.Stride), cuda.Address(totals.Span), cuda.U64(n), cuda.Address(claimed))
}

// divideFractions computes h in some rows of all batches, and the rows' totals.
func (c *proverContext) divideFractions(memory *logUpMemory, auxiliary kernels.Columns, rows *traceRows, challenges, zeros cuda.Span, table int, first, count uint64) error {
	t := c.shape.Machine.Tables[table]
	batches := uint64(len(t.Batches))
	shape := cuda.Shape{Grid: cuda.Dim{X: (count + 127) / 128, Y: uint64(parts(len(t.Batches), batchesPerPart))}, Block: cuda.Dim{X: 128}}
	err := c.launch(fractionKernel(c.shape.Machine, t), shape, rows.argument(first), cuda.U64(count), cuda.Address(auxiliary.Span),
		cuda.U64(auxiliary.Stride), cuda.Address(memory.denominators), cuda.Address(challenges))
	if err != nil {
		return err
	}
	denominators := kernels.Columns{Span: memory.denominators, Stride: batches * count, Count: backend.ExtensionDegree}
	if err := c.set.InvertExtension(c.stream, denominators, denominators, batches*count, zeros); err != nil {
		return err
	}
	return c.launch("logup_divide", cuda.Linear(count, 128), cuda.Address(auxiliary.Span), cuda.U64(auxiliary.Stride), cuda.Address(memory.denominators),
		cuda.U64(batches), cuda.U64(first), cuda.U64(count), cuda.Address(memory.totals), cuda.U64(rows.n))
}

// uploadChallenges writes alpha, beta, beta^2 and so on behind a table's addresses and public values.
func (c *proverContext) uploadChallenges(constants cuda.Span, table int, challenges backend.LogUpChallenges) (cuda.Span, error) {
	words := appendExtension(nil, challenges.Alpha)
	power := goldilocks.Extension{1}
	for range maxArity(c.shape.Machine.Tables[table]) {
		power = power.Mul(challenges.Beta)
		words = appendExtension(words, power)
	}
	span, err := constants.Part(traceRowWords(&c.shape, table)*wordBytes, uint64(len(words))*wordBytes)
	if err != nil {
		return span, err
	}
	return span, c.upload(span, words)
}
