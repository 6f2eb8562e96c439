package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const program = "github.com/chiasmus/chiasmus/harness/cmd/harness"

// mostBytes limits the size of the released program, so that this test notices what a new dependency links. go tool nm
// -size -sort size shows what has grown, on a build without -s.
const mostBytes = 30_000_000

func golang(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, &stderr)
	}
	return string(output)
}

func TestSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "harness")
	golang(t, "build", "-trimpath", "-ldflags=-s -w", "-o", path, program)
	file, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", file.Size())
	if file.Size() > mostBytes {
		t.Errorf("the harness has %d bytes as a release builds it: want at most %d", file.Size(), mostBytes)
	}
}

// forbidden maps packages that the harness must not link to their replacements.
var forbidden = map[string]string{
	"github.com/nats-io/nats-server":  "harness-fleet-server",
	"gonum.org/v1/plot":               "nothing: reporters draw SVG themselves",
	"github.com/rhysd/actionlint":     "tests",
	"github.com/rogpeppe/go-internal": "tests",
	"github.com/google/go-cmp":        "tests",
	"pgregory.net/rapid":              "tests",
	"testing":                         "tests",
	"net/http/pprof":                  "nothing",
	"expvar":                          "nothing",
}

// linked returns the forbidden packages among the given ones.
func linked(packages []string) (found []string) {
	for _, p := range packages {
		for prefix, owner := range forbidden {
			if p == prefix || strings.HasPrefix(p, prefix+"/") {
				found = append(found, p+", which belongs to "+owner)
			}
		}
	}
	return found
}

func TestDependencies(t *testing.T) {
	packages := strings.Fields(golang(t, "list", "-deps", program))
	if len(packages) < 100 {
		t.Fatalf("go list names %d packages", len(packages))
	}
	for _, one := range linked(packages) {
		t.Errorf("the harness links %s", one)
	}
}

func TestDependenciesCatch(t *testing.T) {
	got := linked([]string{"fmt", "github.com/nats-io/nats-server/v2/server", "testing/iotest", "testingly"})
	if len(got) != 2 {
		t.Errorf("caught %q, want two", got)
	}
}
