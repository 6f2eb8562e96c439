package prover_test

import (
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The examples import only packages that docs/reference/go.md lists for importers.
func TestExamplesImportListedPackages(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/go.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`prover[^|]*) \\|").FindAllStringSubmatch(string(page), -1) {
		for _, name := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(row[1], -1) {
			listed[name[1]] = true
		}
	}
	for _, path := range []string{"example_test.go", "run/example_test.go", "verify/example_test.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		own := 0
		for _, imported := range file.Imports {
			name, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if short, ok := strings.CutPrefix(name, "github.com/chiasmus/chiasmus/"); ok {
				own++
				if !listed[short] {
					t.Errorf("%s imports %s, which docs/reference/go.md does not list", path, short)
				}
			}
		}
		if own == 0 {
			t.Errorf("%s imports nothing of this module", path)
		}
	}
}
