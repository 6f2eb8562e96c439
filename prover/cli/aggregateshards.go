package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chiasmus/chiasmus/prover/aggregate"
)

// proveAggregated proves a program's run in shards, and makes one proof of these. The shards' proof is kept with the
// nodes until the end.
func (p *program) proveAggregated(ctx context.Context, work *workload, f *backendFlags, run proveRun) error {
	nodes := &aggregateRun{proofPath: run.proofPath, quiet: run.quiet, backends: f, presets: aggregatePresets}
	if err := nodes.check(nil); err != nil {
		return err
	}
	if err := os.MkdirAll(nodes.keepPath, 0o755); err != nil {
		return err
	}
	shards := filepath.Join(nodes.keepPath, "shards.proof")
	inner := run
	inner.proofPath = shards
	if err := p.proveShards(ctx, work, f, inner); err != nil {
		_ = os.Remove(nodes.keepPath) // it is empty, or an earlier run's nodes are in it
		return err
	}
	if err := p.aggregateShards(ctx, shards, nodes); err != nil {
		return fmt.Errorf("%w; the shards' proof is kept: prover aggregate %s --proof %s goes on", err, shards, run.proofPath)
	}
	if err := os.Remove(shards); err != nil {
		return err
	}
	_ = os.Remove(nodes.keepPath) // other files in it are not of this run
	return nil
}

func (p *program) aggregateShards(ctx context.Context, path string, run *aggregateRun) error {
	data, err := readFile(path, maxProofBytes)
	if err != nil {
		return err
	}
	child, err := aggregate.Read(ctx, filepath.Base(path), data, aggregate.Options{})
	if err != nil {
		return err
	}
	return p.aggregateChildren(ctx, []*aggregate.Child{child}, run, (*aggregate.Builder).Batch)
}
