package shard_test

import (
	"math"
	"testing"
	"time"

	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/shard"
	"github.com/chiasmus/chiasmus/prover/shard/internal/cuts"
)

// measured are the times of a run at the given rates.
func measured(r cuts.Rates, parts []int, devices int) *shard.Metrics {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	all, behind := 0, 0
	for _, part := range parts {
		all += part
	}
	m, free := new(shard.Metrics), make([]float64, devices)
	for i, part := range parts {
		behind += part
		upTo, share, d := float64(behind)/float64(all), float64(part)/float64(all), i%devices
		trace := max(free[d]+r.Replay*upTo, r.Run*upTo) - free[d]
		first, second := r.Fixed[0]+r.Whole[0]*share, r.Fixed[1]+r.Whole[1]*share
		m.Shards = append(m.Shards, shard.ShardMetrics{
			Device: d, Begun: seconds(free[d]),
			Metrics: prove.Metrics{Total: seconds(trace + first + second), Stages: map[prove.Stage]time.Duration{
				prove.StageTrace: seconds(trace),
				prove.StageCount: seconds(first / 4), prove.StageCommitMain: seconds(first * 3 / 4),
				prove.StageQuotient: seconds(second),
			}},
		})
		free[d] += trace + first
	}
	return m
}

// The rates follow from the times of a run. If all shards are equal, all of a shard's time counts as proportional to
// its length.
func TestRates(t *testing.T) {
	known := cuts.Rates{Run: 0.06, Replay: 0.04, Fixed: [2]float64{0.004, 0.013}, Whole: [2]float64{0.15, 0.31}}
	alike := cuts.Rates{Run: 0.06, Replay: 0.06, Whole: [2]float64{0.158, 0.336}}
	for _, test := range []struct {
		parts   []int
		devices int
		want    cuts.Rates
	}{
		{[]int{2, 5, 3}, 1, known},
		{[]int{1, 3, 4, 2}, 2, known},
		{[]int{1, 1}, 2, alike},
		{[]int{10, 11}, 2, alike},
	} {
		ran := time.Duration(known.Run * float64(time.Second))
		got, ok := measured(known, test.parts, test.devices).Rates(test.parts, ran)
		if !ok {
			t.Errorf("%v: no rates", test.parts)
		}
		for k, pair := range [][2]float64{
			{got.Run, test.want.Run}, {got.Replay, test.want.Replay}, {got.Fixed[0], test.want.Fixed[0]},
			{got.Fixed[1], test.want.Fixed[1]}, {got.Whole[0], test.want.Whole[0]}, {got.Whole[1], test.want.Whole[1]},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-6 {
				t.Errorf("%v, rate %d: %g, want %g", test.parts, k, pair[0], pair[1])
			}
		}
	}
	m := measured(known, []int{1, 1}, 2)
	if _, ok := m.Rates([]int{1, 1, 1}, 0); ok {
		t.Error("rates of a run with other shards")
	}
	m.Shards[1].Twice = true
	if _, ok := m.Rates([]int{1, 1}, 0); ok {
		t.Error("rates of a run with a shard that was committed to twice")
	}
}
