package build

import (
	"context"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/chiasmus/chiasmus/harness/internal/group"
)

// tools are the programs whose version is part of a build's key, with the arguments that print it. They are asked
// outside the worktree, so that no file of a revision decides what is run. What a revision chooses for itself is asked
// when it was built: see chosen.
var tools = map[string][]string{
	"go":     {"version"},
	"rustc":  {"--version"},
	"cargo":  {"--version"},
	"cc":     {"--version"},
	"c++":    {"--version"},
	"gcc":    {"--version"},
	"g++":    {"--version"},
	"clang":  {"--version"},
	"nvcc":   {"--version"},
	"ld":     {"--version"},
	"make":   {"--version"},
	"cmake":  {"--version"},
	"ninja":  {"--version"},
	"zig":    {"version"},
	"bazel":  {"--version"},
	"java":   {"--version"},
	"dotnet": {"--version"},
}

// toolTimeout bounds the question. A tool that does not answer in time counts by its path.
const toolTimeout = 20 * time.Second

// asked are the answers of the tools that this process asked, by their paths.
var asked = struct {
	sync.Mutex
	versions map[string]string
}{versions: map[string]string{}}

// toolVersions returns the version of every tool on the PATH; it asks all at once. One process asks a tool once: one
// that changes while it builds base and head, or compares through a night, would be a fault of another kind.
func toolVersions(ctx context.Context) (map[string]string, error) {
	asked.Lock()
	defer asked.Unlock()
	var mu sync.Mutex
	var wait sync.WaitGroup
	out := map[string]string{}
	for name, args := range tools {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		mu.Lock()
		version, known := asked.versions[path]
		if known {
			out[name] = version
		}
		mu.Unlock()
		if known {
			continue
		}
		wait.Go(func() {
			version := askTool(ctx, path, args)
			mu.Lock()
			defer mu.Unlock()
			out[name] = version
			if ctx.Err() == nil {
				asked.versions[path] = version
			}
		})
	}
	wait.Wait()
	return out, ctx.Err()
}

// versionLine fits the lines in which a tool names its version; nvcc does so on the fourth.
var versionLine = regexp.MustCompile(`[0-9]+\.[0-9]+`)

// askTool returns what a tool prints about its version, without the licence.
func askTool(ctx context.Context, path string, args []string) string {
	ctx, cancel := context.WithTimeout(ctx, toolTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = "/"
	cmd.WaitDelay = time.Second
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	group.Seal()
	printed, err := cmd.Output()
	if err != nil {
		return path + ": version unknown"
	}
	return versionOf(string(printed))
}

// versionOf returns the lines of what a tool printed that name a version.
func versionOf(printed string) string {
	var lines []string
	for line := range strings.Lines(printed) {
		if versionLine.MatchString(line) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, "; ")
}
