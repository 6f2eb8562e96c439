package workflows

import (
	"cmp"
	"slices"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/stats"
)

// SettingsOf returns the GitHub settings of a bench.yaml.
func SettingsOf(file *config.File) Settings {
	return Settings{
		Prefix:       file.GitHub.Comment,
		MaxPairs:     file.GitHub.MaxPairs,
		MaxAnalyses:  file.GitHub.MaxAnalyses,
		Inconclusive: string(file.GitHub.Inconclusive),
		Timeout:      file.GitHub.Timeout,
		RunsOn:       file.GitHub.RunsOn,
		Workloads:    file.Names(),
		File:         file,
		Pairs:        file.Plan.Pairs,
		Analyses:     file.Plan.Analyses,
		Sampling:     stats.Sampling{Processes: file.Plan.Processes, Builds: file.Plan.Builds},
		Alpha:        file.Plan.Alpha,
		StageMargin:  file.Metrics.StageMargin,
		PreCheck:     file.Plan.PreCheck,
	}
}

// plan returns the plan of a comment, with bench.yaml's values where the comment gives none.
func (settings Settings) plan(asked *Plan) harness.Plan {
	return harness.Plan{
		Pairs:       cmp.Or(asked.Pairs, settings.Pairs),
		Analyses:    cmp.Or(asked.Analyses, settings.Analyses),
		Alpha:       settings.Alpha,
		StageMargin: settings.StageMargin,
		PreCheck:    max(asked.PreCheck, settings.PreCheck),
		Processes:   settings.Sampling.Processes,
		Builds:      settings.Sampling.Builds,
	}
}

// has reports whether a comment may name a workload: one of bench.yaml, or the name of a matrix.
func (settings Settings) has(name string) bool {
	return slices.Contains(settings.Workloads, name) || settings.File != nil && len(settings.File.Select(name)) > 0
}

// expand returns the workloads that a comment requests, with a matrix's name replaced by all its combinations. The
// workloads in head's bench.yaml are not known here.
func (settings Settings) expand(command parsedCommand) []string {
	if settings.File == nil || command.HeadConfig || len(command.Workloads) == 0 {
		return command.Workloads
	}
	names, err := settings.File.SelectAll(command.Workloads)
	if err != nil {
		return command.Workloads // the gate refused unknown ones
	}
	return names
}

// measured returns the number of workloads of a run: the ones that the comment names, or else the default ones.
func (settings Settings) measured(asked *Plan) int {
	if len(asked.Workloads) > 0 || settings.File == nil {
		return max(1, len(asked.Workloads))
	}
	return len(settings.File.DefaultWorkloads())
}
