package cuts

// Rates are what a run in shards takes, in seconds: a shard with the part x of the run Fixed + x Whole in either
// phase, of which the first may begin when the program has run for the part up to its end.
type Rates struct {
	Run float64 // of the program, all of it, beside the devices; 0 where it has ended before
	// Replay is what a device takes to come to the end of the run, in the first phase: each shard's device begins
	// at the run's.
	Replay float64
	Fixed  [2]float64 // of any shard, in either phase
	Whole  [2]float64 // of one with all of the run, besides
}

// Predict is how long a run takes that is cut into these parts, whose sum is 1, on so many devices, to which shards
// are dealt in turn: the first phase up to the last cap, then the second up to the last proof.
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

// Cut is how to cut a run into so many shards so that so many devices prove it soonest, and how long they take. The
// first device begins with a small part while the program runs, and what is left when it ends is shared out.
//
// It is a linear program: with parts x_i, the end of the first phase t1 and the length of the second t2, find the
// least t1 + t2 with x_0 + x_1 + ... >= 1 and, over the shards k of each device, the sum of Fixed[1] + Whole[1] x_k
// <= t2 and that of Fixed[0] + Whole[0] x_k + Replay (x_0 + ... + x_k) <= t1; and the same over the shards from
// each i on of its device, with Run in place of Replay for the first, which may wait for the program.
func (r Rates) Cut(shards, devices int) (parts []float64, seconds float64) {
	cost := make([]float64, shards+2)
	cost[shards], cost[shards+1] = 1, 1 // t1 and t2, behind the parts
	rows := append(r.firstPhase(shards, devices), r.secondPhase(shards, devices)...)
	whole := make([]float64, shards+3)
	for k := range shards {
		whole[k] = 1
	}
	whole[shards+2] = 1
	parts = least(cost, append(rows, whole))[:shards]
	return parts, r.Predict(parts, devices)
}

// firstPhase has a row for each device, and one for each shard that may wait for the program.
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

// secondPhase has a row for each device.
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
