package stats

import (
	"fmt"
	"math"
	"slices"
)

// WarnHosts is of hosts that do not find the same.
const WarnHosts WarningKind = "hosts"

// Hosts says how several hosts, each of which compared both arms by itself, agree on the difference. The verdict of
// their pairs together is that of [Analyze], whose units are then the hosts.
type Hosts struct {
	Hosts []HostEffect `json:"hosts"`
	// Between is what hosts add to the scatter of the difference, beyond what lies below them.
	Between Component `json:"between"`
	// Q is Cochran's: the squared distances of the hosts from their mean, each over its own squared standard error, which
	// both the distances and the mean are weighted by. I2 is the part of it that chance does not explain. P is Welch's, of
	// all hosts having one difference.
	Q  Number `json:"q"`
	DF int    `json:"df"`
	I2 Number `json:"i2"`
	P  Number `json:"p"`
	// Apart are the hosts that differ from all others, in the order in which they were found.
	Apart []int `json:"apart"`
}

// HostEffect is what one host found.
type HostEffect struct {
	Host            int      `json:"host"` // Pair.Host
	Pairs           int      `json:"pairs"`
	Unit            Unit     `json:"unit"`
	Units           int      `json:"units"`
	T               TTest    `json:"t"` // over its own units, with an interval at alpha
	EffectPercent   Number   `json:"effect_percent"`
	EffectCIPercent Interval `json:"effect_ci_percent"`
	// FromOthers is how far its mean lies from that of the other hosts, without those found apart before, in units of d,
	// and P the p-value of that, times the number of hosts. They do not exist where there are only two hosts, of which
	// nobody can tell which one is apart.
	FromOthers Number `json:"from_others"`
	P          Number `json:"p"`
}

// CompareHosts compares what hosts found, from pairs that all know theirs. It fails where those are fewer than two, or
// on values that the scale cannot take.
func CompareHosts(pairs []Pair, options Options) (Hosts, error) {
	options, err := options.complete()
	if err != nil {
		return Hosts{}, err
	}
	if hosts := distinct(pairs, UnitHost); hosts < 2 {
		return Hosts{}, fmt.Errorf("pairs of %d hosts: two at least can be compared", hosts)
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

// byHost splits the pairs, in the order in which the hosts come.
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

// unitWithin is the unit of the pairs of one host: see UnitOf.
func unitWithin(pairs []Pair, alpha float64) Unit {
	alone := slices.Clone(pairs)
	for i := range alone {
		alone[i].Host = 0
	}
	return UnitOf(alone, alpha)
}

// effectOf analyses the pairs of one host by themselves.
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

// hostShares are the differences of the units of all hosts, each as its part of the mean of its host, so that their sum
// is that of the hosts' means. Of two to five hosts the signs of the hosts themselves cannot reach 5 %; those of their
// units can, and are as likely either way where the change does nothing on any of them. What hosts add to the
// difference beyond that is for the t test, whose units the hosts are.
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
// Medicine 21, 2002) and the p-value. Q over its degrees of freedom would be chi-square's if the standard errors were
// known. They are estimated from a few units each, which makes it too large; Welch's correction, and his F, take that
// into account ("On the comparison of several mean values", Biometrika 38, 1951).
func (r *Hosts) heterogeneity() {
	total, centre := 0.0, 0.0
	for _, h := range r.Hosts {
		if !(h.T.SE > 0) {
			return // a host of one unit, or of equal ones
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

// setApart finds the hosts that differ from the others. Each host is compared with the mean of all others by Welch's t.
// Of those whose p, times the number of hosts, is at or under alpha, the farthest is apart: a host that is makes all
// others differ from their own rest, though less far. It is left out, and the rest compared again, down to three. Where
// all hosts have one difference, any is named with at most alpha by Bonferroni's inequality; where those named before
// are the only ones apart, so it is with a further one.
func (r *Hosts) setApart(alpha float64) {
	left := all(len(r.Hosts))
	for len(left) > 2 {
		farthest := -1
		for k, at := range left {
			h := &r.Hosts[at]
			h.FromOthers, h.P = r.fromOthers(at, left)
			h.P = min(1, h.P*Number(len(left))) // NaN stays
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

// fromOthers compares a host with the unweighted mean of the others of a list, by t with the degrees of freedom of
// Welch and Satterthwaite.
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
	if !(variance > 0) { // without an estimate, or without any noise
		return apart, missing
	}
	return apart, Number(studentTwoSided(difference/math.Sqrt(variance), variance*variance/squares))
}

// Warnings say what a reader of a verdict over hosts must know; name names a host by its number.
func (r Hosts) Warnings(alpha float64, name func(int) string) []Warning {
	var list []Warning
	for _, host := range r.Apart {
		at := slices.IndexFunc(r.Hosts, func(h HostEffect) bool { return h.Host == host })
		list = append(list, warning(WarnHosts,
			"%s differs from the other hosts by %.3g (p = %.2g over %d hosts): look at it before anything is concluded of "+
				"hosts of its kind",
			name(host), r.Hosts[at].FromOthers.Float(), r.Hosts[at].P.Float(), len(r.Hosts)))
	}
	if len(r.Apart) == 0 && r.P.Exists() && float64(r.P) <= alpha {
		list = append(list, warning(WarnHosts, "the hosts do not find the same (p = %.2g), and none of them stands out",
			r.P.Float()))
	}
	if fewest := SmallestUnits(alpha); len(r.Hosts) < fewest {
		list = append(list, warning(WarnHosts,
			"%d hosts: the error rate rests on t over them, and so on normal effects of hosts; from %d on the signs of hosts "+
				"bear it alone",
			len(r.Hosts), fewest))
	}
	return list
}
