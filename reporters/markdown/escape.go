package markdown

import (
	"fmt"
	"regexp"
	"strings"
)

// gap is a zero-width space. GitHub looks for mentions, references and addresses in the rendered text, where a
// backslash or an entity no longer stands in the way; this does.
const gap = "\u200b"

var (
	// What CommonMark and GitHub's extensions give a meaning to within a line, and the marks of HTML.
	inline = regexp.MustCompile("[\\\\`*_{}\\[\\]()#!~$<>&|]")
	// What begins a list, a heading or a rule at the start of a line, where escaped text may stand.
	leading = regexp.MustCompile(`^(\d*)([-+=.)])(?:[-+= ]|$)`)
	// Mentions, references to issues, shorthand of emoji, and addresses that are linked without any markup; each is
	// interrupted after its first part.
	trigger = regexp.MustCompile(`(?i)(@)|(#)\d|(GH-)\d|(:)[a-z0-9_+-]+:|(w)ww\.|(:)//`)
	// Commit names: GitHub links them from seven digits on, wherever these begin. Short ones of decimal digits only are
	// numbers.
	commit = regexp.MustCompile(`\b[0-9a-fA-F]{7,}\b`)
	number = regexp.MustCompile(`^[0-9]{1,19}$`)
	four   = regexp.MustCompile(`.{4}\B`)
)

// Escape makes text from outside mean nothing but itself in GitHub's Markdown, in a paragraph or a list item: no
// markup, no HTML, no mention, no reference, no link.
func Escape(text string) string {
	if m := leading.FindStringSubmatchIndex(text); m != nil {
		rest := Cell(text[m[5]:])
		if strings.HasPrefix(text[m[5]:], " ") {
			rest = " " + rest
		}
		return text[:m[3]] + `\` + text[m[4]:m[5]] + rest
	}
	return Cell(text)
}

// Cell is Escape for a place where no line can begin, such as a table cell.
func Cell(text string) string {
	return inline.ReplaceAllStringFunc(gaps(text), escapeOne)
}

// HTML is Escape for a line of HTML, in which no Markdown is read: all that could have a meaning is an entity.
func HTML(text string) string {
	return inline.ReplaceAllStringFunc(gaps(text), func(character string) string {
		return fmt.Sprintf("&#%d;", character[0])
	})
}

// gaps interrupts what GitHub would link in the rendered text.
func gaps(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text = commit.ReplaceAllStringFunc(text, func(name string) string {
		if number.MatchString(name) {
			return name
		}
		return four.ReplaceAllString(name, "$0"+gap)
	})
	return interrupt(trigger, text)
}

// interrupt puts a gap after each group that matches. It goes on right behind the group, because matches may overlap:
// ":x://" is both an emoji's shorthand and an address.
func interrupt(pattern *regexp.Regexp, text string) string {
	var b strings.Builder
	for {
		m := pattern.FindStringSubmatchIndex(text)
		if m == nil {
			return b.String() + text
		}
		for group := 2; group < len(m); group += 2 {
			if end := m[group+1]; end >= 0 {
				b.WriteString(text[:end] + gap)
				text = text[end:]
			}
		}
	}
}

// escapeOne escapes one character: by an entity where something other than the Markdown parser may look at it, such
// as the splitting of table rows at pipes, GitHub's formulas and whatever reads the HTML later; else by a backslash.
func escapeOne(character string) string {
	switch character {
	case "<":
		return "&lt;"
	case ">":
		return "&gt;"
	case "&":
		return "&amp;"
	case "|":
		return "&#124;"
	case "$":
		return "&#36;"
	}
	return "\\" + character
}

// Code sets text from outside as code, where nothing has a meaning but backquotes, and the pipe in a table cell.
func Code(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if strings.TrimSpace(text) == "" {
		return ""
	}
	if strings.ContainsRune(text, '|') {
		return Cell(text) // in a table a pipe ends the cell even in code, outside one its escape would show
	}
	fence := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Block sets lines from outside as a fenced block that they cannot end.
func Block(text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + "text\n" + text + "\n" + fence + "\n"
}

// longestRun is the length of the longest run of backquotes.
func longestRun(text string) int {
	longest, run := 0, 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}
