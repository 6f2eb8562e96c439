package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
)

// wholeRun is a run to be proven as a whole, such as a node of an aggregation: see [Nodes].
type wholeRun struct {
	Machine string          `json:"machine"`
	Program bus.Digest      `json:"program"`
	Key     string          `json:"key"` // see [Request.Key]
	Input   bus.Digest      `json:"input"`
	Limit   uint64          `json:"limit,omitempty"`
	Params  protocol.Params `json:"params"`
	Aim     circuit.Aim     `json:"aim,omitempty"`

	// Try requests only a check whether a proof fits the device.
	Try bool `json:"try,omitempty"`
}

// The prefixes of tags of whole runs.
const (
	nodeTags = "node-"
	tryTags  = "try-"
)

// tag identifies the run in its job.
func (r *wholeRun) tag() string {
	encoded, err := json.Marshal(r)
	if err != nil {
		panic("cluster: a whole run cannot be encoded: " + err.Error())
	}
	sum, prefix := sha256.Sum256(encoded), nodeTags
	if r.Try {
		prefix = tryTags
	}
	return prefix + hex.EncodeToString(sum[:16])
}

// Node reports whether the seat's task is a node of an aggregation rather than a shard.
func (p *Presence) Node() bool {
	return strings.HasPrefix(p.Tag, nodeTags) || strings.HasPrefix(p.Tag, tryTags)
}

// node proves a whole run, or tries whether its proof fits.
func (s *seat) node(ctx context.Context, task *wholeRun, of *sharedRun, result *shardResult) error {
	objects := s.worker.space.objects
	file, err := objects.Get(ctx, task.Program)
	if err != nil {
		return err
	}
	input, err := objects.Get(ctx, task.Input)
	if err != nil {
		return err
	}
	if err := task.Params.Validate(); err != nil {
		return err
	}
	w, err := s.worker.programs.get(task.Machine, file, task.Params)
	if err != nil {
		return err
	}
	if have := keyText(w.key); have != task.Key {
		return fmt.Errorf("machine %s has key %s here and %q in the task: this is another release", task.Machine, have,
			task.Key)
	}
	r, err := w.program.Run(of.ctx, run.Input{
		Data: input, Limit: task.Limit, MinLogHeight: task.Params.MinLogHeight, Aim: task.Aim,
		Pool: parallel.New(s.worker.options.Workers), Plan: task.Try,
	})
	if err != nil {
		return err
	}
	took, lap := &result.Took, lapsFrom(s.begun)
	took.Run = lap()
	if s.worker.at("ran") {
		return errDead
	}
	if task.Try {
		_, err := s.desk.whole(w, r.Instances[0])
		return s.desk.deviceError(err)
	}
	proof, metrics, err := s.desk.proveWhole(of.ctx, w, r, s.enters)
	if err != nil {
		return s.desk.deviceError(err)
	}
	took.Prove, took.Stages, took.GrindHashes = lap(), metrics.Stages, metrics.GrindHashes
	return s.store(ctx, proof, result, lap)
}

// whole returns a prover for a whole run. If the memory does not suffice because of waiting shards, it drops the
// shards, which are later committed to again.
func (d *desk) whole(w *work, instances []circuit.Instance) (*prove.Prover, error) {
	if err := w.key.CheckInstances(instances); err != nil {
		return nil, err
	}
	if d.node != nil && d.nodeKey != w.key {
		if err := d.closeNode(); err != nil {
			return nil, err
		}
	}
	for {
		err := d.openNode(w, instances)
		if err == nil || len(d.slots) == 0 || !errors.As(err, new(*backend.MemoryError)) {
			return d.node, err
		}
		if err := d.closeSlots(); err != nil {
			return nil, err
		}
	}
}

// openNode opens the prover for whole runs, unless it is open, and compares the memory for a run with the memory that
// is left.
func (d *desk) openNode(w *work, instances []circuit.Instance) (err error) {
	if d.node == nil {
		d.node, err = prove.NewProver(w.key, w.program.Fillers(), d.device.Backend, backend.Budget{})
		if err != nil {
			return err
		}
		d.nodeKey = w.key
	}
	peak, err := d.node.Peak(instances)
	if err != nil {
		return err
	}
	if have := d.device.WaitingBytes - min(d.device.WaitingBytes, uint64(len(d.slots))*d.peak); peak > have {
		return &backend.MemoryError{NeedBytes: peak, HaveBytes: have}
	}
	return nil
}

// proveWhole proves a whole run.
func (d *desk) proveWhole(ctx context.Context, w *work, r *run.Run, stage func(prove.Stage)) (*protocol.Proof,
	*prove.Metrics, error) {
	execution, err := r.Execution()
	if err != nil {
		return nil, nil, err
	}
	for {
		prover, err := d.whole(w, execution.Instances())
		if err != nil {
			return nil, nil, err
		}
		proof, metrics, err := prover.Prove(ctx, execution, prove.Options{Progress: stage})
		if len(d.slots) == 0 || !errors.As(err, new(*backend.MemoryError)) {
			return proof, metrics, err
		}
		if err := d.closeSlots(); err != nil {
			return nil, nil, err
		}
	}
}

// closeNode frees the memory for whole runs.
func (d *desk) closeNode() error {
	if d.node == nil {
		return nil
	}
	opened := d.node
	d.node, d.nodeKey = nil, nil
	return opened.Close()
}
