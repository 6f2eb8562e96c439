package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/prover/cli"
)

// A proof's claims are shown, and control characters in them do not reach the terminal.
func TestInspectShowsNamesOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p")
	backends := []cli.Backend{working("cpu")}
	if code, _, stderr := run(t, "", backends, "prove", "--machine", "fib", "--size", "64", "--params", "test", "--proof",
		path); code != 0 {
		t.Fatal(stderr)
	}
	proof, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, shown := range map[string]string{
		"fib":         `machine     "fib"` + "\n",
		"f\x1b]":      `machine     "f\x1b]"` + "\n",
		"f\nb":        `machine     "f\nb"` + "\n",
		"f\u2028"[:4]: `machine     "f\u2028"` + "\n",
		"\u202e"[:3]:  `machine     "\u202e"` + "\n",
		"f\x7fb":      `machine     "f\x7fb"` + "\n",
		"\u00e9b"[:3]: "machine     \"\u00e9b\"\n",
	} {
		count := bytes.Index(proof, []byte("fib")) - 4
		changed := bytes.Clone(proof[:count])
		changed = append(changed, byte(len(name)), 0, 0, 0)
		changed = append(append(changed, name...), proof[count+4+len("fib"):]...)
		if err := os.WriteFile(path, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := run(t, "", backends, "inspect", path)
		if code != 0 || !strings.HasPrefix(stdout, shown) {
			t.Errorf("%q: exit code %d, %q, %q; want %q", name, code, stdout[:min(len(stdout), 60)], stderr, shown)
		}
		quoted := strings.TrimSpace(strings.TrimPrefix(shown, "machine"))
		code, _, stderr = run(t, "", backends, "verify", path, "--exit", "1")
		if code != 2 || !strings.Contains(stderr, "belongs to machine "+quoted+", which runs no programs") {
			t.Errorf("%q verified: exit code %d, %q; want %s", name, code, stderr, quoted)
		}
	}
}
