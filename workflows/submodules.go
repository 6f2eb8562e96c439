package workflows

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// modules gathers the submodules of a commit. Two commits may name the same submodule at different commits: they
// share one bundle.
func (packer *packer) modules(ctx context.Context, repository, origin, commit string, parents []string) error {
	entries, err := packer.listModules(ctx, repository, commit)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		names := append(append([]string(nil), parents...), entry.name)
		source, err := resolveModule(origin, entry.url)
		if err != nil {
			return fmt.Errorf("submodule %s: %w", entry.name, err)
		}
		module := packer.module(names)
		if module.repository == "" {
			if len(packer.pending) > maxModules {
				return fmt.Errorf("more than %d submodules", maxModules)
			}
			if module.repository, err = packer.pack(ctx, source, nil, nil, ""); err != nil {
				return err
			}
		}
		if slices.Contains(module.commits, entry.commit) {
			continue
		}
		if err := packer.obtain(ctx, module.repository, source, nil, entry.commit); err != nil {
			return fmt.Errorf("submodule %s: %w", entry.name, err)
		}
		module.commits = append(module.commits, entry.commit)
		// The recursion may move the entries: module is not used after it.
		if err := packer.modules(ctx, module.repository, source, entry.commit, names); err != nil {
			return err
		}
	}
	return nil
}

// module finds or makes the entry of a submodule.
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

type moduleEntry struct{ name, path, url, commit string }

// modulePattern is the key of a submodule's path or address.
var modulePattern = regexp.MustCompile(`(?s)^submodule\.(.*)\.(path|url)$`)

// listModules reads .gitmodules of a commit. Names and paths are a stranger's: those that climb are refused.
func (packer *packer) listModules(ctx context.Context, repository, commit string) ([]moduleEntry, error) {
	if _, err := packer.git(ctx, repository, "cat-file", "-e", commit+":.gitmodules"); err != nil {
		return nil, nil
	}
	text, err := packer.git(ctx, repository, "config", "-z", "--blob", commit+":.gitmodules", "--list")
	if err != nil {
		return nil, fmt.Errorf(".gitmodules of %s: %w", commit, err)
	}
	modules := map[string]*moduleEntry{}
	for _, record := range strings.Split(strings.TrimSuffix(text, "\x00"), "\x00") {
		key, value, _ := strings.Cut(record, "\n")
		m := modulePattern.FindStringSubmatch(key)
		if m == nil {
			continue
		}
		name := m[1]
		if name == "" || path.IsAbs(name) || path.Clean(name) != name || strings.HasPrefix(name, "..") {
			return nil, fmt.Errorf("the submodule name %q would leave its folder", clip(name, 80))
		}
		if modules[name] == nil {
			modules[name] = &moduleEntry{name: name}
		}
		if m[2] == "path" {
			modules[name].path = value
		} else {
			modules[name].url = value
		}
	}
	var entries []moduleEntry
	for _, name := range sortedKeys(modules) {
		entry := *modules[name]
		if entry.path == "" || strings.HasPrefix(entry.path, "-") {
			continue
		}
		line, err := packer.git(ctx, repository, "ls-tree", commit, "--", entry.path)
		fields := strings.Fields(line)
		if err != nil || len(fields) < 3 || fields[0] != "160000" {
			continue // named in .gitmodules and not in the tree: git leaves it alone too
		}
		entry.commit = fields[2]
		entries = append(entries, entry)
	}
	return entries, nil
}

// resolveModule makes a submodule's address absolute: one that begins with ./ or ../ is relative to origin.
func resolveModule(origin, address string) (string, error) {
	if !strings.HasPrefix(address, "./") && !strings.HasPrefix(address, "../") {
		if address == "" || strings.HasPrefix(address, "-") {
			return "", fmt.Errorf("the address %q is none", clip(address, 80))
		}
		return address, nil
	}
	if parsed, err := url.Parse(origin); err == nil && parsed.Scheme != "" {
		parsed.Path = path.Join(parsed.Path, address)
		return parsed.String(), nil
	}
	return filepath.Join(origin, address), nil
}
