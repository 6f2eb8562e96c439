package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/reporters/csv"
	"github.com/chiasmus/chiasmus/reporters/markdown"
	"github.com/chiasmus/chiasmus/reporters/terminal"
)

// output holds the flags for printing a report.
type output struct {
	format string
	brief  bool
}

func (o *output) register(flags *pflag.FlagSet) {
	flags.StringVar(&o.format, "format", formatTerminal, textFormat())
	flags.BoolVar(&o.brief, "brief", false, textBrief)
}

// briefs contains renderers for --brief.
var briefs = map[string]harness.Renderer{
	formatTerminal: func(w io.Writer, r *harness.Report) error {
		o := terminalOptions(w)
		o.Brief = true
		return terminal.Write(w, r, o)
	},
	formatMarkdown: func(w io.Writer, r *harness.Report) error {
		return markdown.Write(w, r, markdown.Options{Brief: true})
	},
	formatCSV: csv.WriteAnswer,
}

// renderer returns the renderer for the flags. It fails if the format does not exist or has no brief form.
func (o output) renderer() (harness.Renderer, error) {
	render, err := formatNamed(o.format)
	if err != nil || !o.brief {
		return render, err
	}
	if render = briefs[o.format]; render == nil {
		return nil, &failure.UsageError{Err: fmt.Errorf("--brief with --format %s: want terminal, markdown or csv", o.format)}
	}
	return render, nil
}

// check checks the flags.
func (o output) check() error {
	_, err := o.renderer()
	return err
}

// without removes the log's tail from an error if the printed report shows it.
func (o output) without(report *harness.Report, err error) error {
	var failed *failure.Error
	if report == nil || o.format != formatTerminal || !errors.As(err, &failed) {
		return err
	}
	return errors.New(strings.Replace(err.Error(), failed.Error(), failed.Summary(), 1))
}

// oneWorkload reports whether the format can show only one workload.
func (o output) oneWorkload() bool { return o.format == formatCSV && !o.brief }
