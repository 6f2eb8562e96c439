package first

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// cargoFile is the name of a package's or workspace's manifest.
const cargoFile = "Cargo.toml"

// manifest is the part of a Cargo.toml that describes programs and benchmarks.
type manifest struct {
	Package *struct {
		Name         string `toml:"name"`
		DefaultRun   string `toml:"default-run"`
		AutoBins     *bool  `toml:"autobins"`
		AutoExamples *bool  `toml:"autoexamples"`
	} `toml:"package"`
	Workspace *struct {
		Members []string `toml:"members"`
		Exclude []string `toml:"exclude"`
	} `toml:"workspace"`
	Bin     []cargoTarget `toml:"bin"`
	Example []cargoTarget `toml:"example"`
	Bench   []cargoTarget `toml:"bench"`
	// The values are versions or tables; only the names matter.
	Dependencies    map[string]any `toml:"dependencies"`
	DevDependencies map[string]any `toml:"dev-dependencies"`
}

// cargoTarget is a program, an example or a benchmark.
type cargoTarget struct {
	Name      string   `toml:"name"`
	Path      string   `toml:"path"`
	Harness   *bool    `toml:"harness"`
	Features  []string `toml:"required-features"`
	CrateType []string `toml:"crate-type"`
}

// readTOML reads a TOML file, if it exists.
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
	folder string // . for the root
	manifest
}

// cargo finds the programs and examples of a package or of a workspace's members, and the Criterion benchmarks.
func cargo(p project) (*recipe, error) {
	crates, err := crates(p)
	if err != nil || crates == nil {
		return nil, err
	}
	target, err := targetFolder(p)
	if err != nil {
		return nil, err
	}
	r := &recipe{kind: "Cargo"}
	offline := append([]string{"--offline"}, r.locked(p)...)
	r.build.shared = append([]string{"cargo", "build", "--release"}, offline...)
	r.build.more = []string{"reuse: [" + quoted(target) + "] # dependencies are compiled once for both revisions",
		"timeout: 1h # for a workspace on a busy machine"}
	taken := map[string]bool{}
	for _, c := range crates {
		r.programs = append(r.programs, c.workloads(p, r, binTarget, target, taken)...)
	}
	for _, c := range crates {
		r.aside = append(r.aside, c.workloads(p, r, exampleTarget, target, taken)...)
	}
	r.suites = criterion(crates, target, offline)
	if len(r.all()) == 0 {
		return nil, fmt.Errorf("%s: none of the %d packages has a program, an example or a benchmark of Criterion: write "+
			"bench.yaml by hand, or compare two commands: harness run -- OLD -- NEW", cargoFile, len(crates))
	}
	other := slices.ContainsFunc(r.programs, func(one program) bool { return one.rank() < minorRank })
	if len(r.suites) == 0 && !other { // only examples can be the main programs
		r.programs, r.aside = append(r.aside, r.programs...), nil
	}
	r.toolchain(p, len(r.build.fetch) > 2)
	return r, nil
}

// locked returns --locked if both revisions have a Cargo.lock, and sets build.fetch.
func (r *recipe) locked(p project) []string {
	r.build.fetch = []string{"cargo", "fetch"}
	switch {
	case !p.has("Cargo.lock") || p.ignored("Cargo.lock"):
		r.left = append(r.left, "Cargo.lock is not committed: revisions are built with the newest dependencies of the day. "+
			"To build with those that a revision names, commit it (cargo generate-lockfile) and add --locked to build")
		return nil
	case !p.inBase("Cargo.lock"):
		r.left = append(r.left, "Cargo.lock is not in "+p.base+", which is built with the newest dependencies of the day. "+
			"Add --locked to build once all revisions have one")
		return nil
	}
	r.build.fetch = append(r.build.fetch, "--locked")
	return []string{"--locked"}
}

// numbered matches a channel of rustup that is a single release.
var numbered = regexp.MustCompile(`^[0-9]`)

// toolchain handles the compiler that the repository chooses. Without a lock file an old release soon fails to build
// some dependency, so the newest compiler is used instead.
func (r *recipe) toolchain(p project, locked bool) {
	for _, name := range []string{"rust-toolchain.toml", "rust-toolchain"} {
		text, ok, err := p.read(name)
		if !ok || err != nil {
			continue
		}
		var file struct {
			Toolchain struct {
				Channel string `toml:"channel"`
			} `toml:"toolchain"`
		}
		channel := strings.TrimSpace(text) // the older form contains only the channel
		if _, err := toml.Decode(text, &file); err == nil {
			channel = file.Toolchain.Channel
		}
		if !locked && numbered.MatchString(channel) {
			r.build.more = append(r.build.more, fmt.Sprintf("env: {RUSTUP_TOOLCHAIN: stable} # %s says %s: older than what the "+
				"dependencies of the day want", name, channel))
			return
		}
		installed, rustup := p.toolchains()
		if channel == "" || !rustup || slices.ContainsFunc(installed, func(one string) bool {
			return one == channel || strings.HasPrefix(one, channel+"-") || strings.HasPrefix(one, channel+" ")
		}) {
			return
		}
		r.left = append(r.left, fmt.Sprintf("%s chooses the compiler %s, which is not installed: rustup toolchain install "+
			"%[2]s --profile minimal", name, channel))
		return
	}
}

// crates returns the root's package and the members of its workspace, or none without a Cargo.toml.
func crates(p project) (list []crate, err error) {
	root := crate{folder: "."}
	if ok, err := readTOML(p, cargoFile, &root.manifest); !ok || err != nil {
		return nil, err
	}
	list = []crate{}
	if root.Package != nil {
		list = append(list, root)
	}
	if root.Workspace == nil {
		return list, nil
	}
	seen := map[string]bool{".": true}
	for _, pattern := range root.Workspace.Members {
		folders, err := fs.Glob(p, path.Clean(pattern))
		if err != nil {
			return nil, fmt.Errorf("%s: workspace.members: %q: %w", cargoFile, pattern, err)
		}
		for _, folder := range folders {
			info, err := fs.Stat(p, folder)
			if err != nil {
				return nil, err
			}
			if seen[folder] || !info.IsDir() || excluded(folder, root.Workspace.Exclude) {
				continue
			}
			seen[folder] = true
			member := crate{folder: folder}
			ok, err := readTOML(p, path.Join(folder, cargoFile), &member.manifest)
			if err != nil {
				return nil, err
			}
			if ok && member.Package != nil {
				list = append(list, member)
			}
		}
	}
	return list, nil
}

// excluded reports whether a folder is, or lies below, one that the workspace excludes.
func excluded(folder string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		name = path.Clean(name)
		return folder == name || strings.HasPrefix(folder, name+"/")
	})
}

// targetFolder returns the folder for cargo's output, according to the repository's configuration.
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
