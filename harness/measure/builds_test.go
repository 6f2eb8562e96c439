package measure_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/report"
)

// climbing searches for settings in the parent folders, as Cargo does for .cargo/config.toml and Go for go.work.
const climbing = `
at=$PWD
while [ "$at" != / ]; do
	if [ -e "$at/settings" ]; then cat "$at/settings" >>model; fi
	at=$(dirname "$at")
done
`

// buildsWarning is the warning about the location of builds, or empty.
func buildsWarning(r *report.Report) string {
	for _, warning := range r.Warnings {
		if warning.Kind == "builds" {
			return warning.Text
		}
	}
	return ""
}

// The work tree has no influence on the build of either revision.
func TestBuildsDoNotSeeTheWorkTree(t *testing.T) {
	w := newWorld(t, worldConfig)
	script, err := os.ReadFile(filepath.Join(w.dir, "build.sh"))
	if err != nil {
		t.Fatal(err)
	}
	w.write("build.sh", string(script)+climbing)
	w.commit("base", "seconds=0.005 noise=0.005")
	w.write("settings", "seconds=0.01\n")
	w.commit("head", "seconds=0.005 noise=0.005")
	r := w.compare(w.options("base..head"), failure.ExitRegression)
	if p := r.Workloads[0].Pairs[0]; p.A > 0.0075 || p.B < 0.0075 {
		t.Errorf("pair %+v: base has no settings, and head has", p)
	}
	if text := buildsWarning(r); text != "" {
		t.Errorf("warning %q", text)
	}
	// The fallback has the flaw that this test checks for, so that the test can fail.
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	r = w.compare(w.options("base..head"), failure.ExitOK)
	if p := r.Workloads[0].Pairs[0]; p.A < 0.0075 {
		t.Errorf("pair %+v: below the work tree base finds its settings", p)
	}
	if text := buildsWarning(r); !strings.Contains(text, "cannot be used") ||
		!strings.Contains(text, "set XDG_CACHE_HOME") {
		t.Errorf("warning %q", text)
	}
}

func TestBuildsInsideTheRepositoryAreAWarning(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "")
	t.Setenv("XDG_CACHE_HOME", filepath.Join(w.dir, ".chiasmus", "cache"))
	r := w.compare(w.options("base..base"), failure.ExitOK)
	if text := buildsWarning(r); !strings.Contains(text, "lies in the repository") {
		t.Errorf("warning %q", text)
	}
	o := w.options("base..base")
	o.Builds = filepath.Join(w.dir, ".chiasmus", "named")
	r = w.compare(o, failure.ExitOK)
	if _, err := os.Stat(o.Builds); err != nil || buildsWarning(r) != "" {
		t.Errorf("a folder that the caller named: %v, warning %q", err, buildsWarning(r))
	}
}

func TestAbandonedBuilds(t *testing.T) {
	w := newWorld(t, worldConfig)
	w.commit("base", "")
	w.compare(w.options("base..base"), failure.ExitOK)
	own, err := plan.BuildsFolder(w.dir)
	if err != nil || !slices.Equal(plan.BuildsFolders(w.dir), []string{own}) {
		t.Fatalf("folders %v, want %s: %v", plan.BuildsFolders(w.dir), own, err)
	}
	if found, err := plan.AbandonedBuilds(); err != nil || len(found) != 0 {
		t.Errorf("%v: %v", found, err)
	}
	if err := os.RemoveAll(w.dir); err != nil {
		t.Fatal(err)
	}
	if found, err := plan.AbandonedBuilds(); err != nil || !slices.Equal(found, []string{own}) {
		t.Errorf("%v, want %s: %v", found, own, err)
	}
}

// If a revision chooses another compiler, the report names it and warns.
func TestCompilersThatDiffer(t *testing.T) {
	w := newWorld(t, worldConfig)
	bin := t.TempDir()
	rustc := "#!/bin/sh\nif [ -e rust-toolchain.toml ]; then echo rustc 1.97.0; else echo rustc 1.95.0; fi\n"
	if err := os.WriteFile(filepath.Join(bin, "rustc"), []byte(rustc), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	w.commit("base", "seconds=0.002")
	w.write("rust-toolchain.toml", "[toolchain]\nchannel = \"1.97.0\"\n")
	w.commit("head", "seconds=0.002")
	for spec, differ := range map[string]bool{"base..head": true, "head..head": false} {
		o := w.options(spec)
		o.Pairs = 6
		r := w.compare(o, failure.ExitOK, failure.ExitRegression)
		if hasWarning(r.Warnings, "toolchain") != differ {
			t.Errorf("%s: the warnings are %v", spec, r.Warnings)
		}
		if strings.Contains(r.Base.Toolchain, "rustc 1.95.0") != differ ||
			!strings.Contains(r.Head.Toolchain, "rustc 1.97.0") {
			t.Errorf("%s: base was built with %s, head with %s", spec, r.Base.Toolchain, r.Head.Toolchain)
		}
	}
}
