package run_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/fib"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/run"
)

// A cut has a part for each shard, even if it is specified by sizes. It rejects parts that could overflow sums.
func TestCuts(t *testing.T) {
	every := func(size int) run.Cut { return run.Ends(func(shard int) int { return (shard + 1) * size }) }
	for name, tc := range map[string]struct {
		cut  run.Cut
		size int
		want []int
		err  string
	}{
		"whole":                    {run.Cut{}, 100, []int{100}, ""},
		"even":                     {run.Even(3), 100, []int{1, 1, 1}, ""},
		"no shards":                {run.Even(-1), 100, nil, ""},
		"parts of a size":          {run.Parts(func(size int) []int { return []int{size, 1} }), 9, []int{9, 1}, ""},
		"ends at sizes":            {every(40), 100, []int{40, 40, 20}, ""},
		"ends at the run's size":   {every(50), 100, []int{50, 50}, ""},
		"ends after the run":       {every(200), 100, []int{100}, ""},
		"ends with the run":        {run.Ends(func(int) int { return 0 }), 100, []int{100}, ""},
		"ends at falling sizes":    {run.Ends(func(shard int) int { return 50 - 49*shard }), 52, []int{50, 1, 51}, ""},
		"a part of nothing":        {run.Parts(func(int) []int { return []int{1, 0} }), 9, nil, "shard 1 has part 0"},
		"a part that is too large": {run.Parts(func(int) []int { return []int{1<<30 + 1} }), 9, nil, "want 1 to 1073741824"},
	} {
		parts, err := tc.cut.Of(tc.size)
		if tc.err != "" {
			if err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: %v, want words with %q", name, err, tc.err)
			}
			continue
		}
		if err != nil || !slices.Equal(parts, tc.want) {
			t.Errorf("%s: %v, %v, want %v", name, parts, err, tc.want)
		}
		if tc.cut.Whole() != (name == "whole") || (tc.cut.WhileRunning() != nil) != strings.HasPrefix(name, "ends") {
			t.Errorf("%s: whole %v, while running %v", name, tc.cut.Whole(), tc.cut.WhileRunning() != nil)
		}
	}
}

func tours(t *testing.T) run.Program {
	t.Helper()
	program, err := tour.New(tour.Sample())
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// A whole run is a stream of one shard that can be read twice, and states what is expected.
func TestWholeRuns(t *testing.T) {
	r, err := tours(t).Run(t.Context(), run.Input{Size: 40, Seed: 1, MinLogHeight: 5})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		list, err := r.List()
		if err != nil || len(list) != 1 || !list[0].Last {
			t.Fatalf("shards %v, %v: want one, the last", list, err)
		}
		if !slices.Equal(list[0].Instances(), r.Instances[0]) || !slices.Equal(r.Public().Data, r.Expected.Data) {
			t.Error("the shard has other instances than the run, or the run states something else than is expected")
		}
	}
	if e, err := r.Execution(); err != nil || !slices.Equal(e.Instances(), r.Instances[0]) {
		t.Errorf("the execution of all has other instances, or %v", err)
	}
	if r.Speculative || r.Report() != (run.Report{}) {
		t.Errorf("a run that has ended is speculative, or ran on: %v", r.Report())
	}
}

// A walk that is cut at sizes has the same shards as a walk that is cut into the equivalent parts.
func TestRunsInShards(t *testing.T) {
	program, input := tours(t), run.Input{Size: 40, Seed: 1, MinLogHeight: 5}
	parts, err := run.Shards(t.Context(), program, input, run.Parts(func(int) []int { return []int{3, 1} }))
	if err != nil {
		t.Fatal(err)
	}
	ended, err := run.Shards(t.Context(), program, input, run.Ends(func(shard int) int { return 30 * (1 - shard) }))
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) != 2 || len(ended) != 2 {
		t.Fatalf("%d and %d shards, want 2", len(parts), len(ended))
	}
	for i := range parts {
		if !slices.EqualFunc(parts[i].Records(), ended[i].Records(), slices.Equal) || parts[i].End != []int{30, 40}[i] {
			t.Errorf("shard %d has other records, or ends at %d", i, parts[i].End)
		}
	}
	input.Cut = run.Even(2)
	if _, err := run.Execute(t.Context(), program, input); err == nil || !strings.Contains(err.Error(), "into 2 shards") {
		t.Errorf("the execution of a run in shards: %v", err)
	}
}

// A machine that cannot cut its runs returns an error.
func TestWholeMachines(t *testing.T) {
	program, err := fib.Program()
	if err != nil {
		t.Fatal(err)
	}
	_, err = program.Run(t.Context(), run.Input{Size: 64, Cut: run.Even(2)})
	if !errors.Is(err, run.ErrWhole) || !strings.Contains(err.Error(), "machine fib") {
		t.Errorf("%v, want %v of machine fib", err, run.ErrWhole)
	}
	if _, err := tours(t).Estimate(64, 5, nil); !errors.Is(err, run.ErrRunFirst) {
		t.Errorf("%v, want %v", err, run.ErrRunFirst)
	}
}

// stopped is an execution with a statement and an instance, but without records.
type stopped struct{ machine.OnHost }

func (stopped) Public() circuit.Public {
	return circuit.Public{Values: []goldilocks.Element{7}}
}
func (stopped) Instances() []circuit.Instance { return []circuit.Instance{{LogHeight: 5}} }
func (stopped) Records() [][]uint64           { return nil }

// ending is a program whose runs end with an error after one shard.
type ending struct {
	run.Program
	err error
}

func (e ending) Run(context.Context, run.Input) (*run.Run, error) {
	r := run.Known(circuit.Public{}, &machine.Shard{Execution: stopped{}})
	shards := r.Shards
	r.Shards = func(yield func(*machine.Shard, error) bool) {
		for shard := range shards {
			if !yield(shard, nil) {
				return
			}
		}
		yield(nil, e.err)
	}
	return r, nil
}

// An error that ends a run early is returned to callers that need the whole run.
func TestRunsThatEndEarly(t *testing.T) {
	program := ending{err: errors.New("the program divides by zero")}
	if _, err := run.Execute(t.Context(), program, run.Input{}); !errors.Is(err, program.err) {
		t.Errorf("%v, want %v", err, program.err)
	}
	if list, err := run.Shards(t.Context(), program, run.Input{}, run.Even(2)); list != nil ||
		!errors.Is(err, program.err) {
		t.Errorf("%v, %v, want %v", list, err, program.err)
	}
}
