package replay_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine/riscv/emulator"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/memory"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/replay"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// A trace that does not belong to the program is refused, whichever part of it is wrong, and the error names the
// position.
func TestTracesThatAreNotTheProgramsAreRefused(t *testing.T) {
	in := memory.Inputs{Private: riscvtest.Numbers(200, 7)}
	p := riscvtest.Load(t, riscvtest.Guest(t, "quicksort"))
	_, good, err := emulator.Record(context.Background(), p, in, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		change func(*record.Trace)
		want   string
	}{
		{"register", func(r *record.Trace) { r.Checkpoints[3].X[8]++ }, "register 8"},
		{"sink", func(r *record.Trace) { r.Checkpoints[3].X[0]++ }, "register 32"},
		{"address", func(r *record.Trace) { r.Checkpoints[3].PC += 4 }, "cycle 1537"},
		{"address without code", func(r *record.Trace) { r.Checkpoints[3].PC = 0x800 }, "0x800"},
		{"misaligned address", func(r *record.Trace) { r.Checkpoints[3].PC += 2 }, "cycle 1537"},
		{"cycle", func(r *record.Trace) { r.Checkpoints[3].Cycle++ }, "checkpoint 3 is at cycle 1538, want 1537"},
		{"start", func(r *record.Trace) { r.Checkpoints[0].X[2] = 1 }, "not the start"},
		{"log", func(r *record.Trace) { r.Log[len(r.Log)/2]++ }, "cycle"},
		{"log at the end", func(r *record.Trace) { r.Log[len(r.Log)-1] ^= 1 << 63 }, "cycle"},
		{"log cursor", func(r *record.Trace) { r.Checkpoints[7].Log++ }, "load log"},
		{"log cursor after the log", func(r *record.Trace) { r.Checkpoints[3].Log = 1 << 60 }, "load log of"},
		{"log cursor goes back", func(r *record.Trace) { r.Checkpoints[3].Log = r.Checkpoints[2].Log - 1 }, "load log of"},
		{"log cut", func(r *record.Trace) { r.Log = r.Log[:len(r.Log)-1] }, "load log of"},
		{"log longer", func(r *record.Trace) {
			r.Log = append(r.Log, 0)
			r.Checkpoints[len(r.Checkpoints)-1].Log++
		}, "1 words of its load log unread"},
		{"cut", func(r *record.Trace) { r.Checkpoints = r.Checkpoints[:len(r.Checkpoints)-1] }, "does not end"},
		{"cut, and an empty chunk", func(r *record.Trace) {
			last := len(r.Checkpoints) - 1
			r.Checkpoints[last] = r.Checkpoints[last-1]
		}, "the last checkpoint is at cycle"},
		{"longer", func(r *record.Trace) { r.Checkpoints[len(r.Checkpoints)-1].Cycle++ }, "does not end"},
		{"last cycle", func(r *record.Trace) { r.Checkpoints[len(r.Checkpoints)-1].Cycle += 1000 }, "after the previous one"},
		{"empty", func(r *record.Trace) { r.Checkpoints = nil }, "no chunk"},
	} {
		bad := &record.Trace{Checkpoints: slices.Clone(good.Checkpoints), Log: slices.Clone(good.Log)}
		tc.change(bad)
		set, err := replay.Build(context.Background(), parallel.New(2), p, in, bad)
		if err == nil || set != nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
	if _, err := replay.Build(context.Background(), parallel.New(2), p, memory.Inputs{Private: riscvtest.Numbers(200, 8)},
		good); err == nil || !strings.Contains(err.Error(), "does not read the last value written") {
		t.Errorf("a trace of other inputs: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cancel(why)
	if _, err := replay.Build(ctx, parallel.New(2), p, in, good); !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
}

// A word that an accelerator reads equals memory, as for loads, even if nothing reads what the accelerator wrote.
func TestCallsReadWhatMemoryHeld(t *testing.T) {
	for _, s := range []subject{{"hashes", riscvtest.Guest(t, "hashes"), memory.Inputs{Private: []byte("abc")}},
		{"overlap", overlap().ELF(false), memory.Inputs{}}} {
		p := riscvtest.Load(t, s.elf)
		_, trace, err := emulator.Record(context.Background(), p, s.inputs, emulator.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range trace.Log {
			bad := &record.Trace{Checkpoints: trace.Checkpoints, Log: slices.Clone(trace.Log)}
			bad.Log[i] ^= 1 << 40
			if _, err := replay.Build(context.Background(), parallel.New(1), p, s.inputs, bad); err == nil {
				t.Errorf("%s: word %d of the log is not what memory held, and no check reports it", s.name, i)
			}
		}
	}
}

// The records do not depend on the number of goroutines.
func TestRecordsDoNotDependOnWorkers(t *testing.T) {
	for _, s := range []subject{{"hashes", riscvtest.Guest(t, "hashes"), memory.Inputs{Private: make([]byte, 5000)}},
		{"refresh", refresh().ELF(false), memory.Inputs{}}} {
		p := riscvtest.Load(t, s.elf)
		_, trace, err := emulator.Record(context.Background(), p, s.inputs, emulator.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var first *record.Set
		for _, workers := range []int{1, 2, 7} {
			set, err := replay.Build(context.Background(), parallel.New(workers), p, s.inputs, trace)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = set
			} else if diff := differ(first, set); diff != "" {
				t.Errorf("%s with %d workers: %s", s.name, workers, diff)
			}
		}
	}
}

// differ names the difference between two sets.
func differ(a, b *record.Set) string {
	for name, same := range map[string]bool{
		"plain":        slices.Equal(a.Plain, b.Plain),
		"constant":     slices.Equal(a.Constant, b.Constant),
		"refresh":      slices.Equal(a.Refresh, b.Refresh),
		"touched":      slices.Equal(a.Touched, b.Touched),
		"registers":    a.Registers == b.Registers,
		"halt":         slices.Equal(a.Halt, b.Halt),
		"words":        slices.Equal(a.Accesses.Word, b.Accesses.Word),
		"previous":     slices.Equal(a.Accesses.Previous, b.Accesses.Previous),
		"old":          slices.Equal(a.Accesses.Old, b.Accesses.Old),
		"values":       slices.Equal(a.Accesses.Value, b.Accesses.Value),
		"output times": slices.Equal(a.OutputTimes, b.OutputTimes),
	} {
		if !same {
			return name
		}
	}
	for t := range a.Unary {
		if !slices.Equal(a.Unary[t], b.Unary[t]) || !slices.Equal(a.Binary[t], b.Binary[t]) ||
			!slices.Equal(a.Branch[t], b.Branch[t]) ||
			!slices.Equal(a.Load[t], b.Load[t]) || !slices.Equal(a.Store[t], b.Store[t]) || !slices.Equal(a.Call[t], b.Call[t]) {
			return "instructions"
		}
	}
	return ""
}
