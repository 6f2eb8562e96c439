package workflows

import (
	"strings"
	"unicode"

	"github.com/chiasmus/chiasmus/reporters/document"
	"github.com/chiasmus/chiasmus/reporters/markdown"
)

// MaxBody is the most bytes of a comment or a check run's summary that the controller posts. GitHub takes 65,536
// characters; the rest is room for what it adds.
const MaxBody = 60000

// reserve is kept of MaxBody for what stands around a report: the mention, the revisions, notes, markers. A log that is
// shown is shorter than a report may be.
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

// mention names an account so that GitHub notifies it. Only a login that the API gave comes here; one that is no
// login is shown as code.
func mention(login string) string {
	for _, r := range login { // an underscore is in the logins that companies manage
		if r != '-' && r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)) {
			return code(login)
		}
	}
	return "@" + login
}

func short(sha string) string { return code(sha[:min(7, len(sha))]) }
