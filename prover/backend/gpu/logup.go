package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/generate"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// LogUp computes the auxiliary columns over the trace domain: for each batch except the last, the sum A of its
// fractions; for the last, the running sum S of all batches, minus an equal share of the claimed sum in every row.
func (p *mainStage) LogUp(challenges protocol.LogUpChallenges) (claimed []goldilocks.Extension,
	next backend.Columns[backend.Witness], err error) {
	made := &auxiliaryColumns{&summed{stated: p.stated, committed: p.committed, challenges: challenges}}
	err = p.stage("logup", func(scope *cuda.Scope) error {
		results, err := p.logUp(scope, challenges)
		if err != nil {
			return err
		}
		if claimed, err = made.claimedSums(results); err != nil {
			return err
		}
		return p.kept.End() // later stages reuse the memory of the kept columns
	})
	return claimed, made, err
}

// denominatorBytes is the largest size of the denominators that are inverted at a time, unless one row has more. Tests
// lower it.
var denominatorBytes uint64 = 256 << 20

// resultWords is the number of words of an instance's result: the number of zero denominators and the claimed sum.
const resultWords = 1 + protocol.ExtensionDegree

// logUpMemory is the working memory of the stage.
type logUpMemory struct {
	constants    cuda.Span // challenges, then for each group column addresses, public values, and lists of launches
	denominators cuda.Span // of a step
	totals       cuda.Span // of a group's rows, three coordinates
	scan         cuda.Span
	zeros        cuda.Span // a word for inversions, which count all zeros
	results      cuda.Span // by instance
}

// logUpGroup is instances that share launches, so that small instances cost fewer launches. A group has the instances
// whose denominators fit in memory together, or a single instance that is processed in ranges of rows.
type logUpGroup struct {
	instances    []int
	rows         uint64 // of all instances
	step         uint64 // rows of each instance that are processed at a time
	denominators uint64 // of a step
}

// logUpRows returns the number of rows of an instance that are processed at a time, a power of two.
func logUpRows(shape *protocol.Shape, instance int) uint64 {
	batches := uint64(len(shape.Table(instance).Batches))
	rows := uint64(shape.Rows(instance))
	for rows > 1 && rows*batches*protocol.ExtensionDegree*wordBytes > denominatorBytes {
		rows /= 2
	}
	return rows
}

// logUpGroups divides the instances into groups. Groups with the fewest columns come first: while the device works on
// them, the host lists the columns of the others.
func logUpGroups(shape *protocol.Shape) (groups []logUpGroup) {
	instances := shape.Claiming()
	slices.SortStableFunc(instances, func(i, k int) int { return cmp.Compare(shape.Rows(i), shape.Rows(k)) })
	for _, i := range instances {
		rows, step := uint64(shape.Rows(i)), logUpRows(shape, i)
		denominators := step * uint64(len(shape.Table(i).Batches))
		// An instance that takes several steps has a group of its own.
		if last := len(groups) - 1; last >= 0 && step == rows && groups[last].steps(shape) == 1 &&
			(groups[last].denominators+denominators)*protocol.ExtensionDegree*wordBytes <= denominatorBytes {
			own := &groups[last]
			own.instances = append(own.instances, i)
			own.rows, own.step, own.denominators = own.rows+rows, rows, own.denominators+denominators
			continue
		}
		groups = append(groups, logUpGroup{[]int{i}, rows, step, denominators})
	}
	columns := func(group logUpGroup) (count int) {
		for _, i := range group.instances {
			count += len(shape.Table(i).Main)
		}
		return count
	}
	slices.SortStableFunc(groups, func(a, b logUpGroup) int { return cmp.Compare(columns(a), columns(b)) })
	return groups
}

// steps returns the number of steps in which the group's rows are processed.
func (g *logUpGroup) steps(shape *protocol.Shape) uint64 {
	return uint64(shape.Rows(g.instances[len(g.instances)-1])) / g.step
}

// listWords returns the memory of the lists of the group's launches, in words.
func (g *logUpGroup) listWords(shape *protocol.Shape) uint64 {
	divided := partWords[generate.DividedRows]()
	each := divided + partWords[generate.FractionRows]()
	return uint64(len(g.instances)) * (g.steps(shape)*each + divided)
}

func takeLogUp(scope *cuda.Scope, shape *protocol.Shape, groups []logUpGroup) (*logUpMemory, error) {
	m := &logUpMemory{}
	t := device.Taker{}
	words, denominators, rows, arity := uint64(0), uint64(0), uint64(0), 0
	for _, group := range groups {
		words += group.listWords(shape)
		for _, i := range group.instances {
			words += traceRowWords(shape, i)
			arity = max(arity, maxArity(shape.Table(i)))
		}
		denominators, rows = max(denominators, group.denominators), max(rows, group.rows)
	}
	if rows == 0 {
		return m, nil
	}
	words += protocol.ExtensionDegree * uint64(1+arity)
	m.constants = t.Take(scope, "places of columns and challenges", words*wordBytes)
	m.denominators = t.Take(scope, "LogUp denominators", denominators*protocol.ExtensionDegree*wordBytes)
	m.totals = t.Take(scope, "LogUp totals", rows*protocol.ExtensionDegree*wordBytes)
	m.scan = t.Take(scope, "LogUp running sums", kernels.ScanWorkBytes(rows))
	m.zeros = t.Take(scope, "LogUp zeros", wordBytes)
	m.results = t.Take(scope, "LogUp results", uint64(len(shape.Instances))*resultWords*wordBytes)
	return m, t.Err
}

// logUp returns the results of all instances.
func (p *mainStage) logUp(scope *cuda.Scope, challenges protocol.LogUpChallenges) ([]uint64, error) {
	memory, err := takeLogUp(scope, p.shape, p.groups)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(p.device.Stream.Fill(memory.zeros, 0), p.device.Stream.Fill(memory.results, 0)); err != nil {
		return nil, err
	}
	words, arity := &constants{span: memory.constants}, 0
	for _, i := range p.shape.Claiming() {
		arity = max(arity, maxArity(p.shape.Table(i)))
	}
	prints := words.add(fingerprintWords(challenges, arity))
	for _, group := range p.groups {
		if err := p.logUpOf(memory, words, prints, &group); err != nil {
			return nil, err
		}
	}
	return p.download(memory.results)
}

// claimedSums returns the claimed sums of all instances that have one.
func (p *summed) claimedSums(results []uint64) (claimed []goldilocks.Extension, err error) {
	p.claimed = make([]goldilocks.Extension, len(p.shape.Instances))
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

// fingerprintWords returns alpha, then beta to beta^arity, for messages of up to arity values.
func fingerprintWords(challenges protocol.LogUpChallenges, arity int) []uint64 {
	list, power := appendExtension(nil, challenges.Alpha), goldilocks.Extension{1}
	for range arity {
		power = power.Mul(challenges.Beta)
		list = appendExtension(list, power)
	}
	return list
}
