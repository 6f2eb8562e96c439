package device

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/table"
)

// Run is what a device replays, and what the host knows of it.
type Run struct {
	Program  *program.Program
	Inputs   memory.Inputs
	Chunks   int                                    // of the trace
	Log      uint64                                 // words in its load log
	Trace    *record.Trace                          // nil where it comes while the run goes on
	Stops    []int                                  // then chunks at which the device goes on, the last of them Chunks
	Before   func(chunk int) (*record.Trace, error) // and the trace before each, which is waited for
	Output   []byte
	Times    []uint32            // of the last access to each word of the output
	Rows     [table.Count]uint64 // of every table
	Accesses uint64              // to words
	Part     *Part               // which shard is filled; nil for all of the run
}

// Part is what a shard has of a run: the records of chunks between two places, and in the last shard what a run has once. Of
// the others the trace goes on to their end: what comes later changes nothing of their records.
type Part struct {
	From, To record.Place
	Ends     bool
}

// sizes are what the lengths of the replay's sets follow from.
type sizes struct {
	rows                  [table.Count]uint64
	chunks, log, accesses uint64
	initial, output       uint64
	code, texts           uint64
}

// words are the lengths of all sets.
func (s *sizes) words() []uint64 {
	of := func(n uint64, record any) uint64 { return (n*uint64(recordBytes(record)) + wordBytes - 1) / wordBytes }
	w := append(recordWords(s.rows, s.accesses), make([]uint64, replaySets-Sets)...)
	w[setCheckpoints], w[setLog] = of(s.chunks+1, []record.Checkpoint{}), s.log
	w[setCode], w[setTexts] = of(s.code, []code{}), of(s.texts, []program.Text{})
	w[setInitial], w[setOutput] = of(s.initial, []wordAccess{}), of(s.output, []memory.Word{})
	w[setExpected], w[setStatus] = uint64(countedTables)+1, 1
	w[setCounts] = uint64(countedTables+1)*s.chunks + 1
	w[setFirsts] = of(program.Registers*s.chunks, []uint32{})
	w[setLasts] = program.Registers * (s.chunks + 1)
	w[setRefreshes] = program.Registers*s.chunks + 1
	w[setAccesses] = of(s.accesses, []wordAccess{})
	sorted := s.initial + s.accesses
	w[setKeys], w[setOtherKeys] = sorted, sorted
	w[setDigits] = digits * blocksOf(sorted, scanThreads*sortEach)
	w[setLinks] = 3 * blocksOf(sorted, scanThreads*scanEach)
	touched := s.rows[table.Boundary] // and more than there are
	w[setTouched], w[setTouchedCount], w[setOrder] = 2*touched, 1, touched+1
	most := max(w[setCounts], w[setLasts], w[setRefreshes], w[setDigits], w[setOrder])
	w[setTotals] = blocksOf(most, scanThreads*scanEach)
	return w
}

func blocksOf(n, each uint64) uint64 { return (n + each - 1) / each }

// Derivation is how a device makes the records of the run.
func (r *Run) Derivation() *machine.Derivation {
	initial, output := r.initial(), r.output()
	s := &sizes{rows: r.Rows, chunks: uint64(r.Chunks), log: r.Log, accesses: r.Accesses}
	if r.Part != nil && !r.Part.Ends {
		r.Part.before(s)
	}
	s.initial, s.output = uint64(len(initial)), uint64(len(output))
	s.code, s.texts = uint64(len(r.Program.Code)), uint64(len(r.Program.Texts))
	s.rows[table.Program] = uint64(len(r.Program.Rows))
	expected := make([]uint64, countedTables+1)
	copy(expected, s.rows[:countedTables])
	expected[countedTables] = s.accesses
	d := &machine.Derivation{Words: s.words(), Status: setStatus, Check: check, Sent: map[int][]uint64{
		Program: wordsOf(r.Program.Rows),
		setCode: wordsOf(codeOf(r.Program)), setTexts: wordsOf(slices.Clone(r.Program.Texts)),
		setInitial: wordsOf(initial), setOutput: wordsOf(output), setExpected: expected,
	}}
	d.Steps = steps(s, d.Words)
	if r.Trace != nil {
		d.Sent[setCheckpoints], d.Sent[setLog] = wordsOf(r.Trace.Checkpoints), r.Trace.Log
		d.Steps = append(countSteps(0, r.Chunks), d.Steps...)
	} else {
		d.Grow = r.grow
	}
	if r.Part != nil {
		r.Part.cut(d)
	}
	return d
}

// grow hands over the trace as it comes, with the step that counts its chunks.
func (r *Run) grow(each func(known map[int][]uint64, steps []machine.Step) error) error {
	first := 0
	for _, stop := range r.Stops {
		trace, err := r.Before(stop)
		if err != nil {
			return err
		}
		known := map[int][]uint64{setCheckpoints: wordsOf(trace.Checkpoints), setLog: trace.Log}
		if err := each(known, countSteps(first, stop)); err != nil {
			return err
		}
		first = stop
	}
	return nil
}

// countSteps count the chunks from one to before another.
func countSteps(first, end int) []machine.Step {
	var l stepList
	l.add("replay_count", uint64(end-first), chunkThreads, uint64(first), uint64(end))
	return l
}

// before are the sizes of a run that stops where the part does: it has no end, and no boundary.
func (p *Part) before(s *sizes) {
	for t := range table.Table(countedTables) {
		s.rows[t] = uint64(p.To.Rows[t])
	}
	s.rows[table.Refresh], s.rows[table.Boundary], s.accesses = uint64(p.To.Refresh), 0, uint64(p.To.Accesses)
}

// cut lets fillers see the part alone. Accesses stay those of the run: records name them by their places there.
func (p *Part) cut(d *machine.Derivation) {
	d.Parts = map[int]machine.Part{}
	for t := range table.Table(table.Count) {
		records := recordsOf(new(record.Set), t)
		if records == nil {
			continue
		}
		words := uint64(recordBytes(records)) / wordBytes
		part := machine.Part{Set: int(t), First: uint64(p.From.Rows[t]) * words, Words: uint64(p.To.Rows[t]-p.From.Rows[t]) * words}
		switch t {
		case table.Refresh:
			part.First, part.Words = uint64(p.From.Refresh)*words, uint64(p.To.Refresh-p.From.Refresh)*words
		case table.Halt, table.Boundary, table.Private, table.Register:
			part.First, part.Words = 0, 0
			if p.Ends {
				continue
			}
		}
		d.Parts[int(t)] = part
	}
	callWords := uint64(recordBytes([]record.Call{})) / wordBytes
	for _, kind := range all.Kinds() {
		if kind.Work != 0 {
			words, calls := uint64(kind.Words()), d.Parts[int(kind.Table)]
			first, count := calls.First/callWords, calls.Words/callWords
			d.Parts[readBy(kind)] = machine.Part{Set: readBy(kind), First: first * words, Words: count * words}
		}
	}
	if !p.Ends {
		untouched := wordsOf(new(record.Set).Ordered())
		d.Sent[setUntouched], d.Words[setUntouched] = untouched, uint64(len(untouched))
		d.Parts[int(table.Boundary)] = machine.Part{Set: setUntouched, Words: uint64(len(untouched))}
	}
}

// codeOf is a program as the device replays it.
func codeOf(p *program.Program) []code {
	list := make([]code, len(p.Code))
	for i := range p.Code {
		c := &p.Code[i]
		list[i] = code{Op: uint8(c.Op), Rd: c.Rd, Rs1: c.Rs1, Rs2: c.Rs2, Target: c.Target, Imm: c.Imm, Row: p.FirstRow[i]}
		if int(p.FirstRow[i]) < len(p.Rows) {
			list[i].Table = uint32(p.Rows[p.FirstRow[i]].Table)
		}
	}
	return list
}

// initial are what the program's own accesses come behind: initial contents, of the private input as far as it was read, and
// the words of the output.
func (r *Run) initial() []wordAccess {
	var list []wordAccess
	add := func(words []memory.Word, role uint32) {
		for _, w := range words {
			list = append(list, wordAccess{Word: w.Index, Time: 1, Mask: 0xff, Role: role, Value: w.Value})
		}
	}
	add(r.Program.Image, rolePlain)
	add(memory.Words(memory.PrivateInput, r.Inputs.Private)[:r.Rows[table.Private]], rolePrivate)
	add(memory.Words(memory.PublicInput, r.Inputs.Public), rolePlain)
	for _, w := range memory.Words(memory.PublicOutput, r.Output) {
		list = append(list, wordAccess{Word: w.Index})
	}
	return list
}

// output are what the proof states of the words of the public output: in place of an index the time.
func (r *Run) output() []memory.Word {
	list := memory.Words(memory.PublicOutput, r.Output)
	for i := range list {
		list[i].Index = r.Times[i]
	}
	return list
}

// stepList collects launches.
type stepList []machine.Step

func (l *stepList) add(kernel string, items uint64, threads uint32, a, b uint64) {
	*l = append(*l, machine.Step{Kernel: kernel, Launch: machine.Linear(max(items, 1), threads), A: a, B: b})
}

// scan adds the running sums or maxima of the words of a set.
func (l *stepList) scan(kind string, set int, n uint64) {
	items := blocksOf(n, scanEach)
	l.add("scan_"+kind+"_blocks", items, scanThreads, uint64(set), n)
	l.add("scan_"+kind+"_totals", 1, scanThreads, uint64(set), blocksOf(items, scanThreads))
	l.add("scan_"+kind+"_apply", items, scanThreads, uint64(set), n)
}

func steps(s *sizes, words []uint64) []machine.Step {
	var l stepList
	l.scan("sum", setCounts, words[setCounts])
	l.scan("maximum", setLasts, words[setLasts])
	l.add("replay_check", uint64(countedTables)+1, 64, 0, 0)
	refreshes := words[setRefreshes]
	l.add("replay_count_refreshes", refreshes, 256, 0, 0)
	l.scan("sum", setRefreshes, refreshes)
	l.add("replay_emit", s.chunks, chunkThreads, 0, 0)
	l.add("replay_emit_refreshes", refreshes, 256, 0, 0)
	l.add("replay_registers", program.Registers, 64, 0, 0)
	for _, kind := range all.Kinds() {
		if calls := s.rows[kind.Table]; calls > 0 {
			l.add("calls_"+kind.Table.String(), calls, callThreads, 0, 0)
		}
	}

	sorted := s.initial + s.accesses
	l.add("sort_keys", sorted, scanThreads, 0, 0)
	from, to := uint64(setKeys), uint64(setOtherKeys)
	for _, shift := range []uint64{32, 40, 48, 56} {
		l.add("sort_count", blocksOf(sorted, sortEach), scanThreads, from, shift)
		l.scan("sum", setDigits, words[setDigits])
		l.add("sort_scatter", blocksOf(sorted, sortEach), scanThreads, from, to<<8|shift)
		from, to = to, from
	}
	items := blocksOf(sorted, scanEach)
	l.add("chain_blocks", items, scanThreads, 0, 0)
	l.add("chain_totals", 1, scanThreads, 0, blocksOf(items, scanThreads))
	l.add("chain_apply", items, scanThreads, 0, 0)
	if s.rows[table.Boundary] == 0 {
		return l
	}
	order := words[setOrder]
	l.add("order_count", order, 256, 0, order)
	l.scan("sum", setOrder, order)
	l.add("order_emit", order, 256, 0, order)
	return l
}

// MostWords are the words that each record set, and each set of the replay, has at most with tables of so many rows. The
// program is nil where only its tables' heights are known.
func MostWords(rows [table.Count]uint64, p *program.Program) []uint64 {
	s := &sizes{rows: rows}
	cycles := uint64(0)
	for t := range table.Table(table.Count) {
		s.accesses += rows[t] * accessesOf(t)
		if t <= table.Unal { // a row a cycle
			cycles += rows[t]
		}
	}
	s.chunks, s.log = blocksOf(cycles, record.ChunkCycles), s.accesses
	s.initial, s.output = rows[table.Boundary]+rows[table.Private], min(rows[table.Boundary], mostOutput)
	if p != nil {
		s.code, s.texts = uint64(len(p.Code)), uint64(len(p.Texts))
	}
	return s.words()
}

// mostOutput is how many words a public output has at most, its length included.
const mostOutput = uint64(memory.PublicRegion / memory.WordBytes)
