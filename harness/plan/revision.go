package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
)

// Revision is one arm: its source and its builds.
type Revision struct {
	SHA     string    `json:"sha"` // 40 or 64 hex digits
	Ref     string    `json:"ref"` // as it was named
	Subject string    `json:"subject"`
	Time    time.Time `json:"time"`
	// Argv is the template of a command that is measured instead of a revision. Subject is then its command line, and SHA
	// a hash of the program and the command line.
	Argv []string `json:"argv,omitempty"`
	// Dirty marks a work tree with uncommitted changes, which TreeHash identifies.
	Dirty    bool   `json:"dirty"`
	TreeHash string `json:"tree_hash,omitempty"`
	// Env contains the variables that --base-env or --head-env adds to the environment of builds and proofs.
	Env       map[string]string `json:"env,omitempty"`
	Artifacts []Artifact        `json:"artifacts"`
	// Layouts are the builds with randomized layouts, if there are several. Artifacts are the artifacts of the first
	// build.
	Layouts []Layout `json:"layouts,omitempty"`
	// BuildSeconds is the time of the build, also if it came from the cache (BuildCached).
	BuildSeconds float64 `json:"build_seconds"`
	BuildCached  bool    `json:"build_cached"`
	// Toolchain names the compilers in one line.
	Toolchain string `json:"toolchain,omitempty"`
	// Tools are the versions of the tools on the PATH of the build.
	Tools map[string]string `json:"tools,omitempty"`
}

// Short returns the first seven digits of the SHA.
func (r Revision) Short() string { return r.SHA[:min(7, len(r.SHA))] }

// Identity distinguishes builds of a revision: a hash of commit, environment, artifacts and tools.
func (r *Revision) Identity() string {
	text, err := json.Marshal(struct {
		SHA       string
		Env       map[string]string
		Artifacts []Artifact
		Tools     map[string]string
	}{r.SHA, r.Env, r.Artifacts, r.Tools})
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	digest := sha256.Sum256(text)
	return hex.EncodeToString(digest[:])
}

// Layout is one of several builds of an arm.
type Layout struct {
	Seed      uint64     `json:"seed"` // of build.layout
	Artifacts []Artifact `json:"artifacts"`
}

// Artifact is one built file.
type Artifact struct {
	Name   string `json:"name"` // its path in bench.yaml
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Input is a file of the config's repository that the workload reads.
type Input struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// OfCommand reports whether a command was measured instead of a revision.
func (r Revision) OfCommand() bool { return len(r.Argv) > 0 }

// Label returns a short name of the arm: the user's name for it unless that is a hash or long, else its title.
func (r Revision) Label() string {
	if r.OfCommand() || r.Ref == "" || strings.HasPrefix(r.SHA, r.Ref) || len(r.Ref) > mostTitle {
		return r.Title()
	}
	return r.Ref
}

// mostTitle limits a command line in a title, in runes.
const mostTitle = 40

// Title names the arm in a title: by the short SHA, or by the label of the command.
func (r Revision) Title() string {
	if !r.OfCommand() {
		return r.Short()
	}
	if name := []rune(r.Ref); len(name) > mostTitle {
		return string(name[:mostTitle-1]) + "…"
	}
	return r.Ref
}
