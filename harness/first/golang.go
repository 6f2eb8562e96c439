package first

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/chiasmus/chiasmus/harness/adapter"
)

var (
	mainPackage = regexp.MustCompile(`(?m)^package main$`)
	// majorVersion matches the end of a module's path that is not in its program's name.
	majorVersion = regexp.MustCompile(`/v[0-9]+$`)
	goIgnored    = regexp.MustCompile(`(?m)^//go:build ignore$`)
	goBenchmark  = regexp.MustCompile(`(?m)^func Benchmark([A-Z0-9_]\w*)?\(\w+ \*testing\.B\)`)
)

// goFolder is a folder with a package.
type goFolder struct {
	path             string // as in go commands: ., ./cmd/x
	main, benchmarks bool
}

// golang finds the main packages of a module and the packages with benchmarks.
func golang(p project) (*recipe, error) {
	text, ok, err := p.read("go.mod")
	if !ok || err != nil {
		return nil, err
	}
	folders, err := goFolders(p)
	if err != nil {
		return nil, err
	}
	module := path.Base(majorVersion.ReplaceAllString(modfile.ModulePath([]byte(text)), ""))
	r := &recipe{kind: "Go", build: build{
		fetch:  []string{"go", "mod", "download"},
		shared: []string{"go", "build", "-trimpath", "-o", "bin/"},
		more: []string{
			`layout: {env: {GOFLAGS: "-ldflags=-randlayout={layout}"}} # where plan.builds randomizes several`},
	}}
	taken := map[string]bool{}
	for _, f := range folders {
		name := path.Base(f.path)
		if f.path == "." {
			name = module
		}
		if f.benchmarks {
			r.suites = append(r.suites, goSuite(f.path, name, taken))
		}
		if !f.main {
			continue
		}
		artifact := "bin/" + name
		if taken[artifact] {
			r.left = append(r.left, "workloads: two programs are called "+name+": left out "+f.path)
			continue
		}
		taken[artifact] = true
		r.programs = append(r.programs, program{name: name, what: aProgram, folder: f.path,
			aliases: []string{f.path, strings.TrimPrefix(f.path, "./"), name}, words: []string{f.path}, artifact: artifact,
			process: []string{"{" + artifact + "}"}})
	}
	if len(r.all()) == 0 {
		return nil, nil
	}
	return r, nil
}

// goSuite returns a package's test binary, run in the folder where go test would run it. A benchmark runs for 0.1 s, or
// once: confidence comes from many processes.
func goSuite(folder, name string, taken map[string]bool) program {
	base, artifact := name, "bin/"+name+".test"
	for taken[artifact] {
		name += "_"
		artifact = "bin/" + name + ".test"
	}
	taken[artifact] = true
	process := []string{"{" + artifact + "}", "-test.run=^$", "-test.bench=.", "-test.benchmem", "-test.benchtime=100ms"}
	if folder != "." {
		process = append([]string{"sh", "-ec", `cd "$0"; exec "$@"`, folder}, process...)
	}
	within := strings.TrimPrefix(strings.TrimPrefix(folder, "."), "/")
	return program{name: strings.TrimSuffix("bench-"+within, "-"), what: benchmarks, folder: folder,
		aliases:  []string{folder, within, base},
		own:      []command{{argv: []string{"go", "test", "-c", "-vet=off", "-trimpath", "-o", artifact, folder}}},
		artifact: artifact, process: process, adapter: adapter.GoBench}
}

// goFolders returns the folders of a module with programs or benchmarks: the top, cmd, then the others by path.
func goFolders(p project) ([]goFolder, error) {
	found := map[string]*goFolder{}
	err := fs.WalkDir(p, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			base := entry.Name()
			other := name != "." && (p.has(name+"/go.mod") || base == "vendor" || base == "testdata" ||
				strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"))
			if other {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasPrefix(entry.Name(), "_") || !entry.Type().IsRegular():
			return nil
		}
		text, _, err := p.read(name)
		if err != nil {
			return err
		}
		test := strings.HasSuffix(name, "_test.go")
		isMain, isSuite := !test && mainPackage.MatchString(text), test && goBenchmark.MatchString(text)
		if goIgnored.MatchString(text) || !isMain && !isSuite {
			return nil
		}
		folder := "./" + path.Dir(name)
		if path.Dir(name) == "." {
			folder = "."
		}
		if found[folder] == nil {
			found[folder] = &goFolder{path: folder}
		}
		found[folder].main = found[folder].main || isMain
		found[folder].benchmarks = found[folder].benchmarks || isSuite
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := make([]goFolder, 0, len(found))
	for _, f := range found {
		list = append(list, *f)
	}
	rank := func(f goFolder) int {
		switch {
		case f.path == ".":
			return 0
		case strings.HasPrefix(f.path, "./cmd/"):
			return 1
		case strings.Contains(f.path, "/cmd/"):
			return 2
		}
		return 3
	}
	slices.SortFunc(list, func(a, b goFolder) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.path, b.path)
	})
	return list, nil
}
