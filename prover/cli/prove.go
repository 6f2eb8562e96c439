package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

func (p *program) proveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "prove (--machine NAME (--input FILE | --size N) | --elf PROGRAM.elf) --proof OUT",
		Short: "Prove a statement about a file, or the run of a RISC-V program",
		Long: `Prove a statement about a file, or about a synthetic input of N units generated from a seed; or, with --elf,
that a RISC-V program (a static ELF for rv64im) with this public input and some private input gives this output and
exit code. prover run runs a program without proving it, and prints what a proof would take.

With --shards a program's run is cut into parts, which are proven in parallel, or one after another if memory is
short. The proof is one file. With --memory it is cut into as few parts as fit that memory.

With --aggregate the proofs of these parts become one smaller proof of the same statement. The default of --params is
then lift.

With --cluster the workers of a cluster prove these parts: see prover serve and prover worker. If the command is
interrupted, the cluster keeps the job, and --job ID resumes it.

OUT is written completely or not at all. Equal inputs give equal proofs, byte for byte.`,
		Args: Exactly(),
	}
	work := addWorkloadFlags(cmd.Flags())
	work.shards.add(cmd.Flags())
	work.shards.addDevices(cmd.Flags())
	backends := p.addBackendFlags(cmd.Flags())
	cluster := addClusterFlags(cmd.Flags())
	var run proveRun
	cmd.Flags().StringVar(&run.proofPath, "proof", "", "where to write the proof: `FILE` (required)")
	cmd.Flags().StringVar(&run.outputPath, "output", "", "where to write a program's public output: `FILE`")
	cmd.Flags().StringVar(&run.metricsPath, "metrics", "",
		"where to write metrics and counters, as one JSON object: `FILE`")
	cmd.Flags().Uint64Var(&run.seed, "seed", 0, "seed of the synthetic input")
	cmd.Flags().BoolVar(&run.quiet, "quiet", false, "print only errors, and which backend auto chose")
	cmd.Flags().BoolVar(&run.aggregate, "aggregate", false,
		"make one proof of a run in shards, as prover aggregate does")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if run.aggregate && !work.shards.wanted() && cluster.job == "" {
			return Usagef("--aggregate is for runs in shards: it goes with --shards, --shard-cycles or --memory; " +
				"prover compress is for a whole proof")
		}
		if cmd.Flags().Changed("seed") && work.inputPath != "" {
			return Usagef("--seed draws a synthetic input; --input is a fixed one")
		}
		if cmd.Flags().Changed("seed") && !cmd.Flags().Changed("size") && work.guest.elfPath != "" {
			return Usagef("--seed draws a synthetic input: it needs --size N")
		}
		work.aggregated = run.aggregate
		if cluster.given() {
			return p.proveOnCluster(work, backends, cluster, run)
		}
		return p.prove(work, backends, run)
	}
	return cmd
}

// proveRun holds prove's own flags.
type proveRun struct {
	proofPath, metricsPath, outputPath string
	seed                               uint64
	quiet, aggregate                   bool
}

func (p *program) prove(work *workload, backends *backendFlags, run proveRun) (err error) {
	if run.outputPath != "" && work.guest.elfPath == "" {
		return Usagef("--output applies to programs: it needs --elf PROGRAM.elf")
	}
	if err := checkFiles(work, backends, run); err != nil {
		return err
	}
	p.warm(backends, !work.shards.given() && work.shards.memory == 0)
	defer debug.SetGCPercent(debug.SetGCPercent(setupHeapGrowth))
	if !run.quiet {
		work.notes = &notes{out: p.stderr}
	}
	ctx, stop := p.interruptible()
	defer stop()
	end := p.timeline.span("load")
	if err := work.resolve(p.stdin); err != nil {
		return err
	}
	end()
	if work.shards.memory > 0 {
		b, err := p.backendFor(backends, work.shards.devices)
		if err != nil {
			return err
		}
		if err := p.chooseShards(ctx, work, b, !run.aggregate, run.quiet); err != nil {
			return err
		}
	}
	if run.aggregate && work.shards.given() {
		debug.SetGCPercent(shardHeapGrowth)
		return p.proveAggregated(ctx, work, backends, run)
	}
	return p.proveHere(ctx, work, backends, run)
}

// checkFiles reports in advance errors that would prevent writing the output files.
func checkFiles(work *workload, backends *backendFlags, run proveRun) error {
	if run.proofPath == "" {
		return Usagef("--proof OUT is missing")
	}
	outputs := []namedFile{{"--proof", run.proofPath}, {"--metrics", run.metricsPath}, {"--output", run.outputPath},
		{"--trace-out", backends.traceOut}}
	files := append(outputs, namedFile{"--elf", work.guest.elfPath}, namedFile{"--public", work.guest.publicPath})
	if work.inputPath != "-" {
		files = append(files, namedFile{"--input", work.inputPath})
	}
	if err := distinct(files); err != nil {
		return err
	}
	for _, file := range outputs {
		if err := writable(file.flag, file.path); err != nil {
			return err
		}
	}
	return nil
}

// proveHere makes one proof of the whole run or of its shards.
func (p *program) proveHere(ctx context.Context, work *workload, backends *backendFlags, run proveRun) (err error) {
	begin := time.Now()
	e, err := p.startHere(ctx, work, backends, run.quiet)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil || !p.exits {
			err = errors.Join(err, e.close())
		}
	}()
	result, err := p.proveOnce(ctx, e, run, begin)
	if err != nil {
		return err
	}
	return p.writeProof(e, run, result)
}

// startHere makes an engine ready for one proof, shows how a program's planning run advances, and sets how far the heap
// may grow.
func (p *program) startHere(ctx context.Context, work *workload, backends *backendFlags, quiet bool) (*engine, error) {
	if work.shards.given() {
		debug.SetGCPercent(shardHeapGrowth)
		return p.start(ctx, work, backends, true)
	}
	defer debug.SetGCPercent(heapGrowth)
	planning := newCycles(p.stderr, quiet)
	defer planning.done()
	if work.notes != nil {
		work.notes.bar = planning
	}
	if work.progress = planning.add; work.guest.elfPath != "" && !quiet {
		fmt.Fprintf(p.stderr, "prove: running %s to plan its proof\n", work.guest.elfPath)
	}
	return p.start(ctx, work, backends, true)
}

// proveOnce makes the proof for which an engine was made ready since begin, and shows its progress.
func (p *program) proveOnce(ctx context.Context, e *engine, run proveRun, begin time.Time) (*proven, error) {
	setUp := time.Since(begin)
	if planned := e.ready.plan(); planned != "" && !run.quiet {
		fmt.Fprintf(p.stderr, "prove: %s\n", planned)
	}
	bar := newProgress(p.stderr, run.quiet)
	watchHostMemory()
	end := p.timeline.span("prove")
	result, err := e.prove(ctx, run.seed, time.Now(), bar.stage, nil)
	end()
	bar.done()
	if err == nil {
		err = context.Cause(ctx) // interrupted in the last stage
	}
	if err != nil {
		return nil, err
	}
	result.Metrics["setup_seconds"] = setUp.Seconds()
	return result, nil
}

// writeProof writes prove's output files, and prints the statement. An aggregation writes the proof itself.
func (p *program) writeProof(e *engine, run proveRun, result *proven) error {
	written := ""
	if result.encoded != nil {
		end := p.timeline.span("write")
		if err := writeWhole(run.proofPath, result.encoded); err != nil {
			return err
		}
		end()
		written = fmt.Sprintf(", %s -> %s", bytesText(uint64(len(result.encoded))), run.proofPath)
	}
	if run.outputPath != "" {
		if err := writeOutput(run.outputPath, result.shards()[0]); err != nil {
			return err
		}
	}
	if run.metricsPath != "" {
		if err := writeMetrics(run.metricsPath, e, result); err != nil {
			return err
		}
	}
	if run.quiet {
		return nil
	}
	fmt.Fprint(p.stderr, e.ready.summary(result, written))
	p.printStated(e.work, e.key, public(result))
	fmt.Fprintf(p.stderr, "statement %x\n", result.statement)
	return nil
}

// writeMetrics writes the metrics file of a proof.
func writeMetrics(path string, e *engine, result *proven) error {
	ran, err := programRunOf(e.key, public(result))
	if err != nil {
		return err
	}
	file := metricsFile{
		measurements: result.measurements, Statement: hex.EncodeToString(e.statement[:]),
		ExactStatement: hex.EncodeToString(result.statement[:]), SecurityBits: e.ready.bits(), Program: ran,
	}
	e.prover.describe(&file)
	data, err := file.text()
	if err != nil {
		return err
	}
	return writeWhole(path, data)
}

// printStated prints the program's id and the public values of a proof.
func (p *program) printStated(work *workload, key *protocol.Key, public circuit.Public) {
	if key.Program != nil {
		fmt.Fprintf(p.stderr, "program %x\n", key.ProgramID())
	}
	for _, field := range work.program.Describe(public) {
		fmt.Fprintf(p.stderr, "%s %s\n", field.Name, field.Value)
	}
}
