// Package hosttest gives tests a host that lacks programs or has others in their place, and asks the true one what it
// can do.
package hosttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chiasmus/chiasmus/harness/isolate"
)

// Isolates returns what isolates on this host, and skips a test where nothing does; in CI, which has to, it fails.
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

// Without takes programs off the PATH for the rest of the test; all others stay.
func Without(t testing.TB, programs ...string) {
	t.Helper()
	missing := map[string]bool{}
	for _, name := range programs {
		missing[name] = true
	}
	folder := t.TempDir()
	for _, place := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(place) // the PATH may name folders that are not there
		for _, entry := range entries {
			if missing[entry.Name()] {
				continue
			}
			// The first of a name is the one that counts.
			if err := os.Symlink(filepath.Join(place, entry.Name()),
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
