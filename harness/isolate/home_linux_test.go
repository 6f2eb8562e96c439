package isolate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A measured program cannot change its build: neither the worktree nor the files that the build left in its home. It
// can write other files to its home, which persist.
func TestAMeasuredProgramCannotChangeItsBuild(t *testing.T) {
	c := newCell(t)
	c.spec.Scratch = filepath.Join(c.root, "scratch")
	kept := []string{"settings", "go/pkg/module", ".cache/tool/entry"}
	for _, name := range kept {
		path := filepath.Join(c.home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("built"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("settings", filepath.Join(c.home, "link")); err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(c.own, "source")
	if err := c.spec.Prepare(); err != nil {
		t.Fatal(err)
	}
	attempts := [][]string{{"write", source}, {"write", filepath.Join(c.own, "planted")}, {"remove", source},
		{"write", filepath.Join(c.home, ".cache/tool/planted")}, {"write", filepath.Join(c.home, "link")}}
	var own []string
	for _, name := range kept {
		attempts = append(attempts, []string{"write", filepath.Join(c.home, name)},
			[]string{"remove", filepath.Join(c.home, name)})
		own = append(own, filepath.Join(c.home, name))
	}
	c.cannot(attempts...)
	c.can(each("read", append(own, source, filepath.Join(c.home, "link"))...)...)
	mine := []string{"mine", ".cache/mine", "go/mine", ".nv/mine"}
	for _, name := range mine {
		path := filepath.Join(c.home, name)
		c.can([]string{"folder", filepath.Dir(path)}, []string{"write", path})
		c.can([]string{"read", path})
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s lies in the build", name)
		}
		if text, err := os.ReadFile(filepath.Join(c.spec.Scratch, name)); err != nil || string(text) != "written" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for _, name := range kept {
		if text, err := os.ReadFile(filepath.Join(c.home, name)); err != nil || string(text) != "built" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	// A build can write to both.
	c.spec.Scratch = ""
	c.can([]string{"write", source}, []string{"write", own[0]})
	if line := strings.Join(Wrap(c.spec, []string{"x"}), " "); !strings.Contains(line, "--bind "+c.home+" "+c.home) {
		t.Error(line)
	}
}
