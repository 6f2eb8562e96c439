package cli

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/chiasmus/chiasmus/prover/prove"
)

// progress shows the stage on a terminal, and nothing elsewhere: logs get the summary.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(stderr io.Writer, quiet bool) *progress {
	file, ok := stderr.(*os.File)
	if quiet || !ok || !term.IsTerminal(int(file.Fd())) {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(len(prove.Stages),
		progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetWidth(24),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionClearOnFinish(),
	)}
}

func (p *progress) stage(stage prove.Stage) {
	if p.bar != nil {
		p.bar.Describe(string(stage))
		_ = p.bar.Add(1) // a failure to draw the bar does not stop the proof
	}
}

// done clears the line for subsequent output.
func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
