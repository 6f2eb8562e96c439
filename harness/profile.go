package harness

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
	"github.com/chiasmus/chiasmus/stats"
)

// ProfileSchema names the JSON of a noise profile.
const ProfileSchema = "chiasmus.profile/1"

// A Profile is what A/A runs have shown of the noise of one workload on one host.
type Profile struct {
	Schema   string                `json:"schema"`
	Workload string                `json:"workload"`
	Metric   string                `json:"metric"`
	Scale    stats.Scale           `json:"scale"`
	Host     *environment.Snapshot `json:"host"`
	Runs     []ProfileRun          `json:"runs"`
}

// A ProfileRun is one A/A run.
type ProfileRun struct {
	Run     string        `json:"run"`
	Time    time.Time     `json:"time"`
	SHA     string        `json:"sha"`
	Pairs   int           `json:"pairs"`
	Alpha   float64       `json:"alpha"`
	SD      float64       `json:"sd"` // of d
	Mean    float64       `json:"mean"`
	MeanA   float64       `json:"mean_a"` // of the metric
	Verdict stats.Verdict `json:"verdict"`
	// ProofSeconds is the time of a proof with all that belongs to it: verification, cooldown, starts.
	ProofSeconds float64 `json:"proof_seconds"`
}

// SD is the pooled standard deviation of d. Its weights are the degrees of freedom of the runs.
func (p *Profile) SD() float64 {
	squares, df := 0.0, 0.0
	for _, r := range p.Runs {
		n := float64(r.Pairs - 1)
		squares += n * r.SD * r.SD
		df += n
	}
	return math.Sqrt(squares / df)
}

// MeanA is the mean of the runs' means of the metric.
func (p *Profile) MeanA() float64 {
	sum := 0.0
	for _, r := range p.Runs {
		sum += r.MeanA
	}
	return sum / float64(len(p.Runs))
}

// ProofSeconds is the mean time of a proof with all that belongs to it, over the last runs.
func (p *Profile) ProofSeconds() float64 {
	const last = 5
	runs := p.Runs[max(0, len(p.Runs)-last):]
	sum := 0.0
	for _, r := range runs {
		sum += r.ProofSeconds
	}
	return sum / float64(len(runs))
}

// FalsePositives counts the runs whose verdict was regression or improvement, although nothing had changed.
func (p *Profile) FalsePositives() int {
	count := 0
	for _, r := range p.Runs {
		if r.Verdict == stats.Regression || r.Verdict == stats.Improvement {
			count++
		}
	}
	return count
}

// DetectablePercent is the smallest effect, in percent, that so many pairs find with 80 % power, NaN where so few cannot.
func (p *Profile) DetectablePercent(pairs int, alpha float64) float64 {
	d := stats.MinimumDetectableEffect(pairs, p.SD(), alpha).Float()
	return stats.Result{Scale: p.Scale, MeanA: stats.Number(p.MeanA())}.Percent(d)
}

// PairsFor is the number of pairs that find an effect (a fraction, 0.03 is 3 %) with 80 % power, rounded up to whole
// blocks; it does not exist beyond a million.
func (p *Profile) PairsFor(effect, alpha float64) stats.Number {
	pairs := stats.UnitsNeeded(p.SD(), stats.Margin(effect, p.Scale, p.MeanA()).Float(), alpha)
	if !pairs.Exists() {
		return pairs
	}
	return stats.Number(2 * math.Ceil(pairs.Float()/2))
}

// fits says whether a profile speaks of this metric on this host.
func (p *Profile) fits(metric Metric, host *environment.Snapshot) bool {
	return len(p.Runs) > 0 && p.Metric == metric.Name && p.Scale == metric.Scale && movedHost(p.Host, host) == ""
}

// profileFile is where the profile of a workload is kept.
func profileFile(directory, workload string) string {
	return filepath.Join(ProfilesFolder(directory), workload+".json")
}

// LoadProfile reads the profile of a workload; nil where there is none.
func LoadProfile(directory, workload string) (*Profile, error) {
	path := profileFile(directory, workload)
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
	if p.Schema != ProfileSchema {
		return nil, fmt.Errorf("%s: schema %q: this harness reads %s", path, p.Schema, ProfileSchema)
	}
	return p, nil
}

// AddToProfile adds a complete A/A run of a workload to its profile, and returns it. A profile of another host or metric
// is begun anew.
func AddToProfile(directory string, r *Report, workload string) (*Profile, error) {
	var w *Workload
	for i := range r.Workloads {
		if r.Workloads[i].Name == workload {
			w = &r.Workloads[i]
		}
	}
	if w == nil || w.Stats == nil || !r.AA {
		return nil, fmt.Errorf("run %s is no complete A/A run of %s: it tells nothing about noise", r.Run.ID, workload)
	}
	p, err := LoadProfile(directory, workload)
	if err != nil {
		return nil, err
	}
	if p == nil || !p.fits(w.Metric, r.Environment.Start) {
		p = &Profile{Schema: ProfileSchema, Workload: workload, Metric: w.Metric.Name, Scale: w.Metric.Scale, Host: r.Environment.Start}
	}
	p.Runs = append(p.Runs, ProfileRun{
		Run: r.Run.ID, Time: r.Run.Finished, SHA: r.Base.SHA, Pairs: w.Stats.Pairs, Alpha: r.Plan.Alpha,
		SD: w.Stats.T.SD.Float(), Mean: w.Stats.T.Mean.Float(), MeanA: w.Stats.MeanA.Float(), Verdict: w.Stats.Verdict,
		ProofSeconds: w.Seconds / float64(w.ProofsMade),
	})
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(ProfilesFolder(directory), 0o755); err != nil {
		return nil, err
	}
	return p, journal.WriteFile(profileFile(directory, workload), append(text, '\n'))
}
