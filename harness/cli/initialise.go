package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/first"
)

func (a *app) initialise() *cobra.Command {
	var list bool
	c := &cobra.Command{Use: "init [NAME ...] [-- ARGUMENT ...]", Short: textFirstShort, Long: textFirstLong,
		Example: textFirstExample,
		RunE: func(c *cobra.Command, args []string) error {
			choice := first.Choice{Names: args}
			if dash := c.ArgsLenAtDash(); dash >= 0 {
				choice = first.Choice{Names: args[:dash], Arguments: args[dash:]}
			}
			if list {
				return a.listFirst(args)
			}
			made, err := first.Write(".", choice)
			if errors.Is(err, fs.ErrExist) {
				err = fmt.Errorf("%s already exists: edit it, or remove it first", config.FileName)
			}
			if err != nil {
				return a.failed(&failure.UsageError{Err: err})
			}
			fmt.Fprintf(a.stdout, "wrote %s (build files: %s; workloads: %s)\n", config.FileName, made.Kind,
				strings.Join(made.Workloads, ", "))
			for i, left := range made.Left {
				if i == 0 {
					fmt.Fprintln(a.stdout, "To review:")
				}
				fmt.Fprintf(a.stdout, "  %s\n", left)
			}
			fmt.Fprintf(a.stdout, textFirstNext, made.Next)
			return nil
		}}
	c.Flags().BoolVar(&list, "list", false, "list what can be measured, and write nothing")
	return c
}

// listFirst prints what init can choose from.
func (a *app) listFirst(args []string) error {
	if len(args) > 0 {
		return a.failed(&failure.UsageError{Err: fmt.Errorf("--list takes no arguments, not %q", args[0])})
	}
	list, err := first.List(".")
	if err != nil {
		return a.failed(&failure.UsageError{Err: err})
	}
	for _, one := range list {
		fmt.Fprintf(a.stdout, "%-10s  %s\n", one.What, one.Name)
	}
	return nil
}
