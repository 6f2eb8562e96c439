package workflows

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/first"
)

//go:embed templates
var templates embed.FS

// ActionsRepository is where the composite actions live.
const ActionsRepository = "chiasmus/chiasmus"

// InitialiseOptions say what `harness github init` writes.
type InitialiseOptions struct {
	// Directory is the repository's top folder.
	Directory string
	// Commit pins the composite actions, and with them the harness: 40 digits.
	Commit string
	// Repository is where the actions live; empty means ActionsRepository.
	Repository string
	// Force overwrites the workflow. A bench.yaml that is there is always kept.
	Force bool
}

// Initialise writes the workflow and, where there is none, a first bench.yaml that fits the build files it finds. It
// returns the files that it wrote.
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
	source, err := templates.ReadFile("templates/bench-gpu.yml")
	if err != nil {
		return nil, err
	}
	prefix := DefaultPrefix
	bench := filepath.Join(options.Directory, config.FileName)
	switch file, err := config.Load(bench); {
	case err == nil:
		prefix = file.GitHub.Comment
	case !errors.Is(err, os.ErrNotExist):
		return nil, err
	}
	text := strings.NewReplacer("uses: REPOSITORY/", "uses: "+options.Repository+"/", "@COMMIT", "@"+options.Commit,
		"'"+DefaultPrefix+"'", "'"+prefix+"'").Replace(string(source))
	workflow := filepath.Join(options.Directory, filepath.FromSlash(WorkflowFile))
	if _, err := os.Stat(workflow); err == nil && !options.Force {
		return nil, fmt.Errorf("%s exists: --force overwrites it", workflow)
	}
	if err := writeFile(workflow, []byte(text)); err != nil {
		return nil, err
	}
	written := []string{workflow}
	if _, err := os.Stat(bench); err == nil {
		return written, nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return written, err
	}
	made, err := firstConfig(options.Directory)
	if err != nil {
		return written, err
	}
	if err := writeFile(bench, []byte(made)); err != nil {
		return written, err
	}
	return append(written, bench), nil
}

// firstConfig is a bench.yaml that builds and runs what the folder's build files suggest, and says where.
func firstConfig(directory string) (string, error) {
	made, err := first.Suggest(directory)
	return made.Text + "github:\n  runs_on: [self-hosted, gpu]\n", err
}
