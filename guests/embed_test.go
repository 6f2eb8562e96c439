package guests

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The kit is written once, completely, to a folder named after its contents, and its methods return existing paths.
func TestInstall(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "not", "there")
	kit, err := Install(cache)
	if err != nil {
		t.Fatal(err)
	}
	crate, err := kit.Crate()
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := kit.Patch(verifierCrate)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		kit.CC(), filepath.Join(crate, "src", "lib.rs"), filepath.Join(crate, "..", "..", "sdk", "libzkvm.a"),
		filepath.Join(verifier, "build.rs"), filepath.Join(verifier, "..", "..", "sdk", "libzkvm_verify.a"),
		filepath.Join(string(kit), "zkvm.ld"),
		filepath.Join(string(kit), "library", "start.S"), filepath.Join(string(kit), "include", "zkvm.h"),
	} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Stat(kit.CC()); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("cc cannot be executed: %v, %v", info, err)
	}
	mark := filepath.Join(string(kit), "mark")
	if err := os.WriteFile(mark, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := Install(cache)
	if err != nil || again != kit {
		t.Fatalf("a second time: %s, %v, want %s", again, err, kit)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("the kit was written again: %v", err)
	}
	if entries, _ := os.ReadDir(cache); len(entries) != 5 {
		t.Errorf("the cache holds %d folders, want the kit, its targets, its crate, its patches and its verifier",
			len(entries))
	}
}

// Every patch and crate has the name of its folder, and is complete.
func TestPatches(t *testing.T) {
	kit, err := Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(Patches()) == 0 || len(Crates()) == 0 {
		t.Fatal("the kit has no patches")
	}
	for _, name := range append(crates(patchFolder), Crates()...) {
		folder, err := kit.Patch(name)
		if err != nil {
			t.Fatal(err)
		}
		manifest, err := os.ReadFile(filepath.Join(folder, "Cargo.toml"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(manifest), "\nname = \""+name+"\"\n") {
			t.Errorf("%s: its Cargo.toml names another crate", folder)
		}
		if _, err := os.Stat(filepath.Join(folder, "src", "lib.rs")); err != nil {
			t.Error(err)
		}
	}
}

// Both targets contain the repository's linker script, and differ only in what std needs.
func TestTargets(t *testing.T) {
	kit, err := Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("zkvm.ld")
	if err != nil {
		t.Fatal(err)
	}
	for _, std := range []bool{true, false} {
		path, err := kit.Target(std)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var target map[string]any
		if err := json.Unmarshal(text, &target); err != nil {
			t.Fatal(err)
		}
		if target["link-script"] != string(script) {
			t.Errorf("%s has another linker script", path)
		}
		if (target["os"] == "zkvm") != std {
			t.Errorf("%s: os is %v", path, target["os"])
		}
		if features, _ := target["features"].(string); !strings.Contains(features, "+unaligned-scalar-mem") {
			t.Errorf("%s: features are %q", path, features)
		}
	}
}

// A part's folder keeps its name if another part of the kit changes, and gets a new name if the part changes.
func TestParts(t *testing.T) {
	kit := func(target, crate, library, other string) []file {
		return []file{
			{"library/io.c", []byte(other)}, {"rust/chiasmus-guest/src/lib.rs", []byte(crate)},
			{"rust/targets/a.json", []byte(target)}, {"sdk/libzkvm.a", []byte(library)},
		}
	}
	one := kit("a", "b", "c", "d")
	for name, other := range map[string][]file{
		"neither": kit("a", "b", "c", "x"), "targets": kit("x", "b", "c", "d"),
		"crate": kit("a", "x", "c", "d"), "library": kit("a", "b", "x", "d"),
	} {
		if same := targets.folder(one) == targets.folder(other); same == (name == "targets") {
			t.Errorf("%s: the folder of targets is the same: %v", name, same)
		}
		if same := crate.folder(one) == crate.folder(other); same == (name == "crate" || name == "library") {
			t.Errorf("%s: the crate's folder is the same: %v", name, same)
		}
	}
}

// The verifier changes with the machine's tables. No other part does, so programs without it stay the same bytes.
func TestVerifierPart(t *testing.T) {
	kit := func(archive string) []file {
		return []file{
			{"rust/chiasmus-guest/src/lib.rs", nil}, {"rust/chiasmus-verify/src/lib.rs", nil}, {"rust/targets/a.json", nil},
			{"sdk/libzkvm.a", nil}, {"sdk/libzkvm_verify.a", []byte(archive)},
		}
	}
	one, other := kit("a"), kit("b")
	for _, p := range []part{targets, crate, patches} {
		if p.folder(one) != p.folder(other) {
			t.Errorf("the part %s has another folder where the verifier changes", p.name)
		}
	}
	if verifier.folder(one) == verifier.folder(other) {
		t.Error("another verifier has the same folder")
	}
}

// A kit that differs in a byte has another folder.
func TestDigest(t *testing.T) {
	one, other := digest([]file{{"a", []byte("bc")}}), digest([]file{{"a", []byte("bd")}})
	if moved := digest([]file{{"ab", []byte("c")}}); one == other || one == moved {
		t.Errorf("digests %s, %s, %s: want three", one, other, moved)
	}
}
