package tour

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../.."

// The table that docs/develop/table.md adds, as a diff, touches only this folder. With it the walk satisfies all
// constraints, its proofs on the CPU and on the software GPU are equal, and the second verifier agrees.
func TestGuidesTable(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/develop/table.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```diff\n")
	patch, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatal("docs/develop/table.md has no diff")
	}
	overlay := applied(t, patch)
	if testing.Short() {
		return
	}
	command := exec.Command("go", "test", "-short", "-overlay", overlay, "-run",
		"^(TestWalks|TestInstances|TestWrongCells|TestProofs|TestParity)$",
		"./prover/machine/tour", "./prover/verify/independent", "./prover/backend/gpu")
	command.Dir = root
	if text, err := command.CombinedOutput(); err != nil {
		t.Errorf("with the diff of docs/develop/table.md: %v\n%s", err, text)
	}
}

// applied applies a diff to copies of the files that it changes, and returns an overlay that puts them in their place.
func applied(t *testing.T, patch string) (overlay string) {
	t.Helper()
	folder := t.TempDir()
	replace := map[string]string{}
	for _, match := range regexp.MustCompile(`(?m)^\+\+\+ b/(\S+)$`).FindAllStringSubmatch(patch, -1) {
		name := match[1]
		if filepath.ToSlash(filepath.Dir(name)) != "prover/machine/tour" {
			t.Errorf("the diff touches %s, outside of this folder", name)
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		place, err := filepath.Abs(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		replace[place] = filepath.Join(folder, name)
		write(t, replace[place], data)
	}
	if len(replace) == 0 {
		t.Fatal("the diff changes no file")
	}
	apply := exec.Command("git", "apply", "-")
	apply.Dir, apply.Stdin = folder, strings.NewReader(patch)
	apply.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(folder))
	if text, err := apply.CombinedOutput(); err != nil {
		t.Fatalf("the diff of docs/develop/table.md does not apply: %v\n%s", err, text)
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay = filepath.Join(folder, "overlay.json")
	write(t, overlay, data)
	return overlay
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
