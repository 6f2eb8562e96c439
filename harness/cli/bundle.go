package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/bundle"
	"github.com/chiasmus/chiasmus/harness/failure"
)

func (a *app) bundle() *cobra.Command {
	var out, configPath string
	var packages, programs []string
	var limit int64
	c := &cobra.Command{
		Use:   "bundle BASE..HEAD --out FILE",
		Short: textBundleShort,
		Long:  textBundleLong,
		Args:  oneArgument("BASE..HEAD"),
		RunE: func(c *cobra.Command, args []string) error {
			base, head, ok := strings.Cut(args[0], "..")
			if !ok || base == "" || head == "" || strings.HasPrefix(head, ".") {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("%q: want BASE..HEAD", args[0])})
			}
			if err := bundle.CheckName(out); err != nil {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("--out %s: %w", out, err)})
			}
			if limit < 0 {
				return a.failed(&failure.UsageError{Err: fmt.Errorf("--max-megabytes %d: want 0 (no limit) or more",
					limit)})
			}
			file, err := a.loadConfig(configPath)
			if err != nil {
				return a.failed(err)
			}
			job := &nightJob{app: a}
			var commits [2]string
			for i, name := range []string{base, head} {
				if commits[i], err = job.resolve(c.Context(), name); err != nil {
					return a.failed(err)
				}
			}
			own, err := os.Executable()
			if err != nil {
				return a.failed(err)
			}
			summary, err := bundle.Write(c.Context(), bundle.Options{
				Repository: a.repository(),
				Config:     file.Path,
				Base:       commits[0],
				Head:       commits[1],
				Packages:   packages,
				Harness:    own,
				Programs:   programs,
				Limit:      limit * 1e6,
				Log:        a.logf,
			}, out)
			if err != nil {
				return a.failed(err)
			}
			fmt.Fprintf(a.stdout, "%s: %.1f MB; before compression: %s\n", out, float64(summary.Bytes)/1e6, summary)
			return nil
		},
	}
	flags := c.Flags()
	flags.StringVar(&out, "out", "", "write the bundle to `FILE`: .tar.gz, or .tar.zst, which is a quarter smaller")
	flags.StringVar(&configPath, "config", "", "the bench.yaml to pack (default: the one in this folder)")
	flags.StringSliceVar(&packages, "package", nil, "Go packages that build.command builds (default: ./...)")
	flags.StringSliceVar(&programs, "program", nil, "further programs to pack, built without cgo")
	flags.Int64Var(&limit, "max-megabytes", 60, "maximum size of the bundle, 0 for no limit")
	c.MarkFlagRequired("out")
	c.AddCommand(a.openBundle())
	return c
}

// openBundle is the command that the launcher inside a bundle runs on first use.
func (a *app) openBundle() *cobra.Command {
	var folder, into, base, head string
	c := &cobra.Command{Use: "open", Short: "create the repository of an unpacked " +
		"bundle", Args: cobra.NoArgs, Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := os.Stat(into); err == nil {
				return a.failed(&failure.UsageError{Err: errors.New(into + " already exists")})
			}
			if err := bundle.Open(c.Context(), folder, into, base, head); err != nil {
				return a.failed(err)
			}
			return nil
		}}
	flags := c.Flags()
	for name, into := range map[string]*string{"folder": &folder, "into": &into, "base": &base, "head": &head} {
		flags.StringVar(into, name, "", "")
		c.MarkFlagRequired(name)
	}
	return c
}
