package generate

// ending is a number of clusters of a reversed run, after which the sums of some packed positions end. The other sums
// continue: a constraint may end in one position in the middle of another position's constraint, and weighing all
// positions there would cost as much as another cluster.
type ending struct {
	length int
	packs  uint32 // a bit for each sum that ends
}

// endApart lists the endings of a run that is then reversed as a whole. It returns nil if all positions end together or
// share an addend: a shared addend is summed once for all positions, and whole products with it have fixed positions in
// one part.
func (s slots) endApart(shape *shape, run []cluster) (endings []ending) {
	sums := s.sums(shape)
	if len(sums.addends) > 0 {
		return nil
	}
	lengths, together, open := make([]int, len(sums.packed)), true, 0
	for k := len(run) - 1; k >= 0; k-- {
		packs := uint32(0)
		for pack, sum := range sums.packed {
			lengths[pack]++
			if k == 0 || lengths[pack]*s.doubly >= hornerBits ||
				growthOf(run[k-1][sum.position].weight, run[k][sum.position].weight) != s.doubly {
				packs |= 1 << pack
				lengths[pack] = 0
			}
		}
		if open++; packs != 0 {
			endings = append(endings, ending{open, packs})
			together, open = together && packs == 1<<len(lengths)-1, 0
		}
	}
	if together {
		return nil
	}
	return endings
}

// weighApart writes the loop of a run with the given endings, and weighs each sum where it ends.
func (g *quotientGenerator) weighApart(s *Source, loop partLoop, group *group, members []cluster, endings []ending) {
	sums, table := loop.sums(loop.run.shape), [][]uint32{nil, nil}
	first, last := len(g.quotient.Weights), -1
	for _, e := range endings {
		last += e.length
		table[0], table[1] = append(table[0], uint32(e.length)), append(table[1], e.packs)
		for pack, sum := range sums.packed {
			if e.packs>>pack&1 != 0 {
				g.weigh(members[last][sum.position].weight)
			}
		}
	}
	s.Line("{")
	s.Line("u32 next = 0;")
	loop.run.openAhead(s, loop.name, 1, loop.ahead)
	s.declareTable(loop.name+"_endings", table)
	for _, sum := range sums.packed {
		s.Line("%s %s = %s;", sum.kind(), sum.name, sum.start(loop.name))
	}
	s.Line("const u64 *of_total = rows.weights + %d;", 3*first)
	s.Line("NO_UNROLL for (u32 part = 0; part < %d; part++) {", len(endings))
	s.Line("NO_UNROLL for (u32 left = held(%s_endings[part][0]); left > 0; left--) {", loop.name)
	loop.repetition(s, "const u32 k = next++;")
	s.Line("}")
	s.Line("const u32 ends = %s_endings[part][1];", loop.name)
	for pack, sum := range sums.packed {
		s.Line("if (ends & %du) {", 1<<pack)
		sum.end(s)
		s.Line("weigh(sum, %s, of_total);", selected(members[0][sum.position], group, "residue("+sum.name+")"))
		s.Line("of_total += 3;")
		s.Line("%s = %s;", sum.name, sum.start(loop.name))
		s.Line("}")
	}
	s.Line("}")
	s.Line("}")
}
