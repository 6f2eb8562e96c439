package workflows

import (
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

// alpha is what pairs may spend of alpha, where a comment asked for so many tiers.
func (settings Settings) alpha(asked int) float64 {
	return harness.Plan{
		Alpha:       settings.Alpha,
		StageMargin: settings.StageMargin,
		Tier:        max(asked, settings.Tier),
	}.WholeAlpha()
}
