package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Component is the variance component of one level of a run, as a standard deviation.
type Component struct {
	Level Unit     `json:"level"`
	SD    Number   `json:"sd"` // in units of d; 0 if the levels below explain all the variance
	DF    int      `json:"df"` // of the mean square at this level
	CI    Interval `json:"ci"` // of sd, at 95 % confidence
}

// Components splits the variance of d into components: pairs within processes, processes within builds, builds within
// hosts, and hosts. Every pair must know its process; builds and hosts count if there are several. If each host has
// only one process or build, that component is confounded with the host's. Components fails on values that the scale
// cannot take.
func Components(pairs []Pair, scale Scale) ([]Component, error) {
	d, err := Differences(pairs, scale)
	if err != nil {
		return nil, err
	}
	var levels []Unit
	hosts := distinct(pairs, UnitHost)
	for _, unit := range []Unit{UnitProcess, UnitBuild} {
		if distinct(pairs, unit) > max(1, hosts) {
			levels = append(levels, unit)
		}
	}
	if hosts > 1 {
		levels = append(levels, UnitHost)
	}
	return components(d, pairs, levels...), nil
}

// components is an unweighted-means analysis of variance. The first level is pairs, and each level is nested in the
// next. The mean square of a level is the variance of its units' means. It exceeds the level's component by the
// component of the level below, divided by the harmonic mean of the units' sizes (Burdick and Graybill, "Confidence
// Intervals on Variance Components", sections 3.2 and 5.3).
func components(d []float64, pairs []Pair, levels ...Unit) []Component {
	values, labels := d, pairs
	below := meanSquare{}
	list := make([]Component, 0, len(levels)+1)
	for k := 0; k <= len(levels); k++ {
		level, groups := UnitPair, [][]int{all(len(values))}
		if k > 0 {
			level = levels[k-1]
		}
		if k < len(levels) {
			groups = grouped(values, labels, levels[k])
		}
		own := meanSquareOf(values, groups)
		if k == 0 && len(levels) > 0 {
			own = own.withoutOrder(values, labels, groups)
		}
		list = append(list, own.component(level, below))
		next, nextLabels := make([]float64, len(groups)), make([]Pair, len(groups))
		own.share = 0
		for g, group := range groups {
			next[g] = mean(pick(values, group))
			nextLabels[g] = labels[group[0]]
			own.share += 1 / float64(len(group)) / float64(len(groups))
		}
		values, labels, below = next, nextLabels, own
	}
	return list
}

// meanSquare is the pooled variance of values around the means of their groups.
type meanSquare struct {
	squares float64
	df      int
	share   float64 // the fraction of it in the mean square of the level above
}

func meanSquareOf(values []float64, groups [][]int) meanSquare {
	var r meanSquare
	for _, group := range groups {
		_, squares := meanAndSquares(pick(values, group))
		r.squares += squares
		r.df += len(group) - 1
	}
	return r
}

// withoutOrder removes the order effect, estimated within groups that have both orders, and its degree of freedom.
func (m meanSquare) withoutOrder(d []float64, pairs []Pair, groups [][]int) meanSquare {
	// Within a group the effect is regressed on the centred sign of the order: sum xy / sum xx.
	var xy, xx float64
	for _, group := range groups {
		signs := make([]float64, len(group))
		for i, at := range group {
			switch pairs[at].Order {
			case OrderAB:
				signs[i] = 1
			case OrderBA:
				signs[i] = -1
			}
		}
		centre, level := mean(signs), mean(pick(d, group))
		for i, at := range group {
			xy += (signs[i] - centre) * (d[at] - level)
			xx += (signs[i] - centre) * (signs[i] - centre)
		}
	}
	if xx > 0 && m.df > 1 {
		m.squares = max(0, m.squares-xy*xy/xx)
		m.df--
	}
	return m
}

// component subtracts the variance that the level below explains. Its interval is the modified large-sample interval of
// Ting and others for a difference of mean squares, and the exact interval at the lowest level.
func (m meanSquare) component(level Unit, below meanSquare) Component {
	r := Component{Level: level, SD: missing, DF: m.df, CI: noInterval}
	if m.df < 1 || below.share > 0 && below.df < 1 {
		return r
	}
	own, part := m.squares/float64(m.df), 0.0
	low, high := limits(own, m.df)
	if below.share > 0 {
		part = below.share * below.squares / float64(below.df)
		low, high = differenceLimits(own, m.df, part, below.df)
	}
	root := func(x float64) float64 { return math.Sqrt(max(0, x)) }
	r.SD, r.CI = Number(root(own-part)), Interval{root(low), root(high)}
	return r
}

// tail is the probability on each side of a component's interval.
const tail = 0.025

// limits is the chi-square interval of a variance.
func limits(square float64, df int) (low, high float64) {
	return square / fisher(1-tail, df, 0), square / fisher(tail, df, 0)
}

// differenceLimits is the interval of the expectation of first - second, two independent mean squares (Burdick and
// Graybill, equations 3.3.1 to 3.3.3).
func differenceLimits(first float64, df1 int, second float64, df2 int) (low, high float64) {
	upper, lower := fisher(1-tail, df1, df2), fisher(tail, df1, df2)
	g1, h1 := 1-1/fisher(1-tail, df1, 0), 1/fisher(tail, df1, 0)-1
	g2, h2 := 1-1/fisher(1-tail, df2, 0), 1/fisher(tail, df2, 0)-1
	below := ((upper-1)*(upper-1) - g1*g1*upper*upper - h2*h2) / upper
	above := ((1-lower)*(1-lower) - h1*h1*lower*lower - g2*g2) / lower
	low = first - second - math.Sqrt(max(0, g1*g1*first*first+h2*h2*second*second+below*first*second))
	high = first - second + math.Sqrt(max(0, h1*h1*first*first+g2*g2*second*second+above*first*second))
	return low, high
}

// fisher is the quantile of F with df1 and df2 degrees of freedom. df2 = 0 means infinity: chi-square over df1.
func fisher(p float64, df1, df2 int) float64 {
	if df2 == 0 {
		return distuv.ChiSquared{K: float64(df1)}.Quantile(p) / float64(df1)
	}
	return distuv.F{D1: float64(df1), D2: float64(df2)}.Quantile(p)
}

// fisherUpper is P(F >= f) with df1 and df2 degrees of freedom, which need not be integers.
func fisherUpper(f, df1, df2 float64) float64 {
	return mathext.RegIncBeta(df2/2, df1/2, df2/(df2+df1*f))
}

// pick returns the values at the given indices.
func pick(values []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for i, index := range at {
		out[i] = values[index]
	}
	return out
}

// all returns the indices of n values.
func all(n int) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	return indices
}
