package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/internal/longtest"
)

// A module without dependencies, with one problem for arm64 only in each file.
var sources = map[string]string{
	"go.mod":           "module example.org/m\n\ngo 1.26\n",
	"common.go":        "package m\n\nfunc common() {}\n",
	"types_arm64.go":   "package m\n\nvar wrong int = \"text\"\n",
	"body_arm64.go":    "package m\n\nfunc bodyless()\n",
	"format_arm64.go":  "package m\n\nimport \"fmt\"\n\nfunc f() { fmt.Printf(\"%d\", \"text\") }\n",
	"missing_arm64.go": "package m\n\nimport \"syscall\"\n\nvar _ = syscall.Dup2\n", // Linux has it on amd64 only
	"log/log.go": "package log\n\nimport \"fmt\"\n\n" +
		"func Logf(format string, a ...any) { fmt.Printf(format, a...) }\n",
	"wrapper_arm64.go":     "package m\n\nimport \"example.org/m/log\"\n\nfunc g() { log.Logf(\"%d\", \"text\") }\n",
	"format_arm64_test.go": "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { t.Errorf(\"%d\", \"text\") }\n",
}

func TestReports(t *testing.T) {
	longtest.Only(t)
	for _, test := range []struct {
		platform string
		files    []string
		code     int
		want     []string
	}{
		{"linux/arm64", []string{"types_arm64.go", "missing_arm64.go"}, 1,
			[]string{"cannot use \"text\"", "undefined: syscall.Dup2"}},
		{"darwin/arm64",
			[]string{"body_arm64.go", "format_arm64.go", "format_arm64_test.go", "log/log.go", "wrapper_arm64.go"},
			1, []string{"function bodyless has no body", "format_arm64.go:5:", "wrong type string (printf)",
				"format_arm64_test.go:5:", "log.Logf format %d has arg"}},
		{"plan10/arm64", nil, 2, []string{"plan10/arm64"}},
		{"linux/amd64", slices.Sorted(maps.Keys(sources)), 0, nil},
	} {
		folder := t.TempDir()
		for _, name := range append(test.files, "common.go", "go.mod") {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(sources[name]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, arguments := range [][]string{{test.platform, "./..."}, {"-declarations", test.platform, "./..."}} {
			var out strings.Builder
			code := run(folder, arguments, &out)
			missing := slices.DeleteFunc(slices.Clone(test.want),
				func(text string) bool { return strings.Contains(out.String(), text) })
			if code != test.code || len(missing) > 0 || code == 0 && out.Len() > 0 {
				t.Errorf("%q %v: code %d: %s; want %d, and %q", arguments, test.files, code, &out, test.code, missing)
			}
		}
	}
	for _, arguments := range [][]string{nil, {"-declarations"}, {"linux/arm64"}, {"linux", "./..."}} {
		var out strings.Builder
		if code := run(".", arguments, &out); code != 2 || !strings.HasPrefix(out.String(), "usage: ") {
			t.Errorf("%q: code %d: %s; want the usage", arguments, code, &out)
		}
	}
}
