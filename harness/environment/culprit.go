package environment

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Culprit is a process that is not the harness's, and took CPU time from what was measured.
type Culprit struct {
	PID int `json:"pid"`
	// Name is what the process calls itself: whoever shows it cleans it.
	Name string `json:"name"`
	// Share is what it took of the CPU time of the host, with what programs took that it started and waited for.
	Share float64 `json:"share"`
}

// String names the process and its share, as in "firefox (PID 4711) 21.0 %".
func (c Culprit) String() string {
	return fmt.Sprintf("%s (PID %d) %s", c.Name, c.PID, percent(c.Share))
}

const (
	// mostCulprits are named of one proof.
	mostCulprits = 3
	// leastShare is the share from which a process is worth naming.
	leastShare = 0.01
)

// culprits are the processes of others that took most between two moments. What a process waited for is its own: of a
// compiler that ends within a proof only the make that started it is left.
func culprits(a, b moment, capacity float64) []Culprit {
	taken := map[int]float64{}
	for pid, p := range b.all {
		if p.kernel || a.ours.pids[pid] || b.ours.pids[pid] {
			continue
		}
		before := a.all[pid] // zero where it began since
		taken[pid] = p.own + p.reaped - before.own - before.reaped
	}
	for pid, p := range a.all {
		if _, there := b.all[pid]; !there { // its past is among what its parent has reaped
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

// namesOf ends a sentence about other processes.
func namesOf(found []Culprit) string {
	if len(found) == 0 {
		return ", no single one of which can be named from here"
	}
	names := make([]string, len(found))
	for i, c := range found {
		names[i] = c.String()
	}
	return ": " + strings.Join(names, ", ")
}
