package workflows

import (
	"cmp"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/stats"
)

// SettingsOf reads what a bench.yaml says of the GitHub side.
func SettingsOf(file *config.File) Settings {
	return Settings{
		Prefix:       file.GitHub.Comment,
		MaxPairs:     file.GitHub.MaxPairs,
		MaxLooks:     file.GitHub.MaxLooks,
		Inconclusive: string(file.GitHub.Inconclusive),
		Timeout:      file.GitHub.Timeout,
		RunsOn:       file.GitHub.RunsOn,
		Workloads:    file.Names(),
		File:         file,
		Pairs:        file.Plan.Pairs,
		Looks:        file.Plan.Looks,
		Sampling:     stats.Sampling{Launches: file.Plan.Launches, Builds: file.Plan.Builds},
		Alpha:        file.Plan.Alpha,
		StageMargin:  file.Metrics.StageMargin,
		Tier:         file.Plan.Tier,
	}
}

// plan is what a comment asked for, with what bench.yaml says where it asked for nothing.
func (settings Settings) plan(asked *Plan) harness.Plan {
	return harness.Plan{
		Pairs:       cmp.Or(asked.Pairs, settings.Pairs),
		Looks:       cmp.Or(asked.Looks, settings.Looks),
		Alpha:       settings.Alpha,
		StageMargin: settings.StageMargin,
		Tier:        max(asked.Tier, settings.Tier),
		Launches:    settings.Sampling.Launches,
		Builds:      settings.Sampling.Builds,
	}
}

// measured counts the workloads of a run: those that the comment names, or the default ones.
func (settings Settings) measured(asked *Plan) int {
	if len(asked.Workloads) > 0 || settings.File == nil {
		return max(1, len(asked.Workloads))
	}
	return len(settings.File.DefaultWorkloads())
}
