package rv64im

import (
	"slices"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/all"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Run is what a device replays, and what the host knows about it. For a shard, rows and accesses are the shard's. The
// trace is either the shard's, which begins in a state, or the run's from its beginning to the end of the shard:
// later cycles change none of the shard's records.
type Run struct {
	Program *program.Program
	Inputs  memory.Inputs
	Pool    *parallel.Pool
	Chunks  int    // of the trace
	Log     uint64 // words in its load log
	// The ends of the groups of chunks that are replayed together, ascending.
	Stops []int
	Trace *record.Trace // nil if the trace arrives while the run is running
	// The ends of the parts in which it then arrives, in chunks, Stops among them.
	PartEnds []int
	// Before waits for the trace up to one of these ends.
	Before   func(chunk int) (trace *record.Trace, ended bool, err error)
	Output   []byte
	Times    []uint64            // of the last access to each word of the output
	Rows     [table.Count]uint64 // of every table
	Accesses uint64              // to words
	Private  uint64              // words of the private input, up to the last one that the run reads
	Known    uint64              // the most words of memory whose contents are known at a time
	Part     *Part               // the shard; nil for a whole run
	Late     uint32              // cycles before the first, with all registers accessed in the last of them
	From     *replay.State       // in which the trace begins; nil for the beginning of the run

	// Ended, if it is not nil, returns what is known after the run has ended. Until then rows are upper bounds, stops and
	// lengths come from another run, and the output has that run's length.
	Ended func() *Run
}

// Part describes a shard: its first chunk, at which a group begins; the most rows, refreshes and accesses of a group of
// chunks before it; and whether it has the tables that a run has once.
type Part struct {
	First int
	Most  record.Offsets
	Ends  bool
}

// sizes determine the lengths of the replay's sets.
type sizes struct {
	rows                   [table.Count]uint64
	chunks, group, log     uint64 // group: the most chunks of a group
	accesses               uint64 // the most of a group, or the total of the groups whose records are kept
	initial, known, output uint64
	code, texts            uint64
}

// words returns the lengths of all sets.
func (s *sizes) words() []uint64 {
	of := func(n uint64, record any) uint64 { return (n*uint64(recordBytes(record)) + wordBytes - 1) / wordBytes }
	w := append(recordWords(s.rows, s.accesses), make([]uint64, replaySets-recordSets)...)
	w[setCheckpoints], w[setLog] = of(s.chunks+1, []record.Checkpoint{}), s.log
	w[setCode], w[setTexts] = of(s.code, []code{}), of(s.texts, []program.Text{})
	w[setInitial], w[setOutput] = of(s.initial, []wordAccess{}), of(s.output, []statedWord{})
	indices := carriedIndices()
	w[setExpected], w[setMost] = indices.clocks, indices.clocks
	w[setCarried], w[setStatus] = 2*indices.words+indices.clocks, 1
	w[setCounts] = uint64(countedTables()+1)*s.group + 1
	w[setFirsts] = program.Registers * s.group
	w[setLasts] = program.Registers * (s.group + 1)
	w[setRefreshes] = program.Registers*s.group + 1
	w[setAccesses] = of(s.accesses, []wordAccess{})
	w[setKnown] = of(s.known, []wordAccess{})
	w[setOtherKnown] = w[setKnown]
	sorted := s.known + s.accesses
	w[setKeys], w[setOtherKeys] = sorted, sorted
	w[setDigits] = digits * blocksOf(sorted, scanThreads*sortEach)
	w[setLinks] = 3 * blocksOf(sorted, scanThreads*scanEach)
	touched := s.rows[table.Boundary] // an upper bound
	w[setTouched], w[setTouchedCount], w[setOrder] = of(touched, []record.Touched{}), 1, touched+1
	most := max(w[setCounts], w[setLasts], w[setRefreshes], w[setDigits], w[setOrder])
	w[setTotals] = blocksOf(most, scanThreads*scanEach)
	return w
}

func blocksOf(n, each uint64) uint64 { return (n + each - 1) / each }

// counted returns the numbers of rows of the tables that the device counts.
func counted(rows *[table.Count]uint64, accesses uint64) []uint64 {
	indices := carriedIndices()
	list := make([]uint64, indices.clocks)
	copy(list, rows[:countedTables()])
	list[indices.accesses], list[indices.refreshes] = accesses, rows[table.Refresh]
	return list
}

// Derivation describes how a device makes the records of the run.
func (r *Run) Derivation() *machine.Derivation {
	initial, output := r.known(), r.output()
	s := &sizes{rows: r.Rows, chunks: uint64(r.Chunks), log: r.Log, accesses: r.Accesses, known: r.Known}
	if r.Part != nil {
		r.Part.enlarge(s)
	}
	if r.From != nil && !r.Part.Ends {
		s.known = max(uint64(r.From.Words()), 1) // no set is empty
	}
	if r.Ended != nil {
		s = mostSizes(r.Rows)
	}
	for i, first := 0, 0; i < len(r.Stops) && r.Ended == nil; i++ {
		s.group, first = max(s.group, uint64(r.Stops[i]-first)), r.Stops[i]
	}
	s.initial, s.output = uint64(len(initial)), uint64(len(output))
	s.code, s.texts = uint64(len(r.Program.Code)), uint64(len(r.Program.Texts))
	s.rows[table.Program] = uint64(len(r.Program.Rows))
	d := &machine.Derivation{Words: s.words(), Status: setStatus, Check: check}
	carried, indices := make([]uint64, d.Words[setCarried]), carriedIndices()
	carried[indices.words+indices.state] = s.initial
	copy(carried[indices.words+indices.clocks:], r.clock())
	d.Sent = map[int][]uint64{
		Program: wordsOf(r.Program.Rows),
		setCode: wordsOf(codeOf(r.Program)), setTexts: wordsOf(slices.Clone(r.Program.Texts)),
		setInitial: wordsOf(initial), setOutput: wordsOf(output), setCarried: carried,
		setExpected: counted(&r.Rows, r.Accesses), setMost: counted(&s.rows, s.accesses),
	}
	if r.From != nil && r.Part.Ends { // the replay rewrites the rows of words that were not accessed before
		d.Sent[int(table.Private)] = wordsOf(memorymap.Words(memorymap.PrivateInput, r.Inputs.Private)[:r.Private])
	}
	if r.Trace != nil {
		d.Sent[setCheckpoints], d.Sent[setLog] = wordsOf(fromFirst(r.Trace.Checkpoints)), r.Trace.Log
		for i := range r.Stops {
			d.Steps = append(d.Steps, r.groupSteps(s, r.group(i, r.Trace, i == len(r.Stops)-1), r.Trace)...)
		}
	} else {
		d.Grow = func(each func(known map[int][]uint64, steps []machine.Step) error) error { return r.grow(s, each) }
	}
	if r.Ended != nil {
		d.Ended = func() *machine.Derivation { return r.Ended().ended(s, d.Words) }
		return d
	}
	d.Steps = append(d.Steps, r.lastSteps(s, d.Words)...)
	if r.Part != nil {
		r.Part.cut(d, &r.Rows, r.Accesses)
	}
	return d
}

// ended returns the remaining steps after a run has ended, with its final lengths.
func (r *Run) ended(room *sizes, words []uint64) *machine.Derivation {
	s := *room
	s.rows, s.accesses = r.Rows, r.Accesses
	d := &machine.Derivation{Words: slices.Clone(words)}
	s.rows[table.Program] = uint64(len(r.Program.Rows))
	copy(d.Words, recordWords(s.rows, s.accesses))
	own := s.words()
	d.Words[setTouched], d.Words[setOrder] = own[setTouched], own[setOrder]
	d.Sent = map[int][]uint64{setOutput: wordsOf(r.output()), setExpected: counted(&r.Rows, r.Accesses)}
	d.Steps = r.lastSteps(&s, d.Words)
	return d
}

// grow passes on the trace as it arrives, with the steps of each group of chunks once the group is complete. So a group
// waits only for a short transfer.
func (r *Run) grow(s *sizes, each func(known map[int][]uint64, steps []machine.Step) error) error {
	last, number := group{}, 0
	for _, chunk := range r.PartEnds {
		trace, ended, err := r.Before(chunk)
		if err != nil {
			return err
		}
		var steps []machine.Step
		if chunk == r.Stops[number] {
			g := r.group(number, trace, ended)
			number++
			if g.first = last.end; g.first == g.end {
				continue // the run ended earlier
			}
			steps, last = r.groupSteps(s, g, trace), g
		}
		if err := each(map[int][]uint64{setCheckpoints: wordsOf(trace.Checkpoints), setLog: trace.Log}, steps); err != nil {
			return err
		}
	}
	return nil
}

// group is a group of chunks that are replayed together.
type group struct {
	number     int
	first, end int  // chunks
	ends       bool // the program ends in it
}

// group returns the group with a number; trace includes its chunks.
func (r *Run) group(number int, trace *record.Trace, ended bool) group {
	g := group{number: number, end: r.Stops[number], ends: ended && (r.Part == nil || r.Part.Ends)}
	if number > 0 {
		g.first = r.Stops[number-1]
	}
	if r.Ended != nil && ended {
		g.end = trace.Chunks()
	}
	return g
}

// enlarge makes room for the groups before the shard, whose records the shard's overwrite.
func (p *Part) enlarge(s *sizes) {
	for t := range table.Table(countedTables()) {
		s.rows[t] = max(s.rows[t], uint64(p.Most.Rows[t]))
	}
	s.rows[table.Refresh] = max(s.rows[table.Refresh], uint64(p.Most.Refresh))
	s.accesses = max(s.accesses, p.Most.Accesses)
}

// cut restricts fillers to the shard's records in longer sets.
func (p *Part) cut(d *machine.Derivation, rows *[table.Count]uint64, accesses uint64) {
	d.Parts = map[int]machine.Part{}
	own := *rows
	own[table.Program] = uint64(len(d.Sent[Program])*wordBytes) / uint64(recordBytes([]rv64im.Row{}))
	for set, words := range recordWords(own, accesses) {
		d.Parts[set] = machine.Part{Set: set, Words: words}
	}
	if !p.Ends {
		d.Parts[int(table.Register)] = machine.Part{}
		untouched := wordsOf(new(record.Set).Ordered())
		d.Sent[setUntouched], d.Words[setUntouched] = untouched, uint64(len(untouched))
		d.Parts[int(table.Boundary)] = machine.Part{Set: setUntouched, Words: uint64(len(untouched))}
	}
}

// codeOf returns a program in the form that the device replays.
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

// initial returns the accesses before the program's own: initial contents, including the part of the private input that
// was read, and the words of the output.
func (r *Run) initial() []wordAccess {
	image, private, public := r.Program.Image, int(r.Private), memorymap.Count(r.Inputs.Public)
	list := make([]wordAccess, len(image)+private+public+memorymap.Count(r.Output))
	left := list
	add := func(n int, of func(i int) wordAccess) {
		to := left[:n]
		left = left[n:]
		r.Pool.For(n, initialGrain, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				to[i] = of(i)
			}
		})
	}
	known := func(w memorymap.Word, role uint8) wordAccess {
		return wordAccess{Word: w.Index, Time: 1, Mask: 0xff, Role: role, Value: w.Value}
	}
	add(len(image), func(i int) wordAccess { return known(image[i], rolePlain) })
	add(private, func(i int) wordAccess {
		return known(memorymap.At(memorymap.PrivateInput, r.Inputs.Private, i), rolePrivate)
	})
	add(public, func(i int) wordAccess {
		return known(memorymap.At(memorymap.PublicInput, r.Inputs.Public, i), rolePlain)
	})
	add(len(left), func(i int) wordAccess {
		return wordAccess{Word: memorymap.At(memorymap.PublicOutput, r.Output, i).Index}
	})
	return list
}

// initialGrain is the number of initial accesses that a worker takes at a time. Most of their cost is the faults of
// fresh pages: an aggregation's input has millions of words.
const initialGrain = 1 << 13

// output returns what the proof states about the words of the public output.
func (r *Run) output() []statedWord {
	words := memorymap.Words(memorymap.PublicOutput, r.Output)
	list := make([]statedWord, len(words))
	for i, w := range words {
		list[i] = statedWord{r.Times[i], w.Value}
	}
	return list
}

// stepList collects launches.
type stepList []machine.Step

func (l *stepList) add(kernel string, items uint64, threads uint32, a, b uint64) {
	*l = append(*l, machine.Step{Kernel: kernel, Launch: machine.Linear(max(items, 1), threads), A: a, B: b})
}

// scan adds the steps for the prefix sums or maxima of a set's words.
func (l *stepList) scan(kind string, set int, n uint64) {
	items := blocksOf(n, scanEach)
	l.add("scan_"+kind+"_blocks", items, scanThreads, uint64(set), n)
	l.add("scan_"+kind+"_totals", 1, scanThreads, uint64(set), blocksOf(items, scanThreads))
	l.add("scan_"+kind+"_apply", items, scanThreads, uint64(set), n)
}

// groupSteps returns the steps that replay a group of chunks whose trace is known. For a group before the shard they
// compute only its final registers and memory.
func (r *Run) groupSteps(s *sizes, g group, trace *record.Trace) []machine.Step {
	a, b, chunks := uint64(g.first), uint64(g.end), uint64(g.end-g.first)
	if r.Part == nil || g.first >= r.Part.First {
		b |= groupKeeps
	}
	if g.ends {
		b |= groupEnds
	}
	from, to := &trace.Checkpoints[g.first], &trace.Checkpoints[g.end]
	// Loaded words, and at most two words for a store.
	accesses := min(s.accesses, to.Log-from.Log+2*uint64(to.Cycle-from.Cycle))

	var l stepList
	l.add("replay_begin", carriedIndices().words, 256, a, b)
	l.add("replay_count", chunks, chunkThreads, a, b)
	l.scan("sum", setCounts, uint64(countedTables()+1)*chunks+1)
	l.scan("maximum", setLasts, program.Registers*(chunks+1))
	refreshes := program.Registers*chunks + 1
	l.add("replay_count_refreshes", refreshes, 256, a, b)
	l.scan("sum", setRefreshes, refreshes)
	l.add("replay_carry", carriedIndices().words, 256, a, b)
	l.add("replay_emit", chunks, chunkThreads, a, b)
	if b&groupKeeps != 0 {
		l.add("replay_emit_refreshes", refreshes, 256, a, b)
	}
	for _, kind := range all.Kinds() {
		if calls := s.rows[kind.Table]; calls > 0 {
			l.add("calls_"+kind.Table.String(), min(calls, uint64(to.Cycle-from.Cycle)), callThreads, 0, 0)
		}
	}
	l.sort(g.number, s.known+accesses)
	return l
}

// sort adds the steps that sort up to this number of accesses and match each with the previous one.
func (l *stepList) sort(number int, sorted uint64) {
	before, after := uint64(setKnown), uint64(setOtherKnown)
	switch {
	case number == 0:
		before = uint64(setInitial)
	case number%2 == 1:
		before, after = after, before
	}
	l.add("sort_keys", sorted, scanThreads, before, 0)
	from, to := uint64(setKeys), uint64(setOtherKeys)
	blocks := blocksOf(sorted, sortEach)
	for _, shift := range []uint64{32, 40, 48, 56} {
		l.add("sort_count", blocks, scanThreads, from, shift)
		l.scan("sum", setDigits, digits*blocksOf(max(blocks, 1), scanThreads))
		l.add("sort_scatter", blocks, scanThreads, from, to<<8|shift)
		from, to = to, from
	}
	items := blocksOf(sorted, scanEach)
	l.add("chain_blocks", items, scanThreads, before, 0)
	l.add("chain_totals", 1, scanThreads, after, blocksOf(items, scanThreads))
	l.add("chain_apply", items, scanThreads, before, after)
}

// lastSteps returns the steps after all groups.
func (r *Run) lastSteps(s *sizes, words []uint64) []machine.Step {
	var l stepList
	l.add("replay_check", carriedIndices().clocks, 64, 0, 0)
	if s.rows[table.Boundary] == 0 {
		return l
	}
	l.add("replay_registers", program.Registers, 64, uint64(r.Chunks), 0)
	order := words[setOrder]
	l.add("order_count", order, 256, 0, order)
	l.scan("sum", setOrder, order)
	l.add("order_emit", order, 256, 0, order)
	return l
}

// MostWords returns the largest lengths of the record sets and of the replay's sets for tables with these numbers of
// rows. The program is nil if only its tables' heights are known.
func MostWords(rows [table.Count]uint64, p *program.Program) []uint64 {
	s := mostSizes(rows)
	if p != nil {
		s.code, s.texts = uint64(len(p.Code)), uint64(len(p.Texts))
	}
	return s.words()
}

// mostSizes returns the sizes of the longest run with these numbers of rows.
func mostSizes(rows [table.Count]uint64) *sizes {
	s := &sizes{rows: rows}
	cycles := uint64(0)
	for t := range table.Table(table.Count) {
		s.accesses += rows[t] * accessesOf(t)
		if t <= table.Unal { // one row per cycle
			cycles += rows[t]
		}
	}
	s.chunks, s.log = blocksOf(cycles, record.ChunkCycles), s.accesses
	s.group, s.known = s.chunks, rows[table.Boundary]+rows[table.Private]
	s.initial, s.output = s.known, min(rows[table.Boundary], mostOutput)
	return s
}

// mostOutput is the largest number of words of a public output, including its length.
const mostOutput = uint64(memorymap.PublicRegion / memorymap.WordBytes)
