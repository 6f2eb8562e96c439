package generate

import (
	"fmt"
	"slices"
)

const (
	// stagedBlocks leaves 64 registers a thread: loops over values of few steps wait for memory. This suffices for
	// cells that are read ahead if their addresses are stepped.
	stagedBlocks = 8
	// aheadBlocks leaves 72 registers, for cells that are looked up and read ahead.
	aheadBlocks = 7
	// packedStagedBlocks leaves 128 registers: packed sums stay in registers from turn to turn.
	packedStagedBlocks = 4
	// stagedSteps is the maximum number of steps of a value in a staged loop.
	stagedSteps = 8
	// maxStaged is the number of constraints up to which a kernel's sums of bytes stay below 2^32: 8 255^2 each.
	maxStaged = 8256
	// stagedTogether is the number of constraints that are weighed together.
	stagedTogether = 4
)

// StagedWords returns the number of words that quotient_bytes writes for the given number of weights, a multiple of
// four.
func StagedWords(weights int) int { return 24 * weights }

// isStaged reports whether a run is weighed on tensor cores, see constraints.cuh: a long loop over short forms, or one
// that packs some of its pieces and weighs the others in fours.
func isStaged(run *Run, slots slots) bool {
	if len(run.items) < longLoop {
		return false
	}
	if slots.parts == nil {
		return len(run.shape.steps) <= stagedSteps
	}
	weighed := slots.count(false)
	if weighed == 0 || stagedTogether%weighed != 0 {
		return false
	}
	turn := stagedTogether / weighed
	staged := weighed*len(run.items) + fours(slots.count(true))*len(slots.parts)
	return staged <= maxStaged && !slices.ContainsFunc(slots.parts, func(length int) bool { return length%turn != 0 })
}

// fours rounds count up to a multiple of four.
func fours(count int) int { return (count + stagedTogether - 1) / stagedTogether * stagedTogether }

// stagedKernels writes kernels that weigh a run on tensor cores. Each kernel has at most the number of constraints that
// its sums can hold.
func (g *quotientGenerator) stagedKernels(group *group, run *Run, slots slots, low bool) {
	members := group.members[run]
	if slots.parts != nil {
		g.stagedKernel(run, group, low, packedStagedBlocks, func(s *stager) { s.partLoop(run, members, slots) })
		return
	}
	turn := max(1, stagedTogether/len(run.shape.roots))
	ahead, blocks := run.cellsAhead(turn), stagedBlocks
	if len(ahead) > 0 {
		blocks = aheadBlocks
	}
	together := fours(turn * len(run.shape.roots))
	if steps := findSteps(run, turn, ahead); steps != nil && steps.turns()*together <= maxStaged {
		g.stagedKernel(run, group, low, stagedBlocks, func(s *stager) { s.stepped(steps, members) })
		return
	}
	most := maxStaged / together * turn
	for first := 0; first < len(run.items); first += most {
		end := min(first+most, len(run.items))
		part := run.part(first, end)
		g.stagedKernel(part, group, low, blocks, func(s *stager) { s.loop(part, members[first:end], turn, ahead) })
	}
}

// part returns a run of the repetitions from first to end, to which more may be added.
func (r *Run) part(first, end int) *Run {
	return &Run{shape: r.shape, items: slices.Clip(r.items[first:end]), leaves: slices.Clip(r.leaves[first:end]),
		extra: slices.Clip(r.extra[first:end])}
}

// stager writes values that are weighed in fours.
type stager struct {
	*Source
	quotient *Quotient
	group    *group
	name     string // of the run's tables
	staged   int    // values that are not weighed yet
}

// stagedKernel writes a kernel around a loop.
func (g *quotientGenerator) stagedKernel(run *Run, group *group, low bool, blocks int, loop func(s *stager)) {
	g.runs++
	s := &stager{Source: g.unit(sizeOf(run)), quotient: g.quotient, group: group, name: g.runName()}
	name := g.newKernel(Kernel{Low: low, Staged: true, FirstStaged: len(g.quotient.Staged)})
	s.Line("KERNEL_OCCUPANCY(%s, %d, %d, ExtendedRows rows, const u64 *bytes) {", name, KernelThreads, blocks)
	s.Line("SHARED(u64, staged, [%d][STAGED_WORDS]);", KernelThreads/32)
	s.Line("u64 i = global_index();")
	s.Line("const bool inside = i < rows.entries;")
	s.Line("HeldRow row = held_row(rows, inside ? i : rows.entries - 1);")
	g.writeKept(s.Source, []*Run{run})
	s.Line("StagedSums sum;")
	s.Line("sum.begin(staged[threadIdx.x / 32], bytes);")
	loop(s)
	s.Line("add_staged_to_sums(row, sum, %s, inside);", selectorScale(group.selector))
	s.Line("}")
}

// loop evaluates the given number of repetitions per turn. The last repetition is repeated with weight zero to fill the
// last turn.
func (s *stager) loop(run *Run, members []cluster, turn int, ahead []int) {
	for repetitions := range slices.Chunk(members, turn) {
		s.weights(run.shape, repetitions, 0, turn)
	}
	for len(run.items)%turn != 0 {
		last := len(run.items) - 1
		run.add(run.items[last], run.leaves[last], run.extra[last])
	}
	run.openAhead(s.Source, s.name, turn, ahead)
	s.Line("NO_UNROLL for (u32 turn = 0; turn < %d; turn++) {", len(run.items)/turn)
	cells := make([]map[int]string, turn)
	for repetition := range turn {
		next := fmt.Sprintf("%d * turn + %d", turn, turn+repetition)
		cells[repetition] = run.readAhead(s.Source, s.name, next, repetition, ahead)
	}
	for repetition := range turn {
		s.Line("{")
		s.Line("const u32 k = %d * turn + %d;", turn, repetition)
		run.entryBeside(s.Source, s.name, ahead)
		s.stageCluster(run, members[0], "k", cells[repetition])
	}
	s.weigh()
	s.Line("}")
}

// weights lists the weights of a turn. Repetitions below again are weighed elsewhere: they and missing repetitions get
// zeros.
func (s *stager) weights(form *shape, repetitions []cluster, again, turn int) {
	for k, c := range repetitions {
		for j, p := range c {
			if k < again {
				s.weight(Weight{})
			} else {
				s.weight(form.signed(j, p.weight))
			}
		}
	}
	pieces := len(repetitions[0])
	for range fours(turn*pieces) - len(repetitions)*pieces {
		s.weight(Weight{})
	}
}

// stageCluster evaluates a repetition, whose block is open, and stages its values.
func (s *stager) stageCluster(run *Run, form cluster, index string, cells map[int]string) {
	run.body(s.Source, index, func(w *writer) {
		w.cells = cells
		for j, p := range form {
			s.stage(selected(p, s.group, w.weighed(j)))
		}
	})
}

// partLoop writes a [partLoop] whose turn is the number of clusters that together have four values to weigh.
func (s *stager) partLoop(run *Run, members []cluster, slots slots) {
	reversed, turned := slots.reversed(run, members)
	weighed, start := slots.count(false), 0
	for _, length := range slots.parts {
		for _, c := range turned[start : start+length] {
			for j, p := range c {
				if !slots.packed[j] {
					s.weight(run.shape.signed(j, p.weight))
				}
			}
		}
		start += length
		s.packedWeights(turned[start-1], slots)
	}
	loop := partLoop{run: reversed, name: s.name, slots: slots, asked: reversed.cellsAsked()}
	loop.turn, loop.ended = stagedTogether/weighed, s.weigh
	loop.body = func(w *writer) {
		slots.positions(s.Source, w, s.group, turned[0], func(_ int, value string) { s.stage(value) })
	}
	loop.totals = func() {
		slots.totals(s.Source, reversed, s.group, turned[0], func(_ int, value string) { s.stage(value) })
		s.weigh()
	}
	loop.write(s.Source)
}

// packedWeights lists the weights of a part's totals.
func (s *stager) packedWeights(c cluster, slots slots) {
	for j, p := range c {
		if slots.packed[j] {
			s.weight(p.weight)
		}
	}
	for range fours(slots.count(true)) - slots.count(true) {
		s.weight(Weight{})
	}
}

func (s *stager) weight(w Weight) { s.quotient.Staged = append(s.quotient.Staged, w) }

// stage stages a value. If four staged values are waiting, it first has them weighed.
func (s *stager) stage(value string) {
	if s.staged == stagedTogether {
		s.weigh()
	}
	s.Line("sum.stage(%d, %s);", s.staged, value)
	s.staged++
}

// weigh weighs the staged values, padded with zeros to four.
func (s *stager) weigh() {
	for s.staged < stagedTogether {
		s.stage("0")
	}
	s.Line("sum.weigh();")
	s.staged = 0
}
