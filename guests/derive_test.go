package guests

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// original writes files with the text that the edits of a crate replace.
func original(t *testing.T, d Derivation) string {
	t.Helper()
	folder, texts := t.TempDir(), map[string]string{}
	for _, e := range d.edits {
		texts[e.path] += e.before + "kept\n"
	}
	for path, text := range texts {
		name := filepath.Join(folder, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// A derived crate has every edit, the lines between them and the added files, and a version that cargo prefers.
func TestDerive(t *testing.T) {
	names := crates(derivedFolder)
	if len(names) == 0 {
		t.Fatal("the kit derives no crate")
	}
	for _, name := range names {
		d, is, err := Derived(name)
		if err != nil || !is || d.Version == "" || len(d.edits) == 0 {
			t.Fatalf("%s: %v, %v, %v", name, d, is, err)
		}
		folder := filepath.Join(t.TempDir(), "made")
		if err := d.Write(original(t, d), folder); err != nil {
			t.Fatal(err)
		}
		wants := map[string]string{}
		for _, e := range d.edits {
			wants[e.path] += e.after + "kept\n"
		}
		for path, want := range wants {
			have, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)))
			if err != nil || string(have) != want {
				t.Errorf("%s, %s: %q, %v, want %q", name, path, have, err, want)
			}
		}
		if !strings.Contains(wants["Cargo.toml"], ".99\"\n") {
			t.Errorf("%s: its version does not end in 99", name)
		}
		for _, added := range append(d.added, derivedFolder+name+"/accelerated.rs") {
			want, err := files.ReadFile(added)
			if err != nil {
				t.Fatal(err)
			}
			have, err := os.ReadFile(filepath.Join(folder, "src", filepath.Base(added)))
			if err != nil || !bytes.Equal(have, want) {
				t.Errorf("%s: %s is not added: %v", name, added, err)
			}
			if len(derived.of([]file{{path: added}})) == 0 {
				t.Errorf("%s: its folder's name does not depend on %s", name, added)
			}
		}
	}
}

// An original without the text to edit, or with two such texts, is an error.
func TestDeriveChanged(t *testing.T) {
	const edits = "original 1.2.3\n\nfile src/lib.rs\n-fn a()\n+fn b()\n"
	d, err := parseEdits("crate", edits)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", "pub fn a()\n", "fn a()\nfn a()\n"} {
		folder := original(t, d)
		if err := os.WriteFile(filepath.Join(folder, "src", "lib.rs"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := d.Write(folder, filepath.Join(t.TempDir(), "made")); err == nil {
			t.Errorf("%q: want an error", text)
		}
	}
	for _, text := range []string{"-a\n", "+a\n", "file x\nother\n"} {
		if _, err := parseEdits("crate", text); err == nil {
			t.Errorf("edits %q: want an error", text)
		}
	}
	if _, is, err := Derived("sha2"); is || err != nil {
		t.Errorf("sha2: %v, %v, want a crate with sources", is, err)
	}
}
