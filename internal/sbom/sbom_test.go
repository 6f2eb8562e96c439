package sbom

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

func decode(t *testing.T, text []byte) document {
	t.Helper()
	var d document
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		t.Fatal(err)
	}
	return d
}

// The list of a program is reproducible, byte for byte, and describes the program's file.
func TestOfThisProgram(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	one, err := Of(path)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Of(path)
	if err != nil || !bytes.Equal(one, two) {
		t.Errorf("two lists of one program differ: %v", err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := decode(t, one)
	program := d.Metadata.Component
	if want := fmt.Sprintf("%x", sha256.Sum256(content)); program.Hashes[0].Content != want {
		t.Errorf("hash %s, want %s", program.Hashes[0].Content, want)
	}
	std := "pkg:golang/std@" + strings.TrimPrefix(runtime.Version(), "go")
	if !slices.ContainsFunc(d.Components, func(c component) bool { return c.Reference == std }) {
		t.Errorf("%s is not in %s", std, one)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, none := range []string{text, text + ".none"} {
		if _, err := Of(none); err == nil || !strings.Contains(err.Error(), none) {
			t.Errorf("%s: %v", none, err)
		}
	}
}

// Modules are sorted. A replaced module is listed as its replacement, with the checksums of go.sum in hexadecimal.
func TestFromABuild(t *testing.T) {
	const sum = "h1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	info := &debug.BuildInfo{
		GoVersion: "go1.26.1", Path: "example.org/x/cmd/x", Main: debug.Module{Path: "example.org/x"},
		Deps: []*debug.Module{
			{Path: "example.org/z", Version: "v2.0.0+incompatible", Sum: sum},
			{Path: "example.org/a", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/B", Version: "v1.1.0"}},
			{Path: "example.org/n", Version: "v0.1.0", Sum: "h1:short"},
		},
		Settings: []debug.BuildSetting{{Key: "CGO_ENABLED", Value: "0"}},
	}
	text, err := from("x", "00", info)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(info.Deps)
	if again, err := from("x", "00", info); err != nil || !bytes.Equal(text, again) {
		t.Errorf("the order of modules counts: %v", err)
	}
	d := decode(t, text)
	var got []string
	for _, c := range d.Components {
		got = append(got, c.PackageURL)
	}
	want := []string{"pkg:golang/example.org/B@v1.1.0", "pkg:golang/example.org/n@v0.1.0",
		"pkg:golang/example.org/z@v2.0.0%2Bincompatible", "pkg:golang/std@1.26.1"}
	if !slices.Equal(got, want) || !slices.Equal(d.Dependencies[0].DependsOn, want) {
		t.Errorf("components %q and dependencies %q, want %q", got, d.Dependencies, want)
	}
	b, n, z, program := d.Components[0], d.Components[1], d.Components[2], d.Metadata.Component
	const decoded = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
	if len(z.Hashes) != 1 || z.Hashes[0].Content != decoded {
		t.Errorf("hashes %v", z.Hashes)
	}
	if len(n.Hashes) != 0 || !slices.Contains(b.Properties, property{"go:replaces", "example.org/a@v1.0.0"}) {
		t.Errorf("%+v, %+v", n, b)
	}
	if d.Format != "CycloneDX" || d.SpecVersion != "1.6" || program.Type != "application" ||
		program.Version != "(devel)" ||
		program.PackageURL != "pkg:golang/example.org/x@%28devel%29" ||
		!slices.Contains(program.Properties, property{"go:build:CGO_ENABLED", "0"}) {
		t.Errorf("%s", text)
	}
}
