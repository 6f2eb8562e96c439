package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// Schema is the version of a provenance file.
const Schema = "chiasmus.build/3"

// A Provenance records the inputs and outputs of a build.
type Provenance struct {
	Schema string `json:"schema"`
	Inputs
	// Chosen are the versions of tools that the revision or the recipe chose, if they differ from Tools.
	Chosen map[string]string `json:"chosen,omitempty"`
	// Artifacts are in the order of the recipe.
	Artifacts []Artifact `json:"artifacts"`
	// Sources is the state of the committed files after the build: revision.Clean, or a hash of what the build changed in
	// them.
	Sources string `json:"sources"`
	// Worktree is a hash over everything that the build left in its worktree: names, modes, links and content.
	Worktree string `json:"worktree"`
	// Left are the folders of build.reuse, for builds of other revisions.
	Left    []Reused  `json:"left,omitempty"`
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"`
}

// Inputs are all inputs that the key of a build covers.
type Inputs struct {
	SHA      string            `json:"sha"`
	Tree     string            `json:"tree"`
	Recipe   config.Build      `json:"recipe"`
	ExtraEnv map[string]string `json:"extra_env,omitempty"`
	Variant  string            `json:"variant,omitempty"`
	// Environment has a digest of each of the caller's variables that the key covers: see seen.
	Environment map[string]string `json:"environment"`
	Tools       map[string]string `json:"tools"`
	// Programs are the files that the PATH leads to, for the tools and the first words of fetch and command. The PATH
	// itself is no input: adding a folder that changes none of these does not change the build.
	Programs map[string]string `json:"programs"`
	Isolated bool              `json:"isolated"`
	Platform string            `json:"platform"`
	// Fetched is the digest of build.fetch's result from another host; empty if it ran here.
	Fetched string `json:"fetched,omitempty"`
}

// An Artifact is one file that a build made.
type Artifact struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Versions returns the versions of the tools that made the build.
func (p Provenance) Versions() map[string]string {
	versions := maps.Clone(p.Tools)
	maps.Copy(versions, p.Chosen)
	return versions
}

// key returns the name of the entry. It does not cover the timeout, which cannot change the result of a build.
func (in Inputs) key() string {
	in.Recipe.Timeout = 0
	data, err := json.Marshal(in)
	if err != nil {
		panic(err) // strings, maps of strings and numbers always marshal
	}
	sum := sha256.Sum256(append([]byte(Schema+"\n"), data...))
	return hex.EncodeToString(sum[:])[:32]
}

// describe collects the inputs of a build.
func (c *Cache) describe(ctx context.Context, req Request) (Inputs, error) {
	_, keyed := seen((&exec.Cmd{}).Environ(), req.Isolation != nil, req.Build.EnvPass)
	tools, err := toolVersions(ctx)
	if err != nil {
		return Inputs{}, err
	}
	fetched := ""
	if req.Sealed && req.Fetched != nil {
		fetched = req.Fetched.SHA256
	}
	return Inputs{
		Fetched:     fetched,
		SHA:         req.Revision.SHA,
		Tree:        req.Revision.TreeHash,
		Recipe:      req.Build,
		ExtraEnv:    req.ExtraEnv,
		Variant:     req.Variant,
		Environment: digests(keyed),
		Tools:       tools,
		Programs:    programs(req.Build),
		Isolated:    req.Isolation != nil,
		Platform:    runtime.GOOS + "/" + runtime.GOARCH,
	}, nil
}

// programs finds the programs that a recipe names without a path, and the tools whose versions are recorded.
func programs(recipe config.Build) map[string]string {
	names := slices.Collect(maps.Keys(tools))
	for _, argv := range [][]string{recipe.Fetch, recipe.Command} {
		if len(argv) > 0 && !strings.Contains(argv[0], "/") {
			names = append(names, argv[0])
		}
	}
	found := map[string]string{}
	for _, name := range names {
		if at, err := exec.LookPath(name); err == nil {
			found[name] = at
		}
	}
	return found
}

func writeProvenance(path string, p Provenance) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return journal.WriteFile(path, append(data, '\n')) // atomically
}

func readProvenance(path string) (Provenance, error) {
	var p Provenance
	data, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(data, &p)
}
