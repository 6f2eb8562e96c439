package workflows

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

// Commits that a branch or tag of the clone reaches belong to the repository. Other commits in the clone do not.
func TestAncestry(t *testing.T) {
	world := newWorld(t)
	world.git(world.GitDir, "tag", "-a", "-m", "release", "v1.0", world.first)
	world.git(world.GitDir, "tag", "both", world.first)
	world.git(world.GitDir, "branch", "both", world.main)
	world.git(world.GitDir, "tag", "same", world.first)
	world.git(world.GitDir, "branch", "same", world.first)
	world.git(world.GitDir, "branch", "abcdef12", world.first)
	clone := filepath.Join(t.TempDir(), "clone")
	world.git(t.TempDir(), "clone", "-q", world.GitDir, clone)
	world.git(clone, "fetch", "-q", "--upload-pack", "git -c uploadpack.allowAnySHA1InWant=true upload-pack", world.GitDir,
		world.foreign)
	world.git(clone, "cat-file", "-e", world.foreign)
	world.git(clone, "update-ref", "refs/remotes/fork/main", world.foreign) // another remote is not this repository
	ancestry := Ancestry{Directory: clone}
	for name, want := range map[string]string{
		"main":                   world.main,
		"change":                 world.change,
		"heads/main":             world.main,
		"v1.0":                   world.first,
		"tags/v1.0":              world.first,
		"same":                   world.first,
		"heads/both":             world.main,
		"tags/both":              world.first,
		"abcdef12":               world.first,
		world.first:              world.first,
		world.change:             world.change,
		world.first[:10]:         world.first,
		world.foreign:            "",
		world.foreign[:12]:       "",
		"fork/main":              "",
		"nowhere":                "",
		"FETCH_HEAD":             "",
		"HEAD":                   world.main,
		"refs/remotes/fork/main": "",
	} {
		sha, ok, err := ancestry.Resolve(context.Background(), name)
		if err != nil || sha != want && ok || ok != (want != "") {
			t.Errorf("%s: %q, %t, %v, want %q", name, sha, ok, err, want)
		}
	}
	if _, _, err := ancestry.Resolve(context.Background(), "both"); !errors.Is(err, errAmbiguous) {
		t.Errorf("a branch and a tag of one name: %v", err)
	}
	shallow := filepath.Join(t.TempDir(), "shallow")
	world.git(t.TempDir(), "clone", "-q", "--depth", "1", "file://"+world.GitDir, shallow)
	for _, directory := range []string{shallow, t.TempDir()} {
		if _, ok, err := (Ancestry{Directory: directory}).Resolve(context.Background(), "main"); err == nil || ok {
			t.Errorf("%s: no error", directory)
		}
	}
}

// The gate does not query the API for each branch and tag.
func TestBaseOfManyBranches(t *testing.T) {
	world := newWorld(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		world.git(world.GitDir, "branch", name, world.main)
		world.git(world.GitDir, "tag", "v"+name, world.first)
	}
	before := len(world.Calls())
	world.gate(world.say("maintainer", "/bench-gpu base="+world.foreign))
	if calls := world.Calls()[before:]; len(calls) > 7 {
		t.Errorf("%d calls: %q", len(calls), calls)
	}
}
