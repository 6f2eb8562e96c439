package riscv_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/machine/riscv"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/record"
	"github.com/chiasmus/chiasmus/prover/machine/riscv/riscvtest"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/run"
)

// rolled is a run in shards, with the records of each shard.
func rolled(t *testing.T, count, states int) (r *run.Run, shards []*machine.Shard) {
	t.Helper()
	p, err := riscv.New(riscvtest.Guest(t, "quicksort"))
	if err != nil {
		t.Fatal(err)
	}
	p.KeepStates(states)
	input := run.Input{Data: riscvtest.Numbers(100, 7), MinLogHeight: 8, Pool: parallel.New(2), Cut: run.Even(count)}
	if r, err = p.Run(t.Context(), input); err != nil {
		t.Fatal(err)
	}
	if shards, err = r.List(); err != nil {
		t.Fatal(err)
	}
	return r, shards
}

// sizes are the cycles of shards, and of all.
func sizes(shards []*machine.Shard) (list []int, all int) {
	for _, shard := range shards {
		end := min(shard.End, int(shard.Execution.(*riscv.Execution).Stated().Cycles))
		list, all = append(list, end-all), end
	}
	return list, all
}

// The cycles that are executed to record shards grow with the run, not with the number of shards: the run is executed
// once from its beginning, and each shard that is needed again from its own. Without room for states the run begins
// again for an earlier shard.
func TestShardsAreRecordedOnce(t *testing.T) {
	_, want := rolled(t, 12, 1<<20)
	size, total := sizes(want)
	all := make([]int, len(want))
	for i := range all {
		all[i] = i
	}
	for name, tc := range map[string]struct {
		states     int
		asked      []int
		beginnings int   // how often the run is executed
		alone      []int // shards that are executed again
	}{
		"each once":            {1 << 20, all, 1, nil},
		"in both phases":       {1 << 20, slices.Concat(all, all), 1, all},
		"the last first":       {1 << 20, []int{11, 3, 0, 7}, 1, []int{3, 0, 7}},
		"no room, in order":    {0, slices.Concat(all, all), 2, nil},
		"no room, out of turn": {0, []int{11, 11}, 2, nil},
	} {
		r, shards := rolled(t, len(want), tc.states)
		for _, number := range tc.asked {
			if !reflect.DeepEqual(shards[number].Records(), want[number].Records()) {
				t.Errorf("%s: shard %d has other records", name, number)
			}
			shards[number].Rest()
		}
		cycles := tc.beginnings * total
		for _, number := range tc.alone {
			cycles += size[number]
		}
		if got := r.Report().Recorded; got != uint64(cycles) {
			t.Errorf("%s: %d cycles were executed, want %d", name, got, cycles)
		}
	}
}

// A device gets each shard's own trace. The host makes the next one meanwhile, and none twice.
func TestShardsForDevicesAreRecordedOnce(t *testing.T) {
	_, want := rolled(t, 12, 1<<20)
	size, total := sizes(want)
	r, shards := rolled(t, len(want), 1<<20)
	for range 2 {
		for number, shard := range shards {
			d := shard.Device().Derive()
			first, end := keptChunks(t, d.Steps)
			if chunks := (size[number] + record.ChunkCycles - 1) / record.ChunkCycles; first != 0 || end != uint64(chunks) {
				t.Errorf("shard %d is replayed from chunk %d to %d, it has %d", number, first, end, chunks)
			}
		}
	}
	if got := r.Report().Recorded; got != uint64(2*total) {
		t.Errorf("%d cycles were executed, want %d", got, 2*total)
	}
}

// After its release no shard is made in advance, nor one that was requested before the shard before it.
func TestShardsAreNotMadeInVain(t *testing.T) {
	_, want := rolled(t, 6, 1<<20)
	size, total := sizes(want)
	r, shards := rolled(t, len(want), 1<<20)
	for _, shard := range shards {
		shard.Device().Derive()
	}
	shards[5].Release()
	again := 0
	for _, number := range []int{4, 3, 1, 2} { // 4, and for 3 none after it; for 1 also 2
		shards[number].Device().Derive()
		again += size[number]
	}
	if got := r.Report().Recorded; got != uint64(total+again) {
		t.Errorf("%d cycles were executed, want %d", got, total+again)
	}
}

// A shard that is released keeps no state, and the others do.
func TestReleasedShardsKeepNoState(t *testing.T) {
	_, want := rolled(t, 6, 1<<20)
	size, total := sizes(want)
	r, shards := rolled(t, len(want), 1<<20)
	for _, shard := range shards {
		if shard.Records() == nil {
			t.Fatal("a shard has no records")
		}
		shard.Rest()
	}
	shards[2].Release()
	if shards[2].Records() != nil || shards[2].Device().Derive() != nil {
		t.Error("a released shard has records")
	}
	if !reflect.DeepEqual(shards[3].Records(), want[3].Records()) {
		t.Error("after another one's release a shard has other records")
	}
	if got := r.Report().Recorded; got != uint64(total+size[3]) {
		t.Errorf("%d cycles were executed, want %d", got, total+size[3])
	}
}

// A run that is stopped ends the replay of its shards with the reason.
func TestStoppedShards(t *testing.T) {
	p, err := riscv.New(riscvtest.Guest(t, "quicksort"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := p.Run(ctx, run.Input{Data: riscvtest.Numbers(100, 7), MinLogHeight: 8, Cut: run.Even(6)})
	if err != nil {
		t.Fatal(err)
	}
	shards, err := r.List()
	if err != nil {
		t.Fatal(err)
	}
	cancel(errors.New("enough"))
	if err := shards[1].Device().Derive().Grow(noGrowth); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("on a device: %v", err)
	}
	filler := p.Fillers().Of(shards[1].Instances()[0])
	err = filler.Fill(parallel.New(1), shards[1].Execution, 0, nil)
	if err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("on the host: %v", err)
	}
}
