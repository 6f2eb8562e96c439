package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/cluster"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// clusterFlags name the cluster that is to prove, and the job to resume.
type clusterFlags struct {
	url, job string
	bus      busFlags
}

func addClusterFlags(set *pflag.FlagSet) *clusterFlags {
	f := new(clusterFlags)
	set.StringVar(&f.url, "cluster", "", "prove on the workers of a cluster: the `URL` of its server")
	set.StringVar(&f.job, "job", "", "resume the cluster's job `ID`")
	f.bus.add(set)
	return f
}

// given reports whether a cluster is to prove.
func (f *clusterFlags) given() bool { return f.url != "" || f.job != "" || f.bus != busFlags{} }

// checkCluster rejects flags that exclude each other.
func (p *program) checkCluster(f *clusterFlags, work *workload) error {
	set := work.set
	if f.url == "" {
		return Usagef("--cluster URL is missing: --job, --credential and --tls-ca need it")
	}
	if flag := p.local(set); flag != "" {
		return Usagef("--%s is for local proofs, not for a cluster: workers choose their devices", flag)
	}
	switch {
	case f.job == "" && !work.shards.wanted():
		return Usagef("--cluster proves shards: set --shards N, --shard-cycles N or --memory SIZE of a worker, " +
			"or --job ID to resume a job")
	case f.job == "":
		return nil
	}
	if err := cluster.CheckID(f.job); err != nil {
		return Usagef("--job: %w", err)
	}
	for _, name := range []string{"elf", "machine", "input", "public", "size", "seed", "shards", "shard-cycles", "memory",
		"params", "max-cycles"} {
		if set.Changed(name) {
			return Usagef("--job resumes a job as it was requested: --%s is for a new job", name)
		}
	}
	return nil
}

// local returns a flag for local proofs that the command line sets, or "".
func (p *program) local(set *pflag.FlagSet) string {
	for _, name := range []string{"backend", "devices", "on-device-error", "trace-out"} {
		if set.Changed(name) {
			return name
		}
	}
	for i := range p.backends {
		if name := p.backends[i].given(set); name != "" {
			return name
		}
	}
	return ""
}

// detached is the message for a user who interrupts: what happens to the job.
const detached = "interrupted: the job stays in the cluster, where workers finish the shards that they have begun; " +
	"--job resumes it, prover jobs --cancel cancels it"

// proveOnCluster has the workers of a cluster prove a run.
func (p *program) proveOnCluster(work *workload, backends *backendFlags, f *clusterFlags, run proveRun) (err error) {
	if err := p.checkCluster(f, work); err != nil {
		return err
	}
	if err := checkFiles(work, backends, run); err != nil {
		return err
	}
	var lifts *clusterLifts
	var flags *aggregateRun
	if run.aggregate {
		if lifts, flags, err = p.liftOnCluster(work, backends, run); err != nil {
			return err
		}
	}
	ctx, stop := p.interruptibleSaying(detached)
	defer stop()
	defer debug.SetGCPercent(debug.SetGCPercent(setupHeapGrowth)) // tables, most of the allocations here, are small
	begin := time.Now()
	resolved := make(chan error, 1)
	go func() { // concurrently with connecting
		if f.job != "" {
			resolved <- nil
			return
		}
		resolved <- work.resolve(p.stdin)
	}()
	ctx, b, err := p.dial(ctx, f.url, "prover prove", &f.bus, wantClient)
	if err != nil {
		return err
	}
	defer b.Close()
	space, err := cluster.Join(ctx, b)
	if err != nil {
		return because(ctx, err)
	}
	if err := <-resolved; err != nil {
		return err
	}
	if f.job == "" {
		if err := p.chooseShards(ctx, work, nil, false, run.quiet); err != nil {
			return because(ctx, err)
		}
	}
	c, err := p.coordinate(ctx, space, work, backends, f, run, lifts)
	if err != nil {
		return because(ctx, err)
	}
	if !run.quiet {
		fmt.Fprintf(p.stderr, "job %s: %d shards\n", c.ID(), c.Shards())
	}
	if lifts != nil {
		if err := lifts.start(ctx, p, space, c, flags); err != nil {
			return because(ctx, err)
		}
		defer func() {
			lifts.close()
			err = errors.Join(lifts.nodes.kept.saying(err), lifts.nodes.shutdown(err))
		}()
	}
	set, err := c.Prove(ctx)
	if err != nil {
		return because(ctx, err)
	}
	var made *aggregate.Child
	if lifts != nil {
		if made, err = lifts.root(set); err != nil {
			return because(ctx, err)
		}
	}
	if err := p.writeClusterProof(c, set, run, lifts, parallel.New(backends.workers), begin); err != nil || lifts == nil {
		return err
	}
	return p.writeAggregated(ctx, lifts.nodes, made, flags, begin)
}

// coordinate requests a proof, or resumes a job.
func (p *program) coordinate(
	ctx context.Context, space *cluster.Space, work *workload, backends *backendFlags, f *clusterFlags, run proveRun,
	lifts *clusterLifts,
) (*cluster.Coordinator, error) {
	options, err := p.check(backends)
	if err != nil {
		return nil, err
	}
	o := cluster.CoordinatorOptions{
		Build: buildProgram, Workers: backends.workers, Sticky: cluster.DefaultSticky, MinBits: -1,
	}
	if lifts != nil {
		o.Observer = lifts
	}
	if !run.quiet {
		show := newClusterProgress(p.stderr)
		o.Progress, o.Watch = show.event, show.watch
	}
	if cpu, err := p.named("cpu"); err == nil {
		if o.Judge, err = cpu.Open(options); err != nil {
			return nil, err
		}
	}
	if work.set.Changed("min-bits") {
		if err := checkMinBits(work.minBits); err != nil {
			return nil, err
		}
		o.MinBits = work.minBits
	}
	if f.job != "" {
		return cluster.Take(ctx, space, f.job, o)
	}
	o.MinBits = work.minBits
	order := &cluster.Order{
		Machine: work.program.Machine().Name, Input: work.inputOf(run.seed), Params: work.params,
		Shards: work.shards.count, ShardCycles: work.shards.cycles, Cut: work.shards.shardsOf, Program: work.program,
		Check: func(public circuit.Public) error { return work.check(func() circuit.Public { return public }) },
	}
	if path := work.guest.elfPath; path != "" {
		if order.File, err = readFile(path, maxELFBytes); err != nil {
			return nil, &usageError{err}
		}
	}
	if !run.quiet {
		fmt.Fprintf(p.stderr, "prove: running %s here, to plan its shards\n", cmp.Or(work.guest.elfPath, order.Machine))
	}
	c, err := cluster.Submit(ctx, space, order, o)
	if err != nil {
		return nil, weakerAllowed(work.failedRun(err))
	}
	return c, nil
}

// writeClusterProof writes prove's output files, and prints the statement and where the time went since the command
// began.
func (p *program) writeClusterProof(c *cluster.Coordinator, set *protocol.Set, run proveRun, lifts *clusterLifts,
	pool *parallel.Pool, begin time.Time) error {
	written := ""
	if !run.aggregate {
		encoded, err := set.AppendOn(pool, nil)
		if err != nil {
			return err
		}
		if err := writeWhole(run.proofPath, encoded); err != nil {
			return err
		}
		written = fmt.Sprintf(": %s -> %s", bytesText(uint64(len(encoded))), run.proofPath)
	}
	times := newClusterTimes(c.Metrics(), begin, time.Now())
	proof := set.Shards[0]
	if run.outputPath != "" {
		if err := writeOutput(run.outputPath, proof); err != nil {
			return err
		}
	}
	size, err := c.Program().Size(proof.Public, set.Instances())
	if err != nil {
		return err
	}
	if run.metricsPath != "" {
		data, err := clusterFile(c, set, size, times, lifts)
		if err != nil {
			return err
		}
		if err := writeWhole(run.metricsPath, data); err != nil {
			return err
		}
	}
	if run.quiet {
		return nil
	}
	fmt.Fprintf(p.stderr, "proved in %.3f s in %d shards on a cluster%s\n", times.total.Seconds(), len(set.Shards),
		written)
	printClusterTimes(p.stderr, times)
	p.printStated(&workload{program: c.Program()}, c.Key(), proof.Public)
	fmt.Fprintf(p.stderr, "statement %x\n", circuit.ExactStatement(c.Program(), proof.Public, size))
	return nil
}
