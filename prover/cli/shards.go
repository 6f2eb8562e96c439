package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/pflag"

	"github.com/chiasmus/chiasmus/internal/bytesize"
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

// The names of the default parameters for runs in shards: for the proof of all shards, and for an aggregation of the
// shards.
const (
	shardPreset = "shard"
	liftPreset  = "lift"
)

// shardFlags determine how a run is cut into shards.
type shardFlags struct {
	count, cycles int
	memory        bytesize.Size // 0 for none; it determines the number of shards unless a flag does
	chosen        bool          // whether memory determined the count
	devices       string        // of prove and session only
	parts         string        // of session only
	made          int           // number of shards of the last run that was cut
	set           *pflag.FlagSet
}

func (s *shardFlags) add(set *pflag.FlagSet) {
	s.set = set
	set.IntVar(&s.count, "shards", 0,
		"prove a program's run in `N` shards, on several devices or one after another")
	set.IntVar(&s.cycles, "shard-cycles", 0, "prove a program's run in shards of at most about `N` cycles")
	set.Var(&s.memory, "memory", "memory that a proof may take, such as 8GiB: of the host on the CPU, else of a device; "+
		"it chooses the number of shards")
}

func (s *shardFlags) addDevices(set *pflag.FlagSet) {
	set.StringVar(&s.devices, "devices", "", "GPUs to prove shards on: all, or a `LIST` such as 0,1 (see --device)")
}

// The values of --shard-parts.
const (
	evenParts  = "even"
	timedParts = "timed"
)

func (s *shardFlags) addParts(set *pflag.FlagSet) {
	set.StringVar(&s.parts, "shard-parts", evenParts,
		"sizes of the shards in a session: even, or timed (minimizes the time on "+
			"several devices, from the times of the previous proof)")
}

// given reports whether a run is to be cut. It is false for commands without these flags.
func (s *shardFlags) given() bool {
	return s.set != nil && (s.set.Changed("shards") || s.set.Changed("shard-cycles") || s.chosen)
}

// wanted reports whether a run may be cut: a flag requests it, or the proof must fit a memory size.
func (s *shardFlags) wanted() bool { return s.given() || s.memory > 0 }

func (s *shardFlags) check() error {
	switch {
	case !s.wanted() && s.devices != "":
		return Usagef("--devices applies to runs in shards: it needs --shards, --shard-cycles or --memory")
	case s.parts != "" && s.parts != evenParts && s.parts != timedParts:
		return Usagef("--shard-parts %q: want %s or %s", s.parts, evenParts, timedParts)
	case !s.wanted() && s.parts == timedParts:
		return Usagef("--shard-parts applies to runs in shards: it needs --shards, --shard-cycles or --memory")
	case !s.given():
		return nil
	case s.set.Changed("shards") && s.set.Changed("shard-cycles"):
		return Usagef("--shards and --shard-cycles exclude each other")
	case s.set.Changed("shards") && (s.count < protocol.MinShards || s.count > protocol.MaxShards):
		return Usagef("--shards is %d, want %d to %d", s.count, protocol.MinShards, protocol.MaxShards)
	case s.set.Changed("shard-cycles") && s.cycles < 1:
		return Usagef("--shard-cycles is %d, want at least 1", s.cycles)
	}
	return nil
}

// shardsOf returns the number of shards of a run of this many cycles.
func (s *shardFlags) shardsOf(cycles int) int {
	if s.cycles == 0 {
		return s.count
	}
	return max((cycles+s.cycles-1)/s.cycles, protocol.MinShards)
}

// cut cuts runs according to the flags: into the given parts, if their number matches, else evenly.
func (s *shardFlags) cut(parts []int) run.Cut {
	return run.Parts(func(cycles int) []int {
		if s.made = s.shardsOf(cycles); s.made != len(parts) {
			return run.EvenParts(s.made)
		}
		return parts
	})
}

// cutRun runs the program on the input of a seed and cuts its run. With plan, no proof follows.
func (w *workload) cutRun(ctx context.Context, seed uint64, cut run.Cut, plan bool) (*run.Run, error) {
	input := w.inputOf(seed)
	input.Cut, input.Plan, w.shards.made = cut, plan, 0
	r, err := w.program.Run(ctx, input)
	switch count := w.shards.made; {
	case count > protocol.MaxShards:
		return nil, Usagef("--shard-cycles %d makes %d shards, want at most %d", w.shards.cycles, count, protocol.MaxShards)
	case errors.Is(err, run.ErrWhole):
		return nil, Usagef("--shards: machine %s cannot be proven in shards; programs can, with --elf",
			w.program.Machine().Name)
	case err != nil:
		return nil, w.failed(err)
	case r.Instances == nil:
		return r, nil // its statement is known only at its end
	}
	return r, w.check(r.Public)
}

// shardEngine proves a workload in shards. Between proofs its prover keeps everything that does not depend on the
// input.
type shardEngine struct {
	work     *workload
	chosen   *Backend
	devices  []backend.Backend
	key      *protocol.Key
	prover   *shard.Prover
	count    int   // number of shards of the run that the prover was prepared for
	parts    []int // of the next run; nil for even shards
	bits     int
	peak     uint64 // of the largest shard, if the backend can predict it
	expected expectedCuts
	parted   bool // the set is not encoded, because an aggregation takes its shards
	progress func(prove.Stage)
	// Of the last proof: the numbers of times that its run was executed again and recorded again because speculation
	// failed.
	begunAgain, recordedAgain uint64
	recorded                  uint64 // cycles
	encoded                   []byte // the last proof's buffer, which the next proof overwrites
}

// startShards opens devices and runs the program to make them ready for the workload. It returns the workload's
// statement, in its class form if inputs are synthetic.
func (p *program) startShards(ctx context.Context, work *workload,
	f *backendFlags) (_ *shardEngine, statement [32]byte, err error) {
	if f.onDeviceError != "fail" || f.traceOut != "" {
		return nil, statement, Usagef("--on-device-error cpu and --trace-out apply to whole proofs, without --shards")
	}
	e := &shardEngine{work: work}
	if e.chosen, e.devices, err = p.openDevices(f, work.shards.devices); err != nil {
		return nil, statement, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.close())
		}
	}()
	work.pool = parallel.New(f.workers)
	planned, err := work.cutRun(ctx, 0, work.shards.cut(nil), true)
	if err != nil {
		return nil, statement, err
	}
	list, err := planned.List()
	if err != nil {
		return nil, statement, err
	}
	e.expected.learn(0, list)
	if e.key, err = setup.NewKey(work.program.Machine(), work.params); err != nil {
		return nil, statement, err
	}
	return e, e.statement(planned.Public()), p.ready(e, planned)
}

// statement returns the workload's statement: exact, or in its class form if inputs are synthetic.
func (e *shardEngine) statement(public circuit.Public) [32]byte {
	size, err := e.work.program.Size(public, nil)
	if err == nil && !e.work.synthetic() {
		return circuit.ExactStatement(e.work.program, public, size)
	}
	return circuit.ClassStatement(e.work.program, size)
}

// onDevice reports whether the backends are devices.
func (e *shardEngine) onDevice() bool {
	return e.devices[0].OnDevice()
}

// ready makes the devices ready for shards like those of planned.
func (p *program) ready(e *shardEngine, planned *run.Run) (err error) {
	list := planned.Instances
	if e.peak, err = largestPeak(e.chosen, e.work.program.Fillers(), e.key, list); err != nil {
		return err
	}
	options := shard.Options{
		MinBits:      e.work.minBits,
		WaitingBytes: math.MaxUint64,
		Encode:       true,
		Progress: func(_ int, stage prove.Stage) {
			if e.progress != nil {
				e.progress(stage)
			}
		},
	}
	if e.chosen.Name == "cpu" {
		options.WaitingBytes = 0 // one shard is in memory
	}
	if memory := uint64(e.work.shards.memory); memory > 0 {
		one, err := p.peakOf(e.chosen, e.work, e.key, list)
		if err != nil {
			return err
		}
		if one > memory {
			return Usagef("--memory %s: the largest of %d shards takes %s; without --shards, --memory chooses how many fit",
				sizeText(memory), len(list), bytesText(one))
		}
		options.WaitingBytes = memory - (one - e.peak)
	}
	e.prover, e.count = shard.New(e.key, e.work.program.Fillers(), e.devices, options), len(list)
	if e.bits, err = e.prover.Check(list, planned.Public()); err != nil {
		return weakerAllowed(err)
	}
	return e.prover.Open(list)
}

// prove executes the input of the seed, proves the run in shards and encodes the set. Times count from start. Unless
// deliver is nil, prove calls it with the encoded proof.
func (e *shardEngine) prove(ctx context.Context, seed uint64, start time.Time,
	progress func(prove.Stage), deliver func(encoded []byte)) (*proven, error) {
	e.progress = progress
	var set *protocol.Set
	var metrics *shard.Metrics
	err := underSalts(func(salt uint64) (err error) {
		e.prover.UseSalt(salt)
		set, metrics, err = e.attempt(ctx, seed)
		return err
	})
	if err != nil {
		return nil, err
	}
	result := &proven{proof: set.Shards[0], set: set, on: e.devices[0]}
	if !e.parted {
		if e.encoded, err = set.AppendOn(e.work.pool, e.encoded[:0]); err != nil {
			return nil, err
		}
		result.encoded = e.encoded
	}
	total := time.Since(start)
	if deliver != nil {
		deliver(result.encoded)
	}
	size, err := e.work.program.Size(result.proof.Public, set.Instances())
	if err != nil {
		return nil, err
	}
	result.statement = circuit.ExactStatement(e.work.program, result.proof.Public, size)
	result.measurements = e.measure(metrics, set, total, hostMemory{}.peak())
	result.Counters[e.work.program.Machine().Unit+"s"] = uint64(size)
	result.Counters["begun_again"] = e.begunAgain
	result.Counters["recorded_again"] = e.recordedAgain
	result.Counters["recorded_cycles"] = e.recorded
	return result, nil
}

// names returns the names of the devices.
func (e *shardEngine) names() (list []string) {
	for _, d := range e.devices {
		list = append(list, d.Device())
	}
	return list
}

// ended returns why no further proof can be made, or nil.
func (e *shardEngine) ended() (err error) {
	for _, d := range e.devices {
		err = errors.Join(err, d.Lost())
	}
	return err
}

// close frees the prover's memory and closes the devices.
func (e *shardEngine) close() (err error) {
	if e.prover != nil {
		err = e.prover.Close()
	}
	return errors.Join(err, shutdown(e.devices))
}

// proveShards proves a program's run in shards.
func (p *program) proveShards(ctx context.Context, work *workload, f *backendFlags, run proveRun) (err error) {
	begin := time.Now()
	e, statement, err := p.startShards(ctx, work, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	setUp := time.Since(begin)
	if !run.quiet {
		fmt.Fprintf(p.stderr, "prove: %d shards on %s (%s), predicted peak of a shard %s\n", e.count,
			plural.Of(len(e.devices), "device"), e.chosen.Name, bytesText(e.peak))
	}
	bar := newProgress(p.stderr, run.quiet)
	result, err := e.prove(ctx, run.seed, time.Now(), bar.stage, nil)
	bar.done()
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	result.Metrics["setup_seconds"] = setUp.Seconds()
	return p.writeShards(e, run, result, statement)
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

// openDevices opens the backend that the flags require, or the first of the binary's that opens, once for each device
// of a list.
func (p *program) openDevices(f *backendFlags, list string) (chosen *Backend, devices []backend.Backend, err error) {
	options, err := p.check(f)
	if err != nil {
		return nil, nil, err
	}
	open := func(b *Backend) ([]backend.Backend, error) { return openEach(b, options, list) }
	b, because, err := p.required(f, list)
	if err != nil {
		return nil, nil, err
	}
	if b != nil {
		if devices, err = open(b); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", because, err)
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

// openEach opens the devices of a list, or the one that the flags name if there is no list.
func openEach(b *Backend, options BackendOptions, list string) (devices []backend.Backend, err error) {
	names := []string{""}
	switch {
	case list == "":
	case b.Devices == nil:
		return nil, Usagef("--devices %s: backend %s has one device, without --devices", list, b.Name)
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

// shutdown closes devices.
func shutdown(devices []backend.Backend) (err error) {
	for _, d := range devices {
		err = errors.Join(err, d.Shutdown())
	}
	return err
}

// writeShards writes prove's output files, and prints the statement. An aggregation writes the proof itself.
func (p *program) writeShards(e *shardEngine, run proveRun, result *proven, statement [32]byte) error {
	written := ""
	if !e.parted {
		if err := writeWhole(run.proofPath, result.encoded); err != nil {
			return err
		}
		written = fmt.Sprintf(", %s -> %s", bytesText(uint64(len(result.encoded))), run.proofPath)
	}
	if run.outputPath != "" {
		if err := writeOutput(run.outputPath, result.proof); err != nil {
			return err
		}
	}
	if run.metricsPath != "" {
		ran, err := programRunOf(e.key, result.proof.Public)
		if err != nil {
			return err
		}
		data, err := metricsFile{
			measurements: result.measurements, Statement: hex.EncodeToString(statement[:]),
			ExactStatement: hex.EncodeToString(result.statement[:]), SecurityBits: e.bits, Program: ran, Devices: e.names(),
		}.text()
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
	fmt.Fprintf(p.stderr, "proved in %.3f s in %d shards: %d proven bits%s\n",
		result.Metrics["prove_seconds"], len(result.set.Shards), e.bits, written)
	for i, d := range e.devices {
		fmt.Fprintf(p.stderr, "device %d: %s (%s)\n", i, d.Name(), d.Device())
	}
	p.printStated(e.work, e.key, result.proof.Public)
	fmt.Fprintf(p.stderr, "statement %x\n", result.statement)
	return nil
}
