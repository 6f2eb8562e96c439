package first

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/harness/adapter"
)

// A recipe is how a build system makes programs, and what of them can be measured.
type recipe struct {
	kind  string
	build build
	// programs are run without arguments and timed from outside; the first counts where there is no suite.
	programs []program
	// suites report the times of their benchmarks themselves.
	suites []program
	left   []string
}

// build are the keys of bench.yaml's build. A command with a note is a guess.
type build struct {
	fetch, command []string
	note           string
	more           []string // further lines
}

// A program is a workload.
type program struct {
	name     string
	artifact string // of the build; empty: process needs none
	process  []string
	adapter  adapter.Kind
	env      string // a line of YAML, such as {PYTHONPATH: src}
}

// file writes a recipe down.
func (r *recipe) file() File {
	made := File{Kind: r.kind, Left: r.left}
	var text strings.Builder
	text.WriteString(`# How harness compare measures this repository. docs/reference/bench-yaml.md of the harness explains every key.
version: 1
build:
`)
	if r.build.fetch != nil {
		fmt.Fprintf(&text, "  fetch: %s # alone may use the network\n", flow(r.build.fetch))
	}
	fmt.Fprintf(&text, "  command: %s", flow(r.build.command))
	if r.build.note != "" {
		fmt.Fprintf(&text, " # %s", r.build.note)
	}
	all := append(slices.Clone(r.suites), r.programs...)
	var artifacts []string
	for _, p := range all {
		if p.artifact != "" && !slices.Contains(artifacts, p.artifact) {
			artifacts = append(artifacts, p.artifact)
		}
	}
	fmt.Fprintf(&text, "\n  artifacts: %s\n", flow(artifacts))
	for _, line := range r.build.more {
		fmt.Fprintf(&text, "  %s\n", line)
	}
	text.WriteString("workloads:\n")
	taken := map[string]bool{}
	for i, p := range all {
		name := workloadName(p.name, taken)
		made.Workloads = append(made.Workloads, name)
		fmt.Fprintf(&text, "  - name: %s\n", quoted(name))
		if p.adapter != "" {
			fmt.Fprintf(&text, "    adapter: %s # each benchmark is compared on the time that it reports\n", p.adapter)
		} else if i == 0 {
			text.WriteString("    # Timed from start to end. Give it the arguments of a run that takes 0.1 s or more.\n" +
				"    # A program that writes an output can have it checked: verify: [...], with {proof} for its file.\n")
		}
		fmt.Fprintf(&text, "    process: %s\n", flow(p.process))
		if p.env != "" {
			fmt.Fprintf(&text, "    env: %s\n", p.env)
		}
		// Without suites the first program counts; with them no program does, for it may want arguments.
		if p.adapter == "" && i > 0 {
			text.WriteString("    default: false # measured by --workload alone\n")
		}
	}
	made.Text = text.String()
	return made
}

// flow is a list in one line of YAML.
func flow(words []string) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = quoted(word)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

var (
	// plain words stand in YAML as they are; some would be other things than texts.
	plain    = regexp.MustCompile(`^[A-Za-z_./-][A-Za-z0-9_./=^+-]*$`)
	notPlain = regexp.MustCompile(`(?i)^(-|--?-|~|null|true|false|yes|no|on|off|y|n|[-.]+(inf|nan)?|[-.][0-9].*)$`)
)

// quoted is a text as YAML has it.
func quoted(word string) string {
	if plain.MatchString(word) && !notPlain.MatchString(word) {
		return word
	}
	return strconv.Quote(word)
}

// braced is a text as a template's literal.
func braced(text string) string {
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
}

var shellPlain = regexp.MustCompile(`^[A-Za-z0-9_./=+-]+$`)

// shell is one word of a command line of sh.
func shell(word string) string {
	if shellPlain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

var (
	notInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)
	takenName = regexp.MustCompile(`(?i)^(logs|proofs|inputs|artifacts|run\.json|journal\.jsonl|report\..*)$`)
)

// workloadName makes a name that bench.yaml allows of a text, and that no other workload has.
func workloadName(text string, taken map[string]bool) string {
	const room = 60
	name := strings.TrimLeft(notInName.ReplaceAllString(text, "-"), "._-")
	if name == "" || takenName.MatchString(name) {
		name = "run-" + name
	}
	name = strings.TrimRight(name[:min(len(name), room)], "-")
	for made, i := name, 2; ; made, i = name+"-"+strconv.Itoa(i), i+1 {
		if key := strings.ToLower(made); !taken[key] {
			taken[key] = true
			return made
		}
	}
}
