package workflows

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/git"
)

// modules collects the submodules of a commit. Two commits may name the same submodule at different commits: they share
// one bundle.
func (packer *packer) modules(ctx context.Context, repository, origin, commit string, parents []string) error {
	entries, err := packer.git.Submodules(ctx, repository, commit)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		names := append(append([]string(nil), parents...), entry.Name)
		if entry.URL == "" {
			return fmt.Errorf("submodule %s: .gitmodules has no url for it", entry.Name)
		}
		source := git.ResolveURL(origin, entry.URL)
		module := packer.module(names)
		if module.repository == "" {
			if len(packer.pending) > maxModules {
				return fmt.Errorf("more than %d submodules", maxModules)
			}
			if module.repository, err = packer.pack(ctx, source, nil, nil, ""); err != nil {
				return err
			}
		}
		if slices.Contains(module.commits, entry.SHA) {
			continue
		}
		if err := packer.obtain(ctx, module.repository, source, nil, entry.SHA); err != nil {
			return fmt.Errorf("submodule %s: %w", entry.Name, err)
		}
		module.commits = append(module.commits, entry.SHA)
		// The recursion may move the entries, so module is not used after it.
		if err := packer.modules(ctx, module.repository, source, entry.SHA, names); err != nil {
			return err
		}
	}
	return nil
}

// module finds or creates the entry of a submodule.
func (packer *packer) module(names []string) *pendingModule {
	for i := range packer.pending {
		if strings.Join(packer.pending[i].names, "\x00") == strings.Join(names, "\x00") {
			return &packer.pending[i]
		}
	}
	packer.pending = append(packer.pending, pendingModule{names: names})
	return &packer.pending[len(packer.pending)-1]
}

// finish writes the bundles of submodules, once all their commits are known.
func (packer *packer) finish(ctx context.Context) error {
	for i, module := range packer.pending {
		file := fmt.Sprintf("submodules/%d.bundle", i+1)
		if err := packer.bundle(ctx, module.repository, module.commits, file); err != nil {
			return err
		}
		packer.bundled = append(packer.bundled, BundledModule{Names: module.names, File: file})
	}
	return nil
}
