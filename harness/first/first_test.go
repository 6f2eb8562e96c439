package first

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/chiasmus/chiasmus/harness/config"
)

// folder makes a folder with the files.
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

// suggested returns the file that is suggested for a folder, after the harness has read it.
func suggested(t *testing.T, files map[string]string) (File, *config.File) {
	t.Helper()
	made, err := Suggest(folder(t, files), Choice{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := config.Parse("bench.yaml", []byte(made.Text))
	if err != nil {
		t.Fatalf("%v\n%s", err, made.Text)
	}
	return made, file
}

// processOf returns the process of the first workload.
func processOf(t *testing.T, made File) []string {
	t.Helper()
	var file struct {
		Workloads []struct{ Process []string }
	}
	if err := yaml.Unmarshal([]byte(made.Text), &file); err != nil {
		t.Fatal(err)
	}
	return file.Workloads[0].Process
}

// A project lists files, and the expected content of the suggested file. Words are joined by spaces.
type example struct {
	files     map[string]string
	kind      string
	command   string
	workloads string // the default workloads; the others in brackets
	artifacts string
	process   string // of the first workload, if it differs from its artifact
	left      []string
}

func check(t *testing.T, name string, want example) {
	t.Helper()
	made, file := suggested(t, want.files)
	var names []string
	for _, w := range file.Workloads {
		if w.Default {
			names = append(names, w.Name)
		} else {
			names = append(names, "("+w.Name+")")
		}
	}
	process := strings.Join(processOf(t, made), " ")
	if want.process == "" {
		want.process = "{" + strings.Fields(want.artifacts)[0] + "}"
	}
	for _, c := range []struct{ what, got, want string }{
		{"kind", made.Kind, want.kind},
		{"build.command", strings.Join(file.Build.Command, " "), want.command},
		{"workloads", strings.Join(names, " "), want.workloads},
		{"build.artifacts", strings.Join(file.Build.Artifacts, " "), want.artifacts},
		{"process", process, want.process},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s is\n\t%s\nwant\n\t%s", name, c.what, c.got, c.want)
		}
	}
	if len(made.Left) != len(want.left) {
		t.Fatalf("%s: left are %q", name, made.Left)
	}
	for i, part := range want.left {
		if !strings.Contains(made.Left[i], part) {
			t.Errorf("%s: left is %q, want %q", name, made.Left[i], part)
		}
	}
}

func TestMake(t *testing.T) {
	for name, e := range map[string]example{
		"a program": {
			files: map[string]string{"Makefile": "CC = cc\nBIN := out/zk\n.PHONY: all\nall: $(BIN)\n$(BIN): a.o b.o\n" +
				"\t@mkdir -p out\n\t$(CC) -o $@ \\\n\t\ta.o b.o\n%.o: %.c\n\t$(CC) -c -o $@ $<\nlib.a: a.o\n\tar rc $@ a.o\n"},
			kind: "make", command: "make out/zk", workloads: "zk", artifacts: "out/zk",
		},
		"scripts": {
			files: map[string]string{"Makefile": "run:\n\tsed s/x/y/ <in >run\nother: run\n\tcp run $@\nlast:\n\techo run\n"},
			kind:  "make", command: "make run other", workloads: "run (other)", artifacts: "run other",
		},
		"no program": {
			files: map[string]string{"Makefile": "all:\nbuild: x\n"},
			kind:  "make", command: "make build", workloads: "default", artifacts: "bin/program",
			left: []string{"does not say which program"},
		},
		"a variable called build": {
			files: map[string]string{"Makefile": "all:\nbuild := x\n"},
			kind:  "make", command: "make", workloads: "default", artifacts: "bin/program",
			left: []string{"does not say which program"},
		},
		"nothing": {
			kind: "unknown", command: "make", workloads: "default", artifacts: "bin/program",
			left: []string{"say how it is built"},
		},
	} {
		check(t, name, e)
	}
}

func TestCMake(t *testing.T) {
	for name, e := range map[string]example{
		"a tree": {
			files: map[string]string{
				"CMakeLists.txt": "project(zk C)\nadd_subdirectory(tools)\n# add_executable(no main.c)\n" +
					"ADD_EXECUTABLE( check main.c)\nadd_executable(${PROJECT_NAME}\n main.c)\nadd_test(NAME c COMMAND check)\n" +
					"add_executable(other::x ALIAS zk)\nadd_executable(${WHO} main.c)\nadd_subdirectory(none)\n",
				"tools/CMakeLists.txt": "add_executable(tool t.c)\n",
			},
			kind: "CMake", workloads: "zk (tool) (check)", artifacts: "build/zk build/tools/tool build/check",
			command: "sh -ec cmake -B build -DCMAKE_BUILD_TYPE=Release\n" +
				"cmake --build build --parallel 2 --target zk tool check\n",
			left: []string{"${WHO}"},
		},
		"a folder for programs": {
			files: map[string]string{"CMakeLists.txt": "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY \"${CMAKE_BINARY_DIR}/bin\")\n" +
				"add_executable(zk main.c)\n", "Makefile": "x: y\n\tcc -o x y\n"},
			kind: "CMake", workloads: "zk", artifacts: "build/bin/zk",
			command: "sh -ec cmake -B build -DCMAKE_BUILD_TYPE=Release\ncmake --build build --parallel 2 --target zk\n",
		},
	} {
		check(t, name, e)
	}
}

func TestPython(t *testing.T) {
	const compile = "python3 -m py_compile "
	for name, e := range map[string]example{
		"a console script": {
			files: map[string]string{
				"pyproject.toml":      "[project.scripts]\nzk = \"tool.main:app.run\"\ngone = \"tool.gone:run\"\n",
				"src/tool/main.py":    "",
				"src/tool/test_it.py": "def test_it(benchmarks):\n    pass\n",
			},
			kind: "Python", command: compile + "src/tool/main.py", workloads: "zk", artifacts: "src/tool/main.py",
			process: `python3 -c import sys; sys.path.insert(0, "src"); from tool.main import app; sys.exit(app.run())`,
			left:    []string{`gone = "tool.gone:run"`},
		},
		"Poetry's": {
			files: map[string]string{"pyproject.toml": "[tool.poetry.scripts]\nzk = \"tool:run\"\n", "tool/__init__.py": ""},
			kind:  "Python", command: compile + "tool/__init__.py", workloads: "zk", artifacts: "tool/__init__.py",
			process: `python3 -c import sys; sys.path.insert(0, "."); from tool import run; sys.exit(run())`,
		},
		"a script": {
			files: map[string]string{"main.py": "", "prove.py": ""},
			kind:  "Python", command: compile + "prove.py main.py", workloads: "prove (main)", artifacts: "prove.py main.py",
			process: "python3 prove.py",
		},
		"benchmarks": {
			files: map[string]string{
				"tests/test_b.py":     "def test_b(tmp_path, benchmark):\n    benchmark(f)\n",
				".venv/tests/test.py": "def test_c(benchmark): pass\n",
				"main.py":             "",
			},
			kind: "Python", command: compile + "tests/test_b.py main.py", workloads: "pytest (main)",
			artifacts: "tests/test_b.py main.py",
			process:   "python3 -m pytest --benchmark-only --benchmark-json {metrics} tests/test_b.py",
			left:      []string{"have to be installed"},
		},
	} {
		check(t, name, e)
	}
	if _, err := Suggest(folder(t, map[string]string{"pyproject.toml": "[project\n"}), Choice{}); err == nil ||
		!strings.Contains(err.Error(), "pyproject.toml: ") {
		t.Errorf("a file that is no TOML: %v", err)
	}
}

// A name that bench.yaml does not allow, or that is already used, is changed.
func TestWorkloadNames(t *testing.T) {
	taken := map[string]bool{}
	var names []string
	for _, text := range []string{"a b", "A-b", "../x", "logs", "", strings.Repeat("z", 99)} {
		names = append(names, workloadName(text, taken))
	}
	if want := []string{"a-b", "A-b-2", "x", "run-logs", "run", strings.Repeat("z", 60)}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// Every string reads back from the file unchanged, even if YAML gives it another meaning.
func TestQuoted(t *testing.T) {
	list := []string{"-", "--", "~", "no", "1", "-1.5", ".inf", "a: b", "{x}", "x #y", "\"", "ä", "-o",
		"--bin", "a=b", "'", ""}
	text := "version: 1\nbuild: {command: " + flow(list) + ", artifacts: [a]}\nworkloads:\n  - name: x\n    process: [a]\n"
	file, err := config.Parse("bench.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !slices.Equal(file.Build.Command, list) {
		t.Errorf("%q, want %q", file.Build.Command, list)
	}
	out, err := exec.Command("sh", "-c", "printf '%s,' "+shell("a'b $c")+" "+shell("d")).Output()
	if err != nil || string(out) != "a'b $c,d," {
		t.Errorf("%q, %v", out, err)
	}
}

// An existing bench.yaml is kept.
func TestWriteKeeps(t *testing.T) {
	directory := folder(t, map[string]string{"go.mod": "module x\n", "main.go": "package main\n"})
	made, err := Write(directory, Choice{})
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
	if _, err := Write(directory, Choice{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second time: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("it was overwritten: %s, %v", text, err)
	}
	if _, err := Write(filepath.Join(directory, "none"), Choice{}); err == nil {
		t.Error("a folder that is not there")
	}
}
