package nightly

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/reporters/document"
)

// breaches lists the violations of metrics.stages and metrics.exact that occur in every round of a comparison with a
// reference revision. The false-positive rate of a stage is 1 % per round, so two rounds must agree. A counter is
// deterministic, so one round suffices.
func (measure *Measure) breaches() []string {
	if measure.Kind != Compared && measure.Kind != Baseline {
		return nil
	}
	rounds := slices.Concat(measure.Rounds, measure.Again)
	count := map[string]int{}
	var names []string
	for _, report := range rounds {
		w := &report.Workloads[0]
		var found []string
		for _, exact := range w.Exact {
			if exact.Exceeded() {
				found = append(found, document.Clean(exact.Name))
			}
		}
		for _, s := range w.Secondary {
			if s.Regression() && len(rounds) > 1 {
				found = append(found, stageName(s))
			}
		}
		for _, name := range found {
			if count[name]++; count[name] == len(rounds) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// stageName labels a stage as such, because a counter may have the same name.
func stageName(s harness.Secondary) string {
	title := document.Clean(document.StageTitle(s.Metric))
	if _, _, named := metrics.StageOf(s.Metric); !named {
		return title
	}
	return "stage " + title
}

// breachText describes the violations and the possible actions.
func breachText(workload string, breached []string) string {
	slices.Sort(breached)
	breached = slices.Compact(breached)
	list := make([]string, len(breached))
	for i, name := range breached {
		list[i] = plain(name)
	}
	return fmt.Sprintf("In every round of the last night, the workload %s exceeded limits of `metrics.stages` or "+
		"`metrics.exact` in bench.yaml: %s. The last good revision does not advance until this ends or somebody accepts "+
		"head: `harness nightly accept SHA --reason TEXT`.\n\n",
		plain(workload), strings.Join(list, ", "))
}
