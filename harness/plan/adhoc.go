package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/adapter"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/metrics"
)

// Commands are two commands to compare without a repository: see Options.
type Commands struct {
	Base, Head Command
	// Further are heads after the first.
	Further []Command
	// Shell runs each command by /bin/sh; Argv then has one string.
	Shell bool
	// Input is a file that each process reads as its standard input. Empty means none.
	Input string
	Adhoc
}

// A Command is one command to compare. Label names it in reports; empty means the command line itself.
type Command struct {
	Argv  []string
	Label string
}

// A Script compares two revisions without a bench.yaml: /bin/sh runs Command in the worktree of each revision, after
// Build.
type Script struct {
	Command, Build string
	Adhoc
}

// Adhoc holds the settings of a command line that replace bench.yaml.
type Adhoc struct {
	// Adapter reads the results of a benchmark suite. Empty compares the time of the process.
	Adapter adapter.Kind
	// Warmup, Equivalence and Timeout replace the defaults of bench.yaml unless they are nil or 0.
	Warmup      *int
	Equivalence float64
	Timeout     time.Duration
	// KeepDisturbed also counts pairs that other programs disturbed.
	KeepDisturbed bool
}

// AdhocName is the name of the only workload of a run without a bench.yaml.
const AdhocName = "command"

// AdhocConfig names, in errors, the bench.yaml that is derived from a command line.
const AdhocConfig = "(command line)"

// suitePairs is the default number of pairs of a suite.
const suitePairs = config.SuitePairs

// shell runs command lines.
const shell = "/bin/sh"

// file derives a bench.yaml from a command line. The text is JSON, which is valid YAML. It is stored with the run, so
// that the run can be resumed.
func (a Adhoc) file(process []string, build string, pairs int) (*config.File, error) {
	workload := map[string]any{"name": AdhocName, "process": process}
	primary := metrics.WallSeconds
	if a.Adapter != "" {
		workload["adapter"] = a.Adapter
		primary = adapter.Seconds
	}
	if a.Timeout != 0 {
		workload["timeout"] = a.Timeout.String()
	}
	plan := map[string]any{}
	if pairs != 0 {
		plan["pairs"] = pairs
	}
	if a.Warmup != nil {
		plan["warmup"] = *a.Warmup
	}
	if a.Equivalence != 0 {
		plan["equivalence"] = fmt.Sprintf("%g%%", 100*a.Equivalence)
	}
	document := map[string]any{
		"version": 1, "workloads": []any{workload}, "plan": plan,
		"metrics": map[string]any{"primary": primary},
	}
	if a.Adapter == "" {
		document["metrics"] = map[string]any{"primary": primary, "report": []string{metrics.CPUSeconds}}
	}
	if a.KeepDisturbed {
		document["environment"] = map[string]any{
			"steal": "100%", "others": "100%", "memory_pressure": "100%", "memory_growth": "100%", "gpu_throttle": false,
			"gpu_processes": false,
		}
	}
	if build != "" {
		document["build"] = map[string]any{"command": []string{shell, "-c", build}}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return nil, err
	}
	file, err := config.Parse(AdhocConfig, text.Bytes())
	if err != nil {
		return nil, failure.Usage("%w", err)
	}
	return file, nil
}

// literal turns an argument into a template of itself: on a command line, braces belong to the shell or awk. The only
// placeholder is the file that a suite writes its results to.
func (a Adhoc) literal(argument string) string {
	const results = "{metrics}"
	escaped := strings.NewReplacer("{", "{{", "}", "}}").Replace(argument)
	if a.Adapter.NeedsFile() {
		escaped = strings.ReplaceAll(escaped, "{"+results+"}", results)
	}
	return escaped
}

// literals applies literal to every argument.
func (a Adhoc) literals(argv []string) []string {
	out := make([]string, len(argv))
	for i, argument := range argv {
		out[i] = a.literal(argument)
	}
	return out
}

// script sets the bench.yaml that is derived from a script.
func (d *Decision) script(s *Script) (err error) {
	pairs := 0
	if s.Adapter != "" {
		pairs = suitePairs
	}
	d.File, err = s.file([]string{shell, "-c", s.literal(s.Command)}, s.Build, pairs)
	return err
}
