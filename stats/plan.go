package stats

import "math"

// Scatter is what pairs, processes and builds add to the variance of a difference, as standard deviations in units of
// d: what [Components] estimates.
type Scatter struct{ Pair, Launch, Build float64 }

// ScatterOf takes the components apart.
func ScatterOf(components []Component) Scatter {
	var s Scatter
	for _, c := range components {
		into := map[Unit]*float64{UnitPair: &s.Pair, UnitLaunch: &s.Launch, UnitBuild: &s.Build}[c.Level]
		if into != nil && c.SD.Exists() {
			*into = float64(c.SD)
		}
	}
	return s
}

// A Draw is how much a plan measures: pairs, and processes and builds of either arm.
type Draw struct{ Pairs, Launches, Builds int }

// units is the number of units of a draw, with the standard deviation of one of them. The mean over all has the
// variance Build²/builds + Launch²/launches + Pair²/pairs, and is a mean over units.
func (s Scatter) units(d Draw, alpha float64) (units int, sd float64) {
	_, units = Sampling{d.Launches, d.Builds}.units(d.Pairs, alpha)
	variance := s.Build*s.Build/float64(max(1, d.Builds)) + s.Launch*s.Launch/float64(max(1, d.Launches)) +
		s.Pair*s.Pair/float64(d.Pairs)
	return units, math.Sqrt(variance * float64(units))
}

// Power is the probability that a draw finds an effect, in units of d: that of the t test with one unit less, for the
// sign-flip test beside it; 0 where the latter cannot reject.
func (s Scatter) Power(d Draw, effect, alpha float64) float64 {
	units, sd := s.units(d, alpha)
	if units < SmallestUnits(alpha) {
		return 0
	}
	return Power(units-flipUnits, sd, effect, alpha)
}

// Detectable is the effect, in units of d, that a draw finds with TargetPower.
func (s Scatter) Detectable(d Draw, alpha float64) Number {
	units, sd := s.units(d, alpha)
	return MinimumDetectableEffect(units, sd, alpha)
}

// A Price is what measuring takes, in seconds: a proof with all that belongs to it, starting the processes of both arms
// with their proofs to warm up, and a build of both.
type Price struct{ Proof, Start, Build float64 }

// Of is the price of a draw: four proofs a block, and an unmeasured one in every other block that follows another of
// its process.
func (p Price) Of(d Draw) float64 {
	blocks := float64(d.Pairs / blockPairs)
	return p.Proof*(4*blocks+max(0, blocks-float64(d.Launches))/2) + p.Start*float64(d.Launches) +
		p.Build*float64(d.Builds)
}

// mostLaunches is where the search for a draw gives up.
const mostLaunches = 5000

// Cheapest is the draw that finds an effect with the target power at the least price, among those with equal numbers of
// blocks in all processes and of processes in all builds. Several builds are drawn where they scatter; processes always
// are. It reports false where even thousands of processes do not reach the power.
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
			draw := func(n int) Draw { // n processes of each build, or in all
				return Draw{Pairs: blockPairs * blocks * n * b, Launches: n * b, Builds: b}
			}
			low, high := 1, mostLaunches/b
			if b == 1 {
				low = least
			}
			if s.Power(draw(high), effect, alpha) < target {
				continue
			}
			for low < high { // the power rises with the processes
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
