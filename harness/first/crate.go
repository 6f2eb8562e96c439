package first

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/chiasmus/chiasmus/harness/adapter"
)

// A targetKind is a kind of target in a package's manifest: bin or example.
type targetKind struct {
	what     string
	flag     string // of cargo
	patterns []string
	main     string // the file of the target that has the package's name
	output   string // below target/release
}

var (
	binTarget = targetKind{what: aProgram, flag: "--bin=", patterns: []string{"src/bin/*.rs", "src/bin/*/main.rs"},
		main: "src/main.rs"}
	exampleTarget = targetKind{what: anExample, flag: "--example=",
		patterns: []string{"examples/*.rs", "examples/*/main.rs"}, output: "examples"}
)

// declared returns the manifest's targets of a kind, and whether files in the usual places are targets, too.
func (c *crate) declared(kind targetKind) (list []cargoTarget, auto bool) {
	list, found := c.Bin, c.Package.AutoBins
	if kind.what == anExample {
		list, found = c.Example, c.Package.AutoExamples
	}
	return list, found == nil || *found
}

// workloads returns a package's programs or examples. It leaves out names that another package has taken.
func (c *crate) workloads(p project, r *recipe, kind targetKind, target string,
	taken map[string]bool) (list []program) {
	for _, name := range c.targets(p, r, kind) {
		key := kind.flag + name
		if taken[key] {
			r.left = append(r.left, fmt.Sprintf("workloads: two %ss are called %s: left out the one in %s", kind.what, name,
				c.folder))
			continue
		}
		taken[key] = true
		artifact := path.Join(target, "release", kind.output, name)
		list = append(list, program{name: name, what: kind.what, aliases: []string{c.Package.Name + "/" + name, name},
			folder: c.folder, words: []string{"--package=" + c.Package.Name, key}, artifact: artifact,
			process: []string{"{" + artifact + "}"}})
	}
	return list
}

// targets returns the names of a package's programs or examples. The default of cargo run comes first.
func (c *crate) targets(p project, r *recipe, kind targetKind) (names []string) {
	declared, auto := c.declared(kind)
	paths := map[string]bool{}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, one := range declared {
		if one.Path != "" {
			paths[path.Clean(one.Path)] = true
		} else if one.Name == c.Package.Name {
			paths[kind.main] = true
		}
		switch {
		case len(one.Features) > 0:
			r.left = append(r.left, fmt.Sprintf("workloads: %s %s of %s wants the features %s: it was left out", kind.what,
				one.Name, c.folder, strings.Join(one.Features, ", ")))
		case len(one.CrateType) == 0 || slices.Contains(one.CrateType, "bin"):
			add(one.Name)
		}
	}
	if auto {
		if kind.main != "" && p.has(path.Join(c.folder, kind.main)) && !paths[kind.main] {
			add(c.Package.Name)
		}
		for _, name := range c.undeclared(p, kind.patterns, paths, declared) {
			add(name)
		}
	}
	if i := slices.Index(names, c.Package.DefaultRun); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, c.Package.DefaultRun)
	}
	return names
}

// undeclared returns the targets that the manifest does not list, from files in the usual places.
func (c *crate) undeclared(p project, patterns []string, paths map[string]bool,
	declared []cargoTarget) (names []string) {
	for _, pattern := range patterns {
		found, _ := fs.Glob(p, path.Join(c.folder, pattern)) // the pattern is valid
		for _, file := range found {
			within := strings.TrimPrefix(file, strings.TrimPrefix(c.folder+"/", "./"))
			name := strings.TrimSuffix(path.Base(within), ".rs")
			if path.Base(pattern) == "main.rs" {
				name = path.Base(path.Dir(within))
			}
			known := slices.ContainsFunc(declared, func(one cargoTarget) bool { return one.Name == name })
			if !paths[within] && !known {
				names = append(names, name)
			}
		}
	}
	return names
}

// shortCriterion limits Criterion to a second or two per benchmark: confidence comes from many processes.
var shortCriterion = []string{"--sample-size", "10", "--warm-up-time", "1", "--measurement-time", "1"}

// criterion finds the benchmarks with their own main function in packages that depend on Criterion. Cargo prints the
// path of an executable only in its messages: the file's name contains a hash, and benchmarks of different packages may
// have the same name otherwise.
func criterion(crates []crate, target string, offline []string) (list []program) {
	const messages, executable = "bin/messages", `s/.*"kind":\["bench"\].*"executable":"\([^"]*\)".*/\1/p`
	for _, c := range crates {
		_, dev := c.DevDependencies["criterion"]
		_, other := c.Dependencies["criterion"]
		if !dev && !other {
			continue
		}
		for _, bench := range c.Bench {
			if bench.Name == "" || bench.Harness == nil || *bench.Harness || len(bench.Features) > 0 {
				continue
			}
			name := c.Package.Name + "-" + bench.Name
			artifact := "bin/" + name
			build := slices.Concat([]string{"cargo", "bench", "--no-run", "--message-format=json-render-diagnostics"}, offline,
				[]string{"--package=" + c.Package.Name, "--bench=" + bench.Name})
			list = append(list, program{name: "bench-" + name, what: benchmarks, folder: c.folder,
				aliases: []string{name, c.Package.Name + "/" + bench.Name, bench.Name}, artifact: artifact,
				own: []command{
					{line: "mkdir -p bin"},
					{line: strings.Join(build, " ") + " >" + messages},
					{line: fmt.Sprintf(`cp "$(sed -n '%s' %s)" %s`, executable, messages, shell(artifact))},
				},
				process: slices.Concat([]string{"{" + artifact + "}", "--bench", "--noplot"}, shortCriterion),
				adapter: adapter.CargoCriterion})
		}
	}
	return list
}
