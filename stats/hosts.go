package stats

import (
	"fmt"
	"math"
	"slices"
)

// WarnHosts marks hosts whose differences disagree.
const WarnHosts WarningKind = "hosts"

// Hosts describes the agreement of several hosts on the difference, each of which compared both arms. The joint verdict
// comes from [Analyze] with hosts as units.
type Hosts struct {
	Hosts []HostEffect `json:"hosts"`
	// Between is the hosts' variance component of the difference.
	Between Component `json:"between"`
	// Q is Cochran's Q: the weighted sum of squared deviations of the hosts' differences from their weighted mean, with
	// inverse squared standard errors as weights. I2 is the fraction of Q that chance does not explain. P is Welch's
	// p-value for all hosts having the same difference.
	Q  Number `json:"q"`
	DF int    `json:"df"`
	I2 Number `json:"i2"`
	P  Number `json:"p"`
	// Apart lists the outlier hosts, in the order in which they were found.
	Apart []int `json:"apart"`
}

// HostEffect is the result of one host.
type HostEffect struct {
	Host            int      `json:"host"` // Pair.Host
	Pairs           int      `json:"pairs"`
	Unit            Unit     `json:"unit"`
	Units           int      `json:"units"`
	T               TTest    `json:"t"` // over the host's units, with an interval at alpha
	EffectPercent   Number   `json:"effect_percent"`
	EffectCIPercent Interval `json:"effect_ci_percent"`
	// FromOthers is the host's mean minus the mean of the other hosts, excluding outliers found before, in units of d. P
	// is its p-value times the number of hosts. Neither exists for two hosts, because either could be the outlier.
	FromOthers Number `json:"from_others"`
	P          Number `json:"p"`
}

// CompareHosts compares the differences that the hosts found. Every pair must know its host. It fails for fewer than
// two hosts, and on values that the scale cannot take.
func CompareHosts(pairs []Pair, options Options) (Hosts, error) {
	options, err := options.complete()
	if err != nil {
		return Hosts{}, err
	}
	if hosts := distinct(pairs, UnitHost); hosts < 2 {
		return Hosts{}, fmt.Errorf("pairs of %d hosts: comparing hosts needs at least 2", hosts)
	}
	parts, err := Components(pairs, options.Scale)
	if err != nil {
		return Hosts{}, err
	}
	r := Hosts{Between: parts[len(parts)-1], Q: missing, I2: missing, P: missing, Apart: []int{}}
	for _, own := range byHost(pairs) {
		effect, err := effectOf(own, options)
		if err != nil {
			return Hosts{}, err
		}
		r.Hosts = append(r.Hosts, effect)
	}
	r.DF = len(r.Hosts) - 1
	r.heterogeneity()
	r.setApart(options.Alpha)
	return r, nil
}

// byHost splits the pairs by host, in order of first appearance.
func byHost(pairs []Pair) [][]Pair {
	var list [][]Pair
	for _, group := range grouped(make([]float64, len(pairs)), pairs, UnitHost) {
		own := make([]Pair, len(group))
		for i, at := range group {
			own[i] = pairs[at]
		}
		list = append(list, own)
	}
	return list
}

// unitWithin is the sampling unit of one host's pairs (see UnitOf).
func unitWithin(pairs []Pair, alpha float64) Unit {
	alone := slices.Clone(pairs)
	for i := range alone {
		alone[i].Host = 0
	}
	return UnitOf(alone, alpha)
}

// effectOf analyses the pairs of one host.
func effectOf(pairs []Pair, options Options) (HostEffect, error) {
	options.Unit = unitWithin(pairs, options.Alpha)
	d, err := UnitDifferences(pairs, options.Scale, options.Unit)
	if err != nil {
		return HostEffect{}, err
	}
	a, _ := arms(pairs)
	t := PairedT(d, options.Alpha)
	low, high := percent(t.CI.Low, options.Scale, mean(a)), percent(t.CI.High, options.Scale, mean(a))
	return HostEffect{
		Host:            pairs[0].Host,
		Pairs:           len(pairs),
		Unit:            options.Unit,
		Units:           len(d),
		T:               t,
		EffectPercent:   Number(percent(t.Mean.Float(), options.Scale, mean(a))),
		EffectCIPercent: Interval{min(low, high), max(low, high)},
		FromOthers:      missing,
		P:               missing,
	}, nil
}

// hostShares returns the unit differences of all hosts, each divided by its host's number of units, so that they sum to
// the sum of the hosts' means. With two to five hosts, flipping the hosts' signs cannot reach 5 %. Flipping the units'
// signs can, and is valid if the change has no effect on any host. Variance between hosts is left to the t test, whose
// units are the hosts.
func hostShares(d []float64, pairs []Pair, alpha float64) []float64 {
	var shares []float64
	for _, group := range grouped(d, pairs, UnitHost) {
		own, of := make([]Pair, len(group)), pick(d, group)
		for i, at := range group {
			own[i] = pairs[at]
		}
		units := unitDifferences(of, own, unitWithin(own, alpha))
		for _, x := range units {
			shares = append(shares, x/float64(len(units)))
		}
	}
	return shares
}

// heterogeneity computes Q, I2 (Higgins and Thompson, "Quantifying heterogeneity in a meta-analysis", Statistics in
// Medicine 21, 2002) and the p-value. With known standard errors, Q would be chi-square distributed. They are estimated
// from a few units each, which inflates Q; Welch's correction and F test account for that ("On the comparison of
// several mean values", Biometrika 38, 1951).
func (r *Hosts) heterogeneity() {
	total, centre := 0.0, 0.0
	for _, h := range r.Hosts {
		if !(h.T.SE > 0) {
			return // a host with one unit, or with equal differences
		}
		w := 1 / (h.T.SE.Float() * h.T.SE.Float())
		total += w
		centre += w * h.T.Mean.Float()
	}
	centre /= total
	q, uncertain := 0.0, 0.0
	for _, h := range r.Hosts {
		w := 1 / (h.T.SE.Float() * h.T.SE.Float())
		q += w * (h.T.Mean.Float() - centre) * (h.T.Mean.Float() - centre)
		uncertain += (1 - w/total) * (1 - w/total) / float64(h.T.DF)
	}
	k := float64(len(r.Hosts))
	r.Q, r.I2 = Number(q), Number(max(0, 1-(k-1)/q))
	f := q / (k - 1) / (1 + 2*(k-2)/(k*k-1)*uncertain)
	r.P = Number(fisherUpper(f, k-1, (k*k-1)/(3*uncertain)))
}

// setApart finds outlier hosts. It compares each host with the mean of all others by Welch's t. Among the hosts whose p
// times the number of hosts is at most alpha, the farthest is the outlier: an outlier also shifts every other host's
// reference mean, but by less. setApart removes it and repeats, down to three hosts. If all hosts have the same
// difference, the probability of naming any is at most alpha by Bonferroni's inequality; if the outliers found so far
// are the only ones, the same holds for naming another.
func (r *Hosts) setApart(alpha float64) {
	left := all(len(r.Hosts))
	for len(left) > 2 {
		farthest := -1
		for k, at := range left {
			h := &r.Hosts[at]
			h.FromOthers, h.P = r.fromOthers(at, left)
			h.P = min(1, h.P*Number(len(left))) // NaN stays NaN
			if float64(h.P) <= alpha &&
				(farthest < 0 || math.Abs(float64(h.FromOthers)) > math.Abs(float64(r.Hosts[left[farthest]].FromOthers))) {
				farthest = k
			}
		}
		if farthest < 0 {
			return
		}
		r.Apart = append(r.Apart, r.Hosts[left[farthest]].Host)
		left = slices.Delete(left, farthest, farthest+1)
	}
}

// fromOthers compares a host with the unweighted mean of the others in a list, by a t test with Welch-Satterthwaite
// degrees of freedom.
func (r *Hosts) fromOthers(at int, list []int) (apart, p Number) {
	others := float64(len(list) - 1)
	difference, variance, squares := 0.0, 0.0, 0.0
	for _, k := range list {
		t, share := r.Hosts[k].T, -1/others
		if k == at {
			share = 1
		}
		v := share * share * t.SE.Float() * t.SE.Float()
		difference += share * t.Mean.Float()
		variance += v
		squares += v * v / float64(t.DF)
	}
	apart = Number(difference)
	if !(variance > 0) { // no estimate, or no noise
		return apart, missing
	}
	return apart, Number(studentTwoSided(difference/math.Sqrt(variance), variance*variance/squares))
}

// Warnings returns the caveats of a verdict over hosts. name returns a host's name by its number.
func (r Hosts) Warnings(alpha float64, name func(int) string) []Warning {
	var list []Warning
	for _, host := range r.Apart {
		at := slices.IndexFunc(r.Hosts, func(h HostEffect) bool { return h.Host == host })
		list = append(list, warning(WarnHosts,
			"%s differs from the other hosts by %.3g (p = %.2g over %d hosts): examine it before "+
				"generalizing to similar hosts",
			name(host), r.Hosts[at].FromOthers.Float(), r.Hosts[at].P.Float(), len(r.Hosts)))
	}
	if len(r.Apart) == 0 && r.P.Exists() && float64(r.P) <= alpha {
		list = append(list, warning(WarnHosts, "the hosts disagree (p = %.2g), but none is an outlier",
			r.P.Float()))
	}
	if fewest := SmallestUnits(alpha); len(r.Hosts) < fewest {
		list = append(list, warning(WarnHosts,
			"%d hosts: the error rate relies on the t test over hosts, which assumes normally distributed host effects; "+
				"with at least %d hosts, the sign-flip test alone guarantees it",
			len(r.Hosts), fewest))
	}
	return list
}
