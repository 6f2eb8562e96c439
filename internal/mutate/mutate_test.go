package mutate

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every mutation of the repository still applies: a patch that does not apply guards nothing. make mutate runs them.
func TestMutationsApply(t *testing.T) {
	root := filepath.Join("..", "..")
	all, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for i := range all {
		m := &all[i]
		if _, err := m.Apply(root); err != nil {
			t.Error(err)
		}
		key := m.File + "\x00" + m.Old + "\x00" + m.New
		if first := seen[key]; first != "" {
			t.Errorf("%s: the same mutation as %s", m.Location(), first)
		}
		seen[key] = m.Location()
	}
}

var (
	runFlag  = regexp.MustCompile(`^-run=?`)
	subtests = regexp.MustCompile(`/[^|(]*(\([^)]*\)[^|(]*)*`)
	declared = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)
)

// Every mutation's -run pattern selects a test: otherwise go test passes without running any.
func TestMutationsSelectTests(t *testing.T) {
	root := filepath.Join("..", "..")
	all, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{} // by folder
	for i := range all {
		m := &all[i]
		pattern := runPattern(m.Tests)
		selected := regexp.MustCompile(pattern)
		found := pattern == ""
		for _, folder := range packages(m.Tests) {
			if strings.HasSuffix(folder, "/...") {
				found = true // the folders below it are not searched
				continue
			}
			if names[folder] == nil {
				names[folder] = testNames(t, filepath.Join(root, folder))
			}
			found = found || slices.ContainsFunc(names[folder], selected.MatchString)
		}
		if !found {
			t.Errorf("%s: no test matches %q", m.Location(), pattern)
		}
	}
}

// runPattern returns the part of a -run flag that selects tests, without the part that selects subtests.
func runPattern(arguments []string) string {
	for i, argument := range arguments {
		if argument == "-run" {
			argument += "=" + arguments[i+1]
		}
		if runFlag.MatchString(argument) {
			return subtests.ReplaceAllString(runFlag.ReplaceAllString(argument, ""), "")
		}
	}
	return ""
}

// testNames returns the names of the tests in a folder.
func testNames(t *testing.T, folder string) (names []string) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range declared.FindAllSubmatch(text, -1) {
			names = append(names, string(match[1]))
		}
	}
	return names
}

// toy writes a module with one function, one test and one mutation list.
func toy(t *testing.T, list string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module toy\n\ngo 1.24\n",
		"sum/sum.go": "package sum\n\nfunc Sum(a, b int) int { return a + b }\n\nfunc Unseen(a int) int { return a * " +
			"2 }\n",
		"sum/sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(2, 3) != 5 " +
			"{\n\t\tt.Fatal()\n\t}\n}\n",
		"sum/" + listName: list,
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestRun(t *testing.T) {
	root := toy(t,
		"# a comment\n\nsum.go\ta + b\ta - b\t./sum\nsum.go\ta * 2\ta * 3\t./sum\nsum.go\ta + b\ta + c\t./sum\n")
	all, err := Load(root)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d mutations, %v", len(all), err)
	}
	for i, want := range []Outcome{Killed, Survived, Unbuilt} {
		outcome, output, err := all[i].Run(context.Background(), root, Options{})
		if err != nil || outcome != want {
			t.Errorf("%s: %v, %v, want %v\n%s", all[i].Location(), outcome, err, want, output)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "sum", "sum.go"))
	if err != nil || !strings.Contains(string(text), "a + b") {
		t.Errorf("the file was changed: %v\n%s", err, text)
	}
}

// A mutation that only a pin detects survives without pins, which is the default.
func TestRunTurnsPinsOff(t *testing.T) {
	root := toy(t, "sum.go\ta * 2\ta * 3\t./sum\n")
	pinned := "//go:build !nopins\n\npackage sum\n\nimport \"testing\"\n\n" +
		"func TestPin(t *testing.T) {\n\tif Unseen(2) != 4 {\n\t\tt.Fatal()\n\t}\n}\n"
	if err := os.WriteFile(filepath.Join(root, "sum", "pin_test.go"), []byte(pinned), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := Load(root)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d mutations, %v", len(all), err)
	}
	for pins, want := range map[bool]Outcome{false: Survived, true: Killed} {
		if outcome, output, err := all[0].Run(t.Context(), root, Options{Pins: pins}); err != nil || outcome != want {
			t.Errorf("pins %v: %v, %v, want %v\n%s", pins, outcome, err, want, output)
		}
	}
}

func TestMalformedLists(t *testing.T) {
	for list, want := range map[string]string{
		"sum.go\ta + b\ta - b":              "sum/mutations.txt:1: 3 columns",
		"\nsum.go\ta + b\ta - b\t":          "sum/mutations.txt:2: no tests",
		"sum.go\ta + b\ta + b\t./sum":       "equals its replacement",
		"sum.go\ta \\x b\ta + b\t./sum":     `has \x, want`,
		"sum.go\ta + b\\\ta + b\t./sum":     "single backslash",
		"sum.go\ta + b\tb\t-tags x ./sum":   "the tests set -tags",
		"sum.go\ta + b\tb\t--tags=x ./sum":  "the tests set -tags",
		"../go.mod\tmodule\tmodules\t./sum": "not below",
		"/etc/passwd\tmodule\tmodules\t./s": "not below",
	} {
		if _, err := Load(toy(t, list)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", list, err, want)
		}
	}
	for list, want := range map[string]string{
		"sum.go\tc + d\ta - b\t./sum":   "occurs 0 times",
		"sum.go\ta\tb\t./sum":           "want once",
		"other.go\ta + b\ta - b\t./sum": "no such file",
	} {
		root := toy(t, list)
		all, err := Load(root)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all[0].Apply(root); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", list, err, want)
		}
	}
}
