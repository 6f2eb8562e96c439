package joblog_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/chiasmus/chiasmus/workflows/joblog"
)

// ignored matches the characters that a language-aware comparison skips. Tabs and line ends are not among them.
var ignored = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Cf}\x{034f}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{2065}\x{3164}\x{fe00}-\x{fe0f}\x{ffa0}\x{e0000}-\x{e0fff}]`)

// isCommand interprets a line as a runner does, and as a runner that skips invisible characters.
func isCommand(line string) bool {
	for _, read := range []string{line, ignored.ReplaceAllString(line, "")} {
		if strings.HasPrefix(strings.TrimLeftFunc(read, unicode.IsSpace), "::") || strings.Contains(read, "##[") {
			return true
		}
	}
	return false
}

// lines splits as a runner does: at any of the three line ends.
func lines(text string) []string {
	return regexp.MustCompile(`\r\n|\r|\n`).Split(text, -1)
}

func corpus(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "corpus.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		text, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, text)
	}
	return out
}

func clean(t *testing.T, chunks ...string) string {
	t.Helper()
	var out bytes.Buffer
	writer := joblog.New(&out)
	for _, chunk := range chunks {
		if n, err := writer.Write([]byte(chunk)); n != len(chunk) || err != nil {
			t.Fatal(n, err)
		}
	}
	return out.String()
}

// Every text of the corpus is a command to a runner. After the writer, none is, for any split into writes.
func TestNoCommandGetsThrough(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, text := range corpus(t) {
		found := false
		for _, line := range lines(text) {
			found = found || isCommand(line)
		}
		if !found {
			t.Errorf("%q is no command: it does not belong in the corpus", text)
		}
		for range 50 {
			var chunks []string
			for rest := text; rest != ""; {
				n := 1 + random.IntN(len(rest))
				chunks, rest = append(chunks, rest[:n]), rest[n:]
			}
			got := clean(t, chunks...)
			for _, line := range lines(got) {
				if isCommand(line) {
					t.Errorf("%q, cut as %q, became %q, which holds a command", text, chunks, got)
				}
			}
			if !utf8.ValidString(got) {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
}

// Ordinary output passes unchanged.
func TestOrdinaryOutput(t *testing.T) {
	for _, text := range []string{"", "base 12ab: built\n\tin 3.0 s\n", "a::b ## [x] #[y\n", "std::vector<int>\n",
		": one\n", "ä €  😀\n", "##\n[x]\n"} {
		if got := clean(t, text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got, want := clean(t, "one\r\ntwo\rthree\n"), "one\ntwo\nthree\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := clean(t, " ::error::x\n##[group]y\n"), " :\\:error::x\n##\\[group]y\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzNoCommandGetsThrough(f *testing.F) {
	f.Add([]byte(" \t::x\r##["), 3)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		cut = min(max(cut, 0), len(data))
		for _, line := range lines(clean(t, string(data[:cut]), string(data[cut:]))) {
			if isCommand(line) {
				t.Errorf("%q cut at %d gives %q", data, cut, line)
			}
		}
	})
}
