package first

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/adapter"
)

// pyproject is the part of a pyproject.toml that describes programs.
type pyproject struct {
	Project struct {
		Scripts map[string]string `toml:"scripts"`
	} `toml:"project"`
	Tool struct {
		Poetry struct {
			Scripts map[string]any `toml:"scripts"` // a string, or a table with the key reference
		} `toml:"poetry"`
	} `toml:"tool"`
}

var (
	// consoleScript matches MODULE:FUNCTION, with extras in brackets.
	consoleScript = regexp.MustCompile(`^([A-Za-z_]\w*(?:\.\w+)*):([A-Za-z_]\w*(?:\.\w+)*)(?:\[.*\])?$`)
	pythonBench   = regexp.MustCompile(`(?m)^\s*(?:async\s+)?def test\w*\((?:[^)]*[\s,(])?benchmark\b`)
	pythonTest    = regexp.MustCompile(`^(test_.*|.*_test|bench.*)\.py$`)
)

// python finds the console scripts of a project, the scripts at its top, and the pytest-benchmark benchmarks.
func python(p project) (*recipe, error) {
	var project pyproject
	if _, err := readTOML(p, "pyproject.toml", &project); err != nil {
		return nil, err
	}
	r := &recipe{kind: "Python"}
	scripts := maps.Clone(project.Project.Scripts)
	if scripts == nil {
		scripts = map[string]string{}
	}
	for name, value := range project.Tool.Poetry.Scripts {
		if text, ok := value.(string); ok {
			scripts[name] = text
		}
	}
	for _, name := range slices.Sorted(maps.Keys(scripts)) {
		if one, ok := consoleProgram(p, name, scripts[name]); ok {
			r.programs = append(r.programs, one)
		} else {
			r.left = append(r.left, fmt.Sprintf("workloads: no file of the module of the script %s = %q was found: it was "+
				"left out", name, scripts[name]))
		}
	}
	for _, name := range []string{"prove.py", "prover.py", "main.py", "__main__.py"} {
		if p.has(name) {
			r.programs = append(r.programs, program{name: strings.TrimSuffix(name, ".py"), what: aProgram,
				aliases: []string{name}, words: []string{name}, artifact: name, process: []string{"python3", name}})
		}
	}
	suite, err := pytest(p)
	if err != nil {
		return nil, err
	}
	if suite != nil {
		r.suites = []program{*suite}
		r.left = append(r.left, "workloads: pytest and pytest-benchmark have to be installed for the python3 on PATH")
	}
	if len(r.all()) == 0 {
		return nil, nil
	}
	r.build.shared = []string{"python3", "-m", "py_compile"}
	return r, nil
}

// consoleProgram calls the function of a console script from the revision's own files, without installing anything.
func consoleProgram(p project, name, value string) (program, bool) {
	m := consoleScript.FindStringSubmatch(strings.ReplaceAll(strings.TrimSpace(value), " ", ""))
	if m == nil {
		return program{}, false
	}
	for _, folder := range []string{".", "src"} {
		base := path.Join(folder, strings.ReplaceAll(m[1], ".", "/"))
		for _, file := range []string{base + ".py", base + "/__init__.py"} {
			if !p.has(file) {
				continue
			}
			attribute, _, _ := strings.Cut(m[2], ".")
			call := fmt.Sprintf("import sys; sys.path.insert(0, %q); from %s import %s; sys.exit(%s())", folder, m[1],
				attribute, m[2])
			return program{name: name, what: aProgram, aliases: []string{name}, words: []string{file}, artifact: file,
				process: []string{"python3", "-c", call}}, true
		}
	}
	return program{}, false
}

// pytest finds the tests that use the benchmark fixture.
func pytest(p project) (*program, error) {
	var files []string
	err := fs.WalkDir(p, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			base := entry.Name()
			if name != "." && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "venv" || base == "build" ||
				base == "__pycache__" || p.has(name+"/pyvenv.cfg")) {
				return fs.SkipDir
			}
			return nil
		case !entry.Type().IsRegular() || !pythonTest.MatchString(entry.Name()):
			return nil
		}
		text, _, err := p.read(name)
		if err == nil && pythonBench.MatchString(text) {
			files = append(files, name)
		}
		return err
	})
	if err != nil || files == nil {
		return nil, err
	}
	suite := &program{name: "pytest", what: benchmarks, aliases: []string{"pytest"}, words: []string{files[0]},
		artifact: files[0],
		adapter:  adapter.PytestBenchmark,
		process:  append([]string{"python3", "-m", "pytest", "--benchmark-only", "--benchmark-json", "{metrics}"}, files...)}
	for i, file := range files {
		suite.process[len(suite.process)-len(files)+i] = braced(file)
	}
	if info, err := fs.Stat(p, "src"); err == nil && info.IsDir() {
		suite.env = "{PYTHONPATH: src}"
	}
	return suite, nil
}
