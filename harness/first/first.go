// Package first writes the first bench.yaml of a repository, by the build files that it finds there.
package first

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/git"
)

// A File is a first bench.yaml.
type File struct {
	// Kind is the build system that was found, such as Cargo.
	Kind string
	Text string
	// Workloads are what the file measures, the default ones first.
	Workloads []string
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

// A finder looks for a build system. It returns nothing where the folder has none that makes something to measure.
type finder func(project) (*recipe, error)

// Suggest returns the file for a folder. It fails where the folder cannot be read, or a build file in it is invalid.
func Suggest(directory string) (File, error) {
	p := project{FS: os.DirFS(directory), ignored: func(name string) bool {
		_, err := git.Desk.Output(context.Background(), git.Call{Dir: directory, Args: []string{"check-ignore", name}})
		return err == nil
	}}
	if _, err := fs.Stat(p, "."); err != nil {
		return File{}, err
	}
	for _, find := range []finder{cargo, golang, cmake, makefile, python, makeAlone} {
		found, err := find(p)
		if err != nil {
			return File{}, err
		}
		if found != nil {
			return found.file(), nil
		}
	}
	return (&recipe{
		kind:     "unknown",
		build:    build{command: []string{"make"}, note: "whatever builds the program"},
		programs: []program{{name: "default", artifact: "bin/program", process: []string{"{bin/program}"}}},
		left: []string{"build: no Cargo.toml, go.mod, CMakeLists.txt, Makefile or Python file here makes a program: say " +
			"how it is built and run"},
	}).file(), nil
}

// project is the folder of a repository.
type project struct {
	fs.FS
	// ignored tells of a file that git leaves out of commits.
	ignored func(name string) bool
}

// read returns a file's text, and whether it is there.
func (p project) read(name string) (string, bool, error) {
	if !fs.ValidPath(name) {
		return "", false, nil
	}
	text, err := fs.ReadFile(p, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(text), err == nil, err
}

// has tells of a file that is there.
func (p project) has(name string) bool {
	info, err := fs.Stat(p, name)
	return err == nil && !info.IsDir()
}

// most bounds the programs and the suites that a file names.
const most = 12

// limited are at most so many of a list. Those left out are noted.
func limited[T any](list []T, what string, left *[]string) []T {
	if len(list) <= most {
		return list
	}
	*left = append(*left, fmt.Sprintf("workloads: the first %d of %d %s were taken", most, len(list), what))
	return list[:most]
}
