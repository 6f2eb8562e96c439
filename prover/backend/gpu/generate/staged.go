package generate

import "slices"

const (
	// stagedBlocks asks for 64 registers a thread: loops over values of few steps wait for memory.
	stagedBlocks = 8
	// stagedSteps is how many steps a value may have for that.
	stagedSteps = 8
	// maxStaged is the number of constraints up to which a kernel's sums of bytes stay below 2^32: 8 255^2 each.
	maxStaged = 8256
	// stagedTogether is how many constraints are weighed at a time.
	stagedTogether = 4
)

// StagedWords is how many words quotient_bytes makes of so many weights, a multiple of four.
func StagedWords(weights int) int { return 24 * weights }

// isStaged reports whether a run is weighed on tensor cores, see constraints.cuh: a long loop over short forms that are
// not packed.
func (g *quotientGenerator) isStaged(run *Run, members []cluster) bool {
	return len(run.items) >= longLoop && len(run.shape.steps) <= stagedSteps && findSlots(members).parts == nil
}

// stagedKernels writes kernels that weigh a run on tensor cores, each as many constraints as its sums bear.
func (g *quotientGenerator) stagedKernels(group *group, run *Run, low bool) {
	turn := max(1, stagedTogether/len(run.shape.roots))
	most := maxStaged / (turnWeights(run, turn)) * turn
	for first := 0; first < len(run.items); first += most {
		end := min(first+most, len(run.items))
		g.stagedKernel(group, run.part(first, end), group.members[run][first:end], turn, low)
	}
}

// turnWeights is how many weights so many repetitions take, the last ones perhaps zero.
func turnWeights(run *Run, turn int) int {
	return (turn*len(run.shape.roots) + stagedTogether - 1) / stagedTogether * stagedTogether
}

// part is a run of some of the repetitions.
func (r *Run) part(first, end int) *Run {
	return &Run{shape: r.shape, items: r.items[first:end], leaves: r.leaves[first:end], extra: r.extra[first:end]}
}

// stagedKernel writes a kernel whose loop evaluates so many repetitions a turn. The last one is repeated with weight
// zero until the turns are full.
func (g *quotientGenerator) stagedKernel(group *group, run *Run, members []cluster, turn int, low bool) {
	first := len(g.quotient.Staged)
	for repetitions := range slices.Chunk(members, turn) {
		start := len(g.quotient.Staged)
		for _, c := range repetitions {
			for _, p := range c {
				g.quotient.Staged = append(g.quotient.Staged, p.weight)
			}
		}
		zeros := start + turnWeights(run, turn) - len(g.quotient.Staged)
		g.quotient.Staged = append(g.quotient.Staged, make([]Weight, zeros)...)
	}
	for len(run.items)%turn != 0 {
		last := len(run.items) - 1
		run.add(run.items[last], run.leaves[last], run.extra[last])
	}
	s := g.unit(sizeOf(run))
	name := g.newKernel(Kernel{Low: low, Staged: true, FirstStaged: first})
	s.Line("KERNEL_OCCUPANCY(%s, %d, %d, ExtendedRows rows, const u64 *bytes) {", name, KernelThreads, stagedBlocks)
	s.Line("SHARED(u64, staged, [%d][STAGED_WORDS]);", KernelThreads/32)
	s.Line("u64 i = global_index();")
	s.Line("const bool inside = i < rows.entries;")
	s.Line("HeldRow row = held_row(rows, inside ? i : rows.entries - 1);")
	g.writeKept(s, []*Run{run})
	s.Line("StagedSums sum;")
	s.Line("sum.begin(staged[threadIdx.x / 32], bytes);")
	g.stagedLoop(s, group, run, members[0], turn)
	s.Line("add_staged_to_sums(row, sum, %s, inside);", selectorScale(group.selector))
	s.Line("}")
}

func (g *quotientGenerator) stagedLoop(s *Source, group *group, run *Run, form cluster, turn int) {
	g.runs++
	name := g.runName()
	run.declare(s, name)
	s.Line("NO_UNROLL for (u32 turn = 0; turn < %d; turn++) {", len(run.items)/turn)
	staged := 0
	stage := func(value string) {
		s.Line("sum.stage(%d, %s);", staged%stagedTogether, value)
		if staged++; staged%stagedTogether == 0 {
			s.Line("sum.weigh();")
		}
	}
	for repetition := range turn {
		s.Line("{")
		s.Line("const u32 k = %d * turn + %d;", turn, repetition)
		run.entry(s, name)
		run.body(s, "k", func(w *writer) {
			for j, p := range form {
				stage(selected(p, group, w.value(run.shape.roots[j])))
			}
		})
	}
	for staged%stagedTogether != 0 {
		stage("0")
	}
	s.Line("}")
}
