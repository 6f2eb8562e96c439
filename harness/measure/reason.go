package measure

import (
	"regexp"
	"strings"
)

var (
	// rustPanic is the line before the message of a Rust panic, goPanic the line of a Go panic.
	rustPanic = regexp.MustCompile(`^thread '.*' (\([0-9]+\) )?panicked at .*:$`)
	goPanic   = regexp.MustCompile(`^(panic|fatal error): `)
	// afterword matches lines after a message: the heading of a backtrace, its frames, and how to get a longer one.
	afterword = regexp.MustCompile(`^(\s*([0-9]+: |at )|(?i:stack backtrace:)|note: |goroutine [0-9]+ \[|exit status )`)
)

// reason finds the line in a program's last output that says why the program ended: the message of a panic, else the
// last line outside a backtrace. It returns "" if there is none.
func reason(tail string) string {
	lines := strings.Split(tail, "\n")
	last := ""
	for i, line := range lines {
		switch text := strings.TrimSpace(line); {
		case rustPanic.MatchString(text) && i+1 < len(lines):
			return strings.TrimSpace(lines[i+1])
		case goPanic.MatchString(text):
			return text
		case text != "" && !afterword.MatchString(line):
			last = text
		}
	}
	return last
}
