package plan

import (
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/stats"
)

// ParseFailOn reads the verdicts of --fail-on.
func ParseFailOn(names []string) ([]stats.Verdict, error) {
	var verdicts []stats.Verdict
	for _, name := range names {
		v := stats.Verdict(strings.TrimSpace(name))
		if !slices.Contains(stats.Verdicts, v) {
			return nil, failure.Usage("--fail-on %s: want some of %s", name, joinVerdicts())
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

func joinVerdicts() string {
	names := make([]string, len(stats.Verdicts))
	for i, v := range stats.Verdicts {
		names[i] = string(v)
	}
	return strings.Join(names, ", ")
}
