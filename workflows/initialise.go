package workflows

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/first"
)

// ActionsRepository is the repository of the composite actions.
const ActionsRepository = "chiasmus/chiasmus"

// InitialiseOptions specify what `harness github init` writes.
type InitialiseOptions struct {
	// Directory is the repository's top folder.
	Directory string
	// Commit pins the composite actions, and thereby the harness: 40 digits.
	Commit string
	// Repository is the repository of the actions; empty means ActionsRepository.
	Repository string
	// Force overwrites workflows. An existing bench.yaml is always kept.
	Force bool
	// Label, Push and Nightly request the workflows of those triggers in addition to that of comments. Label is the
	// label's name.
	Label         string
	Push, Nightly bool
	// Branch is the default branch, which the workflow of pushes names.
	Branch string
	// Runner is a folder for the files of the GPU host's service, or empty; Unit is their content.
	Runner string
	Unit   Unit
}

// Initialise writes the workflows and, if there is no bench.yaml, one derived from the build files it finds. It returns
// the paths of the written files.
func Initialise(options InitialiseOptions) ([]string, error) {
	if !commitPattern.MatchString(options.Commit) {
		return nil, fmt.Errorf("commit %q: the actions are pinned by all 40 digits of a commit", options.Commit)
	}
	if options.Repository == "" {
		options.Repository = ActionsRepository
	}
	if _, err := os.Stat(filepath.Join(options.Directory, ".git")); err != nil {
		return nil, fmt.Errorf("%s is not the top folder of a git repository", options.Directory)
	}
	prefix := DefaultPrefix
	bench := filepath.Join(options.Directory, config.FileName)
	switch file, err := config.Load(bench); {
	case err == nil:
		prefix = file.GitHub.Comment
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	}
	files, err := workflows(options, prefix)
	if err != nil {
		return nil, err
	}
	if options.Runner != "" {
		for name, text := range options.Unit.Files() {
			files[filepath.ToSlash(filepath.Join(options.Runner, name))] = text
		}
	}
	paths := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(options.Directory, filepath.FromSlash(name))
		old, err := os.ReadFile(path)
		if err == nil && !options.Force && string(old) != files[name] {
			return nil, fmt.Errorf("%s exists and differs: --force overwrites it", path)
		}
		if err == nil && string(old) == files[name] {
			continue
		}
		paths[name] = path
	}
	var written []string
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		if err := writeFile(paths[name], []byte(files[name])); err != nil {
			return written, err
		}
		written = append(written, paths[name])
	}
	if _, err := os.Stat(bench); err == nil {
		return written, nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return written, err
	}
	made, err := firstConfig(options.Directory)
	if err != nil {
		return written, err
	}
	if options.Nightly {
		made += "nightly:\n  history: branch:benchmarks # the branch for the records of nights\n"
	}
	if err := writeFile(bench, []byte(made)); err != nil {
		return written, err
	}
	return append(written, bench), nil
}

// firstConfig returns a bench.yaml derived from the folder's build files, which its comments name.
func firstConfig(directory string) (string, error) {
	made, err := first.Suggest(directory, first.Choice{})
	return made.Text + "github:\n  runs_on: [self-hosted, gpu]\n", err
}
