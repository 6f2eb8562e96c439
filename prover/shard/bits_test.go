package shard_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// The shard with the fewest bits decides the bits of a run, wherever it is, and the run is refused if they are too few.
func TestLeastBits(t *testing.T) {
	_, shards := walk(t, 2)
	first, _ := walk(t, 2)
	preset, err := protocol.PresetByName("default")
	must(t, err)
	key, err := setup.NewKey(first.Machine, preset.Params)
	must(t, err)
	high := func(log int) []circuit.Instance {
		list := slices.Clone(shards[0].Instances())
		for i := range list {
			table := key.Machine.Tables[list[i].Table]
			list[i].LogHeight = min(max(log, table.MinLogHeight), table.MaxLogHeight)
			if table.FillPreprocessed != nil {
				list[i].LogHeight = table.PreprocessedLogHeight
			}
		}
		return list
	}
	small, tall := high(preset.Params.MinLogHeight), high(30)
	check := func(minimum int, list ...[]circuit.Instance) (int, error) {
		return shard.New(key, fillers(t), nil, shard.Options{MinBits: minimum}).Check(list, shards[0].Public())
	}
	more, err := check(0, small, small)
	must(t, err)
	few, err := check(0, tall, tall)
	must(t, err)
	if few <= 0 || few >= more {
		t.Fatalf("%d bits of tall shards and %d of small ones: the test shows nothing", few, more)
	}
	for _, list := range [][][]circuit.Instance{{small, tall}, {tall, small}} {
		bits, err := check(few, list...)
		if err != nil || bits != few {
			t.Errorf("%d bits, %v, want %d", bits, err, few)
		}
		if _, err := check(few+1, list...); err == nil || !strings.Contains(err.Error(), "in 2 shards") {
			t.Errorf("a run with too few bits: %v", err)
		}
	}
}
