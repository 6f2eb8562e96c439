package cpu

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/internal/tape"
	"github.com/chiasmus/chiasmus/prover/ntt"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Quotient evaluates the constraints on the first 2n entries of the extensions, the coset s*<w> of size 2n, divides by
// the vanishing polynomial and interpolates. The result has degree below 2n, and its two halves are the columns. Most
// constraints have low degree and a quotient of degree below n. These are evaluated and interpolated on the first n
// entries only, the coset s*H, and added to the low half. The instances of a class are added up one after another.
func (p *witness) Quotient(constraint goldilocks.Extension) (backend.Columns[backend.Committed], error) {
	p.fault(p.parts.workspace)
	p.divide(constraint)
	if p.owner.once {
		for _, program := range p.owner.programs {
			program.quotientBlocks.drop()
		}
	}
	return &quotientColumns{p.proof}, nil
}

func (p *witness) divide(constraint goldilocks.Extension) {
	sizes := matrixSizes(p.shape, protocol.Quotient)
	quotient := &p.phases[protocol.Quotient]
	quotient.loan = p.workspace.take(elementsOf(sizes))
	quotient.columns = layOut(quotient.loan.words, sizes)
	for i, class := range p.shape.Classes {
		n := 1 << class.LogHeight
		lent := p.workspace.take(2 * n)
		inverses := lent.words
		if slices.ContainsFunc(class.Members, func(i int) bool { return p.program(i).all.UsesSelectors() }) {
			p.invertFromOne(inverses)
		}
		power := goldilocks.Extension{1}
		for k, member := range class.Members {
			q := p.newQuotientTerm(member, inverses)
			q.added = k > 0
			power = q.setPowers(power, constraint, p.shape.Constraints(member))
			q.setPrints(p.challenges)
			p.evaluateQuotient(q, quotient.columns[i])
		}
		p.workspace.give(&lent)
		lent = p.workspace.take(splitElements(n))
		splitQuotient(p.pool, quotient.columns[i], n, lent.words)
		p.workspace.give(&lent)
	}
}

// invertFromOne sets inverses to 1/(x-1) for the first points.
func (p *proof) invertFromOne(inverses []goldilocks.Element) {
	one := goldilocks.Element(1)
	inBlocks(p.pool, len(inverses), sumBlock, func(lo, hi int) {
		block := inverses[lo:hi]
		p.points.fill(block, lo)
		goldilocks.AddScalarVector(block, block, one.Neg())
		goldilocks.BatchInverse(block, block)
	})
}

// splitQuotient interpolates 2n values of the first three columns, and n values of the low constraints in the next
// three. It leaves the low coefficients of the sum in columns 0 to 2 and the high coefficients in columns 3 to 5. The
// scratch memory has splitElements(n) elements.
func splitQuotient(pool *parallel.Pool, extensions [][]goldilocks.Element, n int, scratch []goldilocks.Element) {
	ntt.InverseCosetBitReversed(pool, prefixes(extensions[:3], 2*n), goldilocks.Generator, scratch)
	ntt.InverseCosetBitReversed(pool, prefixes(extensions[3:], n), goldilocks.Generator, scratch)
	for k := range 3 {
		sum, low := extensions[k], extensions[3+k][:n]
		goldilocks.AddVector(sum[:n], sum[:n], low)
		copy(low, sum[n:2*n])
	}
}

func splitElements(n int) int { return 3 * 2 * n }

// quotientTerm is an instance's part of its class's quotient, shared by all blocks.
type quotientTerm struct {
	program   *tableProgram
	logHeight int
	rows      int  // evaluated at a time
	added     bool // to the quotient of the class's earlier instances
	public    []goldilocks.Element
	powers    []goldilocks.Extension // of the constraint challenge, one per constraint
	prints    *tape.Prints           // a batch's first message is multiplied by the batch's power
	share     goldilocks.Extension   // a row's share of the claimed sum

	main, preprocessed, auxiliary [][]goldilocks.Element // extensions
	periodic                      [][]goldilocks.Element // by column, one value per run
	points                        *points
	inverses                      []goldilocks.Element  // 1/(x-1), if selectors are used
	generator                     goldilocks.Element    // of the trace domain
	vanishing                     [2]goldilocks.Element // x^n - 1 on each half of the domain
}

func (p *witness) newQuotientTerm(instance int, inverses []goldilocks.Element) *quotientTerm {
	program, logHeight := p.program(instance), p.shape.Instances[instance].LogHeight
	t := program.table
	q := &quotientTerm{
		program:   program,
		logHeight: logHeight,
		rows:      min(program.all.BlockRows(), 1<<logHeight),
		public:    p.public,
		main:      p.phases[protocol.Main].columns[instance],
		auxiliary: p.phases[protocol.Auxiliary].columns[instance],
		points:    p.points,
		inverses:  inverses,
		generator: goldilocks.RootOfUnity(logHeight),
	}
	if preprocessed := p.phases[protocol.PreprocessedPhase(t)].columns; preprocessed != nil {
		q.preprocessed = preprocessed[instance]
	}
	for i := range t.Periodic {
		q.periodic = append(q.periodic, t.Periodic[i].Extended(logHeight, 1))
	}
	for k, claiming := range p.shape.Claiming() {
		if claiming == instance {
			q.share = shareOf(p.claimed[k], 1<<logHeight)
		}
	}
	// x^n is s^n on the first half, s*H, and -s^n on the second half, because the n-th power of a root of order 2n is -1.
	shift := goldilocks.Generator.Exp(1 << logHeight)
	q.vanishing = [2]goldilocks.Element{shift.Sub(1), shift.Neg().Sub(1)}
	return q
}

// setPowers sets the weights of count constraints to power and the following powers of the challenge, and returns the
// next power.
func (q *quotientTerm) setPowers(power, challenge goldilocks.Extension, count int) goldilocks.Extension {
	q.powers = make([]goldilocks.Extension, count)
	for j := range q.powers {
		q.powers[j] = power
		power = power.Mul(challenge)
	}
	return power
}

// setPrints sets the weights of fingerprints for addLogUp: the first message of a batch is multiplied by the power of
// the batch's constraint.
func (q *quotientTerm) setPrints(challenges protocol.LogUpChallenges) {
	table := q.program.table
	scales := make(map[int]goldilocks.Extension, len(table.Batches))
	for k, batch := range table.Batches {
		scales[batch[0]] = q.powers[len(table.Constraints)+k]
	}
	q.prints = newPrints(q.program.all, table, q.public, challenges, scales)
}

// evaluateQuotient writes the quotient's values to the first three columns, except for the low constraints' share,
// which it writes to the next three.
func (p *proof) evaluateQuotient(q *quotientTerm, target [][]goldilocks.Element) {
	blocks := q.program.quotientBlocks
	p.pool.For(2<<q.logHeight/q.rows, 1, func(first, end int) {
		b := blocks.take()
		defer blocks.put(b)
		b.bind(q)
		for block := first; block < end; block++ {
			b.evaluate(target, block*q.rows)
		}
	})
}

// quotientBlock is the scratch memory of a worker that evaluates the quotient in blocks of rows.
type quotientBlock struct {
	*quotientTerm // to which the block is bound
	run           *tape.Evaluator
	block         tape.Block

	total               goldilocks.ExtensionVector // the running sum plus the columns of all batches but the last
	first, member, term goldilocks.ExtensionVector // of a batch
	negated             []goldilocks.Element

	sums [2]goldilocks.ExtensionVector // the divided constraints, if they are added to an earlier instance's

	// Values of the periodic columns, and the run that each is filled with.
	periodicMemory [][]goldilocks.Element
	periodicRun    []int

	// The next rows are gathered here if they do not form a block.
	gatheredMain, gatheredPreprocessed, gatheredSum [][]goldilocks.Element
	gatheredInverses                                [][]goldilocks.Element
}

func newQuotientBlock(p *tableProgram) *quotientBlock {
	t, rows := p.table, p.all.BlockRows()
	b := &quotientBlock{
		run:     p.all.NewEvaluator(rows),
		block:   newBlock(t, rows),
		total:   goldilocks.NewExtensionVector(rows),
		first:   goldilocks.NewExtensionVector(rows),
		member:  goldilocks.NewExtensionVector(rows),
		term:    goldilocks.NewExtensionVector(rows),
		negated: make([]goldilocks.Element, rows),
		sums: [2]goldilocks.ExtensionVector{goldilocks.NewExtensionVector(rows),
			goldilocks.NewExtensionVector(rows)},
		periodicRun:          make([]int, len(t.Periodic)),
		gatheredMain:         make([][]goldilocks.Element, len(t.NextMain)),
		gatheredPreprocessed: make([][]goldilocks.Element, len(t.NextPreprocessed)),
		gatheredSum:          make([][]goldilocks.Element, 3),
		gatheredInverses:     make([][]goldilocks.Element, 1),
	}
	for range t.Periodic {
		b.periodicMemory = append(b.periodicMemory, make([]goldilocks.Element, rows))
	}
	return b
}

// bind binds the block to an instance.
func (b *quotientBlock) bind(q *quotientTerm) {
	if b.quotientTerm == q {
		return
	}
	b.quotientTerm = q
	b.block.Main, b.block.Preprocessed = q.main, q.preprocessed
	b.block.Public, b.block.Weights = q.public, q.powers[:len(q.program.table.Constraints)]
	for i := range b.periodicRun {
		b.periodicRun[i] = -1
	}
}

// evaluate writes the quotient's values in the rows from start on to the first three columns. On the first half of the
// domain, it writes the low constraints' share to the next three.
func (b *quotientBlock) evaluate(target [][]goldilocks.Element, start int) {
	t := b.program.table
	after := rowsAfter(start, b.rows, b.logHeight)
	b.block.Row = start
	for k, i := range t.NextMain {
		b.block.NextMain[k] = after.of(b.main[i], &b.gatheredMain[k])
	}
	for k, i := range t.NextPreprocessed {
		b.block.NextPreprocessed[k] = after.of(b.preprocessed[i], &b.gatheredPreprocessed[k])
	}
	low := start>>b.logHeight == 0
	vanishing := b.vanishing[start>>b.logHeight]
	if b.program.all.UsesSelectors() {
		b.selectors(start, after, vanishing)
	}
	for i := range t.Periodic {
		b.bindPeriodic(i, start)
	}

	b.run.RunApart(&b.block, b.rows, low)
	scale := vanishing.Inverse()
	dst := extensionColumn(target, 0, start, start+b.rows)
	sum := dst
	if b.added {
		sum = b.sums[0].Slice(0, b.rows)
	}
	sum.Copy(b.run.Folded())
	if len(t.Interactions) > 0 {
		b.addLogUp(sum, start, after)
	}
	sum.ScaleBase(sum, scale)
	if b.added {
		dst.Add(dst, sum)
	}
	if !low {
		return
	}
	dst = extensionColumn(target, 1, start, start+b.rows)
	if !b.added {
		dst.ScaleBase(b.run.FoldedLow(), scale)
		return
	}
	sum = b.sums[1].Slice(0, b.rows)
	sum.ScaleBase(b.run.FoldedLow(), scale)
	dst.Add(dst, sum)
}

// bindPeriodic sets a periodic column's values in the rows from start on. With a period of 2^k, the column consists of
// runs of 2^(logHeight-k) equal values.
func (b *quotientBlock) bindPeriodic(i, start int) {
	logRun := b.logHeight - b.program.table.Periodic[i].LogPeriod()
	values := b.periodicMemory[i][:b.rows]
	b.block.Periodic[i] = values
	run := start >> logRun
	if 1<<logRun >= b.rows {
		if b.periodicRun[i] != run {
			fillElements(values, b.periodic[i][run])
			b.periodicRun[i] = run
		}
		return
	}
	for at := 0; at < b.rows; at += 1 << logRun {
		fillElements(values[at:at+1<<logRun], b.periodic[i][(start+at)>>logRun])
	}
}

func fillElements(values []goldilocks.Element, value goldilocks.Element) {
	for i := range values {
		values[i] = value
	}
}

// addLogUp adds the LogUp constraints of all batches. The constraint of a batch with column A is A times the product of
// the denominators, less each ±m times the other denominators. For the last batch, A is the growth of the running sum
// beyond the other batches' columns, plus a row's share: S' - S - sum A + share.
func (b *quotientBlock) addLogUp(dst goldilocks.ExtensionVector, start int, after blockAfter) {
	t := b.program.table
	total := b.total.Slice(0, b.rows)
	last := len(t.Batches) - 1
	total.AddScalar(extensionColumn(b.auxiliary, last, start, start+b.rows), b.share.Neg())
	for k, batch := range t.Batches {
		var column goldilocks.ExtensionVector
		if k < last {
			column = extensionColumn(b.auxiliary, k, start, start+b.rows)
			total.Add(total, column)
		} else {
			for j := range column.C {
				column.C[j] = after.of(b.auxiliary[3*last+j], &b.gatheredSum[j])
			}
			total.Sub(column, total)
			column = total
		}
		b.addBatch(dst, column, batch, b.powers[len(t.Constraints)+k])
	}
}

// addBatch adds the constraint of a batch with column A times its weight w. It proceeds message by message. With E the
// product of the denominators so far times w, it starts with U = A E - w m, and turns U into U d - m E for each further
// message.
func (b *quotientBlock) addBatch(dst, column goldilocks.ExtensionVector, batch []int, weight goldilocks.Extension) {
	t := b.program.table
	product, d, term := b.first.Slice(0, b.rows), b.member.Slice(0, b.rows), b.term.Slice(0, b.rows)
	if t.Interactions[batch[0]].Kind != air.Receive {
		weight = weight.Neg()
	}
	b.run.Fingerprint(product, b.prints, batch[0])
	term.MulScaleAdd(column, product, weight, b.run.Multiplicity(batch[0]))
	last := len(batch) - 1
	if last == 0 {
		dst.Add(dst, term)
		return
	}
	for _, i := range batch[1:last] {
		b.run.Fingerprint(d, b.prints, i)
		term.Mul(term, d)
		term.MulBaseAdd(product, signed(b.negated, t, i, b.run, air.Send))
		product.Mul(product, d)
	}
	b.run.Fingerprint(d, b.prints, batch[last])
	dst.AddProducts(term, d, product, signed(b.negated, t, batch[last], b.run, air.Send))
}
