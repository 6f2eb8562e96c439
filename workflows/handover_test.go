package workflows

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// plantProofs writes what a hostile prover could leave in every writable folder: each entry would expose a file of the
// host if it were uploaded.
const plantProofs = `if [ "$1" = prove ]; then
	for dir in "$(dirname "$2")" "$(dirname "$2")/.." "$PWD" "$HOME"; do
		(ln -sf SECRET "$dir/report.json"; ln -sf SECRET "$dir/x.log"; ln -sfn / "$dir/root"; ln -sf /proc/self/environ "$dir/environ"
		mkdir -p "$dir/logs" "$dir/w"; ln -sf SECRET "$dir/logs/x.log"; ln -sf SECRET "$dir/w/pairs.csv"; ln SECRET "$dir/logs/hard.log"
		mkfifo "$dir/logs/pipe.log"; truncate -s 1T "$dir/logs/sparse.log") 2>/dev/null
	done
fi`

// handedOn lists the files below a folder. Each must be a small regular file without the secret.
func handedOn(t *testing.T, folder string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		names = append(names, name)
		if !entry.Type().IsRegular() {
			t.Errorf("%s leaves the host, and is %s", name, entry.Type())
			return nil
		}
		if info, err := entry.Info(); err != nil || info.Size() > 1<<20 {
			t.Errorf("%s leaves the host: %v %v", name, info, err)
			return nil
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "SESAME") {
			t.Errorf("%s leaves the host with a secret in it", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// The upload of a comment's run contains the harness's files and none that a prover left.
func TestRunHandsOnWhatTheHarnessWrote(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "id_ed25519")
	if err := os.WriteFile(secret, []byte("open SESAME"), 0o600); err != nil {
		t.Fatal(err)
	}
	world := demo(t, revisionOf{factor: 100}, revisionOf{
		factor:  110,
		hostile: strings.ReplaceAll(plantProofs, "SECRET", secret),
	})
	plan := world.gate(world.say("maintainer", "/bench-gpu pairs=6")).Plan
	out := filepath.Join(t.TempDir(), "out")
	world.measuredInto(plan, out)
	names := handedOn(t, filepath.Join(out, "run"))
	for _, name := range []string{"report.json", "journal.jsonl", "run.json", "logs/build-head.log"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not handed over: %q", name, names)
		}
	}
	for _, name := range names {
		if strings.Contains(name, "proof") || strings.Contains(name, "hard") || name == "logs/x.log" {
			t.Errorf("%s is handed over", name)
		}
	}
	for _, folder := range []string{".chiasmus/proofs/*/*/*"} {
		if left, _ := filepath.Glob(filepath.Join(out, "repository", folder)); len(left) > 0 {
			t.Errorf("the run left %q", left)
		}
	}
}

// The same rule holds for the folder of a night, which contains many runs and the searches.
func TestNightHandsOnWhatTheHarnessWrote(t *testing.T) {
	top := t.TempDir()
	from, secret := filepath.Join(top, ".chiasmus"), filepath.Join(top, "id_ed25519")
	for name, text := range map[string]string{
		secret:                                    "open SESAME",
		from + "/runs/one/report.json":            "{}",
		from + "/runs/one/logs/a.log":             "a",
		from + "/runs/two/w/pairs.csv":            "a,b",
		from + "/runs/two/proofs/head/x":          "open SESAME",
		from + "/proofs/two/head/report.json":     "open SESAME",
		from + "/bisect/a.jsonl":                  "{}",
		from + "/builds/key/worktree/report.json": "open SESAME",
	} {
		if err := writeFile(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"runs/three":             top,
		"runs/one/run.json":      secret,
		"runs/one/logs/key.log":  secret,
		"bisect/key.jsonl":       secret,
		"runs/two/logs":          "/proc/self",
		"runs/one/journal.jsonl": "/proc/self/environ",
	} {
		if err := os.Symlink(target, filepath.Join(from, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(secret, filepath.Join(from, "runs", "one", "report.md")); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	into := filepath.Join(top, "out", "run")
	if err := HandOver(context.Background(), from, into, "runs/*", []string{"bisect/*.jsonl"}, &log); err != nil {
		t.Fatal(err)
	}
	names := handedOn(t, into)
	if want := []string{"bisect/a.jsonl", "runs/one/logs/a.log", "runs/one/report.json",
		"runs/two/w/pairs.csv"}; !slices.Equal(names, want) {
		t.Errorf("handed over %q, want %q", names, want)
	}
	for _, name := range []string{"runs/one/logs/key.log", "runs/one/report.md", "bisect/key.jsonl", "runs/one/run.json"} {
		if !strings.Contains(log.String(), "not handed over: "+name) {
			t.Errorf("the log does not say that %s stays:\n%s", name, log.String())
		}
	}
}

// The result is never written through a link that a program of the revision placed at its path.
func TestResultIsNeverWrittenThroughALink(t *testing.T) {
	top := t.TempDir()
	target, name := filepath.Join(top, "target"), filepath.Join(top, ResultFile)
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
	if err := WriteNew(name, []byte("{}")); err == nil {
		t.Error("written")
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("the link was followed")
	}
}
