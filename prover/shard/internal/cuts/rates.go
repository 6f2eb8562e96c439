package cuts

// Rates are the times of a run in shards, in seconds. In either phase, a shard with the fraction x of the run takes
// Fixed + x*Whole. Its first phase can begin when the program has run to the shard's end.
type Rates struct {
	Run float64 // of the whole program, concurrently with the devices; 0 if it has already ended
	// Replay is the time in which a device replays the whole run in the first phase: the device of each shard starts at
	// the beginning of the run. If shards start from states instead, Fixed and Whole contain their replays.
	Replay float64
	Fixed  [2]float64 // of each shard, in either phase
	Whole  [2]float64 // of a shard with the whole run, in addition to Fixed
}

// Predict returns the time of a run that is cut into these parts, whose sum is 1, on a number of devices that take
// turns: the first phase up to the last cap, then the second up to the last proof.
func (r Rates) Predict(parts []float64, devices int) float64 {
	free, second := make([]float64, devices), make([]float64, devices)
	behind, first := 0.0, 0.0
	for i, part := range parts {
		d := i % devices
		behind += part
		free[d] = max(free[d]+r.Replay*behind, r.Run*behind) + r.Fixed[0] + r.Whole[0]*part
		second[d] += r.Fixed[1] + r.Whole[1]*part
		first = max(first, free[d])
	}
	last := 0.0
	for _, took := range second {
		last = max(last, took)
	}
	return first + last
}

// Cut returns the parts of a run in a number of shards for which the devices need the least time, and that time. The
// first device begins with a small part while the program runs; the devices share the rest when the program ends.
//
// It solves a linear program. With parts x_i, the end t1 of the first phase and the length t2 of the second, minimize
// t1 + t2 subject to x_0 + x_1 + ... >= 1 and, summing over the shards k of each device,
//
//	sum of Fixed[1] + Whole[1] x_k <= t2
//	sum of Fixed[0] + Whole[0] x_k + Replay (x_0 + ... + x_k) <= t1
//
// and the second inequality also for every shard i over the device's shards from i on, with Run in place of Replay for
// shard i, which may wait for the program.
func (r Rates) Cut(shards, devices int) (parts []float64, seconds float64) {
	cost := make([]float64, shards+2)
	cost[shards], cost[shards+1] = 1, 1 // t1 and t2 follow the parts
	rows := append(r.firstPhase(shards, devices), r.secondPhase(shards, devices)...)
	whole := make([]float64, shards+3)
	for k := range shards {
		whole[k] = 1
	}
	whole[shards+2] = 1
	parts = least(cost, append(rows, whole))[:shards]
	return parts, r.Predict(parts, devices)
}

// firstPhase returns a row for each device, and one for each shard that may wait for the program.
func (r Rates) firstPhase(shards, devices int) (rows [][]float64) {
	row := func(from int, rate float64) {
		row := make([]float64, shards+3)
		row[shards] = 1
		for i := from; i < shards; i += devices {
			for k := range i + 1 {
				row[k] -= rate
			}
			row[i] -= r.Whole[0]
			row[shards+2] += r.Fixed[0]
			rate = r.Replay
		}
		rows = append(rows, row)
	}
	for d := range min(devices, shards) {
		row(d, r.Replay)
	}
	for i := range shards {
		row(i, r.Run)
	}
	return rows
}

// secondPhase returns a row for each device.
func (r Rates) secondPhase(shards, devices int) (rows [][]float64) {
	for d := range min(devices, shards) {
		row := make([]float64, shards+3)
		row[shards+1] = 1
		for k := d; k < shards; k += devices {
			row[k] -= r.Whole[1]
			row[shards+2] += r.Fixed[1]
		}
		rows = append(rows, row)
	}
	return rows
}
