package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/reporters/internal/fixture"
	"github.com/chiasmus/chiasmus/reporters/internal/golden"
)

func write(t *testing.T, r *report.Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for name, report := range map[string]*report.Report{
		"complete":   fixture.Complete(),
		"sequential": fixture.Sequential(),
		"alone":      fixture.Alone(),
		"partial":    fixture.Partial(),
		"fleet":      fixture.Fleet("<img src=x> @everyone"),
		"failed":     fixture.Failed(),
		"bare":       fixture.Bare(),
		"aa":         fixture.AA(),
		"hostile":    fixture.Hostile(),
		"heads":      fixture.Heads(),
	} {
		t.Run(name, func(t *testing.T) {
			got := write(t, report, Options{})
			golden.Compare(t, name+".md", got)
		})
	}
}

// Text that GitHub would interpret, searched outside code in the output for a hostile report.
func TestHostile(t *testing.T) {
	got := write(t, fixture.Hostile(), Options{})
	fenced := regexp.MustCompile("(?s)`{3,}text\n.*?\n`{3,}\n")
	code := regexp.MustCompile("(`+)[^`].*?[^`](`+)")
	prose := fenced.ReplaceAllString(got, "")
	var lines []string
	for _, line := range strings.Split(prose, "\n") {
		lines = append(lines, code.ReplaceAllStringFunc(line, func(s string) string {
			m := code.FindStringSubmatch(s)
			if m[1] == m[2] {
				return ""
			}
			return s
		}))
	}
	prose = regexp.MustCompile(`&#\d+;`).ReplaceAllString(strings.Join(lines, "\n"), "")
	prose = regexp.MustCompile(`</?code>`).ReplaceAllString(prose, "") // ours, in a summary
	for name, pattern := range map[string]string{
		"tag":       `<(?:[^/ds]|/[^ds])`, // only details and summary are ours
		"attribute": `<(?:details|summary)[^>]`,
		"mention":   `@[a-zA-Z0-9]`,
		"reference": `#[0-9]|GH-[0-9]`,
		"address":   `(?i)www\.|://`,
		"link":      `[^\\]\[[^\]]*[^\\]\]\(`,
		"emphasis":  `[^\\*]\*\*[a-z]+\*\* (?:&|\|)`,
		"heading":   `(?m)^# `,
		"commit":    `\b9b07d1e4c5a6b7889900aabbccddeeff00112233\b`,
		"control":   "[\x00-\x09\x0b-\x1f\u202e]",
	} {
		if found := regexp.MustCompile(pattern).FindString(prose); found != "" {
			t.Errorf("%s: %q survived", name, found)
		}
	}
	if opened, closed := strings.Count(prose, "<details>"), strings.Count(prose, "</details>"); opened != closed {
		t.Errorf("%d details opened, %d closed", opened, closed)
	}
	// A table row has as many cells as its header: an unescaped pipe would add one.
	cells := 0
	for _, line := range lines {
		switch {
		case !strings.HasPrefix(line, "|"):
			cells = 0
		case cells == 0:
			cells = strings.Count(line, "|")
		case strings.Count(line, "|") != cells:
			t.Errorf("%d cells of %d: %s", strings.Count(line, "|")-1, cells-1, line)
		}
	}
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"plain 3.4 % (a-b)": `plain 3.4 % \(a-b\)`,
		"- item":            `\- item`,
		"12. item":          `12\. item`,
		"12) item":          `12\) item`,
		"# heading":         `\# heading`,
		"> quote":           `&gt; quote`,
		"=== rule":          `\=== rule`,
		"\\*not bold*":      `\\\*not bold\*`,
		"a|b":               `a&#124;b`,
		"<b>&amp;":          `&lt;b&gt;&amp;amp;`,
		"@team/x #12 #x":    "@\u200bteam/x \\#\u200b12 \\#x",
		"gh-12 GH-x":        "gh-\u200b12 GH-x",
		":tada: a: b":       ":\u200btada: a: b",
		"https://x www.y.z": "https:\u200b//x w\u200bww.y.z",
		"me@example.org":    "me@\u200bexample.org",
		"deadbeef 0.0001234567 1234567 12345678901234567890": "dead\u200bbeef 0.0001234567 1234567 " +
			"1234\u200b5678\u200b9012\u200b3456\u200b7890",
		":https://x :a:b:": ":\u200bhttps:\u200b//x :\u200ba:\u200bb:", // matches that overlap
		"0000deadbeefcafe": "0000\u200bdead\u200bbeef\u200bcafe",       // text after a gap is a name as well
		"$x$ ~~a~~ !x `c`": "&#36;x&#36; \\~\\~a\\~\\~ \\!x \\`c\\`",
		"two\nlines":       "two lines",
		"":                 "",
	} {
		if got := Escape(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"bin/prover": "`bin/prover`",
		"a`b":        "``a`b``",
		"`a``":       "``` `a`` ```",
		"":           "",
		" ":          "",
		"a|b":        "a&#124;b",
		"a\nb":       "`a b`",
	} {
		if got := Code(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Block("a\n````\nb"); got != "`````text\na\n````\nb\n`````\n" {
		t.Errorf("block %q", got)
	}
}

// For any limit and any amount of text, the output fits, ends at a complete element and announces what is missing.
func TestLimit(t *testing.T) {
	full := write(t, fixture.Complete(), Options{})
	if got := write(t, fixture.Complete(), Options{MaxBytes: CommentLimit}); got != full {
		t.Error("a report that fits was changed")
	}
	many := fixture.Complete()
	for i := range 60 {
		w := many.Workloads[i%2]
		w.Name = fmt.Sprintf("workload-%d", i)
		many.Workloads = append(many.Workloads, w)
	}
	reports := map[string]*report.Report{"complete": fixture.Complete(), "hostile": fixture.Hostile(), "many": many}
	whole := map[string]int{}
	for name, report := range reports {
		whole[name] = len(write(t, report, Options{}))
	}
	for _, limit := range []int{leastBytes, 6000, 7500, 9000, 12_000, len(full) - 1, len(full), CommentLimit} {
		for name, report := range reports {
			got := write(t, report, Options{MaxBytes: limit})
			if len(got) > limit {
				t.Errorf("%s, limit %d: %d bytes", name, limit, len(got))
			}
			if strings.Count(got, "<details><summary>") != strings.Count(got, "\n</details>\n") {
				t.Errorf("%s, limit %d: cut inside a fold", name, limit)
			}
			if (whole[name] > limit) != strings.Contains(got, "Omitted to keep within") {
				t.Errorf("%s, limit %d of %d: announced %v", name, limit, whole[name], !(whole[name] > limit))
			}
		}
	}
	if err := Write(&bytes.Buffer{}, many, Options{MaxBytes: 100}); err == nil {
		t.Error("a limit of 100 bytes was accepted")
	}
}
