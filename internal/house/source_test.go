package house

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// source is one parsed Go file of the repository outside testdata.
type source struct {
	path string // from the root
	text []byte
	ast  *ast.File
	set  *token.FileSet
}

// read returns a file's text, unless it is tracked and deleted in the work tree.
func read(t *testing.T, path string) (text []byte, there bool) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return text, err == nil
}

func goFiles(t *testing.T) []source {
	t.Helper()
	var sources []source
	for _, path := range files(t) {
		if !strings.HasSuffix(path, ".go") || strings.Contains("/"+path, "/testdata/") {
			continue
		}
		text, there := read(t, path)
		if !there {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, source{path, text, parsed, set})
	}
	if len(sources) < 10 {
		t.Fatalf("found %d Go files: the rules would apply to nothing", len(sources))
	}
	return sources
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

// support reports whether the file belongs to a package that only tests import, which the package's name must say.
func (s source) support() bool {
	name := filepath.Base(filepath.Dir(s.path))
	return strings.HasPrefix(name, "test") || strings.HasSuffix(name, "test")
}

func (s source) generated() bool { return ast.IsGenerated(s.ast) }

// generator reports whether the file is a program of its own: //go:build ignore, or a folder named after its output,
// such as kernelgen.
func (s source) generator() bool {
	if strings.HasSuffix(filepath.Dir(s.path), "gen") {
		return true
	}
	for _, group := range s.ast.Comments {
		for _, comment := range group.List {
			if constraint.IsGoBuild(comment.Text) && strings.Contains(comment.Text, "ignore") {
				return true
			}
		}
	}
	return false
}

func (s source) imports() []string {
	paths := make([]string, len(s.ast.Imports))
	for i, spec := range s.ast.Imports {
		paths[i], _ = strconv.Unquote(spec.Path.Value)
	}
	return paths
}

// calls lists the positions where the file selects pkg.name, for one of the names.
func (s source) calls(pkg string, names ...string) []string {
	var at []string
	ast.Inspect(s.ast, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok || !slices.Contains(names, selector.Sel.Name) {
			return true
		}
		if ident, ok := selector.X.(*ast.Ident); ok && ident.Name == pkg {
			at = append(at, s.set.Position(node.Pos()).String())
		}
		return true
	})
	return at
}

func TestEveryPackageIsDocumented(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles)+len(p.CgoFiles) > 0 && len(strings.Fields(p.Doc)) < 4 {
			t.Errorf("%s has no package comment that a newcomer could read first", p.short())
		}
	}
}

func TestMainIsOneLine(t *testing.T) {
	mains := 0
	for _, file := range goFiles(t) {
		if file.ast.Name.Name != "main" || file.test() || file.generator() || !strings.Contains(file.path, "/cmd/") {
			continue
		}
		for _, decl := range file.ast.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == "main" && f.Recv == nil {
				mains++
				if len(f.Body.List) != 1 {
					t.Errorf("%s: main has %d statements, want one call that returns the exit code", file.path, len(f.Body.List))
				}
			}
		}
	}
	if mains == 0 {
		t.Error("no main function was found: this test looks in the wrong place")
	}
}

// Settings that are read from the environment deep in a package are hard to find.
func TestEnvironmentIsReadInOneFilePerBinary(t *testing.T) {
	readers := map[string][]string{} // package -> files
	for _, file := range goFiles(t) {
		if file.test() || file.generator() || len(file.calls("os", "Getenv", "LookupEnv", "ExpandEnv")) == 0 {
			continue
		}
		folder := filepath.ToSlash(filepath.Dir(file.path))
		readers[folder] = append(readers[folder], file.path)
	}
	owned := map[string]bool{}
	for _, p := range packages(t) {
		if p.Name != "main" {
			continue
		}
		found := slices.Clone(readers[p.short()])
		owned[p.short()] = true
		for _, dependency := range p.Deps {
			if strings.HasPrefix(dependency, module) {
				owned[short(dependency)] = true
				found = append(found, readers[short(dependency)]...)
			}
		}
		if len(found) > 1 {
			t.Errorf("%s reads the environment in %v, want one file", p.short(), found)
		}
	}
	for folder, paths := range readers { // packages that only tests import are named accordingly
		if name := filepath.Base(folder); !owned[folder] && !strings.HasPrefix(name, "test") &&
			!strings.HasSuffix(name, "test") {
			t.Errorf("%v reads the environment and belongs to no binary", paths)
		}
	}
}

// One package decides what git may do on which host: see package git.
func TestGitIsRunFromOnePackage(t *testing.T) {
	found := 0
	for _, file := range goFiles(t) {
		folder := filepath.ToSlash(filepath.Dir(file.path))
		if file.test() || file.support() || file.generator() || len(file.calls("exec", "Command", "CommandContext")) == 0 {
			continue
		}
		if !strings.Contains(string(file.text), `"git"`) {
			continue
		}
		ast.Inspect(file.ast, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			selector, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || selector.Sel.Name != "Command" && selector.Sel.Name != "CommandContext" {
				return true
			}
			for _, argument := range call.Args {
				if literal, ok := argument.(*ast.BasicLit); ok && literal.Value == `"git"` {
					found++
					if folder != "harness/git" {
						t.Errorf("%s runs git itself: go through the package git, which decides what it may do",
							file.set.Position(call.Pos()))
					}
				}
			}
			return true
		})
	}
	if found == 0 {
		t.Error("nothing runs git: this test looks in the wrong place")
	}
}

// An inherited descriptor bypasses a child's isolation. Code that starts a child must close them first, by group.Seal
// or by group.Own and group.Start, which do.
func TestChildrenInheritNoDescriptor(t *testing.T) {
	found := 0
	for _, file := range goFiles(t) {
		exempt := file.test() || file.support() || file.generator() || strings.Contains(file.path, "/fakeprover/")
		if exempt || !strings.HasPrefix(file.path, "harness/") && !strings.HasPrefix(file.path, "workflows/") {
			continue
		}
		starts := file.calls("exec", "Command", "CommandContext")
		starts = append(starts, file.calls("os", "StartProcess")...)
		if strings.Contains(string(file.text), "exec.Cmd{Dir") || strings.Contains(string(file.text), "exec.Cmd{Path") {
			starts = append(starts, file.path)
		}
		if len(starts) == 0 {
			continue
		}
		found++
		inGroup := strings.HasPrefix(file.path, "harness/internal/group/") && bytes.Contains(file.text, []byte("\tSeal()\n"))
		if !inGroup && len(file.calls("group", "Seal", "Own", "Start")) == 0 {
			t.Errorf("%s starts a program without first sealing the descriptors of this one", starts[0])
		}
	}
	if found == 0 {
		t.Error("nothing starts programs: this test looks in the wrong place")
	}
}

const maxLines = 500

func TestFilesStayReadable(t *testing.T) {
	for _, file := range goFiles(t) {
		if lines := bytes.Count(file.text, []byte("\n")); lines > maxLines && !file.test() &&
			!file.support() && !file.generated() {
			t.Errorf("%s has %d lines, want one concept in at most %d", file.path, lines, maxLines)
		}
	}
}

// words that no committed file contains. Each is written in two parts so that this file
// does not contain it either.
var words = []struct{ word, why string }{
	{"TO" + "DO", "unfinished work is done or an issue"},
	{"FIX" + "ME", "unfinished work is done or an issue"},
	{"XX" + "X:", "unfinished work is done or an issue"},
	{"/work" + "/wt", "a path of one machine"},
	{"/work" + "/main", "a path of one machine"},
	{"/work" + "/shared", "a path of one machine"},
	{"/work" + "/.library", "a path of one machine"},
	{"proxy" + ".golang.org", "the host of a registry is the toolchain's business"},
	{"sum" + ".golang.org", "the host of a registry is the toolchain's business"},
	{"pypi" + ".org", "the host of a registry is the tool's business"},
	{"files.python" + "hosted.org", "the host of a registry is the tool's business"},
	{"registry.npm" + "js.org", "the host of a registry is the tool's business"},
	{"index.crates" + ".io", "the host of a registry is the tool's business"},
	{"static.crates" + ".io", "the host of a registry is the tool's business"},
	{"deb.debian" + ".org", "the host of a registry is the tool's business"},
}

func TestForbiddenWords(t *testing.T) {
	for _, path := range files(t) {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil || bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			continue // deleted, a folder (submodule), or binary
		}
		for _, finding := range forbidden(path, text) {
			t.Error(finding)
		}
	}
}

func forbidden(path string, text []byte) []string {
	var found []string
	for _, w := range words {
		if strings.HasPrefix(path, "guests/others/embench/") && strings.HasPrefix(w.why, "unfinished") {
			continue // another project's sources, unchanged
		}
		if i := bytes.Index(text, []byte(w.word)); i >= 0 {
			found = append(found, fmt.Sprintf("%s:%d contains %q: %s", path,
				1+bytes.Count(text[:i], []byte("\n")), w.word, w.why))
		}
	}
	return found
}

func TestForbiddenWordsCatch(t *testing.T) {
	for _, w := range words {
		if found := forbidden("f", []byte("one\n// "+w.word+" later\n")); len(found) != 1 ||
			!strings.HasPrefix(found[0], "f:2 ") {
			t.Errorf("%q: found %v, want it on line 2", w.word, found)
		}
	}
}

// maxColumns is the longest line, where a tab counts as one column.
const maxColumns = 120

// longLines are the numbers of the lines that are too long, except lines that exceed the limit within a raw string.
func longLines(text string) (numbers []int) {
	file := token.NewFileSet().AddFile("", -1, len(text))
	raw := rawStrings(file, text)
	begin := 0
	for i, line := range strings.SplitAfter(text, "\n") {
		passes := begin + len(string([]rune(line)[:min(maxColumns, utf8.RuneCountInString(line))]))
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > maxColumns &&
			!slices.ContainsFunc(raw, func(s [2]int) bool { return s[0] < passes && passes < s[1] }) {
			numbers = append(numbers, i+1)
		}
		begin += len(line)
	}
	return numbers
}

// rawStrings returns the offsets at which the raw strings of a source begin and end.
func rawStrings(file *token.File, text string) (list [][2]int) {
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, 0)
	for {
		position, kind, literal := s.Scan()
		if kind == token.EOF {
			return list
		}
		if at := file.Offset(position); kind == token.STRING && text[at] == '`' {
			list = append(list, [2]int{at, at + len(literal)})
		}
	}
}

func TestLongLinesAreFound(t *testing.T) {
	fits, long := "\t// "+strings.Repeat("é", maxColumns-4), "// "+strings.Repeat("x", maxColumns-2)
	raw := "a := `" + strings.Repeat("x", maxColumns) + "\n" + strings.Repeat("x", maxColumns+1) + "` + " + "b"
	behind := "a := `x` + " + strings.Repeat("b", maxColumns)
	text := strings.Join([]string{long, fits, "", long, raw, behind}, "\n")
	if got := longLines(text); !slices.Equal(got, []int{1, 4, 7}) {
		t.Errorf("lines %d are found too long, want 1, 4 and 7", got)
	}
}

func TestLinesFit(t *testing.T) {
	for _, file := range goFiles(t) {
		if file.generated() {
			continue
		}
		for _, line := range longLines(string(file.text)) {
			t.Errorf("%s:%d: a line has at most %d columns", file.path, line, maxColumns)
		}
	}
	kernels := 0
	for _, path := range files(t) {
		if extension := filepath.Ext(path); extension != ".cu" && extension != ".cuh" {
			continue
		}
		text, there := read(t, path)
		if !there {
			continue
		}
		kernels++
		for i, line := range strings.Split(string(text), "\n") {
			if utf8.RuneCountInString(line) > maxColumns {
				t.Errorf("%s:%d: a line has at most %d columns", path, i+1, maxColumns)
			}
		}
	}
	if kernels == 0 {
		t.Error("no kernels were found: this test looks in the wrong place")
	}
}
