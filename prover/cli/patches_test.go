package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chiasmus/chiasmus/guests"
)

// --patch all names every patch of the kit, and with --locked the ones whose version Cargo.lock has.
func TestPatchesNamed(t *testing.T) {
	folder := t.TempDir()
	lock := "version = 4\n\n[[package]]\nname = \"ark-bn254\"\nversion = \"0.5.99\"\n\n" +
		"[[package]]\nname = \"sha2-asm\"\n\n" +
		"[[package]]\nname = \"k256\"\nversion = \"0.13.4\"\n\n" +
		"[[package]]\nname = \"bls12_381\"\nversion = \"0.7.0\"\n\n" +
		"[[package]]\nname = \"bls12_381\"\nversion = \"0.8.99\"\n"
	if err := os.WriteFile(filepath.Join(folder, "Cargo.lock"), []byte(lock), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		build guestBuild
		want  []string
	}{
		{guestBuild{patches: []string{"all"}}, guests.Patches()},
		{guestBuild{patches: []string{"all"}, locked: true}, []string{"ark-bn254", "bls12_381"}},
		{guestBuild{patches: []string{"sha2"}, locked: true}, []string{"sha2"}},
		{guestBuild{}, nil},
	} {
		if have, err := c.build.patchesNamed(folder); err != nil || !slices.Equal(have, c.want) {
			t.Errorf("--patch %q, --locked %v: %q, %v, want %q", c.build.patches, c.build.locked, have, err, c.want)
		}
	}
	for name, b := range map[string]guestBuild{
		"an unknown crate": {patches: []string{"sha1"}}, "all and one": {patches: []string{"all", "sha2"}},
	} {
		if have, err := b.patchesNamed(folder); err == nil {
			t.Errorf("%s: %q, want an error", name, have)
		}
	}
	b := guestBuild{patches: []string{"all"}, locked: true}
	if _, err := b.patchesNamed(t.TempDir()); err == nil {
		t.Error("--locked without Cargo.lock: want an error")
	}
}
