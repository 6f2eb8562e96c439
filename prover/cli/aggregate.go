package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/aggregate"
	"github.com/chiasmus/chiasmus/prover/cluster"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// Presets without --params, in order of preference: an aggregation takes the first that fits the memory.
var (
	aggregatePresets = []string{"small-4", "rv"}
	compressPresets  = []string{"small", "small-8", "small-4"}
	onDevicePresets  = []string{"smallest"} // of compressions on a GPU, before compressPresets
)

func (p *program) aggregateCommand() *cobra.Command {
	run := new(aggregateRun)
	cmd := &cobra.Command{
		Use:   "aggregate PROOF... --proof OUT",
		Short: "Make one proof of several proofs of programs",
		Long: `Make one proof of several: proofs of any programs (whole, or of runs in shards) and aggregated proofs.
The result states what all of them state, in their order. It is a proof that a verifier of these proofs, itself a
program, accepted them: prover verify checks it and prints every statement.

Proofs are verified in batches whose size the memory decides, and these batches in further ones, until one proof is
left. A run in shards is verified a few shards at a time. Finished nodes are kept beside OUT until it is written: after
an interruption, the same command continues with what is missing.

Without --params a node uses small-4. It uses rv if all proofs then fit one node, or if the node is part of a run in
shards. prover compress makes the last proof smaller.`,
		Args: atLeastOne("PROOF"),
	}
	run.addFlags(p, cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		run.presets = aggregatePresets
		return p.aggregate(args, run, (*aggregate.Builder).Batch)
	}
	return cmd
}

func (p *program) compressCommand() *cobra.Command {
	run := new(aggregateRun)
	cmd := &cobra.Command{
		Use:   "compress PROOF --proof OUT",
		Short: "Make a smaller proof of the same statement",
		Long: `Prove that a verifier, itself a program, accepted a proof. The new proof has the same statement. All
proofs of the verifier's run have about the same size, so a large proof becomes smaller, and a small one does not. The new
proof is proven again in the same way, as long as a smaller one is predicted.

Without --params, the parameters are the first of smallest, small, small-8 and small-4 that fit the memory; on a CPU the
search for the nonce of smallest takes minutes, so there small is the first.`,
		Args: Exactly("PROOF"),
	}
	run.addFlags(p, cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		run.presets, run.onDevice, run.compresses = compressPresets, onDevicePresets, true
		return p.aggregate(args, run, compress)
	}
	return cmd
}

// compress proves the statement of one child again, until no smaller proof is predicted. A run in shards first becomes
// an aggregation of its parts.
func compress(b *aggregate.Builder, ctx context.Context, children []*aggregate.Child) (*aggregate.Child, error) {
	if children[0].Aggregated {
		return b.Compress(ctx, children[0])
	}
	made, err := b.Batch(ctx, children)
	if err != nil {
		return nil, err
	}
	return b.Compress(ctx, made)
}

// atLeastOne checks the arguments of commands that take one or more files.
func atLeastOne(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Usagef("%s is missing", name)
		}
		return nil
	}
}

// aggregateRun are the flags of aggregate and compress.
type aggregateRun struct {
	proofPath, preset, keepPath string
	metricsPath, devices        string
	quiet                       bool
	backends                    *backendFlags
	cluster                     clusterFlags
	set                         *pflag.FlagSet
	presets                     []string // without --params: each for nodes that do not fit with the presets before
	onDevice                    []string // on a GPU, before presets
	compresses                  bool     // nodes are proven again, and only the last proof is kept
}

func (r *aggregateRun) addFlags(p *program, set *pflag.FlagSet) {
	r.set = set
	set.StringVar(&r.proofPath, "proof", "", "where to write the proof: `FILE` (required)")
	set.StringVar(&r.preset, "params", "",
		"parameters of all nodes: a `NAME` that prover params lists (default: see above)")
	set.StringVar(&r.keepPath, "keep", "",
		"`FOLDER` of finished nodes, until the proof is written (default: OUT.nodes)")
	set.StringVar(&r.metricsPath, "metrics", "",
		"where to write metrics and counters, as one JSON object: `FILE`")
	set.StringVar(&r.devices, "devices", "", "GPUs to prove nodes on: all, or a `LIST` such as 0,1 (see --device)")
	set.BoolVar(&r.quiet, "quiet", false, "print only errors, and which backend auto chose")
	set.StringVar(&r.cluster.url, "cluster", "", "prove nodes on the workers of a cluster: the `URL` of its server")
	r.cluster.bus.add(set)
	r.backends = p.addBackendFlags(set)
}

// checkCluster rejects flags that exclude each other.
func (r *aggregateRun) checkCluster(p *program) error {
	if r.cluster.url == "" {
		return Usagef("--cluster URL is missing: --credential and --tls-ca need it")
	}
	if flag := p.local(r.set); r.set != nil && flag != "" {
		return Usagef("--%s is for local proofs, not for a cluster: workers choose their devices", flag)
	}
	return r.checkPresets()
}

// check validates the flags.
func (r *aggregateRun) check(inputs []string) error {
	if r.proofPath == "" {
		return Usagef("--proof OUT is missing")
	}
	if r.backends.onDeviceError != "fail" {
		return Usagef("--on-device-error cpu is for prove and session")
	}
	outputs := []namedFile{{"--metrics", r.metricsPath}, {"--trace-out", r.backends.traceOut}}
	for _, input := range inputs {
		files := append([]namedFile{{"the proof", input}, {"--proof", r.proofPath}}, outputs...)
		if err := distinct(files); err != nil {
			return err
		}
	}
	for _, output := range outputs {
		if err := writable(output.flag, output.path); err != nil {
			return err
		}
	}
	if r.keepPath == "" {
		r.keepPath = r.proofPath + ".nodes"
	}
	if r.set != nil && r.set.Changed("params") {
		r.presets, r.onDevice = []string{r.preset}, nil
	}
	return writable("--proof", r.proofPath)
}

// checkPresets rejects unknown parameters and parameters of too few bits.
func (r *aggregateRun) checkPresets() error {
	for _, name := range r.presets {
		preset, err := protocol.PresetByName(name)
		if err != nil {
			return Usagef("--params: %w", err)
		}
		if preset.Bits < 128 {
			return Usagef("--params %s proves %d bits, and an aggregation takes proofs of 128", name, preset.Bits)
		}
	}
	return nil
}

// build makes one child from several.
type build func(b *aggregate.Builder, ctx context.Context, children []*aggregate.Child) (*aggregate.Child, error)

func (p *program) aggregate(paths []string, run *aggregateRun, build build) error {
	if err := run.check(paths); err != nil {
		return err
	}
	ctx, stop := p.interruptible()
	defer stop()
	end := p.timeline.span("read")
	var children []*aggregate.Child
	for _, path := range paths {
		data, err := readFile(path, maxProofBytes)
		if err != nil {
			return &usageError{err}
		}
		child, err := aggregate.Read(ctx, path, data, aggregate.Options{})
		if err != nil {
			return err
		}
		children = append(children, child)
	}
	end()
	return p.aggregateChildren(ctx, children, run, build)
}

// aggregateChildren makes one proof from children and writes it.
func (p *program) aggregateChildren(ctx context.Context, children []*aggregate.Child, run *aggregateRun,
	build build) (err error) {
	begin := time.Now()
	nodes, err := p.openNodeProver(ctx, run, children)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil || !p.exits || run.cluster.given() {
			err = errors.Join(nodes.runs().kept.saying(err), nodes.shutdown(err))
		}
	}()
	made, err := build(&aggregate.Builder{Prover: nodes, ID: aggregate.ID()}, ctx, children)
	if err != nil {
		return because(ctx, err)
	}
	return p.writeAggregated(ctx, nodes, made, run, begin)
}

// openNodeProver connects to the cluster that the flags name, or opens devices.
func (p *program) openNodeProver(ctx context.Context, run *aggregateRun,
	children []*aggregate.Child) (nodeProver, error) {
	if !run.cluster.given() {
		return p.openNodes(run)
	}
	if err := run.checkCluster(p); err != nil {
		return nil, err
	}
	ctx, b, err := p.dial(ctx, run.cluster.url, "prover aggregate", &run.cluster.bus, wantClient)
	if err != nil {
		return nil, err
	}
	space, err := cluster.Join(ctx, b)
	if err != nil {
		b.Close()
		return nil, because(ctx, err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", run.presets)
	for _, child := range children {
		fmt.Fprintf(h, "%x\n", sha256.Sum256(child.Proof))
	}
	n, err := p.remoteNodes(ctx, space, run, hex.EncodeToString(h.Sum(nil)))
	if err != nil {
		b.Close()
		return nil, because(ctx, err)
	}
	n.disconnect = b.Close
	return n, nil
}

// writeAggregated verifies and writes a finished aggregation, and removes its kept nodes.
func (p *program) writeAggregated(ctx context.Context, n nodeProver, made *aggregate.Child, run *aggregateRun,
	begin time.Time) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	file := &aggregate.File{Tree: made.Tree, Proof: made.Proof}
	data, err := file.MarshalBinary()
	if err != nil {
		return err
	}
	end := p.timeline.span("verify")
	result, err := aggregate.Verify(ctx, data, aggregate.Options{})
	end()
	if err != nil {
		return fmt.Errorf("the finished proof is not valid, and was not written: %w", err)
	}
	if err := writeWhole(run.proofPath, data); err != nil {
		return err
	}
	if err := n.runs().kept.remove(); err != nil {
		return err
	}
	if run.metricsPath != "" {
		if err := writeNodeMetrics(run.metricsPath, n.runs(), made, result.Outer.Bits, time.Since(begin)); err != nil {
			return err
		}
	}
	if !run.quiet {
		proven, found := n.runs().counts()
		fmt.Fprintf(p.stderr, "aggregated %s in %.3f s on %s: %s, %d proven bits, %s -> %s\n",
			plural.Of(len(made.Tree.Runs()), "run"), time.Since(begin).Seconds(), n.where(),
			plural.Of(proven+found, "node"), result.Outer.Bits, bytesText(uint64(len(data))), run.proofPath)
		fmt.Fprintf(p.stderr, "statement %x\n", made.Tree.Digest())
	}
	return nil
}
