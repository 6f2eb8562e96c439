package house

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	fences   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	links    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headings = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// TestLinks follows every relative link of every page, to the heading that its anchor names.
func TestLinks(t *testing.T) {
	anchors := map[string]map[string]bool{}
	pages := 0
	for _, page := range files(t) {
		text, there := read(t, page)
		if !there || !strings.HasSuffix(page, ".md") || strings.Contains(page, "testdata/") {
			continue
		}
		pages++
		for _, link := range linksOf(string(text)) {
			target, anchor, _ := strings.Cut(link, "#")
			file := page
			if target != "" {
				file = path.Join(path.Dir(page), target)
			}
			if _, err := os.Stat(root + "/" + file); err != nil {
				t.Errorf("%s: link to %s: there is no %s", page, link, file)
				continue
			}
			if anchor == "" || !strings.HasSuffix(file, ".md") {
				continue
			}
			if anchors[file] == nil {
				text, _ := read(t, file)
				anchors[file] = anchorsOf(string(text))
			}
			if !anchors[file][anchor] {
				t.Errorf("%s: link to %s: %s has no such heading", page, link, file)
			}
		}
	}
	if pages < 20 {
		t.Errorf("%d pages", pages)
	}
}

// sourcePath matches a path of the repository that a page names as code.
var sourcePath = regexp.MustCompile(
	"`((?:prover|harness|cuda|stats|workflows|reporters|guests|internal|docs)/[\\w./-]+)`")

// TestPathsOnPages finds every file and folder that a page names. Pages of the lab name files of their time, and make
// creates guests/build.
func TestPathsOnPages(t *testing.T) {
	paths := 0
	for _, page := range files(t) {
		if !strings.HasSuffix(page, ".md") || strings.Contains(page, "testdata/") || page == "CHANGELOG.md" ||
			strings.HasPrefix(page, "docs/lab/") {
			continue
		}
		text, _ := read(t, page)
		for _, match := range sourcePath.FindAllSubmatch(text, -1) {
			name := strings.TrimSuffix(string(match[1]), "/...")
			if strings.HasPrefix(name, "guests/build/") {
				continue
			}
			paths++
			if _, err := os.Stat(root + "/" + name); err != nil {
				t.Errorf("%s names %s, which does not exist", page, name)
			}
		}
	}
	if paths < 50 {
		t.Errorf("%d paths", paths)
	}
}

// linksOf are the links of a page that stay in the repository.
func linksOf(page string) (list []string) {
	for _, match := range links.FindAllStringSubmatch(fences.ReplaceAllString(page, ""), -1) {
		if link := match[1]; !strings.Contains(link, "://") && !strings.HasPrefix(link, "mailto:") {
			list = append(list, link)
		}
	}
	return list
}

// anchorsOf are the anchors that GitHub gives the headings of a page.
func anchorsOf(page string) map[string]bool {
	names := map[string]bool{}
	for _, match := range headings.FindAllStringSubmatch(fences.ReplaceAllString(page, ""), -1) {
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(match[1], "$1")
		names[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, title)] = true
	}
	return names
}

func TestLinksOfAPage(t *testing.T) {
	page := "# A `b`: c, d\n[x](y.md#z) [w](https://a/b)\n```\n# no [n](no)\n```\n[v](#a-b-c-d)\n"
	if got := strings.Join(linksOf(page), " "); got != "y.md#z #a-b-c-d" {
		t.Errorf("links %q", got)
	}
	if names := anchorsOf(page); len(names) != 1 || !names["a-b-c-d"] {
		t.Errorf("anchors %v", names)
	}
}
