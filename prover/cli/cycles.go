package cli

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// cycles shows a run's progress on a terminal, and nothing elsewhere.
type cycles struct {
	bar     *progressbar.ProgressBar
	pending uint64
}

func newCycles(stderr io.Writer, quiet bool) *cycles {
	file, ok := stderr.(*os.File)
	if quiet || !ok || !term.IsTerminal(int(file.Fd())) {
		return &cycles{}
	}
	return &cycles{bar: progressbar.NewOptions64(-1, progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetDescription("cycles"),
		progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("cycles"),
		progressbar.OptionClearOnFinish())}
}

// add counts cycles. A failure to draw the bar does not stop the run.
func (c *cycles) add(n uint64) {
	const step = 1 << 20
	if c.pending += n; c.bar != nil && c.pending >= step {
		_ = c.bar.Add64(int64(c.pending))
		c.pending = 0
	}
}

// hide removes the bar for good.
func (c *cycles) hide() {
	if c != nil && c.bar != nil {
		_ = c.bar.Clear()
		c.bar = nil
	}
}

func (c *cycles) done() {
	if c.bar != nil {
		_ = c.bar.Finish()
	}
}
