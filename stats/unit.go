package stats

import "fmt"

// Unit is a sampling unit: the tests count units, which must be independent. Anything shared by two observations, such
// as a process or a build, shifts both.
type Unit string

// The units, from the smallest.
const (
	UnitPair    Unit = "pair"
	UnitBlock   Unit = "block"  // ABBA or BAAB: pairs whose orders were randomized together
	UnitProcess Unit = "launch" // the blocks that one process of an arm measured
	UnitBuild   Unit = "build"  // the processes of one build of an arm
	UnitHost    Unit = "host"   // all measurements of one of several hosts
)

// Sampling is the number of processes and builds of each arm, with equal shares of the plan's blocks, in order. 0 and 1
// both mean one.
type Sampling struct{ Processes, Builds int }

// units returns the sampling unit of a plan and the number of units: builds if there are several, else processes, else
// blocks. With fewer blocks than the sign-flip test needs to reject at alpha, the unit is the pair; the tests then
// assume that each pair's difference is symmetric, instead of relying on randomized orders.
func (s Sampling) units(pairs int, alpha float64) (Unit, int) {
	blocks := pairs / blockPairs
	switch {
	case s.Builds > 1:
		return UnitBuild, s.Builds
	case s.Processes > 1:
		return UnitProcess, s.Processes
	case smallestP(blocks) <= alpha:
		return UnitBlock, blocks
	}
	return UnitPair, pairs
}

// check rejects a sampling that is impossible or cannot reach alpha.
func (s Sampling) check(pairs int, alpha float64) error {
	for _, share := range []struct {
		name        string
		count, most int
	}{{"processes", s.Processes, pairs}, {"builds", s.Builds, max(1, s.Processes)}} {
		switch {
		case share.count < 0 || share.count > share.most:
			return fmt.Errorf("%s %d: want at most %d for %d pairs and %d processes", share.name, share.count, share.most, pairs,
				s.Processes)
		case share.count > 1 && smallestP(share.count) > alpha:
			return fmt.Errorf("%s %d: the sign-flip test over them cannot reach alpha %g with fewer than %d", share.name,
				share.count, alpha, SmallestUnits(alpha))
		}
	}
	if blocks := pairs / blockPairs; s.Processes > blocks && s.Processes != pairs {
		return fmt.Errorf("processes %d: want at most %d, one for each block of %d pairs, or %d, one for each pair",
			s.Processes, blocks, pairs, pairs)
	}
	return nil
}

// UnitOf is the sampling unit of pairs without a plan: hosts if there are several, else builds, else processes, else
// blocks if there are enough for the sign-flip test to reject at alpha, else pairs.
func UnitOf(pairs []Pair, alpha float64) Unit {
	for _, unit := range []Unit{UnitHost, UnitBuild, UnitProcess} {
		if distinct(pairs, unit) > 1 {
			return unit
		}
	}
	if blocks := distinct(pairs, UnitBlock); blocks > 1 && smallestP(blocks) <= alpha {
		return UnitBlock
	}
	return UnitPair
}

// distinct counts the units of the pairs, or returns 0 if a pair's unit is unknown.
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

// key returns the number of the unit of the pair at index i, or 0 if unknown.
func (p Pair) key(unit Unit, i int) int {
	switch unit {
	case UnitHost:
		return p.Host
	case UnitBuild:
		return p.Build
	case UnitProcess:
		return p.Process
	case UnitBlock:
		return p.Block
	}
	return i + 1
}

// grouped returns the indices of each unit's pairs, with units in order of first appearance.
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

// UnitDifferences returns one difference per unit. It fails on values that the scale cannot take.
func UnitDifferences(pairs []Pair, scale Scale, unit Unit) ([]float64, error) {
	d, err := Differences(pairs, scale)
	if err != nil {
		return nil, err
	}
	return unitDifferences(d, pairs, unit), nil
}

// unitDifferences averages the pair differences of each unit. If a unit has pairs of both orders, its difference is the
// mean of the two orders' means, which cancels the order effect whatever the numbers of pairs.
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
