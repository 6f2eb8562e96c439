package workflows

import (
	"fmt"
	"strings"
	"unicode"
)

// MaxBody is the most bytes of a comment or a check run's summary that the controller posts. GitHub takes 65,536
// characters; the rest is room for what it adds.
const MaxBody = 60000

// code shows a stranger's string as a code span: there GitHub renders no HTML, link, mention or emphasis. Characters
// that could end the span, the line or a table's cell are replaced.
func code(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '`':
			return '\''
		case r == '|':
			return '¦'
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	text = strings.TrimSpace(clip(text, 300))
	if text == "" {
		return "(empty)"
	}
	return "`" + text + "`"
}

// fence shows a stranger's lines as a code block. The fence is longer than any run of backticks in the text.
func fence(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.In(r, unicode.Cf) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	longest, run := 2, 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	bar := strings.Repeat("`", longest+1)
	return bar + "text\n" + strings.TrimRight(text, "\n") + "\n" + bar
}

// tail keeps the last n bytes of text, from the start of a line.
func tail(text string, n int) string {
	if len(text) <= n {
		return text
	}
	text = text[len(text)-n:]
	if _, after, ok := strings.Cut(text, "\n"); ok {
		text = after
	}
	return "…\n" + text
}

// mention names an account so that GitHub notifies it. Only a login that the API gave comes here; one that is no
// login is shown as code.
func mention(login string) string {
	for _, r := range login {
		if r != '-' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)) {
			return code(login)
		}
	}
	return "@" + login
}

func short(sha string) string { return code(sha[:min(7, len(sha))]) }

func plural(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
