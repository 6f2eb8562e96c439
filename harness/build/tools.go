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

// tools are the programs whose version is part of a build's key, with the arguments that print it. They run outside the
// worktree, so that no file of a revision decides what is run. For versions that a revision chooses, see chosen.
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

// toolTimeout is the time limit for printing a version. A tool that exceeds it is identified by its path.
const toolTimeout = 20 * time.Second

// asked caches the tools' answers by path for this process.
var asked = struct {
	sync.Mutex
	versions map[string]string
}{versions: map[string]string{}}

// toolVersions returns the version of every tool on the PATH, queried concurrently. A process queries each tool once:
// it does not detect a tool that is replaced during a comparison.
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

// versionLine matches the lines in which a tool prints its version; nvcc prints it on the fourth.
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

// versionOf returns the lines of a tool's output that name a version.
func versionOf(printed string) string {
	var lines []string
	for line := range strings.Lines(printed) {
		if versionLine.MatchString(line) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, "; ")
}
