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
	"github.com/chiasmus/chiasmus/harness/git"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/journal"
)

// Schema names the form of a provenance file.
const Schema = "chiasmus.build/2"

// A Provenance says what a build was made from and what it made.
type Provenance struct {
	Schema string `json:"schema"`
	Inputs
	// Chosen are the versions of tools that the revision or the recipe chose, where they are others than those of Tools.
	Chosen map[string]string `json:"chosen,omitempty"`
	// Artifacts are in the order of the recipe.
	Artifacts []Artifact `json:"artifacts"`
	// Sources is the state of the committed files after the build: revision.Clean, or a hash over
	// what the build changed in them.
	Sources string `json:"sources"`
	// Worktree is a hash over all that the build left in its worktree: names, modes, links and content.
	Worktree string `json:"worktree"`
	// Left are the folders of build.reuse, for the builds of other revisions.
	Left    []Reused  `json:"left,omitempty"`
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"`
}

// Inputs is everything that the key of a build covers.
type Inputs struct {
	SHA      string            `json:"sha"`
	Tree     string            `json:"tree"`
	Recipe   config.Build      `json:"recipe"`
	ExtraEnv map[string]string `json:"extra_env,omitempty"`
	Variant  string            `json:"variant,omitempty"`
	// Environment names the caller's variables that the build saw, EnvironmentSHA256 covers their
	// values too: values may be secret, so they are not written down.
	Environment       []string          `json:"environment"`
	EnvironmentSHA256 string            `json:"environment_sha256"`
	Tools             map[string]string `json:"tools"`
	// Programs are where the PATH leads to: the tools and the first words of fetch and command. The PATH itself is no
	// input, so that another folder in it, which changes none of these, makes no other build.
	Programs map[string]string `json:"programs"`
	Isolated bool              `json:"isolated"`
	Platform string            `json:"platform"`
	// Fetched is the digest of what build.fetch left on another host; empty where it ran here.
	Fetched string `json:"fetched,omitempty"`
}

// An Artifact is one file that a build made.
type Artifact struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Versions are those of the tools that made the build.
func (p Provenance) Versions() map[string]string {
	versions := maps.Clone(p.Tools)
	maps.Copy(versions, p.Chosen)
	return versions
}

// key is the name of the entry. The timeout is left out: it changes whether a build ends, not what it makes.
func (in Inputs) key() string {
	in.Recipe.Timeout = 0
	data, err := json.Marshal(in)
	if err != nil {
		panic(err) // strings, maps of strings and numbers always marshal
	}
	sum := sha256.Sum256(append([]byte(Schema+"\n"), data...))
	return hex.EncodeToString(sum[:])[:32]
}

// describe collects what goes into a build.
func (c *Cache) describe(ctx context.Context, req Request) (Inputs, error) {
	environ := slices.DeleteFunc(callerEnvironment(req.Isolation != nil), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return isNoise(name) || name == "PATH"
	})
	names := make([]string, len(environ))
	for i, pair := range environ {
		names[i], _, _ = strings.Cut(pair, "=")
	}
	sum := sha256.Sum256([]byte(strings.Join(environ, "\x00")))
	tools, err := toolVersions(ctx)
	if err != nil {
		return Inputs{}, err
	}
	fetched := ""
	if req.Sealed && req.Fetched != nil {
		fetched = req.Fetched.SHA256
	}
	return Inputs{
		Fetched:           fetched,
		SHA:               req.Revision.SHA,
		Tree:              req.Revision.TreeHash,
		Recipe:            req.Build,
		ExtraEnv:          req.ExtraEnv,
		Variant:           req.Variant,
		Environment:       names,
		EnvironmentSHA256: hex.EncodeToString(sum[:]),
		Tools:             tools,
		Programs:          programs(req.Build),
		Isolated:          req.Isolation != nil,
		Platform:          runtime.GOOS + "/" + runtime.GOARCH,
	}, nil
}

// programs finds what a recipe names by a word alone, and the tools whose versions are asked.
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

// noise are variables that describe the caller's terminal, login or CI job. Programs see them, but
// they are no part of the key: no build that is worth comparing depends on them.
var noise = []string{
	"_", "PWD", "OLDPWD", "SHLVL", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORTERM", "COLUMNS", "LINES",
	"LS_COLORS",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "WINDOWID", "INVOCATION_ID", "JOURNAL_STREAM", "HISTFILE", "PS1",
	"PROMPT_COMMAND",
	"EDITOR", "PAGER", "LESS", "LESSOPEN", "LESSCLOSE", "MAIL", "LOGNAME", "DBUS_SESSION_BUS_ADDRESS", "CONTAINER_NAME",
	"HOSTNAME",
	"STY", "TMUX", "TMUX_PANE",
}

// noisePrefixes are the same for whole families.
var noisePrefixes = []string{"SSH_", "XDG_", "SUDO_", "GITHUB_", "RUNNER_", "ACTIONS_", "VSCODE_", "DIRENV_",
	"STARSHIP_"}

func isNoise(name string) bool {
	return slices.Contains(noise, name) ||
		slices.ContainsFunc(noisePrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// foreign are the variables by which one make talks to those it starts. A harness that is run by
// make is not the make of the build: its jobserver and flags are not for it.
var foreign = []string{"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "GNUMAKEFLAGS"}

// callerEnvironment returns the caller's variables that a build sees, sorted. The harness itself
// reads none of them: they only travel to the child.
func callerEnvironment(isolated bool) []string {
	environ := (&exec.Cmd{}).Environ()
	if isolated {
		return isolate.Environment(environ, nil)
	}
	environ = slices.DeleteFunc(environ, func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return git.IsLocalVariable(name) || slices.Contains(foreign, name)
	})
	slices.Sort(environ)
	return slices.Compact(environ)
}

// CallerEnvironment returns the caller's variables, without those that tie git and make to another place.
func CallerEnvironment() []string { return callerEnvironment(false) }

// buildEnvironment is the environment of the commands of a build.
func buildEnvironment(req Request) []string {
	extra := map[string]string{}
	for _, env := range []map[string]string{req.Build.Env, req.ExtraEnv} {
		for name, text := range env {
			extra[name] = text
		}
	}
	if req.Isolation != nil {
		return isolate.Environment((&exec.Cmd{}).Environ(), extra)
	}
	environ := callerEnvironment(false)
	for name, text := range extra {
		environ = append(environ, name+"="+text) // the last one counts
	}
	return environ
}

func writeProvenance(path string, p Provenance) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	return journal.WriteFile(path, append(data, '\n')) // there whole or not at all
}

func readProvenance(path string) (Provenance, error) {
	var p Provenance
	data, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(data, &p)
}
