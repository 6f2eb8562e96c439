package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExpand(t *testing.T) {
	values := Values{
		Artifacts: map[string]string{"bin/p": "/w/bin/p"}, Inputs: map[string]string{"a b": "/r/a b"},
		Proof: "/o/proof", Metrics: "/o/m.json", Seed: 1<<64 - 1,
	}
	for template, want := range map[string]string{
		"{bin/p}":           "/w/bin/p",
		"--out={proof}":     "--out=/o/proof",
		"{seed}{seed}":      "1844674407370955161518446744073709551615",
		"{input:a b}":       "/r/a b",
		"{metrics}":         "/o/m.json",
		"{{}}":              "{}",
		"{{bin/p}}":         "{bin/p}",
		"{{{bin/p}}}":       "{/w/bin/p}",
		`{{"seed":{seed}}}`: `{"seed":18446744073709551615}`,
		"":                  "",
		"$HOME; rm -rf *":   "$HOME; rm -rf *",
	} {
		got, err := mustTemplate(t, template).Expand(values)
		if err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%q gives %q (%v), want %q", template, got, err, want)
		}
	}
	for template, want := range map[string]string{"{nosuch}": "{nosuch}", "{input:x}": "{input:x}"} {
		if _, err := mustTemplate(t, template).Expand(values); err == nil ||
			!strings.Contains(err.Error(), "no value for "+want) {
			t.Errorf("%q: %v", template, err)
		}
	}
	for _, template := range []string{"{proof}", "{metrics}"} {
		if _, err := mustTemplate(t, template).Expand(Values{}); err == nil {
			t.Errorf("%q expands to nothing", template)
		}
	}
}

func TestBadTemplates(t *testing.T) {
	for template, want := range map[string]string{
		"{":             "unclosed {",
		"a{b":           "unclosed {",
		"{a{b}":         "unclosed {",
		"}":             "closes nothing",
		"a}b":           "closes nothing",
		"{}":            "names nothing",
		"{input}":       "write {input:PATH}",
		"{input:}":      "empty path",
		"{input:/etc}":  "is absolute",
		"{input:../x}":  "leaves the repository",
		"{input:a/..}":  "is not a clean path",
		"{input:.}":     "is the repository itself",
		"{input:a//b}":  `write "a/b"`,
		"{input:a\\b}":  "backslash",
		"{input:a\nb}":  "control character",
		"{input:./a}":   `write "a"`,
		"{input:a/../b": "unclosed {",
	} {
		if _, err := ParseTemplate([]string{"ok", template}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", template, err, want)
		}
	}
}

func TestExpectations(t *testing.T) {
	for _, c := range []struct {
		e    Expectation
		x    float64
		want bool
	}{
		{Expectation{"==", 0}, 0, true}, {Expectation{"==", 0}, 1, false}, {Expectation{"!=", 0}, 1, true},
		{Expectation{"!=", 0}, 0, false},
		{Expectation{"<", 2}, 1, true}, {Expectation{"<", 2}, 2, false}, {Expectation{"<=", 2}, 2, true},
		{Expectation{"<=", 2}, 3, false},
		{Expectation{">", 2}, 3, true}, {Expectation{">", 2}, 2, false}, {Expectation{">=", 2}, 2, true},
		{Expectation{">=", 2}, 1, false},
		{Expectation{"", 0}, 0, false},
	} {
		if got := c.e.Holds(c.x); got != c.want {
			t.Errorf("%v %v: %v", c.x, c.e, got)
		}
	}
	if got := (Expectation{">=", 8e9}).String(); got != ">= 8e+09" {
		t.Error(got)
	}
}

func TestInputs(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file("a.bin", "abc")
	file("bench.yaml", strings.Replace(minimal, `session: ["{bin/prover}", session]`,
		`session: ["{bin/prover}", "{input:a.bin}", "{input:a.bin}"]`, 1))
	f, err := Load(filepath.Join(dir, "bench.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Inputs(f.Workloads[0])
	// printf abc | sha256sum
	want := []InputFile{{"a.bin", filepath.Join(dir, "a.bin"),
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", 3}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for name, damage := range map[string]func() error{
		"missing":             func() error { return nil },
		"folder":              func() error { return os.Mkdir(filepath.Join(dir, "a.bin"), 0o755) },
		"link out":            func() error { return os.Symlink("/etc/passwd", filepath.Join(dir, "a.bin")) },
		"link out, with dots": func() error { return os.Symlink("../../../etc/passwd", filepath.Join(dir, "a.bin")) },
	} {
		if err := os.Remove(filepath.Join(dir, "a.bin")); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Inputs(f.Workloads[0]); err == nil ||
			!strings.Contains(err.Error(), "bench.yaml:4: workload w: {input:a.bin}") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Hooks name inputs as provers do: they are hashed and carried with the others.
func TestInputsOfHooks(t *testing.T) {
	dir := t.TempDir()
	source := minimal
	for _, hook := range []string{"setup", "prepare", "cleanup"} {
		source += "    " + hook + `: [sh, "{input:` + hook + `.sh}"]` + "\n"
		if err := os.WriteFile(filepath.Join(dir, hook+".sh"), []byte(hook), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Parse(filepath.Join(dir, "bench.yaml"), []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := f.Inputs(f.Workloads[0])
	var names []string
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	if diff := cmp.Diff([]string{"setup.sh", "prepare.sh", "cleanup.sh"}, names); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
}
