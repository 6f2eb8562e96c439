package plan

import (
	"time"

	"github.com/chiasmus/chiasmus/harness/journal"
)

// A Rate says how often comparisons are made in a folder. It converts an error rate into a number of false alarms.
type Rate struct {
	Runs int     `json:"runs"`
	Days float64 `json:"days"`
}

// rateWindow is how far back runs are counted, leastRate the shortest period for a rate.
const rateWindow, leastRate = 28 * 24 * time.Hour, 7 * 24 * time.Hour

// PerWeek returns the number of runs per week.
func (r Rate) PerWeek() float64 { return float64(r.Runs) * 7 / r.Days }

// rateOf counts the runs of the last four weeks, or since the first run of a younger folder. It returns nil for a
// folder younger than a week.
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
