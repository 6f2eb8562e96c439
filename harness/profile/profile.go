package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/metrics"
	"github.com/chiasmus/chiasmus/stats"
)

// Schema names the JSON of a noise profile.
const Schema = "chiasmus.profile/1"

// A Profile describes the noise of one workload on one host, from A/A runs.
type Profile struct {
	Schema   string                `json:"schema"`
	Workload string                `json:"workload"`
	Metric   string                `json:"metric"`
	Scale    stats.Scale           `json:"scale"`
	Host     *environment.Snapshot `json:"host"`
	Runs     []Run                 `json:"runs"`
}

// A Run is one A/A run.
type Run struct {
	Run     string        `json:"run"`
	Time    time.Time     `json:"time"`
	SHA     string        `json:"sha"`
	Pairs   int           `json:"pairs"`
	Alpha   float64       `json:"alpha"`
	SD      float64       `json:"sd"` // of d
	Mean    float64       `json:"mean"`
	MeanA   float64       `json:"mean_a"` // of the metric
	Verdict stats.Verdict `json:"verdict"`
	// Components are the variance components of SD, computed from the pairs of Processes processes and Builds builds;
	// empty in profiles of earlier versions.
	Components []stats.Component `json:"components,omitempty"`
	Processes  int               `json:"launches,omitempty"`
	Builds     int               `json:"builds,omitempty"`
	// StartSeconds is the mean time of starting the processes of both arms, BuildSeconds the time of building both arms.
	StartSeconds float64 `json:"start_seconds,omitempty"`
	BuildSeconds float64 `json:"build_seconds,omitempty"`
	// ProofSeconds is the mean time of a proof including verification, cooldown and starts.
	ProofSeconds float64 `json:"proof_seconds"`
}

// SD returns the standard deviation of a pair, pooled over runs weighted by their degrees of freedom.
func (p *Profile) SD() float64 {
	squares, df := 0.0, 0.0
	for _, r := range p.Runs {
		n := float64(r.Pairs - 1)
		squares += n * r.SD * r.SD
		df += n
	}
	return math.Sqrt(squares / df)
}

// Components pools the variance components of all runs, each level by its degrees of freedom. The interval is that of
// the run with the most degrees of freedom.
func (p *Profile) Components() []stats.Component {
	pooled := map[stats.Unit]*stats.Component{}
	most := map[stats.Unit]int{}
	for _, r := range p.Runs {
		for _, c := range r.Components {
			sum := pooled[c.Level]
			switch {
			case !c.SD.Exists():
				continue
			case sum == nil:
				sum = &stats.Component{Level: c.Level}
				pooled[c.Level] = sum
			}
			squares := float64(sum.SD*sum.SD)*float64(sum.DF) + float64(c.SD*c.SD)*float64(c.DF)
			sum.DF += c.DF
			sum.SD = stats.Number(math.Sqrt(squares / float64(sum.DF)))
			if c.DF > most[c.Level] {
				most[c.Level], sum.CI = c.DF, c.CI
			}
		}
	}
	var list []stats.Component
	for _, level := range []stats.Unit{stats.UnitPair, stats.UnitProcess, stats.UnitBuild} {
		if c := pooled[level]; c != nil {
			list = append(list, *c)
		}
	}
	return list
}

// Scatter returns the standard deviation of pairs, processes and builds. Runs with one process per arm do not show the
// scatter between processes; the scatter of a pair then includes it.
func (p *Profile) Scatter() stats.Scatter {
	s := stats.ScatterOf(p.Components())
	if s.Pair == 0 {
		s.Pair = p.SD()
	}
	return s
}

// Price returns the cost of measuring, from the last run.
func (p *Profile) Price() stats.Price {
	last := p.Runs[len(p.Runs)-1]
	return stats.Price{Proof: p.ProofSeconds(), Start: last.StartSeconds, Build: last.BuildSeconds}
}

// MeanA returns the mean of the metric over runs.
func (p *Profile) MeanA() float64 {
	sum := 0.0
	for _, r := range p.Runs {
		sum += r.MeanA
	}
	return sum / float64(len(p.Runs))
}

// ProofSeconds returns the mean time of a proof including verification, cooldown and starts, over the last runs.
func (p *Profile) ProofSeconds() float64 {
	const last = 5
	runs := p.Runs[max(0, len(p.Runs)-last):]
	sum := 0.0
	for _, r := range runs {
		sum += r.ProofSeconds
	}
	return sum / float64(len(runs))
}

// FalsePositives counts the A/A runs with the verdict regression or improvement.
func (p *Profile) FalsePositives() int {
	count := 0
	for _, r := range p.Runs {
		if r.Verdict == stats.Regression || r.Verdict == stats.Improvement {
			count++
		}
	}
	return count
}

// Percent converts a value in units of d to percent of base.
func (p *Profile) Percent(d float64) float64 {
	return stats.Result{Scale: p.Scale, MeanA: stats.Number(p.MeanA())}.Percent(d)
}

// DetectablePercent returns the smallest effect in percent that a draw detects with 80 % power, NaN if there is none.
// It is at least the margin, because a smaller effect may be judged equivalent.
func (p *Profile) DetectablePercent(draw stats.Draw, alpha, margin float64) float64 {
	return max(100*margin, p.Percent(p.Scatter().Detectable(draw, alpha).Float()))
}

// Cheapest returns the draw that detects an effect (0.03 is 3 %) with the given power in the least time. ok is false if
// there is none.
func (p *Profile) Cheapest(effect, power, alpha float64) (draw stats.Draw, ok bool) {
	return p.Scatter().Cheapest(p.Price(), stats.Margin(effect, p.Scale, p.MeanA()).Float(), power, alpha)
}

// Fits reports whether the profile has runs of this metric on this host.
func (p *Profile) Fits(metric metrics.Metric, host *environment.Snapshot) bool {
	return len(p.Runs) > 0 && p.Metric == metric.Name && p.Scale == metric.Scale && environment.Moved(p.Host, host) == ""
}

// file returns the path of the profile of a workload.
func file(directory, workload string) string {
	return filepath.Join(journal.ProfilesFolder(directory), workload+".json")
}

// Load reads the profile of a workload. It returns nil if there is none.
func Load(directory, workload string) (*Profile, error) {
	path := file(directory, workload)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	p := new(Profile)
	if err := json.Unmarshal(text, p); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if p.Schema != Schema {
		return nil, fmt.Errorf("%s: schema %q: this harness reads %s", path, p.Schema, Schema)
	}
	return p, nil
}

// Write stores the profile.
func (p *Profile) Write(directory string) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(journal.ProfilesFolder(directory), 0o755); err != nil {
		return err
	}
	return journal.WriteFile(file(directory, p.Workload), append(text, '\n'))
}
