package baseline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/stats"
)

// SetupOf returns what must be equal, in addition to the host, for measurements of two builds to be comparable.
func SetupOf(d *plan.Decision, name string) map[string]string {
	return map[string]string{
		"the harness":   d.Version,
		"bench.yaml":    fmt.Sprintf("%.16s", d.ConfigSHA256),
		"the inputs":    fmt.Sprint(d.Inputs[name]),
		"the toolchain": d.Base.Toolchain,
		"isolation":     fmt.Sprint(d.Plan.Isolated),
	}
}

// differs describes how the baseline's setup or host differs from the present run's; empty if they are equal.
func (b *Baseline) differs(setup map[string]string, host *environment.Snapshot) string {
	for _, name := range slices.Sorted(maps.Keys(setup)) {
		if b.Setup[name] != setup[name] {
			return fmt.Sprintf("%s was %s and is %s", name, words.OrMissing(b.Setup[name]), words.OrMissing(setup[name]))
		}
	}
	var list []string
	for _, difference := range environment.Diff(b.Host, host) {
		list = append(list, difference.String())
	}
	return strings.Join(list, "; ")
}

// Choose returns the newest usable baseline of a build, and the shifts of the host between baselines that lie at least
// as far apart in time as that baseline and now. If there is none, why gives the reason.
func Choose(list []Baseline, refused []string, rev *plan.Revision, setup map[string]string,
	host *environment.Snapshot, now time.Time) (chosen *Baseline, moves []stats.Move, why string) {
	build := rev.Identity()
	builds := map[string][]stats.Unpaired{}
	for i := range list {
		b := &list[i]
		if b.Revision == rev.SHA && why == "" && chosen == nil {
			switch difference := b.differs(setup, host); {
			case difference != "":
				why = fmt.Sprintf("the baseline of run %s was measured under other conditions: %s", b.Run, difference)
			case b.Build != build:
				why = fmt.Sprintf("the baseline of run %s belongs to another build of %.7s: artifacts, environment or toolchain "+
					"differ", b.Run,
					rev.SHA)
			case now.Sub(b.Time) > MaxAge:
				why = fmt.Sprintf("the baseline of run %s is %.1f days old: at most %.0f are "+
					"allowed", b.Run, now.Sub(b.Time).Hours()/24,
					MaxAge.Hours()/24)
			case b.Time.After(now):
				why = fmt.Sprintf("the baseline of run %s lies in the future, %s", b.Run, b.Time.Format(time.RFC3339))
			default:
				chosen = b
			}
		}
	}
	for i := range list { // levels of different metrics are not comparable
		b := &list[i]
		if chosen != nil && b.Metric == chosen.Metric && b.differs(setup, host) == "" && now.Sub(b.Time) <= keptFor {
			builds[b.Build] = append(builds[b.Build], b.Unpaired())
		}
	}
	if chosen == nil && why == "" {
		why = fmt.Sprintf("there is no baseline of %.7s on this host", rev.SHA)
		if len(refused) > 0 {
			why += " that can be used: " + strings.Join(refused, "; ")
		}
	}
	if chosen == nil {
		return nil, nil, why
	}
	age := now.Sub(chosen.Time)
	moves = stats.Moves(slices.Collect(maps.Values(builds)), age.Hours())
	if len(moves) < stats.FewestMoves {
		return nil, nil, fmt.Sprintf("the baseline of run %s is %.1f hours old, and baselines of this host show its shift "+
			"over such a time only %d times; %d are needed",
			chosen.Run, age.Hours(), len(moves), stats.FewestMoves)
	}
	return chosen, moves, ""
}
