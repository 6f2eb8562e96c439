package markdown

import (
	"fmt"
	"regexp"
	"strings"
)

// gap is a zero-width space. GitHub searches the rendered text for mentions, references and addresses, after
// backslashes and entities have been resolved; a zero-width space still interrupts them there.
const gap = "\u200b"

var (
	// Characters with a meaning within a line in CommonMark, GitHub's extensions or HTML.
	inline = regexp.MustCompile("[\\\\`*_{}\\[\\]()#!~$<>&|]")
	// A list, heading or rule at the start of a line.
	leading = regexp.MustCompile(`^(\d*)([-+=.)])(?:[-+= ]|$)`)
	// Mentions, issue references, emoji shorthand, and addresses that are linked without markup. Each is interrupted after
	// its first part.
	trigger = regexp.MustCompile(`(?i)(@)|(#)\d|(GH-)\d|(:)[a-z0-9_+-]+:|(w)ww\.|(:)//`)
	// Commit names: GitHub links seven or more hexadecimal digits. Short ones with only decimal digits are numbers.
	commit = regexp.MustCompile(`\b[0-9a-fA-F]{7,}\b`)
	number = regexp.MustCompile(`^[0-9]{1,19}$`)
	four   = regexp.MustCompile(`.{4}\B`)
)

// Escape makes external text literal in GitHub's Markdown, in a paragraph or a list item: no markup, HTML, mention,
// reference or link.
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

// Cell is Escape for a position where no line can start, such as a table cell.
func Cell(text string) string {
	return inline.ReplaceAllStringFunc(gaps(text), escapeOne)
}

// HTML is Escape for a line of HTML, where Markdown is not parsed: every special character becomes an entity.
func HTML(text string) string {
	return inline.ReplaceAllStringFunc(gaps(text), func(character string) string {
		return fmt.Sprintf("&#%d;", character[0])
	})
}

// gaps interrupts text that GitHub would link after rendering.
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

// interrupt inserts a gap after each matching group. It continues right after the group, because matches may overlap:
// ":x://" is both emoji shorthand and an address.
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

// escapeOne escapes one character. It uses an entity if something other than the Markdown parser may interpret the
// character, such as the splitting of table rows at pipes, GitHub's formulas or an HTML reader; otherwise a backslash.
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

// Code formats external text as code, where only backquotes, and in a table cell pipes, are special.
func Code(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if strings.TrimSpace(text) == "" {
		return ""
	}
	if strings.ContainsRune(text, '|') {
		return Cell(text) // in a table, a pipe ends the cell even in code; elsewhere, its escape would be visible
	}
	fence := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// Block formats external lines as a fenced block, with a fence longer than any in the text.
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
