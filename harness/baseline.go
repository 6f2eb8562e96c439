package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/stats"
)

// BaselineSchema names the JSON of a Baseline.
const BaselineSchema = "chiasmus.baseline/1"

// How long a baseline stands for base, and how long it tells how far its host moves.
const baselineAge, baselineKept = 7 * 24 * time.Hour, 60 * 24 * time.Hour

// A Baseline is what one run saw of one build on one workload and one host: what the first tier of a gate compares head
// with. Runs of pull requests neither write nor read any: what they measure beside a stranger's code is no measure for
// others, and a cache that such code may have reached is none for them.
type Baseline struct {
	Schema   string    `json:"schema"`
	Run      string    `json:"run"` // that measured it
	Time     time.Time `json:"time"`
	Revision string    `json:"revision"` // SHA
	Workload string    `json:"workload"`
	// Host is what has to be the same, but for what changes by itself: see environment.Diff.
	Host *environment.Snapshot `json:"host"`
	// Setup is whatever else has to be the same for two builds to be measured alike, in words, by name.
	Setup map[string]string `json:"setup"`
	// Build tells builds apart: artifacts, environment and toolchain.
	Build   string  `json:"build"`
	Session Session `json:"session"` // what it says that it proves
	Warmups int     `json:"warmups"` // of every process
	// Metric is the one that decided the run: see Clock.
	Metric string `json:"metric"`
	// Means are of its logarithm, over the proofs of each process, and Seconds is the mean time.
	Means   []float64 `json:"means"`
	Seconds float64   `json:"seconds"`
	// Deferred is the mean CPU time in seconds that a session took between a reply and its next request.
	Deferred float64 `json:"deferred"`
	// Clock is the mean of the GPUs' clock during the proofs in MHz, 0 where nothing is known.
	Clock float64 `json:"clock,omitempty"`
	// Exact are the quantities that repeat.
	Exact map[string]float64 `json:"exact,omitempty"`
	// SHA256 is of the JSON of all the rest.
	SHA256 string `json:"sha256"`
}

// sum is the hash of a baseline without its own.
func (b Baseline) sum() string {
	b.SHA256 = ""
	text, err := json.Marshal(b)
	if err != nil {
		return "" // a number that is none: a hash that fits nothing
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// BaselinesFolder returns where the baselines of a directory are: beside the builds, in the user's cache folder.
func BaselinesFolder(directory string) (string, error) {
	builds, err := BuildsFolder(directory)
	return filepath.Join(filepath.Dir(filepath.Dir(builds)), "baselines", filepath.Base(builds)), err
}

// baselines is the folder of a run's baselines.
func (r *run) baselines() (string, error) {
	if r.controls.Baselines != "" {
		return r.controls.Baselines, nil
	}
	return BaselinesFolder(r.decision.Directory)
}

// trustedBaselines is the folder whose baselines a run trusts; why says that there is none. A stranger's code may write
// where the user of its run may: for a pull request only a folder will do that this user cannot write to, and which
// bench.yaml names. Head's own bench.yaml is no way round that, because a baseline is of one bench.yaml.
func (r *run) trustedBaselines() (folder, why string) {
	if !r.decision.PullRequest {
		folder, err := r.baselines()
		if err != nil {
			return "", fmt.Sprintf("there is no folder for baselines: %v", err)
		}
		return folder, ""
	}
	folder = r.decision.file.GitHub.Baselines
	if folder == "" {
		return "", "the run of a pull request trusts no baseline in a cache, and bench.yaml names no github.baselines"
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return "", fmt.Sprintf("github.baselines: %v", err)
	}
	for _, path := range append([]string{folder}, paths...) {
		mine, err := writable(path)
		switch {
		case err != nil:
			return "", fmt.Sprintf("github.baselines: %v", err)
		case mine:
			return "", fmt.Sprintf("github.baselines: %s could be written by the user of this run, and so by what a pull "+
				"request brings along", path)
		}
	}
	return folder, ""
}

// keepBaselines writes down what a whole run has seen of base, and at night of head too, which is a revision of the
// default branch. Nothing is kept where pairs or processes could not be counted, or where a stranger's code ran.
func (r *run) keepBaselines(report *Report) error {
	d := r.decision
	if report.State != Complete || d.PullRequest || d.Kind != KindCompare || d.Plan.builds() > 1 ||
		report.Environment.Start == nil {
		return nil
	}
	folder, err := r.baselines()
	if err != nil {
		return r.event("no baseline is kept: %v", err)
	}
	arms := []Arm{Base}
	if d.KeepHead {
		arms = append(arms, Head)
	}
	for i := range report.Workloads {
		w := &report.Workloads[i]
		for _, arm := range arms {
			b, ok := d.baseline(w, arm, report.Environment.Start)
			if !ok {
				continue
			}
			if err := b.write(folder); err != nil {
				return r.event("no baseline is kept: %v", err) // a cache that is full fails no comparison
			}
		}
	}
	return nil
}

// baseline is what the counted pairs say of one arm. It is not ok for an arm with changes that no commit holds, or with
// fewer processes than say how far they differ.
func (d *Decision) baseline(w *Workload, arm Arm, host *environment.Snapshot) (b Baseline, ok bool) {
	rev := d.arm(arm)
	samples := samplesOf(w, arm)
	if rev.Dirty || len(samples) == 0 || w.Stats == nil || w.Stats.Tier == 1 || w.Metric.Scale != stats.ScaleLog {
		return b, false
	}
	b = Baseline{
		Schema:   BaselineSchema,
		Run:      d.ID,
		Time:     samples[len(samples)-1].Started,
		Revision: rev.SHA,
		Workload: w.Name,
		Host:     host,
		Setup:    d.setup(w.Name),
		Build:    rev.identity(),
		Session:  w.BaseSession,
		Warmups:  w.Warmups,
		Exact:    map[string]float64{},
	}
	if arm == Head {
		b.Session = w.HeadSession
	}
	b.Metric = w.Metric.Name
	b.Means, b.Seconds = processMeans(samples, b.Metric)
	b.Deferred, b.Clock = deferredIn(samples), clock(samples)
	if len(b.Means) < stats.FewestProcesses {
		return b, false
	}
	for _, e := range w.Exact {
		low, high := e.BaseMin, e.BaseMax
		if arm == Head {
			low, high = e.HeadMin, e.HeadMax
		}
		if low.Exists() && low == high {
			b.Exact[e.Name] = low.Float()
		}
	}
	b.SHA256 = b.sum()
	return b, true
}

// identity tells the builds of a revision apart.
func (r *Revision) identity() string {
	text, err := json.Marshal(struct {
		SHA       string
		Env       map[string]string
		Artifacts []Artifact
		Tools     map[string]string
	}{r.SHA, r.Env, r.Artifacts, r.Tools})
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// setup is what has to be the same for two builds to be measured alike, beside the host.
func (d *Decision) setup(name string) map[string]string {
	return map[string]string{
		"the harness":   d.Version,
		"bench.yaml":    fmt.Sprintf("%.16s", d.ConfigSHA256),
		"the inputs":    fmt.Sprint(d.Inputs[name]),
		"the toolchain": d.Base.Toolchain,
		"isolation":     fmt.Sprint(d.Plan.Isolated),
	}
}

// samplesOf are the counted proofs of an arm, with the number of its process as their Attempt.
func samplesOf(w *Workload, arm Arm) []Sample {
	var list []Sample
	for _, p := range w.Pairs {
		at := p.Base
		if arm == Head {
			at = p.Head
		}
		s := w.Samples[at]
		if s.Attempt = p.Launch; p.Launch == 0 {
			s.Attempt = p.Number // a process of its own
		}
		list = append(list, s)
	}
	return list
}

// processMeans is the mean of the logarithm of a metric over the proofs of each process, and the mean of the metric.
func processMeans(samples []Sample, metric string) (means []float64, level float64) {
	values, order := map[int][]float64{}, []int{}
	for _, s := range samples {
		if values[s.Attempt] == nil {
			order = append(order, s.Attempt)
		}
		values[s.Attempt] = append(values[s.Attempt], math.Log(s.Metrics[metric]))
		level += s.Metrics[metric] / float64(len(samples))
	}
	for _, process := range order {
		means = append(means, mean(values[process]).Float())
	}
	return means, level
}

// deferredIn is the mean CPU time that a session took before each of its proofs, since its last reply.
func deferredIn(samples []Sample) float64 {
	var list []float64
	for _, s := range samples {
		list = append(list, s.WaitedCPUSeconds)
	}
	return mean(list).Float()
}

// clock is the mean of the GPUs' clock over proofs.
func clock(samples []Sample) float64 {
	var list []float64
	for _, s := range samples {
		if mhz, ok := s.Metrics["gpu_clock_sm_mhz"]; ok {
			list = append(list, mhz)
		}
	}
	if len(list) == 0 {
		return 0
	}
	return mean(list).Float()
}

// write stores a baseline and deletes those that are too old for anything.
func (b Baseline) write(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		return err
	}
	kept, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range kept {
		if info, err := os.Stat(path); err == nil && b.Time.Sub(info.ModTime()) > baselineKept {
			err = os.Remove(path)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return journal.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%s-%.8s.json", b.Workload, b.Run, b.Build)),
		append(text, '\n'))
}

// readBaselines reads all baselines of a workload, the newest first. One that was changed since it was written, or is
// of another version, is left out and named.
func readBaselines(folder, workload string) (list []Baseline, refused []string, err error) {
	paths, err := filepath.Glob(filepath.Join(folder, workload+"-*.json"))
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		switch b, problem := parseBaseline(text); {
		case problem != "":
			refused = append(refused, path+" "+problem)
		case b.Workload == workload: // another's name may begin with it
			list = append(list, b)
		}
	}
	SortBaselines(list)
	return list, refused, nil
}

// differs says in what a baseline was measured otherwise than the run at hand, empty where in nothing.
func (b *Baseline) differs(setup map[string]string, host *environment.Snapshot) string {
	for _, name := range slices.Sorted(maps.Keys(setup)) {
		if b.Setup[name] != setup[name] {
			return fmt.Sprintf("%s was %s and is %s", name, orMissing(b.Setup[name]), orMissing(setup[name]))
		}
	}
	var list []string
	for _, difference := range environment.Diff(b.Host, host) {
		list = append(list, difference.String())
	}
	return strings.Join(list, "; ")
}

// chooseBaseline looks for the newest baseline of a build, and for what baselines of all builds say of how the host
// moves over as long a time as has gone by since. why says what is missing, empty where nothing is.
func chooseBaseline(list []Baseline, refused []string, rev *Revision, setup map[string]string,
	host *environment.Snapshot, now time.Time) (chosen *Baseline, moves []stats.Move, why string) {
	build := rev.identity()
	builds := map[string][]stats.Alone{}
	for i := range list {
		b := &list[i]
		if b.Revision == rev.SHA && why == "" && chosen == nil {
			switch difference := b.differs(setup, host); {
			case difference != "":
				why = fmt.Sprintf("the baseline of run %s was measured otherwise: %s", b.Run, difference)
			case b.Build != build:
				why = fmt.Sprintf("the baseline of run %s is of another build of %.7s: artifacts, environment or toolchain", b.Run,
					rev.SHA)
			case now.Sub(b.Time) > baselineAge:
				why = fmt.Sprintf("the baseline of run %s is %.1f days old, more than %.0f", b.Run, now.Sub(b.Time).Hours()/24,
					baselineAge.Hours()/24)
			case b.Time.After(now):
				why = fmt.Sprintf("the baseline of run %s is of a time to come, %s", b.Run, b.Time.Format(time.RFC3339))
			default:
				chosen = b
			}
		}
	}
	for i := range list { // by another clock the level is another, too
		b := &list[i]
		if chosen != nil && b.Metric == chosen.Metric && b.differs(setup, host) == "" && now.Sub(b.Time) <= baselineKept {
			builds[b.Build] = append(builds[b.Build], b.alone())
		}
	}
	if chosen == nil && why == "" {
		why = fmt.Sprintf("there is no baseline of %.7s on this host", rev.SHA)
		if len(refused) > 0 {
			why += " but what is refused: " + strings.Join(refused, "; ")
		}
	}
	if chosen == nil {
		return nil, nil, why
	}
	age := now.Sub(chosen.Time)
	moves = stats.Moves(slices.Collect(maps.Values(builds)), age.Hours())
	if len(moves) < stats.FewestMoves {
		return nil, nil, fmt.Sprintf("the baseline of run %s is %.1f hours old, and baselines of this host show only %d "+
			"times how far it moves in as long, of %d that it takes",
			chosen.Run, age.Hours(), len(moves), stats.FewestMoves)
	}
	return chosen, moves, ""
}

// alone is a baseline as the statistics take it.
func (b *Baseline) alone() stats.Alone {
	return stats.Alone{At: float64(b.Time.Unix()) / 3600, Means: b.Means}
}
