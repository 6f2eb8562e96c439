package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/dependencies"
	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// RunSchema names the JSON of run.json.
const RunSchema = "chiasmus.run/1"

// A Decision is everything that was decided before the first proof: run.json. With the journal it gives the report.
type Decision struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Command []string  `json:"command"`
	Version string    `json:"version"`
	Created time.Time `json:"created"`
	// Directory is where the harness was run, and Builds where its builds are kept.
	Directory string `json:"directory"`
	Builds    string `json:"builds"`
	// Sealed says that nothing is fetched: see Options.
	Sealed  bool                            `json:"sealed,omitempty"`
	Fetched map[string]dependencies.Fetched `json:"fetched,omitempty"`

	Range string   `json:"range"`
	Base  Revision `json:"base"`
	Head  Revision `json:"head"`
	AA    bool     `json:"a_a"`

	Config       string `json:"config"`
	ConfigSHA256 string `json:"config_sha256"`
	// ConfigSource is the bench.yaml itself, so that a run can be resumed whatever happened to the file.
	ConfigSource string             `json:"config_source"`
	Workloads    []string           `json:"workloads"`
	Inputs       map[string][]Input `json:"inputs"` // by workload
	Plan         Plan               `json:"plan"`

	AllowDifferentStatement bool            `json:"allow_different_statement"`
	NewProofFormat          bool            `json:"new_proof_format,omitempty"`
	PullRequest             bool            `json:"pull_request,omitempty"`
	RequireQuiet            bool            `json:"require_quiet"`
	FailOn                  []stats.Verdict `json:"fail_on"`
	// KeepHead says that a baseline is kept of head, too: see Options.
	KeepHead bool `json:"keep_head,omitempty"`
	// OneBuild says why one build of either revision is measured; empty where several are.
	OneBuild string `json:"one_build,omitempty"`
	// Rate is how often runs were made here before this one.
	Rate *Rate `json:"rate,omitempty"`
	// Warnings are those of the resolution and of the plan.
	Warnings []Warning `json:"warnings"`
	// Open says why a run is not isolated, where somebody said so.
	Open string `json:"open,omitempty"`
	// Stdin is the file that each process of a run of commands reads; ProbeSeconds is how long a pair of them took before
	// the run, by which its pairs were fixed.
	Stdin        string  `json:"stdin,omitempty"`
	ProbeSeconds float64 `json:"probe_seconds,omitempty"`

	File *config.File `json:"-"`
	// Benchmarks is the number of workloads in a report that has suites, once it is known.
	Benchmarks int `json:"-"`
}

// Git says what git may use.
func (d *Decision) Git() git.Git {
	if d.Sealed {
		return git.Executor
	}
	return git.Desk
}

// FetchedOf is what build.fetch of a commit left elsewhere; nil where nothing was handed over.
func (d *Decision) FetchedOf(sha string) *dependencies.Fetched {
	for _, name := range []string{sha, ""} {
		if one, ok := d.Fetched[name]; ok {
			return &one
		}
	}
	return nil
}

// Arm returns the revision of an arm.
func (d *Decision) Arm(a schedule.Arm) *Revision {
	if a == schedule.Base {
		return &d.Base
	}
	return &d.Head
}

// Write stores the decision.
func (d *Decision) Write(dir journal.Directory) error {
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	return journal.WriteFile(dir.RunFile(), append(text, '\n'))
}

// Read loads a run.json.
func Read(dir journal.Directory) (*Decision, error) {
	text, err := os.ReadFile(dir.RunFile())
	if err != nil {
		return nil, err
	}
	d := new(Decision)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", dir.RunFile(), err)
	}
	if d.Schema != RunSchema {
		return nil, fmt.Errorf("%s: schema %q: this harness reads %s", dir.RunFile(), d.Schema, RunSchema)
	}
	if d.Builds == "" {
		d.Builds = nestedBuilds(d.Directory) // a run of an earlier version
	}
	if d.File, err = config.Parse(d.Config, []byte(d.ConfigSource)); err != nil {
		return nil, fmt.Errorf("%s: its bench.yaml: %w", dir.RunFile(), err)
	}
	if d.File.SHA256 != d.ConfigSHA256 {
		return nil, fmt.Errorf("%s: config_source is not the bench.yaml that config_sha256 is of: it was changed",
			dir.RunFile())
	}
	return d, nil
}

// Workload returns the configuration of a chosen workload.
func (d *Decision) Workload(name string) config.Workload {
	w, _ := d.File.Workload(name) // every name was looked up when the decision was made
	return w
}

// Schedule returns the schedule of every workload: the same, so that workloads can be compared.
func (d *Decision) Schedule() (*schedule.Schedule, error) {
	return schedule.New(d.Plan.Pairs, schedule.Design(d.Plan.Design), d.Plan.Seed)
}

// Alone says that only the session of a workload that proves is kept.
func (d *Decision) Alone(workload string) bool {
	return d.Plan.Resident == string(config.ResidentOne) && d.Workload(workload).IsSession()
}

// FamilySize counts the workloads of the run.
func (d *Decision) FamilySize() int { return max(1, len(d.Workloads), d.Benchmarks) }

// Trust says that the verdict trusts head, empty where it need not: programs of head that are not isolated have the
// rights of whoever measures. In an A/A run there is no head to trust.
func (d *Decision) Trust() string {
	if d.Plan.Isolated || d.AA {
		return ""
	}
	if d.OfCommands() {
		return "Both commands ran without isolation, with all the rights of the user who measured: the verdict trusts them."
	}
	text := "This verdict trusts head: its programs ran without isolation, with all the rights of the user who " +
		"measured, the files and processes of base included"
	if d.Open != "" {
		text += " (" + d.Open + ")"
	}
	return text + "."
}
