package house

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// replaced are words that this project once used in a private sense, or in an archaic order, with the standard terms
// for them. In comments and pages, the standard term is always better.
var replaced = []struct {
	words *regexp.Regexp
	by    string
}{
	{regexp.MustCompile(`(?i)\bforet(old|ells?)\b`), "predicted, speculative"},
	{regexp.MustCompile(`(?i)\b(so many|as many as)\b`), "n, the number of"},
	{regexp.MustCompile(`(?i)\bgo(es|ne) on\b`), "is running, continues"},
	{regexp.MustCompile(`(?i)\balike\b`), "identical, equal"},
	{regexp.MustCompile(`(?i)\blets? (\w+ )?go of\b`), "frees, releases"},
	{regexp.MustCompile(`(?i)\b(is|are|be) told\b`), "receives; distinguished"},
	{regexp.MustCompile(`(?i)\bt(old|ells?) apart\b`), "distinguished, distinguishes"},
	{regexp.MustCompile(`(?i)\bsupposes\b`), "assumes, speculates"},
	{regexp.MustCompile(`(?i)\b(is|are) no such (share|thing)\b`), "is not"},
	{regexp.MustCompile(`(?i)\bfor so long\b`), "for up to"},
	{regexp.MustCompile(`(?i)\bone (behind|beside) the other\b`), "one after another; adjacent, concurrently"},
	{regexp.MustCompile(`(?i)\bbehind the (last|first|end|run|proof|group)\b`), "after"},
	{regexp.MustCompile(`(?i)\bin flight\b`), "streaming, pending"},
	{regexp.MustCompile(`(?i)\b(is|are) under way\b`), "is running, pending"},
	{regexp.MustCompile(`(?i)\bbut for (that|those|the|what|its|this)\b`), "except"},
	{regexp.MustCompile(`(?i)\blooks? (whether|if|how far)\b`), "checks, reports"},
	{regexp.MustCompile(`(?i)\btak(e|es|en|ing) (\w+ )?up again\b`), "resumes"},
	{regexp.MustCompile(`(?i)\bas (long|often|much) again\b`), "a factor or a percentage"},
	{regexp.MustCompile(`(?i)\b(at|in) hand\b`), "known, current"},
	{regexp.MustCompile(`(?i)\bof which none\b`), "none of which"},
	{regexp.MustCompile(`(?i)\b(its|their) own words\b`), "what it claims"},
	{regexp.MustCompile(`(?i)\b(is|are) said\b`), "reports, names"},
	{regexp.MustCompile(`(?i)\b(is|are) had\b`), "follows, is computed"},
	{regexp.MustCompile(`(?i)\bwere (it|they|this|that)\b`), "if it were"},
	{regexp.MustCompile(`(?i)\bfor nobody\b`), "without a user"},
	{regexp.MustCompile(`(?i)\bof (its|their) own accord\b`), "by itself"},
	{regexp.MustCompile(`(?i)\bof one mind\b`), "agree"},
	{regexp.MustCompile(`(?i)\bdemands? that\b`), "requires"},
	{regexp.MustCompile(`(?i)\bnow and then\b`), "sometimes"},
	{regexp.MustCompile(`(^|[.:;] )Those (of|that)\b`), "the noun again"},
	{regexp.MustCompile(`(?i)\b(is|are) of (a|an|one|its|their|the)\b`), "belongs to, comes from, has"},
	{regexp.MustCompile(`(?i)\b(is|are) of (another|no|nobody|somebody)\b`), "belongs to, comes from, has"},
	{regexp.MustCompile(`(?i)\bas (it|they) (is|are) by (itself|themselves)\b`), "alone"},
	{regexp.MustCompile(`(?i)\b(go|goes) by (itself|themselves)\b`), "by itself"},
	{regexp.MustCompile(`(?i)\b(somebody|anybody) else's\b`), "another user's, another process's"},
}

// reporting are functions and methods whose string arguments are the text of an error or of a test's report.
var reporting = []string{"New", "Errorf", "Error", "Fatal", "Fatalf", "Skip", "Skipf", "Log", "Logf"}

// exempt is this file, which quotes the replaced words.
const exempt = "internal/house/words_test.go"

// code matches the parts of a page that are not prose: blocks and spans of code, and the targets of links.
var code = regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)")

// comments matches a comment in C, CUDA, C++ and Rust.
var comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)

// marks matches what begins a line of a comment.
var marks = regexp.MustCompile(`(?m)^\s*(/\*|\*|//[/!]?)`)

// wording returns the replaced words in a text, each with its standard term.
func wording(text string) (list []string) {
	for _, r := range replaced {
		for _, found := range r.words.FindAllString(text, -1) {
			list = append(list, `"`+found+`": say `+r.by)
		}
	}
	return list
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// commented returns the comments of a source in C, CUDA, C++ or Rust, in one line.
func commented(source string) string {
	return oneLine(marks.ReplaceAllString(strings.Join(comments.FindAllString(source, -1), "\n"), " "))
}

// prose returns a comment's text in one line, without the name that it begins with, which may be one of the words.
func prose(group *ast.CommentGroup) string {
	_, rest, _ := strings.Cut(oneLine(group.Text()), " ")
	return rest
}

// messages returns the strings that a file passes to the functions in reporting.
func messages(file *ast.File) (list []*ast.BasicLit) {
	ast.Inspect(file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		called, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains(reporting, called.Sel.Name) {
			return true
		}
		for _, argument := range call.Args {
			if text, ok := argument.(*ast.BasicLit); ok && text.Kind == token.STRING {
				list = append(list, text)
			}
		}
		return true
	})
	return list
}

// proseOf returns the prose of a page, or the comments of a source in another language than Go. Benchmarks of other
// projects keep their comments.
func proseOf(t *testing.T, path string) string {
	if strings.HasPrefix(path, "guests/others/") {
		return ""
	}
	switch filepath.Ext(path) {
	case ".md":
		if path == "README.md" || strings.HasPrefix(path, "docs/") {
			text, _ := read(t, path)
			return oneLine(code.ReplaceAllString(string(text), " "))
		}
	case ".c", ".h", ".cu", ".cuh", ".cpp", ".rs":
		text, _ := read(t, path)
		return commented(string(text))
	}
	return ""
}

func TestWords(t *testing.T) {
	for _, file := range goFiles(t) {
		if file.path == exempt {
			continue
		}
		for _, group := range file.ast.Comments {
			for _, found := range wording(prose(group)) {
				t.Errorf("%s: %s", file.set.Position(group.Pos()), found)
			}
		}
		for _, text := range messages(file.ast) {
			for _, found := range wording(text.Value) {
				t.Errorf("%s: %s", file.set.Position(text.Pos()), found)
			}
		}
	}
	for _, path := range files(t) {
		for _, found := range wording(proseOf(t, path)) {
			t.Errorf("%s: %s", path, found)
		}
	}
}

func TestWording(t *testing.T) {
	for text, want := range map[string]int{
		"Release lets an execution go of its records, which are told apart.": 2,
		"The replay goes on; So many words are alike.":                       3,
		"Close releases the records. There is no such table.":                0,
		"They go on foot for as long as they like, and suppose nothing.":     0,
		"Tasks in flight lie one behind the other, but for the one at hand.": 4,
		"Everything but the handle is hidden behind the interface.":          0,
	} {
		if found := wording(text); len(found) != want {
			t.Errorf("%q: %d words %q, want %d", text, len(found), found, want)
		}
	}
	source := "x = 1; // a table that\n// is told\n/* The replay\n * goes on. */ goes_on(); alike();"
	if found := wording(commented(source)); len(found) != 2 {
		t.Errorf("%q: %q, want the two in comments", source, found)
	}
	page := "see `foretell.go`, [Foretold](foretold.md)\n```\ngoes on\n```\n"
	if found := wording(code.ReplaceAllString(page, " ")); len(found) != 1 {
		t.Errorf("%q: %q, want the link's text only", page, found)
	}
}
