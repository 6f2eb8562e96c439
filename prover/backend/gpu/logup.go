package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
)

// LogUp computes the auxiliary columns over the trace domain: for each batch but the last the sum of its fractions A,
// and in place of the last one's the running sum S of all, less an equal share of the claimed sum in every row.
func (p *proof) LogUp(challenges backend.LogUpChallenges) (claimed []goldilocks.Extension, err error) {
	err = p.step(backend.StepLogUp, "logup", func(scope *cuda.Scope) error {
		p.challenges = challenges
		if claimed, err = p.logUp(scope); err != nil {
			return err
		}
		p.phases[backend.Main].kept = nil // and its memory is for what follows
		return p.kept.End()
	})
	return claimed, err
}

// denominatorBytes is how many bytes of denominators are inverted at a time, unless one row has more. Tests lower it.
var denominatorBytes uint64 = 256 << 20

// resultWords are what an instance's LogUp leaves for the host: the number of zero denominators and the claimed sum.
const resultWords = 1 + backend.ExtensionDegree

// logUpMemory is the working memory of the stage.
type logUpMemory struct {
	constants    cuda.Span // of each instance addresses of columns, public values, then challenges
	denominators cuda.Span
	totals       cuda.Span // of rows, three coordinates
	scan         cuda.Span
	results      cuda.Span // by instance
}

// logUpRows is how many rows of an instance are worked on at a time: a power of two.
func logUpRows(shape *backend.Shape, instance int) uint64 {
	batches := uint64(len(shape.Table(instance).Batches))
	rows := uint64(shape.Rows(instance))
	for rows > 1 && rows*batches*backend.ExtensionDegree*wordBytes > denominatorBytes {
		rows /= 2
	}
	return rows
}

func takeLogUp(scope *cuda.Scope, shape *backend.Shape) (*logUpMemory, error) {
	m := &logUpMemory{}
	t := device.Taker{}
	words, denominators, tallest := uint64(0), uint64(0), uint64(0)
	for _, i := range shape.Claiming() {
		table := shape.Table(i)
		words += traceRowWords(shape, i) + backend.ExtensionDegree*uint64(1+maxArity(table.Table))
		denominators = max(denominators, logUpRows(shape, i)*uint64(len(table.Batches))*backend.ExtensionDegree*wordBytes)
		tallest = max(tallest, uint64(shape.Rows(i)))
	}
	if tallest == 0 {
		return m, nil
	}
	m.constants = t.Take(scope, "places of columns and challenges", words*wordBytes)
	m.denominators = t.Take(scope, "LogUp denominators", denominators)
	m.totals = t.Take(scope, "LogUp totals", tallest*backend.ExtensionDegree*wordBytes)
	m.scan = t.Take(scope, "LogUp running sums", kernels.ScanWorkBytes(tallest))
	m.results = t.Take(scope, "LogUp results", uint64(len(shape.Instances))*resultWords*wordBytes)
	return m, t.Err
}

func (p *proof) logUp(scope *cuda.Scope) ([]goldilocks.Extension, error) {
	memory, err := takeLogUp(scope, p.shape)
	if err != nil {
		return nil, err
	}
	if err := p.device.Stream.Fill(memory.results, 0); err != nil {
		return nil, err
	}
	words := &constants{span: memory.constants}
	// The shortest come first: beside what the device does for them the host lists the columns of wide ones.
	for _, i := range p.shortestFirst(p.shape.Claiming()) {
		own := p.fractionsOf(words, i)
		err := p.sendConstants(words)
		if err == nil {
			err = p.logUpInstance(memory, &own)
		}
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", p.shape.Table(i).Name, err)
		}
	}
	results, err := p.download(memory.results)
	if err != nil {
		return nil, err
	}
	p.claimed = make([]goldilocks.Extension, len(p.shape.Instances))
	var claimed []goldilocks.Extension
	for _, i := range p.shape.Claiming() {
		result := results[i*resultWords:][:resultWords]
		if result[0] != 0 {
			return nil, fmt.Errorf("table %s: %w", p.shape.Table(i).Name, backend.ErrZeroDenominator)
		}
		for k, word := range result[1:] {
			p.claimed[i][k] = goldilocks.Element(word)
		}
		claimed = append(claimed, p.claimed[i])
	}
	return claimed, nil
}

// shortestFirst are some instances by rising height.
func (p *proof) shortestFirst(instances []int) []int {
	list := slices.Clone(instances)
	slices.SortStableFunc(list, func(i, k int) int { return cmp.Compare(p.rows(i), p.rows(k)) })
	return list
}

// fractions are what an instance's fractions are computed from.
type fractions struct {
	instance   int
	rows       *generate.TraceRows
	challenges uint64 // where they are: alpha, then beta, beta^2 and so on
}

func (p *proof) fractionsOf(words *constants, i int) fractions {
	own := fractions{instance: i, rows: p.traceRows(words, i, keptColumns(p.phases[backend.Main], i))}
	list := appendExtension(nil, p.challenges.Alpha)
	power := goldilocks.Extension{1}
	for range maxArity(p.shape.Table(i).Table) {
		power = power.Mul(p.challenges.Beta)
		list = appendExtension(list, power)
	}
	own.challenges = words.add(list)
	return own
}

// logUpInstance queues the work of one instance: fractions, their division some rows at a time, the running sum.
func (p *proof) logUpInstance(memory *logUpMemory, own *fractions) error {
	i := own.instance
	n, step, auxiliary := p.rows(i), logUpRows(p.shape, i), p.phases[backend.Auxiliary].list[i]
	zeros, errZeros := memory.results.Part(uint64(i)*resultWords*wordBytes, wordBytes)
	claimed, errClaimed := memory.results.Part((uint64(i)*resultWords+1)*wordBytes, backend.ExtensionDegree*wordBytes)
	if err := errors.Join(errZeros, errClaimed); err != nil {
		return err
	}
	for first := uint64(0); first < n; first += step {
		if err := p.divideFractions(memory, auxiliary, own, zeros, first, step); err != nil {
			return err
		}
	}
	totals := kernels.Columns{Span: memory.totals, Stride: n, Count: backend.ExtensionDegree}
	if err := p.set.Scan(p.device.Stream, totals, totals, n, memory.scan); err != nil {
		return err
	}
	sum, err := auxiliary.Part(auxiliary.Count-backend.ExtensionDegree, backend.ExtensionDegree, n)
	if err != nil {
		return err
	}
	return p.launch("logup_shift", cuda.Linear(n, 256), cuda.Address(sum.Span), cuda.U64(sum.Stride),
		cuda.Address(totals.Span), cuda.U64(n),
		cuda.U64(uint64(goldilocks.Element(n).Inverse())), cuda.Address(claimed))
}

// divideFractions computes the sums of some rows of all batches, and the rows' totals.
func (p *proof) divideFractions(memory *logUpMemory, auxiliary kernels.Columns, own *fractions, zeros cuda.Span,
	first, count uint64) error {
	t := p.shape.Table(own.instance)
	batches := uint64(len(t.Batches))
	shape := cuda.Shape{Grid: cuda.Dim{X: (count + 127) / 128, Y: uint64(generate.BatchParts(t))}, Block: cuda.Dim{X: 128}}
	part := *own.rows
	part.FirstRow = first
	err := p.launch(generate.FractionKernel(p.machine, t), shape, cuda.Value(part), cuda.U64(count),
		cuda.Address(auxiliary.Span),
		cuda.U64(auxiliary.Stride), cuda.Address(memory.denominators), cuda.U64(own.challenges))
	if err != nil {
		return err
	}
	denominators := kernels.Columns{Span: memory.denominators, Stride: batches * count, Count: backend.ExtensionDegree}
	if err := p.set.InvertExtension(p.device.Stream, denominators, denominators, batches*count, zeros); err != nil {
		return err
	}
	return p.launch("logup_divide", cuda.Linear(count, 128), cuda.Address(auxiliary.Span), cuda.U64(auxiliary.Stride),
		cuda.Address(memory.denominators),
		cuda.U64(batches), cuda.U64(first), cuda.U64(count), cuda.Address(memory.totals), cuda.U64(own.rows.N))
}
