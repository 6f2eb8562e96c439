package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/workflows/nightly"
)

func (a *app) history() *cobra.Command {
	format := "text"
	c := &cobra.Command{Use: "history FILE", Short: textHistoryShort, Long: textHistoryLong, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			history, err := nightly.FileStore{Path: args[0]}.Read(context.Background())
			if err == nil && len(history) == 0 {
				err = fmt.Errorf("%s has no records", args[0])
			}
			if err != nil {
				return a.failed(&harness.UsageError{Err: err})
			}
			switch format {
			case "text":
				err = nightly.WriteTrend(a.stdout, history)
			default:
				return a.failed(&harness.UsageError{Err: fmt.Errorf("--format %s: want text", format)})
			}
			if err != nil {
				return a.failed(err)
			}
			return nil
		}}
	c.Flags().StringVar(&format, "format", format, "text")
	return c
}
