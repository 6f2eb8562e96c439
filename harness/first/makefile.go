package first

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	makeVariable = regexp.MustCompile(`(?m)^(\w+)\s*(?::|\?|::)?=\s*(.*?)\s*$`)
	makeRule     = regexp.MustCompile(`^([^\s:=#.%][^:=#%]*):([^=]|$)`)
	makeOutput   = regexp.MustCompile(`(?:-o\s*|>\s*)(\S+)`)
	makeIs       = regexp.MustCompile(`(?m)^build:([^=]|$)`)
)

// makefile finds the programs that the rules of a Makefile write.
func makefile(p project) (*recipe, error) {
	text, ok, err := p.read("Makefile")
	if !ok || err != nil {
		return nil, err
	}
	programs := madePrograms(text)
	if len(programs) == 0 {
		return nil, nil
	}
	r := &recipe{kind: "make", build: build{shared: []string{"make"}}}
	for _, name := range programs {
		r.programs = append(r.programs, program{name: path.Base(name), what: aProgram,
			aliases: []string{name, path.Base(name)}, words: []string{name}, artifact: name,
			process: []string{"{" + name + "}"}})
	}
	return r, nil
}

// makeAlone handles a Makefile that does not say what it makes.
func makeAlone(p project) (*recipe, error) {
	text, ok, err := p.read("Makefile")
	if !ok || err != nil {
		return nil, err
	}
	command := []string{"make"}
	if makeIs.MatchString(text) {
		command = append(command, "build")
	}
	const guess = "bin/program"
	return &recipe{kind: "make", build: build{shared: command},
		programs: []program{{name: "default", what: aProgram, aliases: []string{"default"}, artifact: guess,
			process: []string{"{" + guess + "}"}}},
		left: []string{"build.artifacts: the Makefile does not say which program is to be measured: " + guess +
			" is a guess"}}, nil
}

// madePrograms returns the targets that a rule writes as a program: with -o, by copying, or by redirection.
func madePrograms(text string) (programs []string) {
	variables := map[string]string{}
	for _, m := range makeVariable.FindAllStringSubmatch(text, -1) {
		variables[m[1]] = m[2]
	}
	expand := func(word string) string {
		for range 3 { // for variables in variables
			word = makeReference.ReplaceAllStringFunc(word, func(r string) string { return variables[r[2:len(r)-1]] })
		}
		return word
	}
	var targets []string
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		if recipe, ok := strings.CutPrefix(line, "\t"); ok {
			for _, target := range targets {
				if writes(expand(recipe), target) && isProgram(target) && !slices.Contains(programs, target) {
					programs = append(programs, target)
				}
			}
			continue
		}
		line = expand(line)
		if m := makeRule.FindStringSubmatch(line); m != nil {
			targets = strings.Fields(m[1])
		} else if strings.TrimSpace(line) != "" {
			targets = nil
		}
	}
	return programs
}

var makeReference = regexp.MustCompile(`\$[({]\w+[)}]`)

// writes reports whether a line of a rule makes the target's file.
func writes(line, target string) bool {
	line = strings.ReplaceAll(line, "$@", target)
	for _, m := range makeOutput.FindAllStringSubmatch(line, -1) {
		if path.Clean(m[1]) == path.Clean(target) {
			return true
		}
	}
	words := strings.Fields(line)
	copies := len(words) > 2 && slices.Contains([]string{"cp", "mv", "install", "ln"}, strings.TrimLeft(words[0], "@-+"))
	return copies && words[len(words)-1] == target
}

// isProgram reports whether a file, by its name, is not an object, library or text.
func isProgram(name string) bool {
	return fsPath(name) && path.Ext(name) == ""
}

func fsPath(name string) bool {
	return name != "" && !path.IsAbs(name) && !strings.HasPrefix(path.Clean(name), "..") &&
		!strings.ContainsAny(name, "$(){}*?")
}
