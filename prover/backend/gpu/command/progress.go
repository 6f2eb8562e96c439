package command

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/chiasmus/chiasmus/cuda/compile"
)

// compiling shows kernel files as they are compiled: a bar on a terminal, else a line each. It shows nothing for files
// that were found compiled.
func compiling(log io.Writer) compile.Progress {
	if log == nil {
		return nil
	}
	if file, ok := log.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return compilingBar(log)
	}
	return func(done, total int, object *compile.Object, took time.Duration) {
		if !object.Cached {
			fmt.Fprintf(log, "kernels: compiled %s for %s in %.1f s (%d of %d)\n", object.Name, object.Architecture,
				took.Seconds(), done, total)
		}
	}
}

func compilingBar(log io.Writer) compile.Progress {
	var bar *progressbar.ProgressBar
	return func(done, total int, object *compile.Object, _ time.Duration) {
		if bar == nil {
			if object.Cached {
				return
			}
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(log), progressbar.OptionSetWidth(24),
				progressbar.OptionSetPredictTime(false), progressbar.OptionClearOnFinish(), progressbar.OptionShowCount())
		}
		bar.Describe("compiling kernels")
		_ = bar.Set(done) // failing to draw the bar must not stop the compilation
		if done == total {
			_ = bar.Finish()
			bar = nil
		}
	}
}
