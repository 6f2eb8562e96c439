// Package first writes the first bench.yaml of a repository, derived from its build files.
package first

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/config"
)

// A File is a first bench.yaml.
type File struct {
	// Kind is the detected build system, such as Cargo.
	Kind string
	Text string
	// Workloads are the workloads of the file, the default ones first.
	Workloads []string
	// Left lists what the file cannot know and a person must check.
	Left []string
	// Next is a suggested range of revisions: the last two releases, or the last two commits.
	Next string
}

// Write writes the first bench.yaml of a folder. If one exists, it is kept, and the error is fs.ErrExist.
func Write(directory string, choice Choice) (File, error) {
	made, err := Suggest(directory, choice)
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

// A finder looks for a build system. It returns nil if the folder has none that builds something to measure.
type finder func(project) (*recipe, error)

// Suggest returns the file for a folder. It fails if the folder cannot be read, a build file in it is invalid, or a
// selected name does not exist.
func Suggest(directory string, choice Choice) (File, error) {
	p := open(directory)
	found, err := find(p)
	if err != nil {
		return File{}, err
	}
	chosen, err := found.choose(choice)
	if err != nil {
		return File{}, err
	}
	made := found.file(chosen)
	made.Next = p.base + ".." + p.head
	return made, nil
}

// find returns the recipe of the first build system that builds something to measure.
func find(p project) (*recipe, error) {
	if _, err := fs.Stat(p, "."); err != nil {
		return nil, err
	}
	for _, find := range []finder{cargo, golang, cmake, makefile, python, makeAlone} {
		if found, err := find(p); found != nil || err != nil {
			return found, err
		}
	}
	return &recipe{
		kind:  "unknown",
		build: build{shared: []string{"make"}, note: "whatever builds the program"},
		programs: []program{{name: "default", what: aProgram, aliases: []string{"default"}, artifact: "bin/program",
			process: []string{"{bin/program}"}}},
		left: []string{"build: no Cargo.toml, go.mod, CMakeLists.txt, Makefile or Python file here makes a program: say " +
			"how it is built and run"},
	}, nil
}
