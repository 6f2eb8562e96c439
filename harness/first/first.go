// Package first writes the first bench.yaml of a repository, by the build files that it finds there.
package first

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
)

// A File is a first bench.yaml.
type File struct {
	// Kind is the build system that was found, such as Cargo.
	Kind string
	Text string
	// Left says what the file cannot know and a person has to look at.
	Left []string
}

// Write writes the first bench.yaml of a folder. One that is there is an error that is fs.ErrExist, and stays as it is.
func Write(directory string) (File, error) {
	made, err := Suggest(directory)
	if err != nil {
		return File{}, err
	}
	name := filepath.Join(directory, config.FileName)
	out, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return File{}, err
	}
	_, err = out.WriteString(made.Text)
	return made, errors.Join(err, out.Close())
}

// A recipe is how a build system makes a prover.
type recipe struct {
	kind  string
	build []string // the lines of build
	// program is the artifact, and run what starts it before it.
	program, run string
	left         []string
}

// Suggest returns the file for a folder. It fails where the folder cannot be read.
func Suggest(directory string) (File, error) {
	project := os.DirFS(directory)
	made := recipe{
		kind:    "unknown",
		build:   []string{"command: [make] # whatever builds the prover", "artifacts: [bin/prover]"},
		program: "bin/prover",
		left: []string{"build: no Cargo.toml, go.mod, CMakeLists.txt, Makefile, pyproject.toml or prove.py is here: say " +
			"how the prover is built, and what of it is run"},
	}
	for _, find := range []func(fs.FS) (recipe, bool, error){cargo, makefile, golang, cmake, python} {
		found, ok, err := find(project)
		if err != nil {
			return File{}, err
		}
		if ok {
			made = found
			break
		}
	}
	return made.file(), nil
}

// file writes a recipe down. Process mode asks least of a prover.
func (r recipe) file() File {
	command := fmt.Sprintf("%s\"{%s}\"", r.run, r.program)
	text := fmt.Sprintf(`# How harness compare measures this repository. docs/bench-yaml.md of the harness explains every key, docs/recipes.md has examples.
version: 1
build:
  %s
workloads:
  - name: default
    # {metrics} gets {"metrics": {"prove_seconds": 1.5}, "exact_statement": "SHA-256 of the claim"}; base's binds both arms.
    # A prover that stays and proves on request is measured with less noise: session: [%s, session]
    process: [%s, prove, --seed, "{seed}", --metrics, "{metrics}", --proof, "{proof}"]
    verify: [%s, verify, --expect-statement, "{exact_statement}", "{proof}"]
`, strings.Join(r.build, "\n  "), command, command, command)
	left := append(r.left, "workloads: the arguments of process and verify are examples, which the prover may call "+
		"otherwise")
	return File{Kind: r.kind, Text: text, Left: left}
}

// read returns a file's text, and whether it is there.
func read(project fs.FS, name string) (string, bool, error) {
	text, err := fs.ReadFile(project, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(text), err == nil, err
}

// word is a name that stands in YAML and in a placeholder as it is.
var word = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// Names in build files: a package or target, a binary of its own, an executable of CMake, a target of make (make alone
// may do something else).
var (
	cargoPackage = regexp.MustCompile(`(?ms)^\[package\][^\[]*?^name\s*=\s*"([^"]+)"`)
	cargoBinary  = regexp.MustCompile(`(?ms)^\[\[bin\]\][^\[]*?^name\s*=\s*"([^"]+)"`)
	cmakeTarget  = regexp.MustCompile(`(?im)^\s*add_executable\s*\(\s*([^\s)]+)`)
	makeBuild    = regexp.MustCompile(`(?m)^build:([^=]|$)`)
	mainPackage  = regexp.MustCompile(`(?m)^package main$`)
)

// one takes the first of several names, and says which others there are.
func one(names []string, kind, otherwise string) (name string, left []string) {
	var fit []string
	for _, name := range names {
		if word.MatchString(name) {
			fit = append(fit, name)
		}
	}
	if len(fit) == 0 {
		return otherwise, []string{fmt.Sprintf("build.artifacts: %s names no program: %s is a guess", kind, otherwise)}
	}
	if len(fit) > 1 {
		left = []string{fmt.Sprintf("build.artifacts: of the programs %s the first was taken", strings.Join(fit, ", "))}
	}
	return fit[0], left
}

func captured(pattern *regexp.Regexp, text string) (names []string) {
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	return names
}

func cargo(project fs.FS) (recipe, bool, error) {
	text, ok, err := read(project, "Cargo.toml")
	if !ok || err != nil {
		return recipe{}, false, err
	}
	names := captured(cargoBinary, text)
	if len(names) == 0 {
		names = captured(cargoPackage, text)
	}
	name, left := one(names, "Cargo.toml", "prover")
	if _, locked, err := read(project, "Cargo.lock"); err != nil {
		return recipe{}, false, err
	} else if !locked {
		left = append(left, "Cargo.lock: commit it (cargo generate-lockfile), so that both revisions are built with the "+
			"dependencies that they name")
	}
	program := "target/release/" + name
	return recipe{kind: "Cargo", program: program, left: left, build: []string{
		"fetch: [cargo, fetch, --locked] # alone may use the network",
		"command: [cargo, build, --release, --offline, --locked]",
		"artifacts: [" + program + "]", "reuse: [target] # dependencies are compiled once for both revisions"}}, true, nil
}

// makefile is for a Makefile, whatever the language beneath: its author wrote down how to build.
func makefile(project fs.FS) (recipe, bool, error) {
	text, ok, err := read(project, "Makefile")
	if !ok || err != nil {
		return recipe{}, false, err
	}
	command := "command: [make]"
	if makeBuild.MatchString(text) {
		command = "command: [make, build]"
	}
	return recipe{kind: "make", program: "bin/prover", build: []string{command, "artifacts: [bin/prover]"},
			left: []string{"build.artifacts: a Makefile does not say which program is the prover: bin/prover is a guess"}}, true,
		nil
}

func golang(project fs.FS) (recipe, bool, error) {
	if _, ok, err := read(project, "go.mod"); !ok || err != nil {
		return recipe{}, false, err
	}
	folders, err := mains(project)
	if err != nil {
		return recipe{}, false, err
	}
	folder, left := ".", []string{"build.command: no package main is here or in cmd: name the one that proves"}
	if len(folders) > 0 {
		folder, left = folders[0], nil
	}
	if len(folders) > 1 {
		left = []string{fmt.Sprintf("build.command: of the programs %s the first was taken", strings.Join(folders, ", "))}
	}
	return recipe{kind: "Go", program: "bin/prover", left: left, build: []string{
		"fetch: [go, mod, download] # alone may use the network",
		"command: [go, build, -trimpath, -o, bin/prover, " + folder + "]",
		"artifacts: [bin/prover]",
		`layout: {env: {GOFLAGS: "-ldflags=-randlayout={layout}"}} # where plan.builds draws several`}}, true, nil
}

// mains are the folders with a package main: the top, and those below a folder cmd at most two levels down.
func mains(project fs.FS) (folders []string, err error) {
	for _, pattern := range []string{"*.go", "cmd/*.go", "cmd/*/*.go", "*/cmd/*/*.go"} {
		names, err := fs.Glob(project, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, _, err := read(project, name)
			if err != nil {
				return nil, err
			}
			folder := "./" + path.Dir(name)
			if path.Dir(name) == "." {
				folder = "."
			}
			known := len(folders) > 0 && folders[len(folders)-1] == folder
			if known || strings.HasSuffix(name, "_test.go") || !mainPackage.MatchString(text) {
				continue
			}
			folders = append(folders, folder)
		}
	}
	return folders, nil
}

func cmake(project fs.FS) (recipe, bool, error) {
	text, ok, err := read(project, "CMakeLists.txt")
	if !ok || err != nil {
		return recipe{}, false, err
	}
	name, left := one(captured(cmakeTarget, text), "CMakeLists.txt", "prover")
	program := "build/" + name
	return recipe{kind: "CMake", program: program, left: left, build: []string{
		`command: [sh, -ec, "cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build"]`,
		"artifacts: [" + program + "]"}}, true, nil
}

func python(project fs.FS) (recipe, bool, error) {
	_, packaged, err := read(project, "pyproject.toml")
	if err != nil {
		return recipe{}, false, err
	}
	var scripts []string
	for _, name := range []string{"prove.py", "prover.py", "main.py"} {
		if _, ok, err := read(project, name); err != nil {
			return recipe{}, false, err
		} else if ok {
			scripts = append(scripts, name)
		}
	}
	if !packaged && len(scripts) == 0 {
		return recipe{}, false, nil
	}
	program, left := one(scripts, "this folder", "prove.py")
	return recipe{kind: "Python", program: program, run: "python3, ", left: left, build: []string{
		"command: [python3, -m, py_compile, " + program + "]", "artifacts: [" + program + "]"}}, true, nil
}
