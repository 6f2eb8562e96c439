package measure

import (
	"strings"
	"testing"
	"time"
)

// The last line of a build is its last line with text, whatever ends it. Each tick reports it.
func TestTheLastLineOfABuildIsTold(t *testing.T) {
	for printed, want := range map[string]string{
		"":                  "",
		"one\n":             "one",
		"one\ntwo":          "one", // an unfinished line may be truncated
		"one\ntwo\n\n  \n":  "two",
		"  3/10 \r 4/10 \r": "4/10",
		"Compiling a\nwarning: unused\n  --> a.rs:7:9\n   |\n 7 | use b;\n   | ++\n   = note: on\n...\n": "warning: unused",
		strings.Repeat("x", 9000) + "\n": strings.Repeat("x", longestBuildLine),
	} {
		ticks, told := make(chan time.Time), make(chan Notice, 1)
		w := watchBuild("head 1a2b3c4", func(n Notice) { told <- n }, ticks)
		for _, b := range []byte(printed) { // however it arrives
			if n, err := w.Write([]byte{b}); n != 1 || err != nil {
				t.Fatalf("Write: %d, %v", n, err)
			}
		}
		ticks <- time.Time{}
		n := <-told
		w.end()
		if n.Build == nil || n.Build.What != "head 1a2b3c4" || n.Build.Line != want {
			t.Errorf("%.20q: told %+v, want the line %.20q", printed, n.Build, want)
		}
		select {
		case n := <-told:
			t.Errorf("%.20q: told again after the end: %+v", printed, n)
		default:
		}
	}
}
