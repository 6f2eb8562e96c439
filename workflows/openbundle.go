package workflows

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
)

// OpenBundle unpacks a bundle folder into an empty folder: a repository with the commits, and the submodules'
// repositories below its .git/modules. The bundle comes from the controller. The content of its commits is untrusted
// and not examined here.
func OpenBundle(ctx context.Context, folder, into string, commits []string) error {
	index, err := readBundle(folder)
	if err != nil {
		return err
	}
	if !slices.Equal(index.Commits, commits) {
		return fmt.Errorf("%s is not a bundle of the commits %s", folder, strings.Join(commits, ", "))
	}
	ask := func(directory string, arguments ...string) error {
		_, err := git.Executor.Run(ctx, git.Call{Dir: directory, Args: arguments})
		return err
	}
	if err := ask(".", "init", "-q", "-b", "bundle", "--template=", into); err != nil {
		return err
	}
	if err := unbundle(ctx, filepath.Join(folder, bundleRepo), into); err != nil {
		return err
	}
	for _, module := range index.Submodules {
		target := filepath.Join(into, ".git")
		for _, name := range module.Names {
			target = filepath.Join(target, "modules", filepath.FromSlash(name))
		}
		if err := ask(".", "init", "-q", "--bare", "--template=", target); err != nil {
			return err
		}
		if err := unbundle(ctx, filepath.Join(folder, filepath.FromSlash(module.File)), target); err != nil {
			return err
		}
	}
	for _, commit := range commits {
		if err := ask(into, "cat-file", "-e", commit+"^{commit}"); err != nil {
			return fmt.Errorf("the bundle lacks commit %s: %w", commit, err)
		}
	}
	return nil
}

// readBundle reads the index of a bundle folder.
func readBundle(folder string) (*Bundle, error) {
	path := filepath.Join(folder, bundleIndex)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	index := &Bundle{}
	if err := DecodeStrict(data, index); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if index.Schema != bundleSchema {
		return nil, fmt.Errorf("%s: schema %q, this harness reads %s", path, clip(index.Schema, 40), bundleSchema)
	}
	return index, nil
}

// unbundle fetches the commits of a bundle file into a repository.
func unbundle(ctx context.Context, bundle, repository string) error {
	absolute, err := filepath.Abs(bundle)
	if err != nil {
		return err
	}
	_, err = git.Executor.Run(ctx, git.Call{Dir: repository, Protocols: []string{"file"},
		Args: []string{"fetch", "-q", "--no-tags", absolute, "+refs/heads/chiasmus-*:refs/chiasmus/*"}})
	return err
}
