package fleet

import (
	"fmt"
	"path/filepath"
	"regexp"
	"time"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/internal/bus"
)

// OrderSchema is the version of an order's JSON.
const OrderSchema = "chiasmus.order/1"

// An Order says what one agent is to measure.
type Order struct {
	Schema  string    `json:"schema"`
	Job     string    `json:"job"`
	Created time.Time `json:"created"`
	// Base and Head are full commit hashes. Files are the files of a bundle folder of both commits, including the
	// bench.yaml that applies: see package workflows.
	Base  string `json:"base"`
	Head  string `json:"head"`
	Files []File `json:"files"`

	Workloads               []string          `json:"workloads"`
	Pairs                   int               `json:"pairs"`
	BaseEnv                 map[string]string `json:"base_env,omitempty"`
	HeadEnv                 map[string]string `json:"head_env,omitempty"`
	AllowDifferentStatement bool              `json:"allow_different_statement,omitempty"`
	NewProofFormat          bool              `json:"new_proof_format,omitempty"`
	RequireQuiet            bool              `json:"require_quiet,omitempty"`
	// Isolate asks for isolation. An agent isolates by default, unless its owner turned isolation off.
	Isolate bool `json:"isolate,omitempty"`
}

// File is one file of a bundle folder.
type File struct {
	Path   string     `json:"path"` // relative, with slashes
	Object bus.Digest `json:"object"`
}

// State is the state of an order.
type State string

// The states of an order.
const (
	Running State = "running"
	Stopped State = "stopped" // its agent was stopped, and resumes when it is started again
	Ended   State = "ended"
)

// Progress is an agent's progress report on an order.
type Progress struct {
	State State     `json:"state"`
	At    time.Time `json:"at"`
	// Text is the latest event. Workload, Pairs and PairsPlanned are the progress of the measurement.
	Text         string `json:"text,omitempty"`
	Workload     string `json:"workload,omitempty"`
	Pairs        int    `json:"pairs,omitempty"`
	PairsPlanned int    `json:"pairs_planned,omitempty"`
	// Report is the report of an order that has ended. If there is none, Error says why.
	Report *bus.Digest `json:"report,omitempty"`
	Error  string      `json:"error,omitempty"`
}

// A Card is an agent's announcement of itself.
type Card struct {
	Label string `json:"label"`
	// Instance distinguishes two agents with the same label. It is stored in the agent's folder.
	Instance string    `json:"instance"`
	Version  string    `json:"version"`
	At       time.Time `json:"at"`
	Job      string    `json:"job,omitempty"` // the job in progress
	Isolates bool      `json:"isolates"`
}

var (
	labelPattern  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$`)
	commitPattern = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
)

// CheckLabel returns an error if label cannot name an agent.
func CheckLabel(label string) error {
	if !labelPattern.MatchString(label) {
		return fmt.Errorf("label %q: want up to 63 letters, digits, dashes and underscores", label)
	}
	return nil
}

// check returns an error if the order cannot be carried out or names files outside its folder.
func (o *Order) check() error {
	switch {
	case o.Schema != OrderSchema:
		return fmt.Errorf("an order of schema %q, this agent reads %s", o.Schema, OrderSchema)
	case CheckLabel(o.Job) != nil:
		return fmt.Errorf("an order of the job %q", o.Job)
	case !commitPattern.MatchString(o.Base) || !commitPattern.MatchString(o.Head):
		return fmt.Errorf("an order of the commits %q and %q: want full hashes", o.Base, o.Head)
	case o.Pairs < 1:
		return fmt.Errorf("an order of %d pairs", o.Pairs)
	}
	for _, f := range o.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			return fmt.Errorf("an order with the file %q, which is outside of its folder", f.Path)
		}
	}
	return nil
}

// commits returns the distinct commits of the bundle.
func (o *Order) commits() []string {
	if o.Head == o.Base {
		return []string{o.Base}
	}
	return []string{o.Base, o.Head}
}

// options returns the options of the comparison in a folder.
func (o *Order) options(repository, config string, controls harness.Controls) harness.Options {
	return harness.Options{
		Controls: controls,
		Choices: harness.Choices{
			Directory:               repository,
			Config:                  config,
			Range:                   o.Base + ".." + o.Head,
			Workloads:               o.Workloads,
			Pairs:                   o.Pairs,
			Analyses:                1,
			PairsOnly:               true,
			RandomSeed:              true, // each host randomizes the order of its proofs
			BaseEnv:                 o.BaseEnv,
			HeadEnv:                 o.HeadEnv,
			AllowDifferentStatement: o.AllowDifferentStatement,
			NewProofFormat:          o.NewProofFormat,
			RequireQuiet:            o.RequireQuiet,
			Isolate:                 o.Isolate,
		},
	}
}
