package shard

import (
	"math"
	"time"

	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/shard/internal/cuts"
)

// Rates estimates the rates by which to cut the next run, from this run's measurements, its parts, and the time that
// its program ran concurrently. A run with a shard that was committed to twice gives no estimate.
func (m *Metrics) Rates(parts []int, run time.Duration) (rates cuts.Rates, ok bool) {
	all, behind := 0, 0
	for _, part := range parts {
		all += part
	}
	if len(parts) != len(m.Shards) || all == 0 {
		return rates, false
	}
	shares, upTo := make([]float64, len(parts)), make([]float64, len(parts))
	for i, part := range parts {
		behind += part
		shares[i], upTo[i] = float64(part)/float64(all), float64(behind)/float64(all)
		if m.Shards[i].Twice {
			return rates, false
		}
	}
	rates.Run = run.Seconds()
	rates.Replay = m.replay(upTo)
	var phases [2][]float64
	for i := range m.Shards {
		s := &m.Shards[i]
		begun, filled := s.Begun.Seconds(), (s.Begun + s.Stages[prove.StageTrace]).Seconds()
		waited := max(begun+rates.Replay*upTo[i], rates.Run*upTo[i]) // for the program or the replay
		first := s.Stages[prove.StageCount] + s.Stages[prove.StageCommitMain]
		phases[0] = append(phases[0], first.Seconds()+max(filled-waited, 0))
		phases[1] = append(phases[1], (s.Total - s.Stages[prove.StageTrace] - first).Seconds())
	}
	for phase, took := range phases {
		rates.Fixed[phase], rates.Whole[phase] = line(shares, took)
	}
	return rates, true
}

// replay returns an upper bound for the time in which a device replays the whole run: no shard's tables are ready
// sooner.
func (m *Metrics) replay(upTo []float64) float64 {
	least := math.Inf(1)
	for i := range m.Shards {
		least = min(least, m.Shards[i].Stages[prove.StageTrace].Seconds()/upTo[i])
	}
	return least
}

// leastSpread is the minimum ratio of the largest to the smallest shard at which fixed and proportional times can be
// distinguished.
const leastSpread = 1.2

// line fits a line to points by least squares, with neither coefficient below 0. For shards of equal size, the fixed
// part is 0.
func line(shares, took []float64) (fixed, whole float64) {
	x, y := mean(shares), mean(took)
	least, most, xx, xy := shares[0], shares[0], 0.0, 0.0
	for i, share := range shares {
		least, most = min(least, share), max(most, share)
		xx += (share - x) * (share - x)
		xy += (share - x) * (took[i] - y)
	}
	if most < leastSpread*least {
		return 0, y / x
	}
	whole = min(max(xy/xx, 0), y/x)
	return y - whole*x, whole
}

func mean(list []float64) (m float64) {
	for _, each := range list {
		m += each / float64(len(list))
	}
	return m
}
