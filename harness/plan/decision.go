package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/dependencies"
	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/journal"
	"github.com/chiasmus/chiasmus/harness/schedule"
	"github.com/chiasmus/chiasmus/stats"
)

// runSchema names the JSON of run.json.
const runSchema = "chiasmus.run/1"

// A Decision is everything that was decided before the first proof, as stored in run.json. The decision and the journal
// determine the report.
type Decision struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Command []string  `json:"command"`
	Version string    `json:"version"`
	Created time.Time `json:"created"`
	// Directory is the working directory of the harness, Builds the folder of its builds.
	Directory string `json:"directory"`
	Builds    string `json:"builds"`
	// Sealed forbids fetching: see Options.
	Sealed  bool                            `json:"sealed,omitempty"`
	Fetched map[string]dependencies.Fetched `json:"fetched,omitempty"`

	Range string   `json:"range"`
	Base  Revision `json:"base"`
	Head  Revision `json:"head"`
	// Further are the heads after the first, in a run with several.
	Further []Revision `json:"further_heads,omitempty"`
	AA      bool       `json:"a_a"`

	Config       string `json:"config"`
	ConfigSHA256 string `json:"config_sha256"`
	// ConfigSource is the text of bench.yaml, so that a run can be resumed after the file has changed.
	ConfigSource string             `json:"config_source"`
	Workloads    []string           `json:"workloads"`
	Inputs       map[string][]Input `json:"inputs"` // by workload
	Plan         Plan               `json:"plan"`

	AllowDifferentStatement bool            `json:"allow_different_statement"`
	NewProofFormat          bool            `json:"new_proof_format,omitempty"`
	PullRequest             bool            `json:"pull_request,omitempty"`
	RequireQuiet            bool            `json:"require_quiet"`
	FailOn                  []stats.Verdict `json:"fail_on"`
	// KeepHead stores a baseline of head too: see Options.
	KeepHead bool `json:"keep_head,omitempty"`
	// OneBuild says why one build of each revision is measured; empty for several builds.
	OneBuild string `json:"one_build,omitempty"`
	// Rate is how often runs were made here before this one.
	Rate *Rate `json:"rate,omitempty"`
	// Warnings come from resolving revisions and from the plan.
	Warnings []Warning `json:"warnings"`
	// Open says why a run is not isolated, if the caller gave a reason.
	Open string `json:"open,omitempty"`
	// Stdin is the file that each process of a run of commands reads. ProbeSeconds is the time of both commands, measured
	// once before the run to fix the number of pairs.
	Stdin        string  `json:"stdin,omitempty"`
	ProbeSeconds float64 `json:"probe_seconds,omitempty"`

	File *config.File `json:"-"`
	// Benchmarks is the number of workloads in a report with suites; 0 until it is known.
	Benchmarks int `json:"-"`
}

// Git returns the environment that git runs in.
func (d *Decision) Git() git.Git {
	if d.Sealed {
		return git.Executor
	}
	return git.Desk
}

// FetchedOf returns the archive that build.fetch of a commit produced on another host, nil if there is none.
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
	switch n := a.Number(); n {
	case 0:
		return &d.Base
	case 1:
		return &d.Head
	default:
		return &d.Further[n-2]
	}
}

// HeadCount returns the number of heads that are compared with base.
func (d *Decision) HeadCount() int { return 1 + len(d.Further) }

// Arms lists base and all heads.
func (d *Decision) Arms() []schedule.Arm { return schedule.Arms(d.HeadCount()) }

// AllHeads returns the heads of a run with several heads, and nil for a run with one.
func (d *Decision) AllHeads() []Revision {
	if len(d.Further) == 0 {
		return nil
	}
	return append([]Revision{d.Head}, d.Further...)
}

// Heads lists the arms of all heads.
func (d *Decision) Heads() []schedule.Arm { return d.Arms()[1:] }

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
	if d.Schema != runSchema {
		return nil, fmt.Errorf("%s: schema %q: this harness reads %s", dir.RunFile(), d.Schema, runSchema)
	}
	if d.Builds == "" {
		d.Builds = nestedBuilds(d.Directory) // a run of an earlier version
	}
	if d.File, err = config.Parse(d.Config, []byte(d.ConfigSource)); err != nil {
		return nil, fmt.Errorf("%s: its bench.yaml: %w", dir.RunFile(), err)
	}
	if d.File.SHA256 != d.ConfigSHA256 {
		return nil, fmt.Errorf("%s: config_source does not have the hash config_sha256: it was changed",
			dir.RunFile())
	}
	return d, nil
}

// Workload returns the configuration of a chosen workload.
func (d *Decision) Workload(name string) config.Workload {
	w, _ := d.File.Workload(name) // every name was looked up when the decision was made
	return w
}

// Schedule returns the schedule, the same for every workload, so that workloads can be compared.
func (d *Decision) Schedule() (*schedule.Schedule, error) {
	s, err := schedule.New(d.Plan.Pairs, schedule.Design(d.Plan.Design), d.Plan.Seed)
	if err != nil {
		return nil, err
	}
	return s.Among(d.HeadCount()), nil
}

// OneSession reports whether only the session that proves next is kept open.
func (d *Decision) OneSession(workload string) bool {
	return d.Plan.Resident == string(config.ResidentOne) && d.Workload(workload).IsSession()
}

// FamilySize counts the workloads of the run, each once for every head.
func (d *Decision) FamilySize() int { return max(1, len(d.Workloads)*d.HeadCount(), d.Benchmarks) }

const trustsCommands = " ran without isolation, with all permissions of the user who measured: rely on the verdict " +
	"only if you trust them."

// Trust returns a sentence for reports: the verdict trusts head, because head's programs were not isolated and have all
// permissions of the user. It is empty for an isolated run and for an A/A run, which has no head to trust.
func (d *Decision) Trust() string {
	if d.Plan.Isolated || d.AA {
		return ""
	}
	if d.OfCommands() {
		if d.HeadCount() > 1 {
			return "The commands" + trustsCommands
		}
		return "Both commands" + trustsCommands
	}
	if d.HeadCount() > 1 {
		return strings.Replace(d.trustsHead(), "trusts head: its programs", "trusts every head: their programs", 1)
	}
	return d.trustsHead()
}

func (d *Decision) trustsHead() string {
	text := "This verdict trusts head: its programs ran without isolation, with all permissions of the user who " +
		"measured, the files and processes of base included"
	if d.Open != "" {
		text += " (" + d.Open + ")"
	}
	return text + "."
}
