package workflows

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// OpenBundle unpacks a bundle folder into an empty folder: a repository with the commits and, in the places where git
// keeps them, the repositories of submodules. The bundle comes from the controller; what its commits hold is
// a stranger's and is not looked at here.
func OpenBundle(ctx context.Context, folder, into string, commits []string) error {
	data, err := os.ReadFile(filepath.Join(folder, bundleIndex))
	if err != nil {
		return err
	}
	var index Bundle
	if err := decodeStrict(data, &index); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(folder, bundleIndex), err)
	}
	if index.Schema != BundleSchema || !slices.Equal(index.Commits, commits) {
		return fmt.Errorf("%s is no bundle of %s", folder, strings.Join(commits, ", "))
	}
	packer := &packer{}
	if _, err := packer.git(ctx, ".", "init", "-q", "-b", "bundle", into); err != nil {
		return err
	}
	if err := packer.unbundle(ctx, filepath.Join(folder, bundleRepo), into); err != nil {
		return err
	}
	for _, module := range index.Submodules {
		target := filepath.Join(into, ".git")
		for _, name := range module.Names {
			target = filepath.Join(target, "modules", filepath.FromSlash(name))
		}
		if _, err := packer.git(ctx, ".", "init", "-q", "--bare", target); err != nil {
			return err
		}
		if err := packer.unbundle(ctx, filepath.Join(folder, filepath.FromSlash(module.File)), target); err != nil {
			return err
		}
	}
	for _, commit := range commits {
		if _, err := packer.git(ctx, into, "cat-file", "-e", commit+"^{commit}"); err != nil {
			return fmt.Errorf("the bundle lacks commit %s: %w", commit, err)
		}
	}
	return nil
}

func (packer *packer) unbundle(ctx context.Context, bundle, repository string) error {
	absolute, err := filepath.Abs(bundle)
	if err != nil {
		return err
	}
	_, err = packer.git(ctx, repository, "fetch", "-q", "--no-tags", absolute, "+refs/heads/chiasmus-*:refs/chiasmus/*")
	return err
}
