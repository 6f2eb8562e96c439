package first

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/config"
)

// folder has these files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	directory := t.TempDir()
	for name, text := range files {
		path := filepath.Join(directory, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return directory
}

// What is written for a project is a bench.yaml that the harness reads, builds the program that the build files name,
// and leaves to people what they do not say.
func TestSuggest(t *testing.T) {
	const main = "// Command x.\npackage main\n"
	for name, test := range map[string]struct {
		files           map[string]string
		kind, last, art string // the last word of build.command, and the artifact
		left            []string
	}{
		"a crate": {map[string]string{
			"Cargo.toml": "[package]\nedition = \"2024\"\nname = \"zk\"\n[dependencies]\nname = \"x\"\n",
			"Cargo.lock": "",
		},
			"Cargo", "--locked", "target/release/zk", nil},
		"a crate of two programs": {map[string]string{
			"Cargo.toml": "[package]\nname = \"zk\"\n[[bin]]\nname = \"prove\"\n\n[[bin]]\npath = \"b.rs\"\nname = \"look\"\n",
			"Makefile":   "build:\n",
		},
			"Cargo", "--locked", "target/release/prove",
			[]string{"of the programs prove, look the first was taken", "cargo generate-lockfile"}},
		"a workspace": {map[string]string{"Cargo.toml": "[workspace]\nmembers = [\"a\"]\n", "Cargo.lock": ""},
			"Cargo", "--locked", "target/release/prover", []string{"Cargo.toml names no program"}},
		"a module": {map[string]string{
			"go.mod":       "module x\n",
			"main.go":      main,
			"main_test.go": main,
		}, "Go", ".", "bin/prover", nil},
		"a module of programs": {map[string]string{
			"go.mod":            "module x\n",
			"x.go":              "package x\n",
			"cmd/b/b.go":        main,
			"cmd/b/c.go":        main,
			"prover/cmd/a/a.go": main,
		},
			"Go", "./cmd/b", "bin/prover", []string{"of the programs ./cmd/b, ./prover/cmd/a the first was taken"}},
		"a library": {map[string]string{
			"go.mod": "module x\n",
			"x.go":   "package x\n// package main\n",
		}, "Go", ".", "bin/prover", []string{"no package main is here or in cmd"}},
		"make": {map[string]string{
			"Makefile": "all:\nbuild: x\n",
			"go.mod":   "module x\n",
		}, "make", "build", "bin/prover", []string{"does not say which program"}},
		"make alone": {map[string]string{"Makefile": "all:\nbuild := x\n"}, "make", "make", "bin/prover",
			[]string{"does not say which program"}},
		"CMake": {map[string]string{"CMakeLists.txt": "project(x)\n  Add_Executable( prove main.cpp)\n"}, "CMake",
			"cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build", "build/prove", nil},
		"CMake, named": {map[string]string{"CMakeLists.txt": "add_executable(${NAME} main.cpp)\n"}, "CMake",
			"cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build", "build/prover",
			[]string{"CMakeLists.txt names no program"}},
		"Python": {map[string]string{"prove.py": "", "main.py": ""}, "Python", "prove.py", "prove.py",
			[]string{"of the programs prove.py, main.py the first"}},
		"a package": {map[string]string{"pyproject.toml": ""}, "Python", "prove.py", "prove.py",
			[]string{"this folder names no program"}},
		"nothing": {nil, "unknown", "make", "bin/prover", []string{"say how the prover is built"}},
	} {
		made, err := Suggest(folder(t, test.files))
		if err != nil {
			t.Fatal(err)
		}
		file, err := config.Parse("bench.yaml", []byte(made.Text))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, made.Text)
			continue
		}
		last := file.Build.Command[len(file.Build.Command)-1]
		if made.Kind != test.kind || last != test.last || !slices.Equal(file.Build.Artifacts, []string{test.art}) {
			t.Errorf("%s: %s, %q makes %v", name, made.Kind, file.Build.Command, file.Build.Artifacts)
		}
		if len(made.Left) != len(test.left)+1 || !strings.HasPrefix(made.Left[len(made.Left)-1], "workloads: ") {
			t.Errorf("%s: left are %q", name, made.Left)
			continue
		}
		for i, want := range test.left {
			if !strings.Contains(made.Left[i], want) {
				t.Errorf("%s: left is %q, want %q", name, made.Left[i], want)
			}
		}
	}
}

// A bench.yaml that is there stays.
func TestWriteKeeps(t *testing.T) {
	directory := folder(t, map[string]string{"go.mod": "module x\n"})
	made, err := Write(directory)
	if err != nil || made.Kind != "Go" {
		t.Fatalf("%+v, %v", made, err)
	}
	path := filepath.Join(directory, config.FileName)
	if text, err := os.ReadFile(path); err != nil || string(text) != made.Text {
		t.Errorf("%s, %v", text, err)
	}
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(directory); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second time: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("it was overwritten: %s, %v", text, err)
	}
	if _, err := Write(filepath.Join(directory, "none")); err == nil {
		t.Error("a folder that is not there")
	}
}
