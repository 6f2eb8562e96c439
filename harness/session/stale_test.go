package session_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/session"
)

// A process that writes no metrics file is not credited with an earlier proof's, whatever is at the path: a file, a
// folder, or a dangling link.
func TestStaleMetricsAreRefused(t *testing.T) {
	const old = `{"metrics":{"prove_seconds":0.000001}}`
	for name, leave := range map[string]func(path string) error{
		"a file":   func(path string) error { return os.WriteFile(path, []byte(old), 0o644) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"a link":   func(path string) error { return os.Symlink(path+".later", path) },
	} {
		c := command(t, "", "prove")
		p := session.NewProcess(c, func(r session.Request) ([]string, error) {
			return append(c.Argv, "--seed", "1", "--proof", r.Proof), nil // no --metrics
		})
		r := request(t, 1)
		r.Metrics = filepath.Join(t.TempDir(), "metrics.json")
		if err := leave(r.Metrics); err != nil {
			t.Fatal(err)
		}
		_, err := p.Prove(t.Context(), r)
		if err == nil || !strings.Contains(err.Error(), r.Metrics+" already exists") {
			t.Errorf("%s of an earlier proof: %v", name, err)
		}
		if _, err := os.Lstat(r.Proof); err == nil {
			t.Errorf("%s of an earlier proof: the prover was started", name)
		}
	}
}

// A metrics file counts only with "metrics" in it, of numbers, and within its bound.
func TestMetricsFilesThatAreNone(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		`{}`:                                   `has no "metrics"`,
		`{"counters":{"a":1}}`:                 `has no "metrics"`,
		`{"metrics":null}`:                     `has no "metrics"`,
		`{"metrics":{"a":null}}`:               "metrics.a is null",
		`{"counters":{"a":null},"metrics":{}}`: "counters.a is null",
		`{"metrics":{}} {}`:                    "does not parse",
		`{"metrics":{"prove_seconds":1},"x":"` + strings.Repeat("x", 1<<20) + `"}`: "is larger than 1048576 bytes",
		`{"metrics":{"energy_joules":-1}}`:                                         "a quantity in joules is never below 0",
		`{"metrics":{"prove_seconds":0}}`:                                          "no proof takes no time",
	} {
		c := command(t, "", "prove")
		source := filepath.Join(c.Dir, "content")
		if err := os.WriteFile(source, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		p := session.NewProcess(c, func(r session.Request) ([]string, error) {
			return []string{"sh", "-c", `echo proof >"$1"; cp content "$2"`, "sh", r.Proof, r.Metrics}, nil
		})
		r := request(t, 1)
		r.Metrics = filepath.Join(t.TempDir(), "metrics.json")
		if _, err := p.Prove(t.Context(), r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", content, err, want)
		}
	}
}
