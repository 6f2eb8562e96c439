package simulate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plain are round times without a network, verification or an end.
var plain = Times{
	RunRate: 1e8, Parts: 1, Fixed: [2]float64{0.25, 0.5}, PerCycle: [2]float64{1e-8, 2e-8}, Resident: 1,
	Bandwidth: math.Inf(1), Cores: 1,
}

func proven(t *testing.T, times Times, fleet Fleet, cycles float64) Outcome {
	t.Helper()
	o, err := Prove(times, fleet, cycles)
	if err != nil {
		t.Fatal(err)
	}
	sum := o.Run + o.Records + o.Phase1 + o.Challenges + o.Phase2 + o.Return + o.Verify + o.Write
	if math.Abs(sum-o.Total) > 1e-9*o.Total {
		t.Errorf("parts add up to %g of %g: %+v", sum, o.Total, o)
	}
	return o
}

// Cases whose time can be computed by hand.
func TestClosedForms(t *testing.T) {
	overlapped, networked, verified := plain, plain, plain
	overlapped.Overlap = true
	networked.Bandwidth, networked.Latency, networked.RecordBytes, networked.ProofBytes = 1e9, 0.125, 10, 5e8
	everywhere := networked
	everywhere.Everywhere, everywhere.Overlap, everywhere.CutRate = true, true, 5e7
	ahead := overlapped
	ahead.Parts, ahead.AheadRate = 2, 4e8
	within := ahead
	within.Parts = 4
	replayed := plain
	replayed.Replay = 1e-8
	carried := replayed
	carried.Carried = true
	verified.Verify, verified.Write, verified.ProofBytes = 2, 1e-9, 1e9
	for name, test := range map[string]struct {
		times  Times
		fleet  Fleet
		cycles float64
		want   float64
	}{
		// 1 s of run, then 0.25 + 1 and 0.5 + 2.
		"one device": {plain, Fleet{Devices: 1, PerHost: 8, Shards: 1}, 1e8, 1 + 1.25 + 2.5},
		// Halves on each.
		"two devices": {plain, Fleet{Devices: 2, PerHost: 8, Shards: 2}, 1e8, 1 + 0.75 + 1.5},
		// Two halves after each other, the first of them committed to twice.
		"two shards on one device": {plain, Fleet{Devices: 1, PerHost: 8, Shards: 2}, 1e8, 1 + 2*0.75 + 0.75 + 2*1.5},
		// The first half is committed to while the second runs, in 0.5 s: its device is done 0.25 s after the run's
		// end, the other later.
		"two devices beside the run": {overlapped, Fleet{Devices: 2, PerHost: 8, Shards: 2}, 1e8, 1 + 0.75 + 1.5},
		// One device: its second half can begin only when the first is done, 0.25 s after the run's end; with one kept.
		"one device beside the run": {overlapped, Fleet{Devices: 1, PerHost: 8, Shards: 2}, 1e8, 1.25 + 0.75 + 0.75 + 2*1.5},
		// The second half is reached after 1/8 s, and recorded in half a second concurrently with the first.
		"a run in parts": {ahead, Fleet{Devices: 2, PerHost: 8, Shards: 2}, 1e8, 0.125 + 0.5 + 0.75 + 1.5},
		// The last of four quarters is reached after 3/16 s, and recorded in a quarter concurrently with the others.
		"shards of two parts": {within, Fleet{Devices: 2, PerHost: 8, Shards: 2}, 1e8, 0.1875 + 0.25 + 0.75 + 1.5},
		// The first shard ends in the second half, where that is recorded after 0.125 + 0.25 s, but waits for the first
		// half, of 0.5 s. It is committed to in 1 s, and so ends after the other, which begins at 0.625 and takes half a
		// second.
		"a shard of half a part": {
			ahead, Fleet{Devices: 2, PerHost: 8, Shards: 2, Parts: []float64{0.75, 0.25}}, 1e8, 0.5 + 1 + 2,
		},
		// Two hosts: half of the records, 0.5 GB, takes 0.5 s and 0.125 to arrive; the challenges travel for 0.25 s,
		// and the proof returns after 0.125 + 0.5.
		"two hosts": {networked, Fleet{Devices: 2, PerHost: 1, Shards: 2}, 1e8, 1 + 0.625 + 0.75 + 0.25 + 1.5 + 0.625},
		// As before without records, after a run of 2 s.
		"a run on both hosts": {everywhere, Fleet{Devices: 2, PerHost: 1, Shards: 2}, 1e8, 2 + 1 + 0.75 + 0.25 + 1.5 + 0.625},
		// Three shards on one device that keeps one. A third of the run is replayed in 1/3 s: 1/3 beside the run, then 2/3
		// and 1 in the first phase, 1/3 and 2/3 in the second, where two thirds are committed to again.
		"replays from the begin": {
			replayed, Fleet{Devices: 1, PerHost: 8, Shards: 3}, 1e8, 1 + 5.0/3 + 1 + 5*(0.25+1.0/3) + 1.5 + 2,
		},
		// Each third once in either phase, that of the last shard in the first alone.
		"replays that go on": {
			carried, Fleet{Devices: 1, PerHost: 8, Shards: 3}, 1e8, 1 + 2.0/3 + 2.0/3 + 5*(0.25+1.0/3) + 1.5 + 2,
		},
		// Two proofs on one core, and two seconds for two GB.
		"verification": {verified, Fleet{Devices: 2, PerHost: 8, Shards: 2}, 1e8, 1 + 0.75 + 1.5 + 2*2 + 2},
	} {
		if o := proven(t, test.times, test.fleet, test.cycles); math.Abs(o.Total-test.want) > 1e-12 {
			t.Errorf("%s: %g s, want %g: %+v", name, o.Total, test.want, o)
		}
	}
	o := proven(t, networked, Fleet{Devices: 2, PerHost: 1, Shards: 2}, 1e8)
	if o.Sent != 5e8 || o.Received != 5e8 || math.Abs(o.Busy-2.25/o.Total) > 1e-12 {
		t.Errorf("%+v", o)
	}
}

// Times of H200s at 0963c27, without verification, with these cuts: means of two rounds. The shards' times come from
// the proofs on one device, whole and in two shards; the run's times from two devices. A whole proof is recorded in one
// part, for as long as its trace took. The case of four shards contributed no time and shows the prediction's error.
func TestMeasuredPoints(t *testing.T) {
	for _, test := range []struct {
		guest                     string
		cycles, want, within, run float64
		devices                   int
		cells                     []float64 // of the shards, in millions
	}{
		{"sha256", 65478278, 0.2620, 0.01, 0, 2, []float64{1418, 1413}},
		{"sha256", 65478278, 0.2828, 0.03, 0, 2, []float64{711, 711, 711, 707}},
		{"sha256", 65478278, 0.4943, 0.01, 0.0480, 1, []float64{1}},
		{"fib", 67000168, 0.2100, 0.01, 0, 2, []float64{1033, 1022}},
		{"fib", 67000168, 0.4055, 0.01, 0.0258, 1, []float64{1}},
	} {
		times := Measured[test.guest]
		times.Verify = 0
		if test.run > 0 {
			times.RunRate, times.Parts = test.cycles/test.run, 1
		}
		fleet := Fleet{Devices: test.devices, PerHost: 8, Shards: len(test.cells)}
		all := 0.0
		for _, cells := range test.cells {
			all += cells
		}
		for _, cells := range test.cells {
			fleet.Parts = append(fleet.Parts, cells/all)
		}
		o := proven(t, times, fleet, test.cycles)
		apart := o.Total/test.want - 1
		if math.Abs(apart) > test.within {
			t.Errorf("%s in %d: %.1f %% from %.0f ms", test.guest, len(test.cells), 100*apart, 1000*test.want)
		}
		t.Logf("%s in %d: %.1f ms, %.1f %%: %+v", test.guest, len(test.cells), 1000*o.Total, 100*apart, o)
	}
}

// byRecurrence is the time of a proof without events: for each step, the time of what it waits for.
func byRecurrence(t Times, f Fleet, cycles float64) float64 {
	of := func(i int) float64 { return cycles * f.part(i) }
	upTo := make([]float64, f.Shards)
	for i := range upTo {
		for k := range i + 1 {
			upTo[i] += of(k)
		}
	}
	begun, end := 0.0, 0.0
	if t.CutRate > 0 {
		begun = cycles / t.CutRate
	}
	passed := func(i int) float64 { // when the run has the records, of which the slowest part counts
		each, last := upTo[f.Shards-1]/float64(t.Parts), 0.0
		for begin := 0.0; begin < upTo[i]; begin += each {
			last = max(last, begun+begin/t.AheadRate+min(each, upTo[i]-begin)/t.RunRate)
		}
		return last
	}
	for i := range upTo {
		end = max(end, passed(i))
	}
	link, committed := 0.0, 0.0
	free := make([]float64, f.Devices)
	seconds := func(phase, i int) float64 { return t.Fixed[phase] + t.PerCycle[phase]*of(i) }
	// A device takes shards in their order of arrival, and the link in their order of recording. Shards that are not
	// sent arrive at once.
	type arrival struct {
		at    float64
		shard int
	}
	inOrder := func(list []arrival) {
		slices.SortStableFunc(list, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	}
	var recorded, arrivals []arrival
	for i := range f.Shards {
		ready := end
		if t.Overlap {
			ready = passed(i)
		}
		recorded = append(recorded, arrival{ready, i})
	}
	inOrder(recorded)
	for _, r := range recorded {
		if r.shard%f.Devices >= f.PerHost && !t.Everywhere {
			link = max(link, r.at) + of(r.shard)*t.RecordBytes/t.Bandwidth
			r.at = link + t.Latency
		}
		arrivals = append(arrivals, r)
	}
	inOrder(arrivals)
	replayed := make([]float64, f.Devices) // cycles that a device's replay has completed
	replay := func(shard int) float64 {
		d := shard % f.Devices
		behind := replayed[d]
		if !t.Carried || behind > upTo[shard] {
			behind = 0
		}
		replayed[d] = upTo[shard]
		return t.Replay * (upTo[shard] - behind)
	}
	for _, a := range arrivals {
		d := a.shard % f.Devices
		free[d] = max(free[d]+replay(a.shard), a.at) + seconds(0, a.shard)
		committed = max(committed, free[d])
	}
	if f.Devices > f.PerHost {
		committed += 2 * t.Latency
	}
	var local, remote []float64
	for d := range f.Devices {
		own := 0
		for i := d; i < f.Shards; i += f.Devices {
			own++
		}
		at := committed
		for i := range own {
			shard := d + i*f.Devices
			at += seconds(1, shard)
			if i >= t.Resident-1 && i < own-1 {
				at += seconds(0, shard) + replay(shard)
			}
			if d >= f.PerHost {
				remote = append(remote, at)
			} else {
				local = append(local, at)
			}
		}
	}
	slices.Sort(remote)
	link = 0
	for _, at := range remote {
		link = max(link, at+t.Latency) + t.ProofBytes/t.Bandwidth
		local = append(local, link)
	}
	slices.Sort(local)
	cores := make([]float64, t.Cores)
	for _, at := range local {
		slices.Sort(cores)
		cores[0] = max(cores[0], at) + t.Verify
	}
	return slices.Max(cores) + t.Write*t.ProofBytes*float64(f.Shards)
}

// parts are random parts that add up to 1.
func parts(random *rand.Rand, count int) (list []float64) {
	sum := 0.0
	for range count {
		list = append(list, random.ExpFloat64())
		sum += list[len(list)-1]
	}
	for i := range list {
		list[i] /= sum
	}
	return list
}

// On one host, with room for all shards and without verification, the simulation equals package cuts' prediction, and
// no random parts are better than the parts that cuts finds.
func TestAgainstCuts(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 6))
	for range 200 {
		times := Measured["sha256"]
		times.Verify, times.Write, times.Resident, times.Parts = 0, 0, 8, 1
		times.RunRate, times.Replay = times.RunRate*random.ExpFloat64()+1e6, times.Replay*random.ExpFloat64()
		fleet := Fleet{Devices: 1 + random.IntN(4), PerHost: 8}
		fleet.Shards = fleet.Devices * (1 + random.IntN(2))
		const cycles = 65e6
		rates := times.Rates(cycles)
		best, seconds := rates.Cut(fleet.Shards, fleet.Devices)
		for _, list := range [][]float64{best, parts(random, fleet.Shards), nil} {
			fleet.Parts = list
			o := proven(t, times, fleet, cycles)
			if list == nil {
				list = slices.Repeat([]float64{1 / float64(fleet.Shards)}, fleet.Shards)
			}
			if want := rates.Predict(list, fleet.Devices); math.Abs(o.Total-want) > 1e-9 || o.Total < seconds-1e-9 {
				t.Errorf("%v on %d: %g s, predicted %g, the best %g", list, fleet.Devices, o.Total, want, seconds)
			}
		}
	}
}

func TestAgainstRecurrences(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 5))
	for range 2000 {
		draw := func(scale float64) float64 { return scale * random.ExpFloat64() }
		run := 1 + draw(1e8)
		times := Times{
			RunRate: run, CutRate: float64(random.IntN(2)) * draw(1e8),
			Everywhere: random.IntN(2) == 0, Overlap: random.IntN(2) == 0,
			Fixed: [2]float64{draw(0.1), draw(0.1)}, PerCycle: [2]float64{draw(1e-8), draw(1e-8)}, Resident: 1 + random.IntN(3),
			Replay: float64(random.IntN(2)) * draw(1e-8), Carried: random.IntN(2) == 0,
			Parts: 1 + random.IntN(9), AheadRate: run + draw(1e9),
			Bandwidth: 1 + draw(1e9), Latency: draw(0.1), RecordBytes: draw(5), ProofBytes: draw(1e8),
			Verify: draw(0.3), Cores: 1 + random.IntN(4), Write: draw(1e-9),
		}
		fleet := Fleet{Devices: 1 + random.IntN(9), PerHost: 1 + random.IntN(4), Shards: 1 + random.IntN(20)}
		if random.IntN(2) == 0 {
			fleet.Parts = parts(random, fleet.Shards)
		}
		cycles := 1 + draw(1e8)
		o := proven(t, times, fleet, cycles)
		if want := byRecurrence(times, fleet, cycles); math.Abs(o.Total-want) > 1e-9*want {
			t.Fatalf("%g s, want %g: %+v on %+v, %g cycles", o.Total, want, times, fleet, cycles)
		}
		if o.Busy < 0 || o.Busy > 1+1e-9 {
			t.Errorf("busy %g", o.Busy)
		}
	}
}

// An additional device takes its part of the work and adds a proof. With 1 s for each proof to verify on one core, and
// 30 ns a cycle to prove, shards of two devices pay from 1/30 ns x 1 s on.
func TestLeastShard(t *testing.T) {
	times := Times{RunRate: 1e12, Parts: 1, PerCycle: [2]float64{1e-8, 2e-8}, Resident: 2}
	times.Bandwidth, times.Cores, times.Verify = math.Inf(1), 1, 1
	least, err := LeastShard(times, Fleet{Devices: 2, PerHost: 8}, 1, 1e10)
	if err != nil || math.Abs(least/(1e9/30)-1) > 0.002 {
		t.Errorf("%g cycles, %v", least, err)
	}
	least, err = LeastShard(times, Fleet{Devices: 2, PerHost: 8}, 1, 1e6)
	if err != nil || least != 0 {
		t.Errorf("%g of at most a million cycles, %v", least, err)
	}
	least, err = LeastShard(times, Fleet{Devices: 2, PerHost: 8}, 0.75, 1e10)
	if err != nil || least < 2e9/30 {
		t.Errorf("three quarters of the time from %g cycles on, %v", least, err)
	}
}

func TestImpossible(t *testing.T) {
	one := Fleet{Devices: 1, PerHost: 1, Shards: 1}
	change := func(edit func(*Times)) Times {
		times := plain
		edit(&times)
		return times
	}
	for want, test := range map[string]struct {
		times  Times
		fleet  Fleet
		cycles float64
	}{
		"2 parts of 1 shards":            {plain, Fleet{Devices: 1, PerHost: 1, Shards: 1, Parts: []float64{1, 0}}, 1},
		"time a cycle of the replay -1":  {change(func(t *Times) { t.Replay = -1 }), one, 1},
		"rate ahead -1":                  {change(func(t *Times) { t.AheadRate = -1 }), one, 1},
		"rate ahead 9: want at least 10": {change(func(t *Times) { t.Parts, t.RunRate, t.AheadRate = 2, 10, 9 }), one, 1},
		"parts of the run 0":             {change(func(t *Times) { t.Parts = 0 }), one, 1},
		"cut rate -1":                    {change(func(t *Times) { t.CutRate = -1 }), one, 1},
		"run rate 0":                     {change(func(t *Times) { t.RunRate = 0 }), one, 1},
		"bandwidth NaN":                  {change(func(t *Times) { t.Bandwidth = math.NaN() }), one, 1},
		"resident shards 0":              {change(func(t *Times) { t.Resident = 0 }), one, 1},
		"cores 0":                        {change(func(t *Times) { t.Cores = 0 }), one, 1},
		"latency -1":                     {change(func(t *Times) { t.Latency = -1 }), one, 1},
		"time a cycle of phase 2 -1":     {change(func(t *Times) { t.PerCycle[1] = -1 }), one, 1},
		"want at least one of each":      {plain, Fleet{Devices: 1, PerHost: 1, Shards: 0}, 1},
		"0 cycles: want more than 0":     {plain, one, 0},
		"fixed time of phase 1 -1: want": {change(func(t *Times) { t.Fixed[0] = -1 }), one, 1},
	} {
		if _, err := Prove(test.times, test.fleet, test.cycles); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
