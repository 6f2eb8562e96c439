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

// Commands are two commands to be compared without a repository: see Options.
type Commands struct {
	Base, Head Command
	// Shell runs each by /bin/sh; its Argv is then one string.
	Shell bool
	// Input is a file that each process reads as its standard input; empty for none.
	Input string
	Adhoc
}

// A Command is one of them. Label names it in reports; empty means the command line itself.
type Command struct {
	Argv  []string
	Label string
}

// A Script is what is compared of two revisions without a bench.yaml: a command line that /bin/sh runs in the worktree
// of each, after another one that builds.
type Script struct {
	Command, Build string
	Adhoc
}

// Adhoc is what a command line says in place of a bench.yaml.
type Adhoc struct {
	// Adapter reads the results of a benchmark suite; empty where the time of the process is compared.
	Adapter adapter.Kind
	// Warmup, Equivalence and Timeout take the place of bench.yaml's defaults, where they are not nil, or 0.
	Warmup      *int
	Equivalence float64
	Timeout     time.Duration
	// KeepDisturbed counts pairs whatever other programs do meanwhile.
	KeepDisturbed bool
}

// AdhocName is the name of the only workload of a run without a bench.yaml.
const AdhocName = "command"

// AdhocConfig is how errors call the bench.yaml that is made of a command line.
const AdhocConfig = "(command line)"

// suitePairs is the number of pairs of a suite, where nobody says: with 24 the sign-flip test over 12 blocks can uphold
// a change in one of a hundred benchmarks.
const suitePairs = 24

// shell is what runs a command line.
const shell = "/bin/sh"

// file makes the bench.yaml that a command line stands for. JSON is YAML; the text is kept with the run, as every
// bench.yaml is, so that the run can be resumed.
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

// literal makes an argument a template that stands for itself: on a command line braces are the shell's, or awk's. The
// file that a suite writes its results to is the only placeholder.
func (a Adhoc) literal(argument string) string {
	const results = "{metrics}"
	escaped := strings.NewReplacer("{", "{{", "}", "}}").Replace(argument)
	if a.Adapter.NeedsFile() {
		escaped = strings.ReplaceAll(escaped, "{"+results+"}", results)
	}
	return escaped
}

// literals are those of a list.
func (a Adhoc) literals(argv []string) []string {
	out := make([]string, len(argv))
	for i, argument := range argv {
		out[i] = a.literal(argument)
	}
	return out
}

// script takes the bench.yaml that a script stands for.
func (d *Decision) script(s *Script) (err error) {
	pairs := 0
	if s.Adapter != "" {
		pairs = suitePairs
	}
	d.File, err = s.file([]string{shell, "-c", s.literal(s.Command)}, s.Build, pairs)
	return err
}
