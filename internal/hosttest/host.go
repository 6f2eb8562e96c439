// Package hosttest simulates a host without certain programs, or with other programs instead, and reports whether the
// real host can isolate.
package hosttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chiasmus/chiasmus/harness/isolate"
)

// Isolates returns this host's isolation program, or skips the test if there is none. In CI, which must have one, the
// test fails instead.
func Isolates(t testing.TB) isolate.Program {
	t.Helper()
	program, err := isolate.Find(t.Context())
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return program
}

// Without removes programs from the PATH for the rest of the test; all others stay.
func Without(t testing.TB, programs ...string) {
	t.Helper()
	missing := map[string]bool{}
	for _, name := range programs {
		missing[name] = true
	}
	folder := t.TempDir()
	for _, source := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(source) // the PATH may name folders that do not exist
		for _, entry := range entries {
			if missing[entry.Name()] {
				continue
			}
			// The first program of a name wins.
			if err := os.Symlink(filepath.Join(source, entry.Name()),
				filepath.Join(folder, entry.Name())); err != nil && !os.IsExist(err) {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("PATH", folder)
}

// With puts a shell script before all other programs of its name.
func With(t testing.TB, name, script string) {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
}
