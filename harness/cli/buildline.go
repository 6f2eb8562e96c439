package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"

	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/internal/columns"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/reporters/document"
)

// heartbeat is the interval between lines about a build if the output is not a terminal.
const heartbeat = 30 * time.Second

// narrowest is the assumed width of a terminal that does not report its width.
const narrowest = columns.Width

// build shows the progress of a build: in place on a terminal, else a line per heartbeat.
func (p *progress) build(b measure.BuildLine) {
	if !p.terminal {
		if p.building != b.What {
			p.building, p.beat = b.What, heartbeat
		}
		if b.Elapsed >= p.beat {
			p.beat = b.Elapsed.Truncate(heartbeat) + heartbeat
			fmt.Fprintln(p.out, runewidth.Truncate("harness: "+describeBuild(b), narrowest, "…"))
		}
		return
	}
	width := narrowest
	if file, ok := p.out.(*os.File); ok {
		if w, _, err := term.GetSize(int(file.Fd())); err == nil && w > 0 {
			width = w
		}
	}
	// A line as wide as the terminal wraps on some terminals.
	fmt.Fprintf(p.out, "\r\x1b[K%s", runewidth.Truncate(describeBuild(b), width-1, "…"))
	p.inPlace = true
}

// describeBuild returns a line about a build, without control characters.
func describeBuild(b measure.BuildLine) string {
	text := fmt.Sprintf("building %s, %s", b.What, words.Span(b.Elapsed.Truncate(time.Second)))
	if b.Line != "" {
		text += ": " + document.Clean(b.Line)
	}
	return text
}

// endBuild clears the line of a build.
func (p *progress) endBuild() {
	if p.inPlace {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.inPlace = false
	}
}
