package report

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/stats"
)

// warnHosts is the kind of a warning about the hosts of a joined report.
const warnHosts = string(stats.WarnHosts)

// A HostReport is the report of one of several hosts that made the same comparison.
type HostReport struct {
	Name   string // in the joined report; empty means Report.Host.Name
	Report *Report
}

// JoinOptions control how reports are joined.
type JoinOptions struct {
	// Hosts is the expected number of hosts; 0 accepts any number. With fewer results the report is partial. Missing has
	// the reason for each missing host.
	Hosts   int
	Missing map[string]string
	// Without names hosts that are left out permanently, finished or not. Their runs may not be resumed and joined later.
	Without []string
	FailOn  []stats.Verdict
	// Command and Version are recorded in the report.
	Command []string
	Version string
}

// A HostRun is the run of one host in a joined report.
type HostRun struct {
	Name  string `json:"name"`
	Run   string `json:"run"` // its ID
	State State  `json:"state"`
	Host  Host   `json:"host"`
	Seed  uint64 `json:"seed"`
	Pairs int    `json:"pairs"` // counted, of all workloads
	// LeftOut means that the report contains nothing of this host.
	LeftOut bool `json:"left_out,omitempty"`
}

// Join makes one report from the reports of several hosts, each of which compared the same revisions by the same plan
// with its own builds, processes and order. Its conclusions are computed from the hosts' pairs, by the metrics of a
// bench.yaml; the conclusions of the hosts' reports are ignored. The hosts are the sampling units of its tests: see
// docs/spec/statistics.md.
//
// If a host failed, the joined report has failed. If a host is unfinished or missing, it is partial: a verdict without
// that host, and a second one after its run was resumed, would be two analyses of the data.
func Join(file *config.File, hosts []HostReport, options JoinOptions) (*Report, error) {
	hosts = slices.Clone(hosts)
	for i := range hosts {
		if hosts[i].Name == "" {
			hosts[i].Name = hosts[i].Report.Host.Name
		}
	}
	taken, err := takenOf(hosts, options)
	if err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	for _, h := range taken {
		if err := comparable(file, taken[0], h); err != nil {
			return nil, failure.Usage("host %s: %w", h.Name, err)
		}
	}
	if err := distinctRuns(taken); err != nil {
		return nil, &failure.UsageError{Err: err}
	}
	r := frame(taken, hosts, options)
	r.Run.Config = file.Path
	d := &plan.Decision{Plan: r.Plan, File: file}
	for _, w := range file.Workloads {
		if slices.ContainsFunc(taken, func(h HostReport) bool { return h.workload(w.Name) != nil }) {
			d.Workloads = append(d.Workloads, w.Name)
		}
	}
	for _, name := range d.Workloads {
		w, err := joinWorkload(d, r, taken, name)
		if err != nil {
			return nil, failure.Usage("workload %s: %w", name, err)
		}
		r.Workloads = append(r.Workloads, *w)
	}
	if r.State == Complete {
		if err := JudgeFamily(r.Plan, r.Workloads); err != nil {
			return nil, &failure.UsageError{Err: err}
		}
	}
	r.ExitCode = joinedCode(r, options.FailOn)
	return r, nil
}

// joinedCode returns the exit code of a joined report.
func joinedCode(r *Report, failOn []stats.Verdict) int {
	switch r.State {
	case Failed:
		return ExitCode(r, &failure.Error{Failure: *r.Failure})
	case Partial:
		return failure.ExitInterrupted
	}
	return verdictCode(r.Workloads, failOn)
}

// workload returns a workload of a host's report by name, nil if there is none.
func (h HostReport) workload(name string) *Workload {
	for i := range h.Report.Workloads {
		if h.Report.Workloads[i].Name == name {
			return &h.Report.Workloads[i]
		}
	}
	return nil
}

// takenOf returns the hosts that are not left out: at least two, each once.
func takenOf(hosts []HostReport, options JoinOptions) ([]HostReport, error) {
	var taken []HostReport
	seen := map[string]bool{}
	for _, h := range hosts {
		if seen[h.Name] {
			return nil, fmt.Errorf("two results of host %s: hosts are the sampling units, so each may occur once; "+
				"NAME=RESULT distinguishes two with the same name", h.Name)
		}
		seen[h.Name] = true
		if !slices.Contains(options.Without, h.Name) {
			taken = append(taken, h)
		}
	}
	for _, name := range options.Without {
		if _, missing := options.Missing[name]; !seen[name] && !missing {
			return nil, fmt.Errorf("no result of host %s to leave out: there are results of %s", name,
				words.And(slices.Sorted(maps.Keys(seen))))
		}
	}
	if len(taken) < 2 {
		return nil, fmt.Errorf("results of %d hosts: want at least two", len(taken))
	}
	return taken, nil
}

// comparable refuses a report of another comparison than the first host's, and one with a plan that hosts cannot share.
func comparable(file *config.File, first, h HostReport) error {
	r, f := h.Report, first.Report
	own, firstPlan := r.Plan, f.Plan
	own.Seed, own.SeedDrawn, firstPlan.Seed, firstPlan.SeedDrawn = 0, false, 0, false
	switch {
	case r.Base.SHA != f.Base.SHA || r.Head.SHA != f.Head.SHA || r.Base.TreeHash != f.Base.TreeHash ||
		r.Head.TreeHash != f.Head.TreeHash:
		return fmt.Errorf("it compared %s..%s, and %s compared %s..%s", r.Base.Short(), r.Head.Short(), first.Name,
			f.Base.Short(), f.Head.Short())
	case !maps.Equal(r.Base.Env, f.Base.Env) || !maps.Equal(r.Head.Env, f.Head.Env):
		return fmt.Errorf("its arms had another environment than the arms of %s", first.Name)
	case r.Run.ConfigSHA256 != file.SHA256:
		return fmt.Errorf("it was measured with another bench.yaml (sha256 %.16s) than %s (%.16s)", r.Run.ConfigSHA256,
			file.Path, file.SHA256)
	case r.Run.Kind != plan.KindCompare:
		return fmt.Errorf("its run is of kind %s: only runs of kind compare can be joined", r.Run.Kind)
	case !reflect.DeepEqual(own, firstPlan):
		return fmt.Errorf("its plan differs from that of %s: %+v and %+v", first.Name, own, firstPlan)
	case own.Alpha != file.Plan.Alpha || own.Equivalence != file.Plan.Equivalence ||
		own.StageMargin != file.Metrics.StageMargin:
		return fmt.Errorf("it was planned with alpha %g and margins of %g, and %g for stages; %s says %g, %g and %g",
			own.Alpha, own.Equivalence, own.StageMargin,
			file.Path, file.Plan.Alpha, file.Plan.Equivalence, file.Metrics.StageMargin)
	case own.PreCheck != 0:
		return errors.New("it was planned with a baseline pre-check, in which head may be measured alone: hosts are " +
			"compared by pairs (plan.precheck: 0)")
	case own.Analyses > 1:
		return fmt.Errorf("it was planned with %d analyses: a host that stops early would have another weight than the "+
			"rest, so hosts make one analysis (--analyses 1)", own.Analyses)
	}
	return nil
}

// distinctRuns refuses duplicate runs, and hosts with equal random orders: a drift common to all hosts would shift all
// their differences equally. The run ID is not enough, because hosts started together may begin in the same
// millisecond.
func distinctRuns(hosts []HostReport) error {
	seeds := map[uint64]HostReport{}
	for _, h := range hosts {
		seed := h.Report.Plan.Seed
		other, twice := seeds[seed]
		switch {
		case twice && other.Report.Run.ID == h.Report.Run.ID:
			return fmt.Errorf("hosts %s and %s have the same run, %s", other.Name, h.Name, h.Report.Run.ID)
		case twice:
			return fmt.Errorf("hosts %s and %s have the same seed, %d: each must randomize the order of its proofs (plan.seed: "+
				"0, or --seed 0)", other.Name, h.Name, seed)
		}
		seeds[seed] = h
	}
	return nil
}
