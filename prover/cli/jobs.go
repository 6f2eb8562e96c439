package cli

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/cluster"
)

// jobsFlags are the flags of jobs.
type jobsFlags struct {
	url, cancel, readmit string
	bus                  busFlags
}

func (p *program) jobsCommand() *cobra.Command {
	f := new(jobsFlags)
	cmd := &cobra.Command{
		Use:   "jobs --cluster URL --credential FILE",
		Short: "List the jobs of a cluster, its workers and excluded workers",
		Args:  Exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			// A script whose variable is empty must get an error, not a list and exit code 0.
			for _, name := range []string{"cancel", "readmit"} {
				if flag := cmd.Flags().Lookup(name); flag.Changed && flag.Value.String() == "" {
					return Usagef("--%s is empty: omit it to list jobs and workers", name)
				}
			}
			return p.jobs(f)
		},
	}
	set := cmd.Flags()
	set.StringVar(&f.url, "cluster", "", "the `URL` of the cluster's server (required)")
	set.StringVar(&f.cancel, "cancel", "", "cancel the job `ID`")
	set.StringVar(&f.readmit, "readmit", "", "readmit the excluded worker `NAME.HOST`")
	f.bus.add(set)
	return cmd
}

func (p *program) jobs(f *jobsFlags) error {
	if f.url == "" {
		return Usagef("--cluster URL is missing: prover serve prints it")
	}
	if f.cancel != "" {
		if err := cluster.CheckID(f.cancel); err != nil {
			return Usagef("--cancel: %w", err)
		}
	}
	ctx, stop := p.interruptibleSaying("interrupted")
	defer stop()
	ctx, b, err := p.dial(ctx, f.url, "prover jobs", &f.bus, wantClient)
	if err != nil {
		return err
	}
	defer b.Close()
	space, err := cluster.Open(ctx, b)
	switch {
	case err != nil:
	case f.cancel != "":
		err = space.Cancel(ctx, f.cancel)
	case f.readmit != "":
		err = space.Readmit(ctx, f.readmit)
	default:
		err = p.list(ctx, space)
	}
	return because(ctx, err)
}

// list prints the jobs, the workers and the excluded workers.
func (p *program) list(ctx context.Context, space *cluster.Space) error {
	jobs, err := space.Jobs(ctx)
	if err != nil {
		return err
	}
	workers, err := space.Workers(ctx)
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "job\tmachine\tstatus\tcommitted\tproven\tshards\tbegun")
	for _, job := range jobs {
		caps, proofs := job.Counts()
		status := string(job.Status)
		if job.Why != "" {
			status += ": " + job.Why
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%d\t%d\t%d\t%s\n",
			job.ID, job.Title, status, caps, proofs, len(job.Shards), job.Begun.Local().Format(time.DateTime))
	}
	fmt.Fprintln(out, "\nworker\tdevice\tdoes")
	for _, w := range workers {
		does := "waits"
		if w.Job != "" {
			does = fmt.Sprintf("shard %d of job %s for %.0f s, %s",
				w.Shard, w.Job, time.Since(w.Since).Seconds(), phaseText(&w.Presence))
			if w.Node() {
				does = fmt.Sprintf("a node of job %s for %.0f s, stage %q", w.Job, time.Since(w.Since).Seconds(), w.Stage)
			}
		}
		fmt.Fprintf(out, "%s\t%s\t%s\n", w.Seat, w.Device, does)
	}
	refused, err := space.Exclusions(ctx)
	if err != nil {
		return err
	}
	for _, each := range refused {
		fmt.Fprintf(out, "%s\t\texcluded by job %s: %s\n", each.Worker, each.Job, each.Why)
	}
	return out.Flush()
}
