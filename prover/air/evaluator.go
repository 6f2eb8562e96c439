package air

import "github.com/chiasmus/chiasmus/prover/goldilocks"

// Evaluator runs a tape on blocks of rows. It holds the registers, so each
// goroutine has its own. Running does not allocate.
type Evaluator struct {
	tape         *Tape
	rows         int // of the last run
	registers    []goldilocks.Element
	maxRows      int
	vectors      [][]goldilocks.Element
	uniform      []goldilocks.Element
	accumulators [groupCount]goldilocks.ExtensionVector
}

// NewEvaluator makes an evaluator for blocks of up to maxRows rows.
func (t *Tape) NewEvaluator(maxRows int) *Evaluator {
	e := &Evaluator{
		tape:      t,
		maxRows:   maxRows,
		registers: make([]goldilocks.Element, t.registers*maxRows),
		vectors:   make([][]goldilocks.Element, t.vectors),
		uniform:   make([]goldilocks.Element, len(t.uniform)),
	}
	for g := range e.accumulators {
		if t.groups[g] || t.constraints && group(g) == groupPlain {
			e.accumulators[g] = goldilocks.NewExtensionVector(maxRows)
		}
	}
	return e
}

// Run evaluates the first rows of a block. The results are valid until the
// next run.
func (e *Evaluator) Run(b *Block, rows int) {
	e.bind(b, rows)
	t := e.tape
	t.evaluateUniform(b.Public, e.uniform)
	for _, s := range t.splatUniforms {
		fill(e.vectors[s.register], e.uniform[s.slot])
	}
	var accumulators [groupCount]goldilocks.ExtensionVector
	for g := range accumulators {
		if e.accumulators[g].C[0] != nil {
			accumulators[g] = e.accumulators[g].Slice(0, rows)
			accumulators[g].Fill(goldilocks.Extension{})
		}
	}
	v := e.vectors
	for i := range t.steps {
		s := &t.steps[i]
		switch s.op {
		case vectorAdd:
			goldilocks.AddVector(v[s.dst], v[s.a], v[s.b])
		case vectorSub:
			goldilocks.SubVector(v[s.dst], v[s.a], v[s.b])
		case vectorMul:
			goldilocks.MulVector(v[s.dst], v[s.a], v[s.b])
		case vectorMulAdd:
			goldilocks.MulAddVector(v[s.dst], v[s.a], v[s.b], v[s.c])
		case scalarAdd:
			goldilocks.AddScalarVector(v[s.dst], v[s.a], e.uniform[s.b])
		case scalarSubtractFrom:
			goldilocks.SubFromScalarVector(v[s.dst], e.uniform[s.b], v[s.a])
		case scalarMul:
			goldilocks.ScaleVector(v[s.dst], v[s.a], e.uniform[s.b])
		case foldRoot:
			accumulators[s.c].ScaleAdd(b.Weights[s.b], v[s.a])
		}
	}
	for g, selector := range [groupCount][]goldilocks.Element{groupFirst: b.First, groupLast: b.Last, groupTransition: b.Transition} {
		if t.groups[g] && group(g) != groupPlain {
			accumulators[groupPlain].MulBaseAdd(accumulators[g], selector[:rows])
		}
	}
}

// bind points the vectors at the registers and at the block's columns.
func (e *Evaluator) bind(b *Block, rows int) {
	e.rows = rows
	t := e.tape
	for r := range t.registers {
		e.vectors[r] = e.registers[r*e.maxRows : r*e.maxRows+rows]
	}
	bindColumns(e.vectors[t.mainAt:t.nextMainAt], b.Main, rows)
	bindColumns(e.vectors[t.nextMainAt:t.preprocessedAt], b.NextMain, rows)
	bindColumns(e.vectors[t.preprocessedAt:t.nextPreprocessedAt], b.Preprocessed, rows)
	bindColumns(e.vectors[t.nextPreprocessedAt:t.selectorAt], b.NextPreprocessed, rows)
	for k, selector := range [3][]goldilocks.Element{b.First, b.Last, b.Transition} {
		if selector != nil {
			e.vectors[int(t.selectorAt)+k] = selector[:rows]
		}
	}
}

func bindColumns(vectors, columns [][]goldilocks.Element, rows int) {
	for i := range vectors {
		if i < len(columns) && columns[i] != nil {
			vectors[i] = columns[i][:rows]
		} else {
			vectors[i] = nil
		}
	}
}

func fill(vector []goldilocks.Element, value goldilocks.Element) {
	for i := range vector {
		vector[i] = value
	}
}

// Folded is the sum of weight i times constraint i, in each row of the last
// run.
func (e *Evaluator) Folded() goldilocks.ExtensionVector {
	return e.accumulators[groupPlain].Slice(0, e.rows)
}

// Multiplicity is the multiplicity of interaction i in each row of the last
// run. It must not be written to.
func (e *Evaluator) Multiplicity(i int) []goldilocks.Element {
	return e.vectors[e.tape.interactions[i].multiplicity]
}

// Value is value k of interaction i's message in each row of the last run. It
// must not be written to.
func (e *Evaluator) Value(i, k int) []goldilocks.Element {
	return e.vectors[e.tape.interactions[i].values[k]]
}
