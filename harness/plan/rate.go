package plan

import (
	"time"

	"github.com/chiasmus/chiasmus/harness/journal"
)

// A Rate is how often comparisons are made in a folder, which makes an error rate a number of false alarms.
type Rate struct {
	Runs int     `json:"runs"`
	Days float64 `json:"days"`
}

// rateWindow is how far back runs are counted, and the least that a rate is taken over.
const rateWindow, leastRate = 28 * 24 * time.Hour, 7 * 24 * time.Hour

// PerWeek is the rate in runs a week.
func (r Rate) PerWeek() float64 { return float64(r.Runs) * 7 / r.Days }

// rateOf counts the runs of the last four weeks, of a folder that is younger those since its first; nil where it is
// younger than a week.
func rateOf(runs []journal.Directory, now time.Time) *Rate {
	r := &Rate{}
	first := now
	for _, run := range runs {
		begun, ok := run.Begun()
		if !ok || begun.After(now) {
			continue
		}
		if begun.Before(first) {
			first = begun
		}
		if now.Sub(begun) <= rateWindow {
			r.Runs++
		}
	}
	age := min(rateWindow, now.Sub(first))
	if age < leastRate || r.Runs == 0 {
		return nil
	}
	r.Days = age.Hours() / 24
	return r
}
