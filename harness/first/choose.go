package first

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Choice selects what is measured. The zero Choice selects the likely main programs.
type Choice struct {
	// Names are programs, examples or benchmarks, by their names in List.
	Names []string
	// Arguments are added to the command line of the selected one.
	Arguments []string
}

// The kinds of workload.
const (
	aProgram   = "program"
	anExample  = "example"
	benchmarks = "benchmarks"
)

// A Candidate is something that can be measured.
type Candidate struct{ What, Name string }

// List lists everything in a folder that can be measured.
func List(directory string) ([]Candidate, error) {
	found, err := find(open(directory))
	if err != nil {
		return nil, err
	}
	var list []Candidate
	for _, p := range found.all() {
		list = append(list, Candidate{p.what, p.name})
	}
	return list, nil
}

// all returns the suites and the programs, and last those that are taken only by name.
func (r *recipe) all() []program { return slices.Concat(r.suites, r.programs, r.aside) }

// choose selects what is measured.
func (r *recipe) choose(choice Choice) (chosen []program, err error) {
	if len(choice.Names) == 0 {
		chosen = r.main()
	} else {
		if chosen, err = r.named(choice.Names); err != nil {
			return nil, err
		}
		r.left = slices.DeleteFunc(r.left, func(note string) bool { return strings.HasPrefix(note, leftOut) })
	}
	if len(choice.Arguments) == 0 {
		return chosen, nil
	}
	if len(choice.Names) > 1 || len(choice.Names) == 0 && len(r.all()) > 1 {
		return nil, fmt.Errorf("arguments %q: name one program or benchmark that they are for, as in: harness init %s -- %s",
			choice.Arguments, r.all()[0].name, strings.Join(choice.Arguments, " "))
	}
	chosen[0].argued = true
	for _, argument := range choice.Arguments {
		chosen[0].process = append(slices.Clip(chosen[0].process), braced(argument))
	}
	return chosen, nil
}

// leftOut starts the notes about workloads that were not selected. They are dropped if the user names workloads.
const leftOut = "workloads: "

// most bounds the programs and the suites that are selected automatically: each takes minutes to build and measure.
const most = 3

// main selects the likely main programs. Without suites the first program counts. With suites no program does, because
// it may need arguments.
func (r *recipe) main() (chosen []program) {
	chosen = append(r.best(r.suites, "packages or files with benchmarks"), r.best(r.programs, "programs")...)
	for i := range chosen {
		chosen[i].counts = chosen[i].adapter != "" || i == 0
	}
	if len(r.aside) > 0 {
		names := make([]string, len(r.aside))
		for i, p := range r.aside {
			names[i] = p.name
		}
		r.left = append(r.left, fmt.Sprintf("workloads: there are examples, too: %s. harness init NAME takes one instead",
			shortened(names)))
	}
	return chosen
}

// named selects workloads by name.
func (r *recipe) named(names []string) (chosen []program, err error) {
	all := r.all()
	for _, name := range names {
		var found []program
		for _, p := range all {
			if p.name == name {
				found = []program{p}
				break
			}
			if slices.Contains(p.aliases, name) {
				found = append(found, p)
			}
		}
		switch {
		case len(found) == 0:
			return nil, fmt.Errorf("there is no program, example or benchmark %q here, but there are %s (harness init --list)",
				name, shortened(namesOf(all)))
		case len(found) > 1:
			return nil, fmt.Errorf("%q may be any of %s: name one", name, shortened(namesOf(found)))
		}
		if slices.ContainsFunc(chosen, func(p program) bool { return p.name == found[0].name }) {
			return nil, fmt.Errorf("%q is named twice", name)
		}
		found[0].counts = true
		chosen = append(chosen, found[0])
	}
	return chosen, nil
}

func namesOf(list []program) []string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.name
	}
	return names
}

// shortened joins names for a message.
func shortened(names []string) string {
	const room = 10
	if len(names) > room {
		return strings.Join(names[:room], ", ") + fmt.Sprintf(" and %d more", len(names)-room)
	}
	return strings.Join(names, ", ")
}

var (
	// mainThing matches the usual names of programs that prove; minor matches what is rarely worth measuring.
	mainThing = regexp.MustCompile(`(?i)prov|proof|snark|stark|plonk|groth|recurs|example`)
	minor     = regexp.MustCompile(`(?i)wasm|generat|internal/|test`)
)

// minorRank is the rank of minor programs, the last one.
const minorRank = 3

// rank orders programs by how likely they are the main one: by their own names, then by the names of their folders.
func (p *program) rank() int {
	switch own := p.aliases[len(p.aliases)-1]; {
	case minor.MatchString(p.folder + "/" + own):
		return minorRank
	case mainThing.MatchString(own):
		return 0
	case mainThing.MatchString(p.folder):
		return 1
	}
	return 2
}

// best returns the whole list, or if it is too long the most likely ones, with outer folders first. It notes what was
// left out.
func (r *recipe) best(list []program, what string) []program {
	if len(list) <= most {
		return slices.Clone(list)
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b program) int {
		if d := a.rank() - b.rank(); d != 0 {
			return d
		}
		return strings.Count(a.folder, "/") - strings.Count(b.folder, "/")
	})
	r.left = append(r.left, fmt.Sprintf("workloads: %d of %d %s were taken, by their names. harness init NAME ... takes "+
		"others, and harness init --list names them", most, len(list), what))
	return list[:most]
}
