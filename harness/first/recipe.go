package first

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/harness/adapter"
)

// A recipe is how a build system makes programs, and what can be measured of them.
type recipe struct {
	kind  string
	build build
	// programs are timed from outside; the first counts where there is no suite.
	programs []program
	// suites report the times of their benchmarks themselves.
	suites []program
	// aside are programs that are taken only by name, such as a crate's examples beside its programs.
	aside []program
	left  []string
}

// build are the keys of bench.yaml's build, before it is known what is measured.
type build struct {
	fetch []string
	// before runs first; shared builds all programs that have no commands of their own, with the words of each.
	before []command
	shared []string
	note   string   // the command is a guess, and this is what to put there
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
	// what it is, as a list names it: program, example or benchmarks.
	what string
	// aliases are other names by which it can be chosen, its own name within its folder last; folder has its sources.
	aliases []string
	folder  string
	// words are what the program adds to build.shared; own are commands that build it alone.
	words    []string
	own      []command
	artifact string
	process  []string
	adapter  adapter.Kind
	env      string // a line of YAML, such as {PYTHONPATH: src}
	// argued says that the person who chose the program gave it arguments.
	argued bool
	// counts says that the workload is measured where nobody names one.
	counts bool
}

// commands build the chosen programs.
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

// file writes a recipe down.
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

// writeCommand writes build.command: one command line, or a script with one a line.
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
