package build

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// missed says why no cached build fits, by comparison with the most similar build of the same revision, such as
// "RUSTFLAGS changed since the cached build of 1a2b3c4". It is empty if that revision was never built.
func (c *Cache) missed(in Inputs) string {
	folders, err := os.ReadDir(c.dir)
	if err != nil {
		return ""
	}
	var least []string
	var newest Provenance
	for _, folder := range folders {
		p, err := readProvenance(entry{dir: filepath.Join(c.dir, folder.Name())}.provenance())
		if err != nil || p.Schema != Schema || p.SHA != in.SHA || p.Tree != in.Tree {
			continue
		}
		changes := p.Inputs.changes(in)
		nearer := len(changes) < len(least) || len(changes) == len(least) && p.Started.After(newest.Started)
		if len(changes) > 0 && (least == nil || nearer) {
			least, newest = changes, p
		}
	}
	if least == nil {
		return ""
	}
	return fmt.Sprintf("%s changed since the cached build of %.7s", someNames(least), in.SHA)
}

// changes names the differences between two sets of inputs of one revision.
func (in Inputs) changes(now Inputs) []string {
	var list []string
	compare := func(format string, was, is map[string]string) {
		for _, name := range keysOf(was, is) {
			if before, had := was[name]; is[name] != before || !had || !has(is, name) {
				list = append(list, fmt.Sprintf(format, name))
			}
		}
	}
	compare("%s", in.Environment, now.Environment)
	compare("%s (build.env)", in.Recipe.Env, now.Recipe.Env)
	compare("%s (--base-env or --head-env)", in.ExtraEnv, now.ExtraEnv)
	for _, name := range keysOf(in.Tools, now.Tools) {
		if was, is := in.Tools[name], now.Tools[name]; was != is {
			list = append(list, fmt.Sprintf("%s (%s, now %s)", name, orNone(was), orNone(is)))
		}
	}
	for _, name := range keysOf(in.Programs, now.Programs) {
		if was, is := in.Programs[name], now.Programs[name]; was != is && in.Tools[name] == now.Tools[name] {
			list = append(list, fmt.Sprintf("the path of %s (%s, now %s)", name, orNone(was), orNone(is)))
		}
	}
	a, b := in.Recipe, now.Recipe
	for _, one := range []struct {
		what    string
		was, is any
	}{
		{"build.fetch", a.Fetch, b.Fetch}, {"build.command", a.Command, b.Command},
		{"build.artifacts", a.Artifacts, b.Artifacts}, {"build.reuse", a.Reuse, b.Reuse},
		{"build.layout", a.Layout, b.Layout}, {"build.layout", a.Drawn, b.Drawn},
		{"build.allow_lfs_pointers", a.AllowLFSPointers, b.AllowLFSPointers}, {"build.env_pass", a.EnvPass, b.EnvPass},
		{"isolation", in.Isolated, now.Isolated}, {"the platform", in.Platform, now.Platform},
		{"the variant", in.Variant, now.Variant}, {"the result of build.fetch", in.Fetched, now.Fetched},
	} {
		// An empty list and nil print identically, and mean the same in a recipe.
		if fmt.Sprintf("%q", one.was) != fmt.Sprintf("%q", one.is) && !slices.Contains(list, one.what) {
			list = append(list, one.what)
		}
	}
	return list
}

func keysOf(a, b map[string]string) []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}

func has(values map[string]string, name string) bool {
	_, ok := values[name]
	return ok
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
