package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/harness/fleet"
	"github.com/chiasmus/chiasmus/harness/isolate"
	"github.com/chiasmus/chiasmus/harness/plan"
)

// fleet is the command for fleets, with its subcommands.
func (a *app) fleet() *cobra.Command {
	c := &cobra.Command{
		Use:   "fleet",
		Short: textFleetShort,
		Long:  textFleetLong,
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.fleetServe(), a.fleetAgent(), a.fleetCredential(), a.fleetList(), a.fleetFollow(), a.fleetCancel())
	return c
}

func (a *app) fleetAgent() *cobra.Command {
	var f fleetFlags
	var label, folder string
	var open bool
	c := &cobra.Command{
		Use:   "agent --nats URL --label NAME",
		Short: textFleetAgentShort,
		Long:  textFleetAgentLong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := fleet.CheckLabel(label); err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			if !open {
				if err := isolate.Available(c.Context()); err != nil {
					return a.fail(nil, &failure.UsageError{Err: fmt.Errorf("%w: fix that, or add --without-isolation if everyone "+
						"who may send orders is trusted with this account", err)})
				}
			}
			ctx, b, space, err := a.enter(c.Context(), f, label)
			if err != nil {
				return a.fail(nil, err)
			}
			defer b.Close()
			if folder == "" {
				cache, err := os.UserCacheDir()
				if err != nil {
					return a.fail(nil, &failure.UsageError{Err: err})
				}
				folder = filepath.Join(cache, "chiasmus", "fleet", label)
			}
			controls, end := a.controls(false)
			defer end()
			agent := &fleet.Agent{Space: space, Label: label, Folder: folder, Isolate: !open, Controls: controls, Log: a.logf}
			if err := agent.Run(ctx); err != nil {
				return a.fail(nil, denied(ctx, err))
			}
			return nil
		},
	}
	flags := c.Flags()
	f.dialing(flags)
	flags.StringVar(&label, "label", "", "the `NAME` of this host in the fleet")
	flags.StringVar(&folder, "folder", "",
		"the `FOLDER` for jobs and their runs (default: chiasmus/fleet/NAME in the user's cache folder)")
	flags.BoolVar(&open, "without-isolation", false, "run the code of revisions as this user, without bubblewrap")
	c.MarkFlagRequired("label")
	return c
}

func (a *app) fleetList() *cobra.Command {
	var f fleetFlags
	c := &cobra.Command{Use: "list --nats URL", Short: textFleetListShort, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, b, space, err := a.enter(c.Context(), f, anybody)
			if err != nil {
				return a.fail(nil, err)
			}
			defer b.Close()
			agents, err := space.Agents(ctx)
			if err != nil {
				return a.fail(nil, err)
			}
			out := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(out, "host\tharness\tisolates\tjob")
			for _, label := range slices.Sorted(maps.Keys(agents)) {
				card := agents[label]
				fmt.Fprintf(out, "%s\t%s\t%v\t%s\n", oneLine(label), oneLine(card.Version), card.Isolates, oneLine(card.Job))
			}
			return out.Flush()
		}}
	f.dialing(c.Flags())
	return c
}

func (a *app) fleetFollow() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "follow JOB",
		Short: textFleetFollowShort,
		Long:  textFleetFollowLong,
		Args:  oneArgument("JOB, as compare printed it"),
		RunE: func(c *cobra.Command, args []string) error {
			job, err := a.keptJob(args[0])
			if err == nil {
				err = f.output.check()
			}
			if err == nil {
				f.options.FailOn, err = plan.ParseFailOn(f.failOn)
			}
			if err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			ctx, b, space, err := a.enter(c.Context(), f.fleet, fleet.CoordinatorRole)
			if err != nil {
				return a.fail(nil, err)
			}
			defer b.Close()
			return a.follow(ctx, space, job, f)
		},
	}
	flags := c.Flags()
	f.fleet.register(flags)
	f.output.register(flags)
	flags.BoolVar(&f.options.Isolate, "isolate", false, "reject results that were measured without isolation")
	flags.StringSliceVar(&f.failOn, "fail-on", nil,
		"also end with exit code 1 on this `VERDICT`: borderline, inconclusive, ... (repeat, or separate with commas)")
	return c
}

// keptJob reads a job that keepJob stored.
func (a *app) keptJob(name string) (job fleet.Job, err error) {
	if err := fleet.CheckLabel(name); err != nil {
		return job, err
	}
	path := filepath.Join(a.jobFolder(name), "job.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return job, fmt.Errorf("no job %s here: want a name that `harness compare --hosts` printed, in the repository "+
			"where it ran", name)
	}
	if err == nil {
		err = json.Unmarshal(data, &job)
	}
	if err == nil && job.Schema != fleet.JobSchema {
		err = fmt.Errorf("%s: schema %q: want %s", path, job.Schema, fleet.JobSchema)
	}
	return job, err
}

func (a *app) fleetCancel() *cobra.Command {
	var f fleetFlags
	c := &cobra.Command{Use: "cancel JOB", Short: textFleetCancelShort, Args: oneArgument("JOB, as compare printed it"),
		RunE: func(c *cobra.Command, args []string) error {
			job, err := a.keptJob(args[0])
			if err != nil {
				return a.fail(nil, &failure.UsageError{Err: err})
			}
			ctx, b, space, err := a.enter(c.Context(), f, fleet.CoordinatorRole)
			if err != nil {
				return a.fail(nil, err)
			}
			defer b.Close()
			if err := space.Cancel(ctx, job); err != nil {
				return a.fail(nil, denied(ctx, err))
			}
			return nil
		}}
	f.dialing(c.Flags())
	return c
}
