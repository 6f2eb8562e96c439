package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/chiasmus/chiasmus/harness/measure"
)

// Without a terminal, a build is reported every half minute. Each build starts a new interval.
func TestABuildHasAHeartbeat(t *testing.T) {
	var out bytes.Buffer
	p := &progress{out: &out}
	say := func(what string, seconds float64, line string) {
		elapsed := time.Duration(seconds * float64(time.Second))
		p.notice(measure.Notice{Build: &measure.BuildLine{What: what, Line: line, Elapsed: elapsed}})
	}
	for s := 0.0; s < 70; s += 0.25 {
		say("base 1a2b3c4", s, "Compiling \x1b[31mred\x1b[0m v1")
	}
	say("head 5d6e7f8", 29, "")
	say("head 5d6e7f8", 95, "")
	say("head 5d6e7f8", 119, "")
	p.end()
	want := []string{
		"harness: building base 1a2b3c4, 30 s: Compiling \ufffd[31mred\ufffd[0m v1",
		"harness: building base 1a2b3c4, 60 s: Compiling \ufffd[31mred\ufffd[0m v1",
		"harness: building head 5d6e7f8, 95 s",
	}
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// On a terminal, the line of a build stays in place, within the width, and disappears when something else is printed.
func TestTheLineOfABuildStandsInPlace(t *testing.T) {
	var out bytes.Buffer
	p := &progress{out: &out, terminal: true}
	line := strings.Repeat("漢字 ", 60) + "\x1b[2J"
	p.notice(measure.Notice{Build: &measure.BuildLine{What: "head 1a2b3c4", Line: line, Elapsed: time.Second}})
	shown := strings.TrimPrefix(out.String(), "\r\x1b[K")
	if strings.ContainsAny(shown, "\n\x1b\r") || runewidth.StringWidth(shown) >= narrowest ||
		!strings.HasPrefix(shown, "building head 1a2b3c4, 1") {
		t.Errorf("shown as %q, %d wide", shown, runewidth.StringWidth(shown))
	}
	out.Reset()
	p.notice(measure.Notice{Text: "built"})
	if got := out.String(); got != "\r\x1b[Kharness: built\n" {
		t.Errorf("what follows is %q", got)
	}
}
