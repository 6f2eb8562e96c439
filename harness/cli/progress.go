package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/chiasmus/chiasmus/harness/measure"
	"github.com/chiasmus/chiasmus/internal/columns"
	"github.com/chiasmus/chiasmus/internal/words"
	"github.com/chiasmus/chiasmus/reporters/document"
)

// A progress shows the progress of a run: a bar on a terminal, else a line per block.
type progress struct {
	out      io.Writer
	terminal bool
	bar      *progressbar.ProgressBar
	workload string
	pairs    int
	// building is the build that was reported last, beat the elapsed time at which its next line is due. inPlace is set if
	// the terminal shows a line about it.
	building string
	beat     time.Duration
	inPlace  bool
}

func newProgress(out io.Writer) *progress {
	file, ok := out.(*os.File)
	return &progress{out: out, terminal: ok && term.IsTerminal(int(file.Fd()))}
}

// notice shows a notice.
func (p *progress) notice(n measure.Notice) {
	switch {
	case n.Build != nil:
		p.build(*n.Build)
		return
	case n.Text != "":
		p.end()
		p.line(document.CleanLog(n.Text)) // a commit's subject is not trusted
	case p.terminal:
		p.draw(n)
	case n.Pairs != p.pairs || n.Workload != p.workload:
		if n.Pairs > 0 && n.Pairs%2 == 0 {
			p.line(describe(n))
		}
	}
	p.workload, p.pairs = n.Workload, n.Pairs
}

// line prints a message, wrapped at 80 columns.
func (p *progress) line(text string) { fmt.Fprintln(p.out, columns.Hang("harness: "+text)) }

// barWidth is the width of the bar. barRest is the width of the percentage, the bar's ends and spaces, and one free
// column, because a line as wide as the terminal wraps on some terminals.
const (
	barWidth = 20
	barRest  = 11
)

// barThrottle is the minimum time between two drawings of the bar.
const barThrottle = 100 * time.Millisecond

// draw updates the bar. It truncates a long workload name, so that the line fits.
func (p *progress) draw(n measure.Notice) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(n.ProofsPlanned,
			progressbar.OptionSetWriter(p.out), progressbar.OptionSetWidth(barWidth), progressbar.OptionSetPredictTime(false),
			progressbar.OptionSetElapsedTime(false), progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(barThrottle))
	}
	p.bar.ChangeMax(n.ProofsPlanned)
	rest := runewidth.StringWidth(describe(n)) - runewidth.StringWidth(n.Workload)
	n.Workload = runewidth.Truncate(n.Workload, max(1, columns.Width-barWidth-barRest-rest), "…")
	p.bar.Describe(describe(n))
	_ = p.bar.Set(n.Proofs) // an error in drawing must not stop the measurement
}

// describe returns the progress of a workload and its remaining time.
func describe(n measure.Notice) string {
	text := fmt.Sprintf("%s: %d of %d pairs", n.Workload, n.Pairs, n.PairsPlanned)
	if n.Left > 0 {
		text += ", " + words.Span(n.Left) + " left"
	}
	return text
}

// end clears the bar and the line about a build.
func (p *progress) end() {
	p.endBuild()
	if p.bar != nil {
		_ = p.bar.Clear()
		p.bar = nil
	}
}
