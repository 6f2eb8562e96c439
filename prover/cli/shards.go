package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/protocol"
	"github.com/chiasmus/chiasmus/prover/prove"
	"github.com/chiasmus/chiasmus/prover/run"
	"github.com/chiasmus/chiasmus/prover/setup"
	"github.com/chiasmus/chiasmus/prover/shard"
)

// shardProver proves runs in shards, on one or more devices: a [runProver].
type shardProver struct {
	*shard.Prover
	work     *workload
	chosen   *Backend
	devices  []backend.Backend
	key      *protocol.Key
	count    int    // number of shards of the run that the prover was prepared for
	parts    []int  // of the next run; nil for even shards
	proven   int    // bits
	largest  uint64 // the peak of the largest shard, if the backend can predict it
	expected expectedCuts
	next     nextRun
	parted   bool // the set is not encoded, because an aggregation takes its shards
	progress func(prove.Stage)
}

// startShards opens devices and runs the program to make them ready for the workload.
func (p *program) startShards(ctx context.Context, work *workload, f *backendFlags) (_ *engine, _ *shardProver,
	err error) {
	if f.onDeviceError != "fail" || f.traceOut != "" {
		return nil, nil, Usagef("--on-device-error cpu and --trace-out apply to whole proofs, without --shards")
	}
	e := &engine{work: work, log: p.stderr}
	chosen, devices, err := p.openDevices(f, work.shards.devices)
	if err != nil {
		return nil, nil, err
	}
	e.devices = devices
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	work.pool = parallel.New(f.workers)
	planned, err := work.planned(ctx, work.shards.cut(nil))
	if err != nil {
		return nil, nil, err
	}
	if e.key, err = setup.NewKey(work.program.Machine(), work.params); err != nil {
		return nil, nil, err
	}
	size, err := work.program.Size(planned.Public(), nil)
	if err != nil {
		return nil, nil, err
	}
	e.statement = work.statement(planned.Public(), size)
	s, err := p.newShardProver(e, chosen, planned)
	if err != nil {
		return nil, nil, err
	}
	e.prover, e.ready = s, s
	return e, s, s.Open(planned.Instances)
}

// newShardProver returns a prover of the engine's workload, on its devices, for shards as in a planned run.
func (p *program) newShardProver(e *engine, chosen *Backend, planned *run.Run) (s *shardProver, err error) {
	work, list := e.work, planned.Instances
	s = &shardProver{work: work, chosen: chosen, devices: e.devices, key: e.key, count: len(list)}
	shards, err := planned.List()
	if err != nil {
		return nil, err
	}
	s.expected.learn(0, shards)
	if s.largest, err = largestPeak(chosen, work.program.Fillers(), e.key, list); err != nil {
		return nil, err
	}
	options := shard.Options{
		MinBits:      work.minBits,
		WaitingBytes: math.MaxUint64,
		Encode:       true,
		Progress: func(_ int, stage prove.Stage) {
			if s.progress != nil {
				s.progress(stage)
			}
		},
	}
	if chosen.Name == "cpu" {
		options.WaitingBytes = 0 // one shard is in memory
	}
	if memory := uint64(work.shards.memory); memory > 0 {
		one, err := p.peakOf(chosen, work, e.key, list)
		if err != nil {
			return nil, err
		}
		if one > memory {
			return nil, Usagef("--memory %s: the largest of %d shards takes %s; without --shards, --memory chooses how many fit",
				sizeText(memory), len(list), bytesText(one))
		}
		options.WaitingBytes = memory - (one - s.largest)
	}
	s.Prover = shard.New(e.key, work.program.Fillers(), e.devices, options)
	if s.proven, err = s.Check(list, planned.Public()); err != nil {
		if tooMany := new(protocol.SizeError); errors.As(err, &tooMany) {
			err = fmt.Errorf("%w: more shards are smaller", err)
		}
		return nil, weakerAllowed(err)
	}
	return s, nil
}

func (s *shardProver) speculates() bool { return true }

func (s *shardProver) prove(ctx context.Context, r *run.Run, salt uint64,
	progress func(prove.Stage)) (product, error) {
	s.progress = progress
	s.UseSalt(salt)
	var list []*machine.Shard
	set, metrics, err := s.Prove(ctx, s.counted(r, &list))
	if err != nil {
		return nil, s.mispredicted(err)
	}
	s.learn(r, list, metrics)
	return &shardSet{s, set, metrics, r.Report().Recorded}, nil
}

func (s *shardProver) bits() int { return s.proven }

func (s *shardProver) peak() (uint64, error) { return s.largest, nil }

func (s *shardProver) plan() string {
	return fmt.Sprintf("%d shards on %s (%s), predicted peak of a shard %s", s.count, plural.Of(len(s.devices), "device"),
		s.chosen.Name, bytesText(s.largest))
}

func (s *shardProver) summary(result *proven, written string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "proved in %.3f s in %d shards: %d proven bits%s\n", result.Metrics["prove_seconds"],
		len(result.shards()), s.proven, written)
	for i, d := range s.devices {
		fmt.Fprintf(&text, "device %d: %s (%s)\n", i, d.Name(), d.Device())
	}
	return text.String()
}

func (s *shardProver) describe(file *metricsFile) { file.Devices = deviceNames(s.devices) }

func (s *shardProver) close() error { return s.Close() }

// shardSet is the proof of a run in shards.
type shardSet struct {
	prover   *shardProver
	set      *protocol.Set
	metrics  *shard.Metrics
	recorded uint64 // cycles that were executed to record shards one by one
}

func (s *shardSet) shards() []*protocol.Proof { return s.set.Shards }

func (s *shardSet) encode(pool *parallel.Pool, buffer *[]byte) (encoded []byte, err error) {
	if s.prover.parted {
		return nil, nil
	}
	*buffer, err = s.set.AppendOn(pool, (*buffer)[:0])
	return *buffer, err
}

// largestPeak returns the largest peak memory of a shard, if the backend can predict it; on the host it must fit.
func largestPeak(b *Backend, fillers *machine.Fillers, key *protocol.Key,
	list [][]circuit.Instance) (largest uint64, err error) {
	for i, instances := range list {
		if err := fits(b, fillers, key, instances); err != nil {
			return 0, fmt.Errorf("shard %d: %w: more shards are smaller", i, err)
		}
		if b.Predict == nil || key.CheckInstances(instances) != nil {
			continue
		}
		peak, err := b.Predict(fillers, key.Shape(instances))
		if err != nil {
			return 0, fmt.Errorf("shard %d: %w", i, err)
		}
		largest = max(largest, peak)
	}
	return largest, nil
}
