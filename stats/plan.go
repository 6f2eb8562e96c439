package stats

import "math"

// Scatter has the variance components of pairs, processes and builds, as standard deviations in units of d.
// [Components] estimates them.
type Scatter struct{ Pair, Process, Build float64 }

// ScatterOf converts a list of components.
func ScatterOf(components []Component) Scatter {
	var s Scatter
	for _, c := range components {
		into := map[Unit]*float64{UnitPair: &s.Pair, UnitProcess: &s.Process, UnitBuild: &s.Build}[c.Level]
		if into != nil && c.SD.Exists() {
			*into = float64(c.SD)
		}
	}
	return s
}

// A Draw is a sample size: the number of pairs, and the numbers of processes and builds of each arm.
type Draw struct{ Pairs, Processes, Builds int }

// units returns the number of units of a draw, and the standard deviation of one. The mean over all units has the
// variance Build²/builds + Process²/processes + Pair²/pairs.
func (s Scatter) units(d Draw, alpha float64) (units int, sd float64) {
	_, units = Sampling{d.Processes, d.Builds}.units(d.Pairs, alpha)
	variance := s.Build*s.Build/float64(max(1, d.Builds)) + s.Process*s.Process/float64(max(1, d.Processes)) +
		s.Pair*s.Pair/float64(d.Pairs)
	return units, math.Sqrt(variance * float64(units))
}

// Power is the probability that a draw detects an effect, in units of d. It is the power of the t test with one unit
// less, to account for the sign-flip test, and 0 if the sign-flip test cannot reject.
func (s Scatter) Power(d Draw, effect, alpha float64) float64 {
	units, sd := s.units(d, alpha)
	if units < SmallestUnits(alpha) {
		return 0
	}
	return Power(units-flipUnits, sd, effect, alpha)
}

// Detectable is the effect, in units of d, that a draw detects with TargetPower.
func (s Scatter) Detectable(d Draw, alpha float64) Number {
	units, sd := s.units(d, alpha)
	return MinimumDetectableEffect(units, sd, alpha)
}

// A Price is the cost of measuring, in seconds: a proof with its overhead, starting and warming up a process of each
// arm, and building both arms.
type Price struct{ Proof, Start, Build float64 }

// Of returns the price of a draw. A block has four proofs. Every second block that follows another block of its process
// has an unmeasured proof in addition.
func (p Price) Of(d Draw) float64 {
	blocks := float64(d.Pairs / blockPairs)
	return p.Proof*(4*blocks+max(0, blocks-float64(d.Processes))/2) + p.Start*float64(d.Processes) +
		p.Build*float64(d.Builds)
}

// mostProcesses bounds the search for a draw.
const mostProcesses = 5000

// Cheapest returns the cheapest draw that detects an effect with the target power. All processes have the same number
// of blocks, and all builds the same number of processes. Several processes are always sampled, and several builds if
// they scatter. Cheapest reports false if even thousands of processes do not reach the power.
func (s Scatter) Cheapest(price Price, effect, target, alpha float64) (Draw, bool) {
	least := SmallestUnits(alpha)
	builds := []int{1}
	if s.Build > 0 {
		builds = nil
		for b := least; b <= 256; b += max(1, b/8) {
			builds = append(builds, b)
		}
	}
	var best Draw
	found := false
	for _, b := range builds {
		for blocks := 1; blocks <= 64; blocks *= 2 {
			draw := func(n int) Draw { // n processes per build, or in total
				return Draw{Pairs: blockPairs * blocks * n * b, Processes: n * b, Builds: b}
			}
			low, high := 1, mostProcesses/b
			if b == 1 {
				low = least
			}
			if s.Power(draw(high), effect, alpha) < target {
				continue
			}
			for low < high { // power increases with the number of processes
				if middle := (low + high) / 2; s.Power(draw(middle), effect, alpha) >= target {
					high = middle
				} else {
					low = middle + 1
				}
			}
			if d := draw(low); !found || price.Of(d) < price.Of(best) {
				best, found = d, true
			}
		}
	}
	return best, found
}
