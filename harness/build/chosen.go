package build

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// choosers are the tools whose version a revision can choose by a file at its root, or a recipe by a variable.
var choosers = map[string]struct {
	files    []string
	variable string
}{
	"rustc": {[]string{"rust-toolchain.toml", "rust-toolchain"}, "RUSTUP_TOOLCHAIN"},
	"go":    {[]string{"go.mod", "go.work"}, "GOTOOLCHAIN"},
}

// chosen asks these tools for their versions where the build ran, in its environment and isolation. It returns the
// versions that differ from the ones outside: the build was made with those, whatever the PATH leads to.
func (e entry) chosen(ctx context.Context, req Request, in Inputs) (map[string]string, error) {
	found := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(choosers)) {
		outside, there := in.Tools[name]
		if !there || !e.mayChoose(name, req) {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, toolTimeout)
		var printed strings.Builder
		_, err := e.run(limited, req, step{"tools", append([]string{name}, tools[name]...), false}, &printed)
		cancel()
		_, answer, _ := strings.Cut(printed.String(), "\n") // the first line is the command
		switch version := versionOf(answer); {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil && version != outside:
			found[name] = version
		}
	}
	return found, nil
}

// mayChoose reports whether a build may choose the version of a tool.
func (e entry) mayChoose(name string, req Request) bool {
	by := choosers[name]
	if req.Build.Env[by.variable] != "" || req.ExtraEnv[by.variable] != "" {
		return true
	}
	return slices.ContainsFunc(by.files, func(file string) bool {
		_, err := os.Lstat(filepath.Join(e.worktree(), file))
		return err == nil
	})
}

// current returns an error if a tool that the build chose has another version now: the meaning of a channel such as
// nightly changes.
func (e entry) current(ctx context.Context, req Request, p Provenance) error {
	if len(p.Chosen) == 0 {
		return nil // tools are part of the key
	}
	now, err := e.chosen(ctx, req, p.Inputs)
	if err != nil {
		return err
	}
	for name, was := range p.Chosen {
		if now[name] != was {
			return fmt.Errorf("it was made with %s, which is now %s", was, cmp.Or(now[name], p.Tools[name]))
		}
	}
	return nil
}
