package environment

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Culprit is a process outside the harness that took CPU time during a measurement.
type Culprit struct {
	PID int `json:"pid"`
	// Name is the name that the process gave itself. It must be sanitized before it is shown.
	Name string `json:"name"`
	// Share is its share of the host's CPU time, including programs that it started and waited for.
	Share float64 `json:"share"`
}

// String returns name and share, as in "firefox (PID 4711) 21.0 %".
func (c Culprit) String() string {
	return fmt.Sprintf("%s (PID %d) %s", c.Name, c.PID, percent(c.Share))
}

const (
	// mostCulprits is the number of culprits named per proof.
	mostCulprits = 3
	// leastShare is the smallest share worth naming.
	leastShare = 0.01
)

// culprits returns the other processes that took the most CPU time between two moments. The time of a process includes
// that of children it waited for: a compiler that ends during a proof is charged to the make that started it.
func culprits(a, b moment, capacity float64) []Culprit {
	taken := map[int]float64{}
	for pid, p := range b.all {
		if p.kernel || a.ours.pids[pid] || b.ours.pids[pid] {
			continue
		}
		before := a.all[pid] // zero if it started since
		taken[pid] = p.own + p.reaped - before.own - before.reaped
	}
	for pid, p := range a.all {
		if _, there := b.all[pid]; !there { // its time is included in its parent's
			if _, known := taken[p.parent]; known {
				taken[p.parent] -= p.own + p.reaped
			}
		}
	}
	var found []Culprit
	for _, pid := range slices.Sorted(maps.Keys(taken)) {
		if share := min(1, taken[pid]/capacity); share >= leastShare {
			found = append(found, Culprit{pid, b.all[pid].name, share})
		}
	}
	slices.SortStableFunc(found, func(x, y Culprit) int { return cmp.Compare(y.Share, x.Share) })
	return found[:min(len(found), mostCulprits)]
}

// namesOf formats the end of a sentence about other processes.
func namesOf(found []Culprit) string {
	if len(found) == 0 {
		return ", none of which can be identified from here"
	}
	names := make([]string, len(found))
	for i, c := range found {
		names[i] = c.String()
	}
	return ": " + strings.Join(names, ", ")
}
