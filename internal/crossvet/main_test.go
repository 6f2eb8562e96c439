package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A module without dependencies, with one problem for arm64 only in each file.
var sources = map[string]string{
	"go.mod":               "module example.org/m\n\ngo 1.26\n",
	"common.go":            "package m\n\nfunc common() {}\n",
	"types_arm64.go":       "package m\n\nvar wrong int = \"text\"\n",
	"body_arm64.go":        "package m\n\nfunc bodyless()\n",
	"format_arm64.go":      "package m\n\nimport \"fmt\"\n\nfunc f() { fmt.Printf(\"%d\", \"text\") }\n",
	"format_arm64_test.go": "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { t.Errorf(\"%d\", \"text\") }\n",
}

func TestReports(t *testing.T) {
	for _, test := range []struct {
		platform string
		files    []string
		code     int
		want     string
	}{
		{"linux/arm64", []string{"common.go"}, 0, ""},
		{"linux/arm64", []string{"types_arm64.go"}, 1, "cannot use \"text\""},
		{"linux/arm64", []string{"body_arm64.go"}, 1, "function bodyless has no body"},
		{"linux/arm64", []string{"format_arm64.go"}, 1, "wrong type string (printf)"},
		{"darwin/arm64", []string{"common.go", "format_arm64_test.go"}, 1, "format_arm64_test.go:5:"},
		{"linux/amd64", []string{"common.go", "types_arm64.go", "body_arm64.go", "format_arm64.go"}, 0, ""},
		{"plan10/arm64", []string{"common.go"}, 2, "unsupported GOOS/GOARCH"},
	} {
		folder := t.TempDir()
		for _, name := range append(test.files, "go.mod") {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(sources[name]), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var out strings.Builder
		if code := run(folder, []string{test.platform, "./..."}, &out); code != test.code ||
			!strings.Contains(out.String(), test.want) || code == 0 && out.Len() > 0 {
			t.Errorf("%s %v: code %d: %s; want %d: %q", test.platform, test.files, code, &out, test.code, test.want)
		}
	}
	for _, arguments := range [][]string{nil, {"linux/arm64"}, {"linux", "./..."}} {
		var out strings.Builder
		if code := run(".", arguments, &out); code != 2 || !strings.HasPrefix(out.String(), "usage: ") {
			t.Errorf("%q: code %d: %s; want the usage", arguments, code, &out)
		}
	}
}
