package first

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/harness/adapter"
)

// A recipe describes how a build system builds programs, and what can be measured of them.
type recipe struct {
	kind  string
	build build
	// programs are timed from outside. The first one counts if there is no suite.
	programs []program
	// suites report the times of their benchmarks themselves.
	suites []program
	// aside are programs that are selected only by name, such as a crate's examples if it has programs.
	aside []program
	left  []string
}

// build holds the keys of bench.yaml's build section, before the workloads are selected.
type build struct {
	fetch []string
	// before runs first; shared builds all programs without commands of their own, with the arguments of each.
	before []command
	shared []string
	note   string   // set if the command is a guess: what to put there
	more   []string // further lines
}

// A command is one line of a build: a command line, or a line of sh.
type command struct {
	argv []string
	line string
}

// A program is a workload.
type program struct {
	name string
	// what is the kind shown in lists: program, example or benchmarks.
	what string
	// aliases are other names by which it can be selected, its own name within its folder last; folder has its sources.
	aliases []string
	folder  string
	// words are the program's arguments for build.shared; own are commands that build it alone.
	words    []string
	own      []command
	artifact string
	process  []string
	adapter  adapter.Kind
	env      string // a line of YAML, such as {PYTHONPATH: src}
	// argued means that the user who selected the program gave it arguments.
	argued bool
	// counts means that the workload is measured if none is named.
	counts bool
}

// commands returns the commands that build the selected programs.
func (r *recipe) commands(chosen []program) (list []command) {
	list = slices.Clone(r.build.before)
	shared, used := slices.Clone(r.build.shared), false
	for _, p := range chosen {
		if p.own != nil {
			continue
		}
		used = true
		for _, word := range p.words {
			if !slices.Contains(shared[len(r.build.shared):], word) {
				shared = append(shared, word)
			}
		}
	}
	if used {
		list = append(list, command{argv: shared})
	}
	for _, p := range chosen {
		for _, own := range p.own {
			if own.argv != nil || !slices.ContainsFunc(list, func(c command) bool { return c.line == own.line }) {
				list = append(list, own)
			}
		}
	}
	return list
}

// file renders a recipe.
func (r *recipe) file(chosen []program) File {
	made := File{Kind: r.kind, Left: r.left}
	var text strings.Builder
	text.WriteString(`# How harness compare measures this repository. docs/reference/bench-yaml.md of the harness explains every key.
version: 1
build:
`)
	if r.build.fetch != nil {
		fmt.Fprintf(&text, "  fetch: %s # alone may use the network\n", flow(r.build.fetch))
	}
	writeCommand(&text, r.commands(chosen), r.build.note)
	var artifacts []string
	for _, p := range chosen {
		if !slices.Contains(artifacts, p.artifact) {
			artifacts = append(artifacts, p.artifact)
		}
	}
	fmt.Fprintf(&text, "  artifacts: %s\n", flow(artifacts))
	for _, line := range r.build.more {
		fmt.Fprintf(&text, "  %s\n", line)
	}
	text.WriteString("workloads:\n")
	taken := map[string]bool{}
	for i, p := range chosen {
		name := workloadName(p.name, taken)
		made.Workloads = append(made.Workloads, name)
		fmt.Fprintf(&text, "  - name: %s\n", quoted(name))
		switch {
		case p.adapter != "":
			fmt.Fprintf(&text, "    adapter: %s # each benchmark is compared on the time that it reports\n", p.adapter)
		case i == 0:
			text.WriteString("    # Timed from start to end.")
			if !p.argued {
				text.WriteString(" Give it the arguments of a run that takes 0.1 s or more.")
			}
			text.WriteString("\n    # A program that writes an output can have it checked: verify: [...], with {proof} for " +
				"its file.\n")
		}
		fmt.Fprintf(&text, "    process: %s\n", flow(p.process))
		if p.env != "" {
			fmt.Fprintf(&text, "    env: %s\n", p.env)
		}
		if !p.counts {
			text.WriteString("    default: false # measured by --workload alone\n")
		}
	}
	made.Text = text.String()
	return made
}

// writeCommand writes build.command: one command line, or a script with one command per line.
func writeCommand(text *strings.Builder, list []command, note string) {
	if len(list) == 1 && list[0].argv != nil {
		fmt.Fprintf(text, "  command: %s", flow(list[0].argv))
		if note != "" {
			fmt.Fprintf(text, " # %s", note)
		}
		text.WriteString("\n")
		return
	}
	text.WriteString("  command:\n    - sh\n    - -ec\n    - |\n")
	for _, c := range list {
		line := c.line
		if c.argv != nil {
			words := make([]string, len(c.argv))
			for i, word := range c.argv {
				words[i] = shell(word)
			}
			line = strings.Join(words, " ")
		}
		fmt.Fprintf(text, "      %s\n", line)
	}
}

// flow formats a list on one line of YAML.
func flow(words []string) string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = quoted(word)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

var (
	// plain matches words that need no quotes in YAML, notPlain those that are not strings without them.
	plain    = regexp.MustCompile(`^[A-Za-z_./-][A-Za-z0-9_./=^+-]*$`)
	notPlain = regexp.MustCompile(`(?i)^(-|--?-|~|null|true|false|yes|no|on|off|y|n|[-.]+(inf|nan)?|[-.][0-9].*)$`)
)

// quoted formats a string for YAML.
func quoted(word string) string {
	if plain.MatchString(word) && !notPlain.MatchString(word) {
		return word
	}
	return strconv.Quote(word)
}

// braced escapes a text as a literal of a template.
func braced(text string) string {
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
}

var shellPlain = regexp.MustCompile(`^[A-Za-z0-9_./=+-]+$`)

// shell quotes one word of a sh command line.
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

// workloadName makes a workload name that bench.yaml permits and that is not taken.
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
