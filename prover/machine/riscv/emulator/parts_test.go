package emulator

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/accelerator/keccakf"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/program"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
)

// cutsOf returns the cuts of a run before the given chunks, and at its end.
func cutsOf(trace *record.Trace, chunks ...int) (cuts []Cut) {
	for _, chunk := range append(chunks, trace.Chunks()) {
		cuts = append(cuts, Cut{chunk, trace.Checkpoints[chunk].Log})
	}
	return cuts
}

// recorded is a whole run, with what an observer sees of it.
type recorded struct {
	result *Result
	trace  *record.Trace
	chunks []Chunk      // without their logs
	seen   map[int]Seen // by chunk, before it
	words  map[int]int  // by chunk, number of words touched before it
}

// recordWhole records a run, and what was seen of it before the given chunks.
func recordWhole(t *testing.T, e *Emulator, in memory.Inputs, before ...int) *recorded {
	t.Helper()
	r := &recorded{seen: map[int]Seen{}, words: map[int]int{}}
	var err error
	r.result, r.trace, err = e.Record(t.Context(), in, Options{Observe: func(c *Chunk) error {
		r.chunks = append(r.chunks, Chunk{First: c.First, Cycles: c.Cycles, Registers: c.Registers, Logged: c.Logged})
		if n := len(r.chunks); slices.Contains(before, n) {
			seen := c.Seen()
			seen.Unaligned, seen.Calls = slices.Clone(seen.Unaligned), maps.Clone(seen.Calls)
			seen.OutputTimes = slices.Clone(seen.OutputTimes)
			r.seen[n], r.words[n] = seen, c.Touched()
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	r.result.Memory = clean(r.result.Memory)
	return r
}

// observe compares the chunk with the given number of the same run in parts.
func (r *recorded) observe(t *testing.T, name string, number int, c *Chunk) {
	t.Helper()
	want := &r.chunks[number]
	if *c.Start != r.trace.Checkpoints[number] || c.First != want.First || c.Cycles != want.Cycles ||
		c.Registers != want.Registers ||
		c.Logged != want.Logged || !c.Lasting() {
		t.Errorf("%s: chunk %d is another in a part", name, number)
	}
	if end := c.Logged + uint64(len(c.Log)); end != r.trace.Checkpoints[number+1].Log ||
		!slices.Equal(c.Log, r.trace.Log[c.Logged:end]) {
		t.Errorf("%s: chunk %d has another log in a part", name, number)
	}
}

// compareParts records a run in parts and compares it with the whole run. It also compares the trace that is passed on
// after each part with the start of the whole trace.
func compareParts(t *testing.T, name string, e *Emulator, in memory.Inputs, want *recorded, chunks ...int) {
	t.Helper()
	cuts := cutsOf(want.trace, chunks...)
	compareRecorder(t, name, e, want, chunks, func(observe func(*Chunk) error,
		passed func(int, *record.Trace)) (*Result, *record.Trace, error) {
		return e.RecordParts(t.Context(), in, cuts, observe, passed)
	})
}

// compareRecorder compares a run that by records in parts, cut at these chunks, with the whole run.
func compareRecorder(t *testing.T, name string, e *Emulator, want *recorded, chunks []int,
	by func(observe func(*Chunk) error, passed func(int, *record.Trace)) (*Result, *record.Trace, error)) {
	t.Helper()
	ends := append(slices.Clone(chunks), want.trace.Chunks())
	handed, observed := 0, 0
	observe := func(c *Chunk) error {
		want.observe(t, name, observed, c)
		if observed++; handed < len(chunks) && observed == chunks[handed] &&
			(!reflect.DeepEqual(c.Seen(), want.seen[observed]) || c.Touched() != want.words[observed]) {
			t.Errorf("%s: another thing was seen of the run before chunk %d than in all of it", name, observed)
		}
		return nil
	}
	result, trace, err := by(observe, func(part int, before *record.Trace) {
		end := ends[part]
		begin := want.trace.Up(end+1, want.trace.Checkpoints[end].Log)
		if part != handed || observed != end || !sameTrace(before, begin) {
			t.Errorf("%s: part %d, cut at %v, is handed over otherwise than the run goes", name, part, chunks)
		}
		handed++
	})
	if err != nil {
		t.Fatalf("%s, cut at %v: %v", name, chunks, err)
	}
	if handed != len(ends) || !sameTrace(trace, want.trace) {
		t.Errorf("%s, cut at %v: %d parts, and another trace than the run's", name, chunks, handed)
	}
	if result.Memory = clean(result.Memory); !reflect.DeepEqual(result, want.result) {
		t.Errorf("%s, cut at %v: another result than the run's", name, chunks)
	}
	e.Recycle(trace)
}

// Runs in parts have the same trace and result as whole runs, wherever they are cut: in translated loops, between loads
// and stores of the same word, before calls of accelerators, misaligned and timed accesses, and the end.
func TestPartsOfPrograms(t *testing.T) {
	type run struct {
		name string
		p    *program.Program
		in   memory.Inputs
		most int // the largest number of cuts
	}
	runs := []run{{"rarities", riscvtest.Load(t, rarities().ELF(false)), memory.Inputs{}, 2}}
	for seed := range uint64(3) {
		runs = append(runs, run{"random", riscvtest.Load(t, riscvtest.Random(seed, 3000).ELF(false)), memory.Inputs{}, 10})
	}
	for _, c := range riscvtest.Cases() {
		runs = append(runs, run{c.Name, riscvtest.Load(t, riscvtest.Guest(t, c.Guest)), c.Inputs, 2})
	}
	for _, guest := range []string{"hashes", "ecdsa"} {
		in := memory.Inputs{Private: make([]byte, 72), Public: make([]byte, 96)}
		runs = append(runs, run{guest, riscvtest.Load(t, riscvtest.Guest(t, guest)), in, 3})
	}
	for _, r := range runs {
		e := New(r.p)
		for range 2 {
			recordWhole(t, e, r.in)
		}
		first := recordWhole(t, e, r.in).trace
		chunks := first.Chunks()
		e.Recycle(first)
		var cuts []int
		for i := range min(r.most, chunks-1) {
			cuts = append(cuts, 1+i*(chunks-1)/min(r.most, chunks-1))
		}
		want := recordWhole(t, e, r.in, append(cuts, 1, chunks/2, chunks-1)...)
		for _, cut := range cuts {
			compareParts(t, r.name, e, r.in, want, cut)
		}
		if chunks >= 4 {
			compareParts(t, r.name, e, r.in, want, 1, chunks/2, chunks-1)
		}
		compareParts(t, r.name, e, r.in, want)
	}
}

// loop returns a program that runs a loop with a load and a store, followed by last.
func loop(last func(p *riscvtest.Program)) *riscvtest.Program {
	p := riscvtest.NewProgram(make([]byte, riscvtest.DataBytes))
	p.Op(instruction.ADDI, 5, 0, 0, 2000)
	p.Op(instruction.LD, 7, riscvtest.DataRegister, 0, 0)
	p.Op(instruction.ADDI, 7, 7, 0, 3)
	p.Op(instruction.SD, 0, riscvtest.DataRegister, 7, 0)
	p.Op(instruction.ADDI, 5, 5, 0, -1)
	p.Op(instruction.BNE, 0, 5, 0, -16)
	last(p)
	return p
}

// Before a part starts, calls may read more words than a log has room for.
func TestPartsOfManyCalls(t *testing.T) {
	p := riscvtest.NewProgram(make([]byte, riscvtest.DataBytes))
	p.Op(instruction.LUI, 5, 0, 0, 0x5000) // 20,480 calls
	p.Op(instruction.ADDI, 10, riscvtest.DataRegister, 0, 0)
	p.Op(instruction.ADDI, 17, 0, 0, int64(keccakf.Kind.Code))
	p.Op(instruction.ECALL, 0, 0, 0, 0)
	p.Op(instruction.ADDI, 5, 5, 0, -1)
	p.Op(instruction.BNE, 0, 5, 0, -8)
	p.Op(instruction.ADDI, 10, 0, 0, 0)
	e := New(riscvtest.Load(t, p.ELF(false)))
	recordWhole(t, e, memory.Inputs{})
	want := recordWhole(t, e, memory.Inputs{}, 90, 110)
	compareParts(t, "calls", e, memory.Inputs{}, want, 90, 110)
}

// Bare translations load what was stored last, whichever instruction stored it and however wide.
func TestPartsLoadWhatWasStored(t *testing.T) {
	type op struct {
		op           instruction.Op
		rd, rs1, rs2 uint8
		imm          int64
	}
	const data, alias, count, sum, other = riscvtest.DataRegister, 8, 5, 7, 6
	store := op{instruction.SD, 0, data, sum, 16}
	for name, between := range map[string][]op{
		"nothing":                      nil,
		"a byte":                       {{instruction.SB, 0, data, count, 19}},
		"half a word":                  {{instruction.SH, 0, data, count, 22}},
		"a word of 32 bits":            {{instruction.SW, 0, data, count, 16}},
		"another word":                 {{instruction.SD, 0, data, count, 24}},
		"the word by another register": {{instruction.SD, 0, alias, count, 8}},
		"the pointer":                  {{instruction.ADDI, data, data, 0, 8}},
		"the register":                 {{instruction.XOR, sum, sum, count, 0}},
		"a load of a byte":             {{instruction.LBU, other, data, 0, 16}},
	} {
		p := riscvtest.NewProgram(make([]byte, riscvtest.DataBytes))
		p.Op(instruction.ADDI, count, 0, 0, 1500)
		p.Op(instruction.ADDI, alias, data, 0, 8)
		p.Op(instruction.ADDI, sum, 0, 0, 77)
		body := append([]op{store}, between...)
		body = append(body, op{instruction.LD, other, data, 0, 16}, op{instruction.LWU, sum, data, 0, 16},
			op{instruction.ADD, sum, sum, other, 0},
			op{instruction.LD, other, alias, 0, 16}, op{instruction.XOR, sum, sum, other, 0}, // elsewhere
			op{instruction.ADDI, data, alias, 0, -8}, op{instruction.ADDI, count, count, 0, -1})
		for _, o := range append(body, op{instruction.BNE, 0, count, 0, -4 * int64(len(body))}) {
			p.Op(o.op, o.rd, o.rs1, o.rs2, o.imm)
		}
		p.Dump(sum)
		e := New(riscvtest.Load(t, p.ELF(false)))
		_, interpreted, err := e.Record(t.Context(), memory.Inputs{}, Options{Interpret: true})
		if err != nil {
			t.Fatal(err)
		}
		recordWhole(t, e, memory.Inputs{})
		recordWhole(t, e, memory.Inputs{})
		want := recordWhole(t, e, memory.Inputs{}, 5, 17)
		if !sameTrace(want.trace, interpreted) {
			t.Errorf("%s: another trace than an interpreted run's", name)
		}
		compareParts(t, name, e, memory.Inputs{}, want, 5, 17)
	}
}

// A run that is similar to the one that was cut is recorded in guessed parts as it is as a whole, whatever each part
// logs and however long the last part is. Other runs are errors.
func TestGuessedParts(t *testing.T) {
	numbers := func(count, seed uint64) memory.Inputs { return memory.Inputs{Private: riscvtest.Numbers(count, seed)} }
	e := New(riscvtest.Load(t, riscvtest.Guest(t, "quicksort")))
	if !e.CanGuess() {
		t.Skip("traces have no address space of their own here")
	}
	like := recordWhole(t, e, numbers(2000, 8))
	end := like.trace.Chunks()
	for _, chunks := range [][]int{{}, {1}, {3, 4, 20}, {end / 4, end / 2, end * 3 / 4}} {
		cuts := cutsOf(like.trace, chunks...)
		for name, in := range map[string]memory.Inputs{
			"others": numbers(2000, 9), "more": numbers(2300, 10), "fewer": numbers(1900, 11), "the same": numbers(2000, 8),
		} {
			want := recordWhole(t, e, in, chunks...)
			if moved := want.trace.Checkpoints[1].Log != like.trace.Checkpoints[1].Log; len(chunks) > 0 && !moved &&
				want.result.End.Log == like.result.End.Log && name != "the same" {
				t.Errorf("%s: the run logs what the other logs", name)
			}
			compareRecorder(t, name, e, want, chunks, func(observe func(*Chunk) error,
				passed func(int, *record.Trace)) (*Result, *record.Trace, error) {
				return e.GuessParts(t.Context(), in, cuts, rv64im.MaxCycles, observe, passed)
			})
		}
	}
	last := Cut{end, like.result.End.Log}
	for name, tc := range map[string]struct {
		in    memory.Inputs
		cuts  []Cut
		limit uint64
		want  string
	}{
		"a run that ends before the last part": {numbers(1000, 8), cutsOf(like.trace, end-20), rv64im.MaxCycles,
			ErrOtherRun.Error()},
		"a part that logs more than predicted": {numbers(2000, 9), []Cut{{end - 20, 0}, last}, rv64im.MaxCycles,
			ErrOtherRun.Error()},
		"a run beyond the limit": {numbers(2300, 8), cutsOf(like.trace, end-20), like.result.Cycles, "had not ended"},
	} {
		_, _, err := e.GuessParts(t.Context(), tc.in, tc.cuts, tc.limit, nil, func(int, *record.Trace) {})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

func TestOtherRunsThanWereCut(t *testing.T) {
	e := New(riscvtest.Load(t, loop(func(*riscvtest.Program) {}).ELF(false)))
	_, whole, err := e.Record(t.Context(), memory.Inputs{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	end := cutsOf(whole)[0]
	for name, cuts := range map[string][]Cut{
		"a log that is longer":           {{4, whole.Checkpoints[4].Log - 1}, end},
		"a log that is shorter":          {{4, whole.Checkpoints[4].Log + 1}, end},
		"a log that is longer in all":    {cutsOf(whole, 4)[0], {end.Chunk, end.Log - 1}},
		"an end before that of the run":  {cutsOf(whole, 4)[0], cutsOf(whole, 9)[0]},
		"an end after that of the run":   {cutsOf(whole, 4)[0], {end.Chunk + 1, end.Log}},
		"a cut after the end":            {{end.Chunk + 2, end.Log}, {end.Chunk + 3, end.Log}},
		"a begin after the end":          {cutsOf(whole, 4)[0], {end.Chunk + 1, end.Log}, {end.Chunk + 2, end.Log}},
		"a chunk whose log is elsewhere": {cutsOf(whole, 4)[0], {5, whole.Checkpoints[6].Log}, end},
	} {
		if _, _, err := e.RecordParts(t.Context(), memory.Inputs{}, cuts, nil, func(int, *record.Trace) {}); !errors.Is(err,
			ErrOtherRun) {
			t.Errorf("%s: %v, want %v", name, err, ErrOtherRun)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, _, err := e.RecordParts(ctx, memory.Inputs{}, cutsOf(whole, 4), nil,
		func(int, *record.Trace) {}); !errors.Is(err, why) {
		t.Errorf("a run that was cancelled: %v", err)
	}
}

// The state in which a part ends must be the state in which the next part starts, except the position of a guessed
// part's log.
func TestPartsMustMeet(t *testing.T) {
	for name, change := range map[string]func(c *record.Checkpoint){
		"a register": func(c *record.Checkpoint) { c.X[7]++ },
		"the sink":   func(c *record.Checkpoint) { c.X[0]++ },
		"the place":  func(c *record.Checkpoint) { c.PC += 4 },
		"the time":   func(c *record.Checkpoint) { c.Cycle++ },
	} {
		for _, guessed := range []bool{false, true} {
			before := &part{end: record.Checkpoint{PC: 4096, Cycle: 513, Log: 3}}
			next := &part{start: before.end, guessed: guessed, begun: make(chan struct{}), done: make(chan struct{})}
			close(next.begun)
			if guessed {
				next.start.Log++
			}
			if err := next.follows(before); err != nil {
				t.Fatal(err)
			}
			if change(&next.start); !errors.Is(next.follows(before), ErrOtherRun) {
				t.Errorf("%s differs in the next part (guessed: %v), and no check reports it", name, guessed)
			}
		}
	}
}

// The trap of a run is reported, whichever part reaches it first.
func TestTrapsOfParts(t *testing.T) {
	e := New(riscvtest.Load(t, loop(func(p *riscvtest.Program) { p.Op(instruction.LD, 7, 0, 0, 0) }).ELF(false)))
	_, _, want := e.Record(t.Context(), memory.Inputs{}, Options{})
	trap := new(Trap)
	if !errors.As(want, &trap) {
		t.Fatalf("%v, want a trap", want)
	}
	like := New(riscvtest.Load(t, loop(func(*riscvtest.Program) {}).ELF(false))) // equal up to the trap
	_, whole, err := like.Record(t.Context(), memory.Inputs{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	traps := int(trap.Cycle-1) / record.ChunkCycles
	for _, chunk := range []int{1, traps - 1, traps, traps + 1, traps + 10} {
		cut := Cut{chunk, 1 << 15}
		if chunk <= traps {
			cut.Log = whole.Checkpoints[chunk].Log
		}
		_, _, err := e.RecordParts(t.Context(), memory.Inputs{}, []Cut{cut, {chunk + 30, 1 << 16}}, nil,
			func(int, *record.Trace) {})
		found := new(Trap)
		if !errors.As(err, &found) || found.Memory == nil {
			t.Fatalf("cut at chunk %d: %v, want a trap with its memory", chunk, err)
		}
		found.Memory, trap.Memory = nil, nil // each run has its own
		if !reflect.DeepEqual(found, trap) {
			t.Errorf("cut at chunk %d: %v, want %v", chunk, found, trap)
		}
	}
}
