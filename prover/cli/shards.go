package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
	"github.com/chiasmus/chiasmus/prover/shard"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// shardPreset are the parameters for runs in shards where none are named.
const shardPreset = "shard"

// shardFlags say into how many shards a run is cut.
type shardFlags struct {
	count, cycles int
	devices       string // of prove alone
	set           *pflag.FlagSet
}

func (s *shardFlags) add(set *pflag.FlagSet) {
	s.set = set
	set.IntVar(&s.count, "shards", 0, "prove a program's run in `N` shards, which share their memory between devices or phases")
	set.IntVar(&s.cycles, "shard-cycles", 0, "prove a program's run in shards of at most about `N` cycles")
}

// given says whether a run is to be cut. A command without these flags has none.
func (s *shardFlags) given() bool {
	return s.set != nil && (s.set.Changed("shards") || s.set.Changed("shard-cycles"))
}

func (s *shardFlags) check() error {
	switch {
	case !s.given() && s.devices != "":
		return Usagef("--devices are for runs in shards: it goes with --shards or --shard-cycles")
	case !s.given():
		return nil
	case s.set.Changed("shards") && s.set.Changed("shard-cycles"):
		return Usagef("--shards and --shard-cycles exclude each other")
	case s.set.Changed("shards") && (s.count < stark.MinShards || s.count > stark.MaxShards):
		return Usagef("--shards is %d, want %d to %d", s.count, stark.MinShards, stark.MaxShards)
	case s.set.Changed("shard-cycles") && s.cycles < 1:
		return Usagef("--shard-cycles is %d, want at least 1", s.cycles)
	}
	return nil
}

// cut is the number of shards of a run.
func (s *shardFlags) cut(cycles int) int {
	if s.cycles == 0 {
		return s.count
	}
	return max((cycles+s.cycles-1)/s.cycles, stark.MinShards)
}

// cutShards runs the program and cuts its run.
func (w *workload) cutShards(ctx context.Context) ([]machine.Shard, error) {
	sharded, ok := w.program.(machine.Sharded)
	if !ok {
		return nil, Usagef("--shards: proofs of machine %s are whole; those of a program, with --elf, can be in shards", w.program.Machine().Name)
	}
	list, err := sharded.Shards(ctx, w.inputOf(0), w.shards.cut)
	if err != nil {
		return nil, w.failed(err)
	}
	if len(list) > stark.MaxShards {
		return nil, Usagef("--shard-cycles %d makes %d shards, want at most %d", w.shards.cycles, len(list), stark.MaxShards)
	}
	return list, w.check(list[0].Public())
}

// instancesOf are the instances of each shard.
func instancesOf(shards []machine.Shard) (lists [][]machine.Instance) {
	for _, s := range shards {
		lists = append(lists, s.Instances())
	}
	return lists
}

// provenShards is a run that was proven in shards.
type provenShards struct {
	set     *stark.Set
	encoded []byte
	bits    int
	key     *stark.Key
	devices []backend.Backend
	measurements
}

// proveShards proves a program's run in shards. Nothing of what the devices held is kept.
func (p *program) proveShards(ctx context.Context, work *workload, f *backendFlags, run proveRun) (err error) {
	if f.onDeviceError != "fail" || f.traceOut != "" {
		return Usagef("--on-device-error cpu and --trace-out are for proofs that are whole, without --shards")
	}
	begin := time.Now()
	memory := watchHostMemory()
	chosen, devices, err := p.openDevices(f, work.shards.devices)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shutdown(devices)) }()
	work.pool = parallel.New(f.workers)
	key, err := stark.NewKey(work.program.Machine(), work.params)
	if err != nil {
		return err
	}
	setUp, start := time.Since(begin), time.Now()
	list, err := work.cutShards(ctx)
	if err != nil {
		return err
	}
	ran, opening := time.Since(start), time.Now()
	largest, err := largestPeak(chosen, key, list)
	if err != nil {
		return err
	}
	bar := newProgress(p.stderr, run.quiet)
	options := shard.Options{MinBits: work.minBits, Progress: func(_ int, stage stark.Stage) { bar.stage(stage) }}
	if chosen.Name == "cpu" {
		options.WaitingBytes = hostMemoryLimit() / 4 * 3 // and the rest for the run
	}
	prover := shard.New(key, devices, options)
	defer func() { err = errors.Join(err, prover.Close()) }()
	result := &provenShards{key: key, devices: devices}
	if result.bits, err = prover.Check(instancesOf(list), list[0].Public()); err != nil {
		return weakerAllowed(err)
	}
	if !run.quiet {
		fmt.Fprintf(p.stderr, "prove: %d shards on %d devices (%s), predicted peak %s\n", len(list), len(devices), chosen.Name, bytesText(largest))
	}
	if err := prover.Open(instancesOf(list)); err != nil {
		return err
	}
	setUp, start = setUp+time.Since(opening), time.Now()
	set, metrics, err := prover.Prove(ctx, list)
	bar.done()
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	result.set = set
	if result.encoded, err = set.MarshalBinary(); err != nil {
		return err
	}
	result.measure(metrics, ran+time.Since(start), memory.peak())
	result.Metrics["setup_seconds"] = setUp.Seconds()
	return p.writeShards(work, run, result)
}

// largestPeak is the most memory that a shard takes, where the backend can tell; on the host it must fit.
func largestPeak(b *Backend, key *stark.Key, list []machine.Shard) (largest uint64, err error) {
	for i, s := range list {
		if err := fits(b, key, s.Instances()); err != nil {
			return 0, fmt.Errorf("shard %d: %w: more shards are smaller", i, err)
		}
		if b.Predict == nil || key.CheckInstances(s.Instances()) != nil {
			continue
		}
		peak, err := b.Predict(key.Shape(s.Instances()))
		if err != nil {
			return 0, fmt.Errorf("shard %d: %w", i, err)
		}
		largest = max(largest, peak)
	}
	return largest, nil
}

// openDevices opens the backend that the flags name, or the first of the binary's that opens, once for each device of a list.
func (p *program) openDevices(f *backendFlags, list string) (chosen *Backend, devices []backend.Backend, err error) {
	options, err := p.check(f)
	if err != nil {
		return nil, nil, err
	}
	open := func(b *Backend) ([]backend.Backend, error) { return openEach(b, options, list) }
	if f.name != "auto" {
		b, err := p.named(f.name)
		if err != nil {
			return nil, nil, err
		}
		if devices, err = open(b); err != nil {
			return nil, nil, fmt.Errorf("--backend %s: %w", f.name, err)
		}
		return b, devices, nil
	}
	var failures []error
	for i := range p.backends {
		b := &p.backends[i]
		if devices, err = open(b); err == nil {
			fmt.Fprintf(p.stderr, "backend: auto chose %s\n", b.Name)
			return b, devices, nil
		}
		failures = append(failures, fmt.Errorf("%s: %w", b.Name, err))
	}
	return nil, nil, fmt.Errorf("--backend auto: no backend can run here: %w", errors.Join(failures...))
}

// openEach opens the devices of a list, or the one that the flags name where there is no list.
func openEach(b *Backend, options BackendOptions, list string) (devices []backend.Backend, err error) {
	names := []string{""}
	switch {
	case list == "":
	case b.Devices == nil:
		return nil, Usagef("--devices %s: backend %s has one device", list, b.Name)
	default:
		if names, err = b.Devices(list); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		options.Device = name
		opened, err := b.Open(options)
		if err != nil {
			if name != "" {
				err = fmt.Errorf("device %s: %w", name, err)
			}
			return nil, errors.Join(err, shutdown(devices))
		}
		devices = append(devices, opened)
	}
	return devices, nil
}

// shutdown gives devices back.
func shutdown(devices []backend.Backend) (err error) {
	for _, d := range devices {
		if device, ok := d.(backend.Device); ok {
			err = errors.Join(err, device.Shutdown())
		}
	}
	return err
}

// measure puts a run's figures under their names. Stages are sums over all shards, whichever device they were on.
func (r *provenShards) measure(m *shard.Metrics, total time.Duration, peakHostBytes uint64) {
	r.measurements = measurements{
		Metrics:  map[string]float64{"prove_seconds": total.Seconds(), "shards_seconds": m.Total.Seconds()},
		Counters: map[string]uint64{"shards": uint64(len(m.Shards)), "devices": uint64(len(r.devices)), "fallbacks": 0},
	}
	if peakHostBytes > 0 {
		r.Metrics["peak_host_bytes"] = float64(peakHostBytes)
	}
	for i, s := range m.Shards {
		for stage, took := range s.Stages {
			r.Metrics["stage_"+string(stage)+"_seconds"] += took.Seconds()
		}
		r.Counters["grind_hashes"] += s.GrindHashes
		if s.Twice {
			r.Counters["shards_committed_twice"]++
		}
		r.Counters["cells"] += cellsOf(r.key.Shape(r.set.Shards[i].Instances))
	}
}

// writeShards writes what prove writes, and says what was proven.
func (p *program) writeShards(work *workload, run proveRun, r *provenShards) error {
	public := r.set.Shards[0].Public
	size, err := work.program.Size(public, r.set.Instances())
	if err != nil {
		return err
	}
	statement := machine.ExactStatement(work.program, public, size)
	if err := writeWhole(run.proofPath, r.encoded); err != nil {
		return err
	}
	if run.outputPath != "" {
		if err := writeOutput(run.outputPath, r.set.Shards[0]); err != nil {
			return err
		}
	}
	if run.metricsPath != "" {
		r.Counters[work.program.Machine().Unit+"s"] = uint64(size)
		ran, err := programRunOf(r.key, public)
		if err != nil {
			return err
		}
		digest := hex.EncodeToString(statement[:])
		file := metricsFile{measurements: r.measurements, Statement: digest, ExactStatement: digest, SecurityBits: r.bits, Program: ran}
		for _, d := range r.devices {
			file.Devices = append(file.Devices, d.Device())
		}
		data, err := file.text()
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
	fmt.Fprintf(p.stderr, "proved in %.3f s in %d shards: %d proven bits, %s -> %s\n",
		r.Metrics["prove_seconds"], len(r.set.Shards), r.bits, bytesText(uint64(len(r.encoded))), run.proofPath)
	for i, d := range r.devices {
		fmt.Fprintf(p.stderr, "device %d: %s (%s)\n", i, d.Name(), d.Device())
	}
	p.printStated(work, r.key, public)
	fmt.Fprintf(p.stderr, "statement %x\n", statement)
	return nil
}
