package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"
)

// Identity tells the builds of a revision apart.
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

// Revision is one arm: what was built, and from what.
type Revision struct {
	SHA     string    `json:"sha"` // 40 or 64 hex digits
	Ref     string    `json:"ref"` // as it was named
	Subject string    `json:"subject"`
	Time    time.Time `json:"time"`
	// Argv is the template of the command that was measured instead of a revision; Subject is then its command line, and
	// SHA the hash of the program and of that.
	Argv []string `json:"argv,omitempty"`
	// Dirty says that the work tree was measured with changes that no commit holds; TreeHash then tells it apart.
	Dirty    bool   `json:"dirty"`
	TreeHash string `json:"tree_hash,omitempty"`
	// Env is what --base-env or --head-env added to the environment of the build and the proofs.
	Env       map[string]string `json:"env,omitempty"`
	Artifacts []Artifact        `json:"artifacts"`
	// Layouts are the builds with drawn layouts, where there are several; Artifacts are those of the first.
	Layouts []Layout `json:"layouts,omitempty"`
	// BuildSeconds is the time the build took, also when it came from the cache. BuildCached says so.
	BuildSeconds float64 `json:"build_seconds"`
	BuildCached  bool    `json:"build_cached"`
	// Toolchain names the compilers in one line.
	Toolchain string `json:"toolchain,omitempty"`
	// Tools are the versions of the tools that were on the PATH of the build.
	Tools map[string]string `json:"tools,omitempty"`
}

// Short returns the first seven digits of the SHA.
func (r Revision) Short() string { return r.SHA[:min(7, len(r.SHA))] }

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

// OfCommand says whether a command was measured, and no revision.
func (r Revision) OfCommand() bool { return len(r.Argv) > 0 }

// mostTitle bounds a command line in a title, in runes.
const mostTitle = 40

// Title is what the arm is called in a title: the short SHA, or what the command is called.
func (r Revision) Title() string {
	if !r.OfCommand() {
		return r.Short()
	}
	if name := []rune(r.Ref); len(name) > mostTitle {
		return string(name[:mostTitle-1]) + "…"
	}
	return r.Ref
}
