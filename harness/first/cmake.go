package first

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	cmakeComment = regexp.MustCompile(`(?m)#.*$`)
	cmakeCall    = regexp.MustCompile(`(?i)\b(project|add_executable|add_subdirectory|add_test|set)\s*\(([^()]*)\)`)
)

// cmakeTree collects the contents of a project's CMakeLists.txt files, from the top.
type cmakeTree struct {
	project project
	name    string
	output  string // CMAKE_RUNTIME_OUTPUT_DIRECTORY, in the folder build; empty: each target's folder
	targets []cmakeTarget
	tests   map[string]bool
	unknown []string // targets whose names contain variables
}

// cmakeTarget is a program; depth is the depth of the folder that adds it.
type cmakeTarget struct {
	name, artifact string
	depth          int
}

// cmake finds the programs that a project builds.
func cmake(p project) (*recipe, error) {
	tree := &cmakeTree{project: p, tests: map[string]bool{}}
	ok, err := tree.read(".")
	if !ok || err != nil || len(tree.targets) == 0 {
		return nil, err
	}
	r := &recipe{kind: "CMake", build: build{
		before: []command{{argv: []string{"cmake", "-B", "build", "-DCMAKE_BUILD_TYPE=Release"}}},
		shared: []string{"cmake", "--build", "build", "--parallel", "2", "--target"},
	}}
	for _, name := range tree.unknown {
		r.left = append(r.left, "workloads: the program "+name+" of CMakeLists.txt was left out: its name is not written out")
	}
	// Programs of outer folders come first, and tests last.
	slices.SortStableFunc(tree.targets, func(a, b cmakeTarget) int { return a.depth - b.depth })
	var tests []program
	for _, t := range tree.targets {
		one := program{name: t.name, what: aProgram, aliases: []string{t.name}, words: []string{t.name}, artifact: t.artifact,
			process: []string{"{" + t.artifact + "}"}}
		if tree.tests[t.name] {
			tests = append(tests, one)
		} else {
			r.programs = append(r.programs, one)
		}
	}
	r.programs = append(r.programs, tests...)
	return r, nil
}

// read reads the CMakeLists.txt of a folder and of the folders it adds.
func (t *cmakeTree) read(folder string) (bool, error) {
	text, ok, err := t.project.read(path.Join(folder, "CMakeLists.txt"))
	if !ok || err != nil {
		return false, err
	}
	for _, call := range cmakeCall.FindAllStringSubmatch(cmakeComment.ReplaceAllString(text, ""), -1) {
		words := strings.Fields(call[2])
		if len(words) == 0 {
			continue
		}
		first := t.expand(words[0])
		switch strings.ToLower(call[1]) {
		case "project":
			t.name = first
		case "set":
			if words[0] == "CMAKE_RUNTIME_OUTPUT_DIRECTORY" && len(words) > 1 {
				t.output = t.expand(words[1])
			}
		case "add_test":
			for _, word := range words {
				t.tests[t.expand(word)] = true
			}
		case "add_executable":
			t.add(folder, first, words[1:])
		case "add_subdirectory":
			below := path.Join(folder, first)
			if below != folder && !strings.HasPrefix(below, "..") {
				if _, err := t.read(below); err != nil {
					return true, err
				}
			}
		}
	}
	return true, nil
}

// add adds a program that the folder builds.
func (t *cmakeTree) add(folder, name string, rest []string) {
	if len(rest) > 0 && (rest[0] == "IMPORTED" || rest[0] == "ALIAS") {
		return
	}
	if strings.ContainsAny(name, "${}<>") {
		t.unknown = append(t.unknown, name)
		return
	}
	at := path.Join("build", folder)
	if t.output != "" {
		at = t.output
	}
	t.targets = append(t.targets, cmakeTarget{name, path.Join(at, name), strings.Count(path.Join("build", folder), "/")})
}

// expand replaces the variables that every project has. The build folder is build.
func (t *cmakeTree) expand(word string) string {
	return strings.NewReplacer("${PROJECT_NAME}", t.name, "${CMAKE_PROJECT_NAME}", t.name,
		"${CMAKE_BINARY_DIR}", "build", "${PROJECT_BINARY_DIR}", "build",
		"${CMAKE_SOURCE_DIR}", ".", "${PROJECT_SOURCE_DIR}", ".", `"`, "").Replace(word)
}
