package tape

// finish renumbers columns to follow the registers, and resolves the vectors of interactions.
func (c *compiler) finish() {
	t := c.tape
	shift := int32(t.registers) - columnBase
	move := func(v *int32) {
		if *v >= columnBase {
			*v += shift
		}
	}
	moveAll := func(list []int32) {
		for i := range list {
			move(&list[i])
		}
	}
	for i := range t.steps {
		s := &t.steps[i]
		for _, operand := range s.operands() {
			move(operand)
		}
	}
	moveAll(t.terms)
	// Kernels load one term past the end of packings and folds, and ignore it.
	for i := range t.packs {
		p := &t.packs[i]
		move(&p.start)
		moveAll(p.terms)
		p.terms = append(p.terms, p.terms[:maxTermArity]...)[:len(p.terms)]
	}
	for i := range t.folds {
		f := &t.folds[i]
		moveAll(f.terms)
		f.terms = append(f.terms, f.terms[0])[:len(f.terms)]
	}
	for _, start := range []*int32{&t.mainAt, &t.nextMainAt, &t.preprocessedAt, &t.nextPreprocessedAt,
		&t.selectorAt, &t.periodicAt} {
		move(start)
	}
	t.vectors += t.registers
	c.findRuns()
	flat := t.interactions
	t.interactions = nil
	for k := 0; k < len(flat); {
		interaction := c.table.Interactions[len(t.interactions)]
		vectors := interactionVectors{multiplicity: flat[k].multiplicity}
		move(&vectors.multiplicity)
		k++
		for _, node := range interaction.Values {
			v := flat[k].multiplicity
			move(&v)
			vectors.values, vectors.slots = append(vectors.values, v), append(vectors.slots, c.slot[node])
			k++
		}
		t.interactions = append(t.interactions, vectors)
	}
	c.findReads()
}

// operands returns the words of a step that are vectors to read.
func (s *step) operands() []*int32 {
	switch s.op {
	case vectorAdd, vectorSub, vectorMul, squareDifference, signedXor:
		return []*int32{&s.a, &s.b}
	case vectorMulAdd:
		return []*int32{&s.a, &s.b, &s.c}
	case scalarAdd, scalarSubtractFrom, scalarMul:
		return []*int32{&s.a}
	}
	return nil
}

// findReads records which vectors are read.
func (c *compiler) findReads() {
	t := c.tape
	t.reads = make([]bool, t.vectors)
	mark := func(list ...int32) {
		for _, v := range list {
			if v >= 0 {
				t.reads[v] = true
			}
		}
	}
	for _, s := range t.steps {
		for _, operand := range s.operands() {
			mark(*operand)
		}
	}
	mark(t.terms...)
	for _, p := range t.packs {
		mark(p.start)
		mark(p.terms...)
	}
	for _, f := range t.folds {
		mark(f.terms...)
	}
	for _, i := range t.interactions {
		mark(i.multiplicity)
		mark(i.values...)
	}
}

// findRuns groups the steps by kernel.
func (c *compiler) findRuns() {
	t := c.tape
	for i, s := range t.steps {
		last := len(t.runs) - 1
		if i == c.lowSteps {
			t.lowRuns = len(t.runs)
		}
		if i > 0 && i != c.lowSteps && s.op.isPlain() && t.steps[i-1].op.isPlain() {
			t.runs[last].count++
		} else {
			t.runs = append(t.runs, run{i, 1})
		}
	}
	if c.lowSteps == len(t.steps) {
		t.lowRuns = len(t.runs)
	}
}
