package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/first"
)

func (a *app) initialise() *cobra.Command {
	return &cobra.Command{Use: "init", Short: textFirstShort, Long: textFirstLong, Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			made, err := first.Write(".")
			if errors.Is(err, fs.ErrExist) {
				err = fmt.Errorf("%s is here already: remove it first, or change it", config.FileName)
			}
			if err != nil {
				return a.failed(&harness.UsageError{Err: err})
			}
			fmt.Fprintf(a.stdout, "wrote %s (build files: %s; workloads: %s)\n", config.FileName, made.Kind,
				strings.Join(made.Workloads, ", "))
			for i, left := range made.Left {
				if i == 0 {
					fmt.Fprintln(a.stdout, "To look at:")
				}
				fmt.Fprintf(a.stdout, "  %s\n", left)
			}
			fmt.Fprintln(a.stdout, textFirstNext)
			return nil
		}}
}
