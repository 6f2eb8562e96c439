package config

import (
	"math"
	"regexp"
)

// Units describe the work of a proof, so that its time can be shown as a throughput.
type Units struct {
	// Name is the plural of what is counted, such as cycles. It is empty without units.
	Name string
	// Count is the number per proof. It is 0 if Counter or Metric names what the prover reports for each proof.
	Count           float64
	Counter, Metric string
}

// unitName keeps a name readable with a prefix before it and "/s" after it.
var unitName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 _-]{0,23}$`)

func (d *decoder) units(v value, u *Units) {
	seen := d.mapping(v, fields{
		"name": func(v value) {
			if d.nonEmpty(v, &u.Name) && !unitName.MatchString(u.Name) {
				d.fail(v.node, v.key, "%q is not a unit name: up to 24 letters, digits, spaces, dashes and underscores, a "+
					"letter first", u.Name)
			}
		},
		"count":   func(v value) { d.count(v, &u.Count) },
		"counter": func(v value) { d.metricName(v, &u.Counter) },
		"metric":  func(v value) { d.metricName(v, &u.Metric) },
	})
	d.require(v, seen, "name")
	sources := 0
	for _, key := range []string{"count", "counter", "metric"} {
		if seen[key] {
			sources++
		}
	}
	if d.isMapping(v) && sources != 1 {
		d.fail(v.node, v.key, "needs one of count (the number in every proof), counter and metric (the name of what a proof "+
			"reports), not %d", sources)
	}
}

// count reads a number above 0, or a parameter of the matrix that is one.
func (d *decoder) count(v value, into *float64) {
	s, ok := d.scalar(v, "a number")
	if !ok {
		return
	}
	text := s.text
	if s.kind == isString {
		text = d.fillText(text)
	}
	f, err := parseDecimal(text)
	switch {
	case err != nil || s.kind != isNumber && text == s.text:
		d.fail(v.node, v.key, "must be a number such as 1000000 or a parameter of the matrix, not %s", d.describe(v.node))
	case !(f > 0) || math.IsInf(f, 0):
		d.fail(v.node, v.key, "must be above 0 and finite, not %s", text)
	default:
		*into = f
	}
}
