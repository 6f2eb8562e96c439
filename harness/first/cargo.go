package first

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/chiasmus/chiasmus/harness/adapter"
)

// cargoFile is the name of a package's or workspace's manifest.
const cargoFile = "Cargo.toml"

// manifest is what a Cargo.toml says of programs and benchmarks.
type manifest struct {
	Package *struct {
		Name       string `toml:"name"`
		DefaultRun string `toml:"default-run"`
		AutoBins   *bool  `toml:"autobins"`
	} `toml:"package"`
	Workspace *struct {
		Members []string `toml:"members"`
		Exclude []string `toml:"exclude"`
	} `toml:"workspace"`
	Bin   []cargoTarget `toml:"bin"`
	Bench []cargoTarget `toml:"bench"`
	// The values are versions or tables, of which the names alone count.
	Dependencies    map[string]any `toml:"dependencies"`
	DevDependencies map[string]any `toml:"dev-dependencies"`
}

// cargoTarget is a program or a benchmark.
type cargoTarget struct {
	Name     string   `toml:"name"`
	Path     string   `toml:"path"`
	Harness  *bool    `toml:"harness"`
	Features []string `toml:"required-features"`
}

// readTOML reads a file of TOML where there is one.
func readTOML(p project, name string, into any) (bool, error) {
	text, ok, err := p.read(name)
	if !ok || err != nil {
		return false, err
	}
	if _, err := toml.Decode(text, into); err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

// crate is a package of a workspace.
type crate struct {
	folder string // . of the root
	manifest
}

// cargo finds the programs of a package or of a workspace's members, and the benchmarks of Criterion.
func cargo(p project) (*recipe, error) {
	crates, workspace, err := crates(p)
	if err != nil || crates == nil {
		return nil, err
	}
	r := &recipe{kind: "Cargo"}
	offline := []string{"--offline"}
	if p.has("Cargo.lock") && !p.ignored("Cargo.lock") {
		offline = append(offline, "--locked")
		r.build.fetch = []string{"cargo", "fetch", "--locked"}
	} else {
		r.build.fetch = []string{"cargo", "fetch"}
		r.left = append(r.left, "Cargo.lock: commit it (cargo generate-lockfile), so that both revisions are built with the "+
			"dependencies that they name, and add --locked to build")
	}
	target, err := targetFolder(p)
	if err != nil {
		return nil, err
	}
	command := append([]string{"cargo", "build", "--release"}, offline...)
	if workspace {
		command = append(command, "--workspace")
	}
	taken := map[string]bool{}
	for _, c := range crates {
		for _, name := range c.programs(p, r) {
			if taken[name] {
				r.left = append(r.left, "workloads: two programs are called "+name+": that of "+c.folder+" was left out")
				continue
			}
			taken[name] = true
			artifact := path.Join(target, "release", name)
			r.programs = append(r.programs, program{name: name, artifact: artifact, process: []string{"{" + artifact + "}"}})
		}
	}
	r.programs = limited(r.programs, "programs", &r.left)
	for _, one := range r.programs {
		command = append(command, "--bin", one.name)
	}
	var commands [][]string
	if len(r.programs) > 0 {
		commands = append(commands, command)
	}
	suites := criterion(crates, target, offline)
	var copies []string
	for _, s := range limited(suites, "benchmarks", &r.left) {
		r.suites = append(r.suites, s.program)
		commands = append(commands, s.build)
		copies = append(copies, s.copy)
	}
	if len(commands) == 0 {
		return nil, fmt.Errorf("%s: none of the %d packages has a program or a benchmark of Criterion: write "+
			"bench.yaml by hand, or compare two commands: harness run -- OLD -- NEW", cargoFile, len(crates))
	}
	r.build.command = joined(commands)
	if len(copies) > 0 {
		lines := append([]string{joined(append(commands, []string{"mkdir", "-p", "bin"}))[2]}, copies...)
		r.build.command = []string{"sh", "-ec", strings.Join(lines, "; ")}
	}
	r.build.more = []string{"reuse: [" + quoted(target) + "] # dependencies are compiled once for both revisions"}
	return r, nil
}

// crates are the root's package and the members of its workspace. There are none without a Cargo.toml.
func crates(p project) (list []crate, workspace bool, err error) {
	root := crate{folder: "."}
	if ok, err := readTOML(p, cargoFile, &root.manifest); !ok || err != nil {
		return nil, false, err
	}
	list = []crate{}
	if root.Package != nil {
		list = append(list, root)
	}
	if root.Workspace == nil {
		return list, false, nil
	}
	seen := map[string]bool{".": true}
	for _, pattern := range root.Workspace.Members {
		folders, err := fs.Glob(p, path.Clean(pattern))
		if err != nil {
			return nil, true, fmt.Errorf("%s: workspace.members: %q: %w", cargoFile, pattern, err)
		}
		for _, folder := range folders {
			info, err := fs.Stat(p, folder)
			if err != nil {
				return nil, true, err
			}
			if seen[folder] || !info.IsDir() || excluded(folder, root.Workspace.Exclude) {
				continue
			}
			seen[folder] = true
			member := crate{folder: folder}
			ok, err := readTOML(p, path.Join(folder, cargoFile), &member.manifest)
			if err != nil {
				return nil, true, err
			}
			if ok && member.Package != nil {
				list = append(list, member)
			}
		}
	}
	return list, true, nil
}

// excluded tells of a folder that a workspace leaves out, with all below it.
func excluded(folder string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		name = path.Clean(name)
		return folder == name || strings.HasPrefix(folder, name+"/")
	})
}

// programs are the names of a package's programs, the one that cargo run takes first.
func (c *crate) programs(p project, r *recipe) (names []string) {
	paths := map[string]bool{}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, bin := range c.Bin {
		if bin.Path != "" {
			paths[path.Clean(bin.Path)] = true
		} else if bin.Name == c.Package.Name {
			paths["src/main.rs"] = true
		}
		if len(bin.Features) > 0 {
			r.left = append(r.left, fmt.Sprintf("workloads: program %s of %s wants the features %s: it was left out", bin.Name,
				c.folder, strings.Join(bin.Features, ", ")))
			continue
		}
		add(bin.Name)
	}
	if c.Package.AutoBins == nil || *c.Package.AutoBins {
		if p.has(path.Join(c.folder, "src/main.rs")) && !paths["src/main.rs"] {
			add(c.Package.Name)
		}
		for _, pattern := range []string{"src/bin/*.rs", "src/bin/*/main.rs"} {
			found, _ := fs.Glob(p, path.Join(c.folder, pattern)) // the pattern is valid
			for _, file := range found {
				within := strings.TrimPrefix(file, strings.TrimPrefix(c.folder+"/", "./"))
				name := strings.TrimSuffix(path.Base(within), ".rs")
				if path.Base(pattern) == "main.rs" {
					name = path.Base(path.Dir(within))
				}
				declared := slices.ContainsFunc(c.Bin, func(b cargoTarget) bool { return b.Name == name })
				if !paths[within] && !declared {
					add(name)
				}
			}
		}
	}
	if i := slices.Index(names, c.Package.DefaultRun); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, c.Package.DefaultRun)
	}
	return names
}

// criterionSuite is a suite, the command that builds it, and the line of sh that gives it a name without a hash.
type criterionSuite struct {
	program program
	build   []string
	copy    string
}

// criterion finds the benchmarks that have a main function of their own in packages that depend on Criterion.
func criterion(crates []crate, target string, offline []string) (list []criterionSuite) {
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
			artifact := "bin/" + c.Package.Name + "-" + bench.Name
			build := append([]string{"cargo", "bench", "--no-run"}, offline...)
			list = append(list, criterionSuite{
				program: program{name: "bench-" + c.Package.Name + "-" + bench.Name, artifact: artifact,
					process: []string{"{" + artifact + "}", "--bench", "--noplot"}, adapter: adapter.CargoCriterion},
				build: append(build, "--package", c.Package.Name, "--bench", bench.Name),
				// The newest file of the name is what was just built; .d lists its sources.
				copy: fmt.Sprintf("cp \"$(ls -t %s-* | grep -v '[.]d$' | head -n 1)\" %s",
					shell(path.Join(target, "release/deps", strings.ReplaceAll(bench.Name, "-", "_"))), shell(artifact)),
			})
		}
	}
	return list
}

// targetFolder is where cargo puts what it builds, by the repository's own configuration.
func targetFolder(p project) (string, error) {
	var config struct {
		Build struct {
			Target    any    `toml:"target"`
			TargetDir string `toml:"target-dir"`
		} `toml:"build"`
	}
	for _, name := range []string{".cargo/config.toml", ".cargo/config"} {
		ok, err := readTOML(p, name, &config)
		if err != nil {
			return "", err
		}
		if ok {
			break
		}
	}
	folder := "target"
	if fs.ValidPath(config.Build.TargetDir) {
		folder = config.Build.TargetDir
	}
	if triple, ok := config.Build.Target.(string); ok {
		folder = path.Join(folder, strings.TrimSuffix(path.Base(triple), ".json"))
	}
	return folder, nil
}
