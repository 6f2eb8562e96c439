package workflows

import (
	"strings"
	"unicode"

	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/markdown"
)

// MaxBody is the maximum size in bytes of a comment or a check run's summary that the controller posts. GitHub accepts
// 65,536 characters; the rest is a reserve for text that GitHub adds.
const MaxBody = 60000

// reserve is the part of MaxBody for the text around a report: mention, revisions, notes, markers. A shown log is
// shorter than the longest report.
const reserve = 6000

// code shows a stranger's string as a code span of bounded length.
func code(text string) string { return markdown.Code(document.Clean(clip(text, 300))) }

// fence shows a stranger's lines as a code block that they cannot end.
func fence(text string) string { return markdown.Block(document.CleanLog(text)) }

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

// mention names an account so that GitHub notifies it. Logins come from the API; text that is not a login is shown as
// code.
func mention(login string) string {
	for _, r := range login { // enterprise-managed logins contain an underscore
		if r != '-' && r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)) {
			return code(login)
		}
	}
	return "@" + login
}

func short(sha string) string { return code(sha[:min(7, len(sha))]) }
