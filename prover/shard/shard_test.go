package shard_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/cpu"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/tour"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/shard"
	"github.com/chiasmus/chiasmus/prover/verify"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// testParams have no security.
func testParams(t *testing.T) protocol.Params {
	t.Helper()
	preset, err := protocol.PresetByName("test")
	must(t, err)
	return preset.Params
}

// devices are CPU backends, each with one worker.
func devices(count int) (list []backend.Backend) {
	for range count {
		list = append(list, cpu.New(parallel.New(1)))
	}
	return list
}

// sample is the program of these tests: one value, so that keys and fillers belong to one machine.
var sample = sync.OnceValues(func() (run.Program, error) { return tour.New(tour.Sample()) })

// fillers are those of the machine of tours.
func fillers(t *testing.T) *machine.Fillers {
	t.Helper()
	program, err := sample()
	must(t, err)
	return program.Fillers()
}

// walk is a tour in shards, with its key.
func walk(t *testing.T, count int) (*protocol.Key, []*machine.Shard) {
	t.Helper()
	program, err := sample()
	must(t, err)
	input := run.Input{Size: 100, Seed: 3, MinLogHeight: 5}
	shards, err := run.Shards(t.Context(), program, input, run.Even(count))
	must(t, err)
	key, err := setup.NewKey(program.Machine(), testParams(t))
	must(t, err)
	return key, shards
}

// However the shards are assigned, and whether they wait or not, the set is the same, and valid.
func TestArrangements(t *testing.T) {
	const plenty = 1 << 40
	var first []byte
	for _, tc := range []struct {
		name    string
		devices int
		waiting uint64
		twice   []bool
	}{
		{"one device, one slot", 1, 0, []bool{true, true, true, true, false}},
		{"one device, a slot for each", 1, plenty, make([]bool, 5)},
		{"two devices, one slot", 2, 0, []bool{true, true, true, false, false}},
		{"two devices, a slot for each", 2, plenty, make([]bool, 5)},
		{"a device for each, and one more", 6, 0, make([]bool, 5)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			key, shards := walk(t, 5)
			stages := make([][]prove.Stage, len(shards))
			note := func(number int, stage prove.Stage) { stages[number] = append(stages[number], stage) }
			p := shard.New(key, fillers(t), devices(tc.devices), shard.Options{WaitingBytes: tc.waiting, Progress: note})
			check := func(set *protocol.Set, metrics *shard.Metrics, err error) {
				t.Helper()
				must(t, err)
				must(t, p.Close())
				must(t, verify.Set(set, key))
				data, err := set.MarshalBinary()
				must(t, err)
				if first == nil {
					first = data
				}
				if !bytes.Equal(first, data) {
					t.Error("another set")
				}
				for i, m := range metrics.Shards {
					commits := 0
					for _, stage := range stages[i] {
						if stage == prove.StageCommitMain {
							commits++
						}
					}
					if m.Twice != tc.twice[i] || (commits == 2) != m.Twice || m.Device != i%tc.devices || m.Total > metrics.Total {
						t.Errorf("shard %d: %+v, %d commitments", i, m, commits)
					}
					stages[i] = nil
				}
			}
			check(p.Prove(t.Context(), known(shards)))
			check(p.Prove(t.Context(), coming(shards, nil)))
		})
	}
}

// known is a run with these shards.
func known(shards []*machine.Shard) *run.Run { return run.Known(shards[0].Public(), shards...) }

// coming is a run whose shards arrive one after another, followed by an error unless that is nil.
func coming(shards []*machine.Shard, err error) *run.Run {
	var stated circuit.Public
	if len(shards) > 0 {
		stated = shards[0].Public()
	}
	return &run.Run{
		Public: func() circuit.Public { return stated },
		Shards: func(yield func(*machine.Shard, error) bool) {
			for _, shard := range shards {
				if !yield(shard, nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
			}
		},
	}
}

// The number of slots is limited by the memory for waiting shards: two here.
func TestSlots(t *testing.T) {
	key, shards := walk(t, 4)
	opened, err := prove.NewProver(key, fillers(t), cpu.New(parallel.New(1)), backend.Budget{})
	must(t, err)
	largest := uint64(0)
	for _, s := range shards {
		peak, err := opened.Peak(s.Instances())
		must(t, err)
		largest = max(largest, peak)
	}
	p := shard.New(key, fillers(t), devices(1), shard.Options{WaitingBytes: 3*largest - 1})
	for name, prove := range map[string]func() (*protocol.Set, *shard.Metrics, error){
		"known":  func() (*protocol.Set, *shard.Metrics, error) { return p.Prove(t.Context(), known(shards)) },
		"coming": func() (*protocol.Set, *shard.Metrics, error) { return p.Prove(t.Context(), coming(shards, nil)) },
	} {
		_, metrics, err := prove()
		must(t, err)
		must(t, p.Close())
		var twice []bool
		for _, m := range metrics.Shards {
			twice = append(twice, m.Twice)
		}
		if !slices.Equal(twice, []bool{false, true, true, false}) {
			t.Errorf("%s: committed to twice: %v", name, twice)
		}
	}
}

// A wrong stream of shards is rejected, and the cause of its end is the error.
func TestComingFailures(t *testing.T) {
	key, shards := walk(t, 3)
	trouble, many := errors.New("the run ended early"), slices.Repeat(shards[:1], protocol.MaxShards+1)
	for name, tc := range map[string]struct {
		shards  *run.Run
		options shard.Options
		want    error
		words   string
	}{
		"none":          {coming(shards[:0], nil), shard.Options{}, shard.ErrCount, "0 shards, want 2"},
		"one":           {coming(shards[:1], nil), shard.Options{}, shard.ErrCount, "1 shards, want 2"},
		"too many":      {coming(many, nil), shard.Options{}, shard.ErrCount, "more than 256"},
		"an error":      {coming(shards[:2], trouble), shard.Options{}, trouble, ""},
		"too few bits":  {coming(shards, nil), shard.Options{MinBits: 128}, nil, "in 3 shards"},
		"too few bytes": {coming(shards, nil), shard.Options{MemoryLimit: 1}, nil, "device 0"},
	} {
		t.Run(name, func(t *testing.T) {
			p := shard.New(key, fillers(t), devices(1), tc.options)
			_, _, err := p.Prove(t.Context(), tc.shards)
			if err == nil || tc.want != nil && !errors.Is(err, tc.want) || !strings.Contains(err.Error(), tc.words) {
				t.Errorf("%v, want %v, words with %q", err, tc.want, tc.words)
			}
			must(t, p.Close())
		})
	}
}

// full is a backend with memory for two provers.
type full struct {
	backend.Backend
	opened int
}

func (f *full) Open(fillers *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover, error) {
	if f.opened++; f.opened > 2 {
		return nil, &backend.MemoryError{NeedBytes: 2, HaveBytes: 1}
	}
	return f.Backend.Open(fillers, params, budget)
}

// There are no more slots than fit the device's memory.
func TestSlotsOfADevice(t *testing.T) {
	key, shards := walk(t, 4)
	p := shard.New(key, fillers(t), []backend.Backend{&full{Backend: devices(1)[0]}},
		shard.Options{WaitingBytes: math.MaxUint64})
	for round := range 4 {
		prove := func() (*protocol.Set, *shard.Metrics, error) { return p.Prove(t.Context(), known(shards)) }
		if round >= 2 {
			prove = func() (*protocol.Set, *shard.Metrics, error) { return p.Prove(t.Context(), coming(shards, nil)) }
		}
		_, metrics, err := prove()
		must(t, err)
		for i, m := range metrics.Shards {
			if m.Twice != (i == 1 || i == 2) {
				t.Errorf("shard %d: committed to twice: %v", i, m.Twice)
			}
		}
	}
	must(t, p.Close())
}

// A device that fails, an interruption, a cap that changes and too few bits end the work, and the error names the
// shard.
func TestFailures(t *testing.T) {
	key, shards := walk(t, 3)
	for name, tc := range map[string]struct {
		ctx     func() context.Context
		options shard.Options
		shards  []*machine.Shard
		want    string
	}{
		"one shard": {shards: shards[:1], want: "1 shards, want 2 to 256"},
		"too many": {shards: slices.Repeat(shards[:1], protocol.MaxShards+1),
			want: "257 shards, want 2 to 256"},
		"too few bits":  {options: shard.Options{MinBits: 128}, want: "in 3 shards"},
		"too few bytes": {options: shard.Options{MemoryLimit: 1}, want: "device 0"},
		"another filler": {shards: []*machine.Shard{shards[0], fickle(shards[1]), shards[2]},
			want: "shard 1, on device 0: its main columns have another cap"},
		"interrupted": {ctx: func() context.Context {
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(errors.New("enough"))
			return ctx
		}, want: "enough"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			if tc.ctx != nil {
				ctx = tc.ctx()
			}
			if tc.shards == nil {
				tc.shards = shards
			}
			p := shard.New(key, fillers(t).Mutable(), devices(1), tc.options)
			if _, _, err := p.Prove(ctx, known(tc.shards)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want words with %q", err, tc.want)
			}
			must(t, p.Close())
		})
	}
}

// fickle is a shard that is filled differently each time.
func fickle(s *machine.Shard) *machine.Shard {
	filled := goldilocks.Element(0)
	changed := &machine.Mutated{Execution: s.Execution, Change: func(_ int, columns [][]goldilocks.Element) {
		filled++
		columns[0][0] = filled
	}}
	return changed.InPlaceOf(s)
}
