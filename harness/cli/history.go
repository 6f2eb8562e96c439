package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/reporters/html"
	"github.com/chiasmus/chiasmus/workflows/nightly"
)

func (a *app) history() *cobra.Command {
	format, pages := "text", ""
	c := &cobra.Command{
		Use:   "history FILE",
		Short: textHistoryShort,
		Long:  textHistoryLong,
		Args:  oneArgument("FILE, the history, or with --site a folder of runs"),
		RunE: func(c *cobra.Command, args []string) error {
			if pages != "" {
				return a.export(args[0], pages)
			}
			if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("%s is a folder: want a file such as history.jsonl, or with "+
					"--site OUT a folder of runs", args[0])})
			}
			history, err := nightly.FileStore{Path: args[0]}.Read(context.Background())
			if err == nil && len(history) == 0 {
				err = fmt.Errorf("%s has no records", args[0])
				if _, missing := os.Stat(args[0]); missing != nil {
					err = fmt.Errorf("%w, and no file of a year is next to it", missing)
				}
			}
			if err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			switch format {
			case "text":
				err = nightly.WriteTrend(a.stdout, history)
			case "html":
				err = html.WriteTrend(a.stdout, history.Trend("Chiasmus: nights of "+filepath.Base(args[0]), version()))
			default:
				return a.failed(&failure.UsageError{Err: fmt.Errorf("--format %s: want text or html", format)})
			}
			if err != nil {
				return a.failed(err)
			}
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", format, "text, or html: one self-contained page with charts")
	c.Flags().StringVar(&pages, "site", "",
		"instead write the pages of harness serve for the runs below FILE into `FOLDER`")
	return c
}

// export writes the pages about runs as files.
func (a *app) export(folder, into string) error {
	s, err := a.loadSite(folder)
	if err != nil {
		return a.failed(&failure.UsageError{Err: err})
	}
	if err := s.Export(into); err != nil {
		return a.failed(err)
	}
	fmt.Fprintf(a.stdout, "%s: %s\n", plural.Of(len(s.Runs), "run"), filepath.Join(into, "index.html"))
	return nil
}
