package stats

import "fmt"

// Unit names the pieces of a run that are independent of each other, and so what the tests count: what two pieces
// share, such as a process or a build, moves both of them.
type Unit string

// The units, from the smallest.
const (
	UnitPair   Unit = "pair"
	UnitBlock  Unit = "block"  // ABBA or BAAB: the pairs whose orders were drawn together
	UnitLaunch Unit = "launch" // the blocks that a process of either arm measured
	UnitBuild  Unit = "build"  // the launches of a build of either arm
	UnitHost   Unit = "host"   // all that one of several hosts measured
)

// Sampling says how many processes and builds of either arm a plan draws, in equal shares of its blocks and in their
// order. 0 and 1 both mean one.
type Sampling struct{ Launches, Builds int }

// units is the unit of a plan of so many pairs, and their number: the builds where several are drawn, else the
// launches, else the blocks. Fewer blocks than the sign-flip test needs to reject at alpha leave the pairs, whose tests
// then rest on the symmetry of each pair instead of the draw of the orders.
func (s Sampling) units(pairs int, alpha float64) (Unit, int) {
	blocks := pairs / blockPairs
	switch {
	case s.Builds > 1:
		return UnitBuild, s.Builds
	case s.Launches > 1:
		return UnitLaunch, s.Launches
	case smallestP(blocks) <= alpha:
		return UnitBlock, blocks
	}
	return UnitPair, pairs
}

// check refuses what cannot be drawn, or cannot reach alpha.
func (s Sampling) check(pairs int, alpha float64) error {
	for _, share := range []struct {
		name        string
		count, most int
	}{{"launches", s.Launches, pairs}, {"builds", s.Builds, max(1, s.Launches)}} {
		switch {
		case share.count < 0 || share.count > share.most:
			return fmt.Errorf("%s %d: want at most %d for %d pairs and %d launches", share.name, share.count, share.most, pairs,
				s.Launches)
		case share.count > 1 && smallestP(share.count) > alpha:
			return fmt.Errorf("%s %d: the sign-flip test over them cannot reach alpha %g with fewer than %d", share.name,
				share.count, alpha, SmallestUnits(alpha))
		}
	}
	if blocks := pairs / blockPairs; s.Launches > blocks && s.Launches != pairs {
		return fmt.Errorf("launches %d: want at most %d, one for each block of %d pairs, or %d, one for each pair",
			s.Launches, blocks, pairs, pairs)
	}
	return nil
}

// UnitOf is the unit of pairs that come without a plan, by what is known of them: hosts where there are several, else
// builds, else launches, else blocks where there are enough of them for the sign-flip test to reject at alpha, else
// pairs.
func UnitOf(pairs []Pair, alpha float64) Unit {
	for _, unit := range []Unit{UnitHost, UnitBuild, UnitLaunch} {
		if distinct(pairs, unit) > 1 {
			return unit
		}
	}
	if blocks := distinct(pairs, UnitBlock); blocks > 1 && smallestP(blocks) <= alpha {
		return UnitBlock
	}
	return UnitPair
}

// distinct counts the units of the pairs, 0 where one of them does not know its own.
func distinct(pairs []Pair, unit Unit) int {
	seen := map[int]bool{}
	for i, p := range pairs {
		key := p.key(unit, i)
		if key == 0 {
			return 0
		}
		seen[key] = true
	}
	return len(seen)
}

// key numbers the unit that the pair at place i belongs to, 0 where that is unknown.
func (p Pair) key(unit Unit, i int) int {
	switch unit {
	case UnitHost:
		return p.Host
	case UnitBuild:
		return p.Build
	case UnitLaunch:
		return p.Launch
	case UnitBlock:
		return p.Block
	}
	return i + 1
}

// grouped collects the differences of each unit, in the order in which the units began.
func grouped(d []float64, pairs []Pair, unit Unit) [][]int {
	var groups [][]int
	place := map[int]int{}
	for i := range d {
		key := pairs[i].key(unit, i)
		at, known := place[key]
		if !known {
			at = len(groups)
			place[key] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// UnitDifferences are the differences that the tests over these units count. It fails on values that the scale cannot
// take.
func UnitDifferences(pairs []Pair, scale Scale, unit Unit) ([]float64, error) {
	d, err := Differences(pairs, scale)
	if err != nil {
		return nil, err
	}
	return unitDifferences(d, pairs, unit), nil
}

// unitDifferences reduces the differences of pairs to one for each unit. Where a unit has pairs of both orders it is
// the mean of the two orders' means, in which an effect of the order cancels whatever their numbers.
func unitDifferences(d []float64, pairs []Pair, unit Unit) []float64 {
	if unit == UnitPair {
		return d
	}
	groups := grouped(d, pairs, unit)
	out := make([]float64, len(groups))
	var ab, ba []float64
	for k, group := range groups {
		ab, ba = ab[:0], ba[:0]
		for _, i := range group {
			switch pairs[i].Order {
			case OrderAB:
				ab = append(ab, d[i])
			case OrderBA:
				ba = append(ba, d[i])
			}
		}
		if len(ab) > 0 && len(ba) > 0 {
			out[k] = (mean(ab) + mean(ba)) / 2
		} else {
			out[k] = mean(pick(d, group))
		}
	}
	return out
}
