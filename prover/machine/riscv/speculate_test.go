package riscv

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/memorymap"
	"github.com/chiasmus/chiasmus/prover/circuit/rv64im/table"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/instruction"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/run"
)

// logHeight is the height of tables that can hold every run here, so that all have the same instances.
const logHeight = 14

// alike returns a program after two runs with different inputs but equal lengths and logs, so that its next runs are
// recorded in parts.
func rowwise(t *testing.T, file []byte, inputs ...[]byte) *Program {
	t.Helper()
	p, err := New(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range inputs {
		// A program that traps leaves translations, too.
		_, _ = run.Execute(t.Context(), p, run.Input{Data: data, MinLogHeight: logHeight})
	}
	if !p.emulator.Translates() {
		t.Skip("there are no translations on this system")
	}
	p.PartsFrom(1)
	p.RecordIn(3)
	return p
}

// fresh is the run of a program without earlier runs.
func fresh(t *testing.T, file []byte, data []byte) (*Program, *Execution) {
	t.Helper()
	p, err := New(file)
	if err != nil {
		t.Fatal(err)
	}
	e, err := run.Execute(t.Context(), p, run.Input{Data: data, MinLogHeight: logHeight})
	if err != nil {
		t.Fatal(err)
	}
	return p, e.(*Execution)
}

// speculative begins a speculative run, and reports whether it is recorded in parts.
func speculative(t *testing.T, p *Program, input run.Input) (e *Execution, inParts bool) {
	t.Helper()
	like := p.lastRun()
	input.Speculate, input.MinLogHeight = true, logHeight
	r, err := p.Run(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Speculative {
		t.Fatal("the run is not speculative")
	}
	execution, err := r.Execution()
	if err != nil {
		t.Fatal(err)
	}
	e = execution.(*Execution)
	var stops []int
	for _, s := range e.running.stops {
		stops = append(stops, s.chunk)
	}
	return e, slices.Equal(stops, chunksOf(like.partsOf([]emulator.Cut{like.end()}, 3)))
}

// Runs with other inputs are recorded in parts, guessed ones until two runs have had equal lengths and logs, and equal
// unspeculated runs.
func TestSpeculativeRunsInParts(t *testing.T) {
	file, length := riscvtest.Guest(t, "sha256"), 400
	p := rowwise(t, file, bytes.Repeat([]byte{1}, length))
	for i, similar := range []bool{false, true, true} {
		data := Synthetic(length, uint64(i))
		if p.lastRun().similar != similar {
			t.Errorf("run %d is known to go like the last: %v", i, !similar)
		}
		e, inParts := speculative(t, p, run.Input{Data: data})
		if again := e.running.report().RecordedAgain; !inParts || again != 0 {
			t.Errorf("run %d goes in parts: %v, recorded again %d times", i, inParts, again)
		}
		_, alone := fresh(t, file, data)
		if !reflect.DeepEqual(e.Public(), alone.Public()) || !reflect.DeepEqual(e.Records(), alone.Records()) {
			t.Errorf("run %d is another than by itself", i)
		}
		if e.outcome().rows != alone.stated.rows || !slices.Equal(e.outcome().places, alone.stated.places) {
			t.Errorf("run %d was counted otherwise than by itself", i)
		}
	}
}

// times is a program that runs through a loop the number of times in its input, and ends with the given instructions.
// With odd numbers it loads in between, so that it is equally long and logs more.
func times(last func(p *riscvtest.Program)) []byte {
	p := riscvtest.NewProgram(make([]byte, riscvtest.DataBytes))
	p.Op(instruction.ADDI, 6, 0, 0, 1)
	p.Op(instruction.SLLI, 6, 6, 0, 31)
	p.Op(instruction.LD, 6, 6, 0, memorymap.WordBytes)
	p.Op(instruction.ANDI, 9, 6, 0, 1)
	p.Op(instruction.ADD, 5, 6, 0, 0)
	p.Op(instruction.BEQ, 0, 9, 0, 12)
	p.Op(instruction.LD, 7, riscvtest.DataRegister, 0, 0)
	p.Op(instruction.BEQ, 0, 0, 0, 12)
	p.Op(instruction.ADDI, 7, 7, 0, 1)
	p.Op(instruction.BEQ, 0, 0, 0, 4)
	p.Op(instruction.ADDI, 5, 5, 0, -2)
	p.Op(instruction.BLT, 0, 0, 5, -24)
	last(p)
	return p.ELF(false)
}

// A run that differs from the prediction is recorded again and equals a run of its own: with a longer log, shorter,
// longer, and with a trap.
func TestRunsInPartsSpeculatedWrongly(t *testing.T) {
	even, traps := times(func(*riscvtest.Program) {}),
		times(func(p *riscvtest.Program) { p.Op(instruction.LD, 7, 0, 0, 0) })
	for name, tc := range map[string]struct {
		file  []byte
		count uint64
		limit uint64
		want  string
	}{
		"a longer log": {even, 3801, 0, ""}, "shorter": {even, 3600, 0, ""}, "longer": {even, 4000, 0, ""},
		"beyond a limit": {even, 5000, 9728, "had not ended after 9728 cycles"},
		"a trap":         {traps, 3802, 0, "outside memory"},
	} {
		t.Run(name, func(t *testing.T) {
			like := rowwise(t, even, riscvtest.Numbers(3800)).lastRun()
			like.similar = true
			p := rowwise(t, tc.file, riscvtest.Numbers(3800))
			p.last = like
			e, inParts := speculative(t, p, run.Input{Data: riscvtest.Numbers(tc.count), Limit: tc.limit})
			if !inParts {
				t.Error("it goes whole")
			}
			if again := e.running.report().RecordedAgain; again != 1 {
				t.Errorf("the run was recorded again %d times, want 1", again)
			}
			if tc.want != "" {
				if o := e.outcome(); o != nil || !strings.Contains(e.running.err.Error(), tc.want) {
					t.Errorf("%v, want %q", e.running.err, tc.want)
				}
				return
			}
			_, alone := fresh(t, tc.file, riscvtest.Numbers(tc.count))
			o := e.outcome()
			if o == nil {
				t.Fatal(e.running.err)
			}
			if !reflect.DeepEqual(e.Public(), alone.Public()) || !reflect.DeepEqual(e.Records(), alone.Records()) ||
				o.rows != alone.stated.rows ||
				!slices.Equal(o.places, alone.stated.places) {
				t.Error("it is another than by itself")
			}
			if o.similar {
				t.Error("it is reported to equal the previous run")
			}
		})
	}
}

// cameEvery returns the shards of a run that is cut after every given number of cycles while it is running, and how
// often it was recorded again.
func cameEvery(t *testing.T, p *Program, data []byte, cycles int) (shards []*machine.Shard, again uint64) {
	t.Helper()
	input := run.Input{Data: data, MinLogHeight: logHeight}
	input.Cut = run.Ends(func(shard int) int { return (shard + 1) * cycles })
	r, err := p.Run(t.Context(), input)
	if err != nil {
		t.Fatal(err)
	}
	if shards, err = r.List(); err != nil {
		t.Fatal(err)
	}
	return shards, r.Report().RecordedAgain
}

// Shards of a run that is recorded in parts while they arrive equal those of a run recorded as a whole: as predicted,
// and with a longer log, a shorter or a longer run, of which some shards were handed over before the difference was
// detected.
func TestShardsComeInParts(t *testing.T) {
	even := times(func(*riscvtest.Program) {})
	for name, tc := range map[string]struct {
		count  uint64
		cycles int // of a shard
		parts  int
	}{
		"as speculated": {4002, 3000, 3},
		"in many parts": {4002, 3000, 9},
		"a longer log":  {4001, 3000, 3},
		"shorter":       {3000, 3000, 9},
		"longer":        {5000, 3000, 9},
		"one shard":     {4002, 1 << 20, 3},
	} {
		t.Run(name, func(t *testing.T) {
			data := riscvtest.Numbers(tc.count)
			p := rowwise(t, even, riscvtest.Numbers(4000))
			p.lastRun().similar = true
			p.RecordIn(tc.parts)
			shards, again := cameEvery(t, p, data, tc.cycles)
			whole, err := New(even)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := cameEvery(t, whole, data, tc.cycles)
			if len(shards) != len(want) {
				t.Fatalf("%d shards, want %d", len(shards), len(want))
			}
			if (again == 1) != (tc.count != 4002) {
				t.Errorf("the run was recorded again %d times", again)
			}
			for i, e := range shards {
				alone := want[i]
				if !slices.Equal(e.Instances(), alone.Instances()) || !reflect.DeepEqual(e.Public(), alone.Public()) ||
					e.End != alone.End || e.Last != alone.Last || !reflect.DeepEqual(e.Unanswered, alone.Unanswered) {
					t.Errorf("shard %d is another", i)
				}
				if !reflect.DeepEqual(e.Records(), alone.Records()) {
					t.Errorf("shard %d has other records", i)
				}
				d, other := e.Device().Derive(), alone.Device().Derive()
				d.Check, other.Check = nil, nil
				if !reflect.DeepEqual(d, other) {
					t.Errorf("shard %d is replayed from something else", i)
				}
			}
		})
	}
}

// The ends of shards are predicted, at marks known from the previous run, or the run is recorded as a whole.
func TestPartsOfComingShards(t *testing.T) {
	like := &outcome{chunks: 1000, log: 2000, similar: true}
	for chunk := 10; chunk < 1000; chunk += 10 {
		like.places = append(like.places, emulator.Cut{Chunk: chunk, Log: uint64(2 * chunk)})
	}
	p := rowwise(t, times(func(*riscvtest.Program) {}), riscvtest.Numbers(40))
	p.last = like
	for cycles, want := range map[int][]int{
		400 * record.ChunkCycles:   {400, 800, 1000},
		400*record.ChunkCycles - 5: {400, 800, 1000},
		1000 * record.ChunkCycles:  {340, 670, 1000},
		405 * record.ChunkCycles:   nil,
		0:                          {340, 670, 1000},
	} {
		s := p.newStream(p.newGuestRun(run.Input{}), func(shard int) int { return (shard + 1) * cycles })
		if parts := chunksOf(s.parts(0)); !slices.Equal(parts, want) {
			t.Errorf("cut every %d cycles: parts end at %v, want %v", cycles, parts, want)
		}
	}
	like.similar = false
	if s := p.newStream(p.newGuestRun(run.Input{}), func(int) int { return 0 }); s.parts(0) != nil {
		t.Error("a run goes in parts whose like did not go as another")
	}
}

// If a run has other instances than predicted, its trace is kept, and the next attempt does not execute the program.
// A run with other inputs takes the memory of the kept trace.
func TestRunsWithOtherInstances(t *testing.T) {
	file := times(func(*riscvtest.Program) {})
	p, _ := fresh(t, file, riscvtest.Numbers(3800))
	wrong := func(data []byte) {
		t.Helper()
		r, err := p.Run(t.Context(), run.Input{Data: data, Speculate: true, MinLogHeight: 8})
		if err != nil || !r.Speculative {
			t.Fatalf("the run is not speculative (%v)", err)
		}
		execution, err := r.Execution()
		if err != nil {
			t.Fatal(err)
		}
		e := execution.(*Execution)
		if _, err := e.running.whole(); !errors.Is(err, run.ErrSpeculation) {
			t.Fatalf("%v, want %v", err, run.ErrSpeculation)
		}
		e.Release()
		if p.lastRun().trace == nil {
			t.Fatal("the trace is not kept")
		}
	}
	data := riscvtest.Numbers(40001)
	wrong(data)
	again, err := run.Execute(t.Context(), p, run.Input{Data: data, Speculate: true, MinLogHeight: logHeight})
	if err != nil {
		t.Fatal(err)
	}
	e := again.(*Execution)
	if e.running != nil || p.lastRun().trace != nil {
		t.Error("the next attempt executes the program, or leaves the trace")
	}
	_, alone := fresh(t, file, data)
	if !reflect.DeepEqual(e.Public(), alone.Public()) || !reflect.DeepEqual(e.Records(), alone.Records()) {
		t.Error("the run with the kept trace is another than by itself")
	}

	wrong(riscvtest.Numbers(90000))
	kept := p.lastRun()
	if _, err := run.Execute(t.Context(), p, run.Input{Data: riscvtest.Numbers(2), MinLogHeight: 8}); err != nil {
		t.Fatal(err)
	}
	if kept.trace != nil {
		t.Error("a run with other inputs leaves the kept trace")
	}
}

// A run with fewer rows than predicted fills the predicted tables' record sets on a device, which can continue with the
// run's own instances. The host cannot: for it the run is another. The trace stays for a second attempt until the first
// has filled its tables.
func TestOwnInstances(t *testing.T) {
	file := riscvtest.Guest(t, "fib")
	p, _ := fresh(t, file, riscvtest.Numbers(1200))
	begin := func(iterations uint64) *Execution {
		r, err := p.Run(t.Context(), run.Input{Data: riscvtest.Numbers(iterations), Speculate: true, MinLogHeight: 8})
		if err != nil || !r.Speculative {
			t.Fatalf("%d: speculative %v, %v", iterations, r.Speculative, err)
		}
		e, err := r.Execution()
		if err != nil {
			t.Fatal(err)
		}
		return e.(*Execution)
	}
	e := begin(300)
	alone, err := New(file)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := run.Execute(t.Context(), alone, run.Input{Data: riscvtest.Numbers(300), MinLogHeight: 8})
	if err != nil {
		t.Fatal(err)
	}
	list := whole.Instances()
	if e.Records() != nil || slices.Equal(e.Instances(), list) {
		t.Error("the host fills tables of a run with other instances")
	}
	d := e.Device().Derive()
	if err := d.Grow(func(map[int][]uint64, []machine.Step) error { return nil }); err != nil {
		t.Fatal(err)
	}
	d.Ended()
	if !slices.Equal(e.Instances(), list) {
		t.Errorf("instances %v after the run, want %v", e.Instances(), list)
	}
	if o := p.lastRun(); o.trace == nil {
		t.Error("there is no trace for a second attempt")
	}
	e.Release()
	if o := p.lastRun(); o.trace != nil {
		t.Error("the trace stays after the tables were filled")
	}

	e = begin(2000)
	err = e.Device().Derive().Grow(func(map[int][]uint64, []machine.Step) error { return nil })
	if !errors.Is(err, run.ErrSpeculation) {
		t.Errorf("a run with more rows than predicted: %v, want %v", err, run.ErrSpeculation)
	}
}

// The next run is predicted to have more rows than this one by twice the last difference, or the number predicted
// before, but not many more.
func TestPredictedRows(t *testing.T) {
	of := func(rows int, last *outcome) *outcome {
		o := new(outcome)
		o.rows[table.ADD] = rows
		o.predict(last)
		return o
	}
	first := of(1600, nil)
	for _, tc := range []struct{ rows, want int }{
		{1600, 1600}, {1599, 1601}, {1590, 1610}, {1620, 1660}, {1700, 1822}, {800, 866},
	} {
		if got := of(tc.rows, first).most[table.ADD]; got != tc.want {
			t.Errorf("after 1600 rows and %d: %d are predicted, want %d", tc.rows, got, tc.want)
		}
	}
	if got := of(1600, of(1590, first)).most[table.ADD]; got != 1620 {
		t.Errorf("after 1600 rows, 1590 and 1600: %d are predicted, want 1620", got)
	}
	if got := of(1600, of(1600, of(1590, first))).most[table.ADD]; got != 1620 {
		t.Errorf("after 1600 rows, 1590 and twice 1600: %d are predicted, want 1620", got)
	}
}
