package gpu

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/air"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/circuit"
	"github.com/chiasmus/chiasmus/prover/goldilocks"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/merkle"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// openMachine is a machine on the device: what proofs of all heights share.
type openMachine struct {
	backend *Backend
	device  *device.Handle
	machine *circuit.Machine
	fillers *machine.Fillers
	params  protocol.Layout
	limit   uint64 // of memory, in bytes; 0 for the device's memory
	program *program

	set          *kernels.Set
	resident     *cuda.Arena   // transform tables, indexes, and the commitments to preprocessed columns
	scopesOfKeys []*cuda.Scope // scopes of the memory in resident
	transforms   *kernels.Transforms
	keys         [protocol.PhaseCount]*commitment // by table; Fixed and Program
	caps         [protocol.PhaseCount][]merkle.Digest
	indexes      map[*air.Entry]cuda.Span
	extended     map[periodicAt][]goldilocks.Element

	file        *device.File
	values      []goldilocks.Element // memory for opened values
	arena       *cuda.Arena          // memory of proofs, one after another; nil until the first
	predictions []prediction         // of the latest proofs, the last one first
	proof       *proof               // the open proof, or nil
	closed      bool
}

// Open loads the machine's kernels, commits to its preprocessed columns and reserves memory for proofs.
func (b *Backend) Open(fillers *machine.Fillers, params protocol.Layout, budget backend.Budget) (backend.Prover,
	error) {
	if err := b.Lost(); err != nil {
		return nil, err
	}
	o := &openMachine{backend: b, device: b.device, machine: fillers.Machine, fillers: fillers, params: params,
		limit: b.device.Options.VRAM}
	o.extended = map[periodicAt][]goldilocks.Element{}
	if budget.Limit != 0 && (o.limit == 0 || budget.Limit < o.limit) {
		o.limit = budget.Limit
	}
	err := b.device.Bound("prepare", func() error { return o.open(budget.Reserve) })
	if err == nil {
		end := b.device.Options.Begin("commit_keys")
		err = b.device.Bound("commit_keys", o.commitKeys)
		end()
	}
	if err == nil && budget.Reserve != nil {
		err = b.device.Bound("prepare", func() error {
			defer b.device.Options.Begin("reserve")()
			_, _, err := o.reserve(protocol.NewShape(o.machine, params, budget.Reserve))
			return err
		})
	}
	if err != nil {
		return nil, errors.Join(err, b.device.Bound("close", o.close))
	}
	return o, nil
}

func (o *openMachine) open(reserve []circuit.Instance) (err error) {
	if o.program, err = o.backend.programOf(o.fillers); err != nil {
		return err
	}
	// Load kernels, which take local memory, before the arenas, so that the arenas' budget is the memory that remains.
	if o.set, err = o.backend.kernels(o.program); err != nil {
		return err
	}
	units, shape := o.program.shared(o.device.Options.More), (*protocol.Shape)(nil)
	if reserve != nil {
		shape = protocol.NewShape(o.machine, o.params, reserve)
		units = append(units, o.program.unitsOf(shape)...)
	}
	if err := o.loadKernels(units); err != nil {
		return err
	}
	if reserve != nil {
		if _, _, err := o.admit(shape); err != nil {
			return err
		}
	}
	peak, err := predictResident(o.machine, o.params, o.arenaOptions(0))
	if err != nil {
		return err
	}
	if o.resident, err = cuda.NewArena(o.device.Context, o.device.Stream, o.arenaOptions(peak)); err != nil {
		return err
	}
	o.file, err = o.device.Transfer.NewFile()
	return err
}

// loadKernels loads the kernels of units, and compiles them if need be.
func (o *openMachine) loadKernels(units []string) error {
	missing := o.set.Missing(units)
	if len(missing) == 0 {
		return nil
	}
	return o.backend.load(func() error { return o.set.Load(missing...) })
}

// arenaOptions returns the options of the arenas and of their rehearsals.
func (o *openMachine) arenaOptions(budget uint64) cuda.ArenaOptions {
	return cuda.ArenaOptions{Budget: budget, Checked: o.device.Checked()}
}

// admit predicts the peak of a proof, including resident memory, and compares it with the available memory. If only a
// lean proof fits, the proof is lean. Memory that the arenas already hold counts as available.
func (o *openMachine) admit(shape *protocol.Shape) (peak uint64, lean bool, err error) {
	if log := shape.MaxLogSize(); log > kernels.MaxLogSize {
		return 0, false, fmt.Errorf("gpu: %w", &backend.HeightError{
			LogRows: shape.Classes[0].LogHeight, LogPoints: log, MaxLogPoints: kernels.MaxLogSize})
	}
	resident, err := predictResident(o.machine, o.params, o.arenaOptions(0))
	if err != nil {
		return 0, false, err
	}
	have, err := o.available()
	if err != nil {
		return 0, false, err
	}
	least := uint64(math.MaxUint64)
	for _, lean := range []bool{false, true} {
		if alwaysLean && !lean {
			continue
		}
		proof, err := predictProof(shape, o.program, o.arenaOptions(0), lean)
		if err != nil {
			return 0, false, err
		}
		if peak := resident + proof; peak <= have {
			return peak, lean, nil
		}
		least = min(least, resident+proof)
	}
	return 0, false, o.tooLittle(least, have)
}

// tooLittle returns the error for a proof that does not fit.
func (o *openMachine) tooLittle(need, have uint64) error {
	short := &backend.MemoryError{NeedBytes: need, HaveBytes: have}
	if have == o.limit {
		short.Limit = "--vram"
	}
	return short
}

// available returns the memory that the arenas may take, in bytes.
func (o *openMachine) available() (uint64, error) {
	free, total, err := o.device.Context.MemoryInfo()
	if err != nil {
		return 0, err
	}
	o.device.Meter.UsedBefore = total - free
	for _, arena := range []*cuda.Arena{o.resident, o.arena} {
		if arena != nil {
			free += arena.Held()
		}
	}
	if o.limit != 0 {
		free = min(free, o.limit)
	}
	return free, nil
}

// commitKeys creates the transform tables and commits to the preprocessed columns.
func (o *openMachine) commitKeys() (err error) {
	scope := o.resident.Scope("machine")
	o.scopesOfKeys = append(o.scopesOfKeys, scope)
	if o.transforms, err = kernels.NewTransforms(o.set, o.device.Stream, scope, uint64(goldilocks.Generator)); err != nil {
		return err
	}
	if err := o.uploadIndexes(scope); err != nil {
		return err
	}
	shape := keyShape(o.machine, o.params)
	for _, phase := range []protocol.Phase{protocol.Fixed, protocol.Program} {
		if shape == nil || !shape.Present(phase) {
			continue
		}
		p := &proof{openMachine: o, shape: shape, arena: o.resident}
		if o.keys[phase], o.caps[phase], err = p.commitKey(scope, phase); err != nil {
			return fmt.Errorf("%s columns: %w", phase, err)
		}
	}
	return nil
}

// keyShape returns a shape with one instance of each table with preprocessed columns, or nil if there is no such table.
func keyShape(m *circuit.Machine, params protocol.Layout) *protocol.Shape {
	var instances []circuit.Instance
	for i, table := range m.Tables {
		if table.Kind != air.NoPreprocessed {
			instances = append(instances, circuit.Instance{Table: i, LogHeight: table.PreprocessedLogHeight})
		}
	}
	if instances == nil {
		return nil
	}
	return protocol.NewShape(m, params, instances)
}

// reserve takes an arena for a proof of a shape, unless the current arena is large enough. It returns the memory that
// the proof needs, and whether the proof is lean.
func (o *openMachine) reserve(shape *protocol.Shape) (need uint64, lean bool, err error) {
	if need, err = o.predict(shape); err != nil {
		return 0, false, err
	}
	if o.arena != nil && need <= o.arena.Budget() && !alwaysLean {
		return need, false, nil
	}
	if _, lean, err = o.admit(shape); err != nil {
		return 0, false, err
	}
	if lean {
		if need, err = predictProof(shape, o.program, o.arenaOptions(0), true); err != nil {
			return 0, false, err
		}
		if o.arena != nil && need <= o.arena.Budget() {
			return need, true, nil
		}
	}
	// Free the old arena before taking the new one.
	if o.arena != nil {
		err := o.arena.Close()
		if o.arena = nil; err != nil {
			return 0, false, err
		}
	}
	o.arena, err = cuda.NewArena(o.device.Context, o.device.Stream, o.arenaOptions(need))
	return need, lean, err
}

// prediction is a shape and the predicted peak of its proof, if the proof is not lean.
type prediction struct {
	shape *protocol.Shape
	peak  uint64
}

// mostPredictions is the number of predictions that are kept. Proofs of new inputs alternate between a few shapes.
const mostPredictions = 8

// predict predicts the peak of a shape's proof, and loads the proof's kernels, unless it did so before.
func (o *openMachine) predict(shape *protocol.Shape) (peak uint64, err error) {
	at := slices.IndexFunc(o.predictions, func(p prediction) bool { return p.shape == shape })
	if at >= 0 {
		peak = o.predictions[at].peak
		o.predictions = slices.Delete(o.predictions, at, at+1)
	} else {
		if err := o.loadKernels(o.program.unitsOf(shape)); err != nil {
			return 0, err
		}
		if peak, err = predictProof(shape, o.program, o.arenaOptions(0), false); err != nil {
			return 0, err
		}
	}
	o.predictions = slices.Insert(o.predictions, 0, prediction{shape, peak})
	o.predictions = o.predictions[:min(len(o.predictions), mostPredictions)]
	return peak, nil
}

// shapeOf returns the shape of a proof of instances. It reuses a recent proof's shape if the instances are the same.
func (o *openMachine) shapeOf(instances []circuit.Instance) *protocol.Shape {
	for i := range o.predictions {
		if shape := o.predictions[i].shape; slices.Equal(shape.Instances, instances) {
			return shape
		}
	}
	return protocol.NewShape(o.machine, o.params, instances)
}

// Caps returns the caps of the preprocessed columns.
func (o *openMachine) Caps() (fixed, program []merkle.Digest) {
	return o.caps[protocol.Fixed], o.caps[protocol.Program]
}

// Peak returns the memory of both arenas for a proof, in bytes.
func (o *openMachine) Peak(instances []circuit.Instance) (peak uint64, err error) {
	err = o.device.Bound("peak", func() error {
		peak, _, err = o.admit(protocol.NewShape(o.machine, o.params, instances))
		return err
	})
	return peak, err
}

// PeakBytes returns the high-water mark of both arenas since the last proof began.
func (o *openMachine) PeakBytes() uint64 { return o.resident.Budget() + o.arena.Peak() }

// Begin ensures that the arena is large enough, and starts a proof in it.
func (o *openMachine) Begin(instances []circuit.Instance) (backend.Proof, error) {
	switch {
	case o.closed:
		return nil, fmt.Errorf("begin a proof: the prover is closed: %w", backend.ErrOrder)
	case o.proof != nil:
		return nil, fmt.Errorf("begin a proof: the last one is not closed: %w", backend.ErrOrder)
	case o.device.Lost() != nil:
		return nil, o.device.Lost()
	}
	shape := o.shapeOf(instances)
	p := &proof{openMachine: o, shape: shape}
	err := o.device.Bound("begin", func() (err error) {
		if p.peak, p.lean, err = o.reserve(shape); err != nil {
			return err
		}
		return p.begin()
	})
	if err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close closes the open proof and frees the arenas.
func (o *openMachine) Close() error {
	if o.closed {
		return nil
	}
	if o.proof != nil {
		o.proof.Close()
	}
	o.closed = true
	if o.device.Meter.Proving == o {
		o.device.Meter.Proving = nil
	}
	if o.device.Lost() != nil {
		return nil
	}
	return o.device.Bound("close", o.close)
}

// close frees what Open took. After a sticky failure nothing is freed.
func (o *openMachine) close() error {
	if o.resident == nil && o.arena == nil {
		return nil
	}
	if err := o.device.Drain(); err != nil {
		return nil // Lost reports the failure
	}
	err := o.file.Close()
	for _, scope := range o.scopesOfKeys {
		err = errors.Join(err, scope.End())
	}
	o.scopesOfKeys = nil
	for _, arena := range []**cuda.Arena{&o.arena, &o.resident} {
		if *arena != nil {
			err = errors.Join(err, (*arena).Close())
			*arena = nil
		}
	}
	return err
}

// launch queues a kernel by name.
func (o *openMachine) launch(name string, shape cuda.Shape, arguments ...cuda.Argument) error {
	return o.launchOn(o.device.Stream, name, shape, arguments...)
}

func (o *openMachine) launchOn(stream *cuda.Stream, name string, shape cuda.Shape, arguments ...cuda.Argument) error {
	f, err := o.set.Function(name)
	if err != nil {
		return err
	}
	return f.Launch(stream, shape, arguments...)
}

func (o *openMachine) upload(to cuda.Span, words []uint64) error {
	return o.device.Transfer.Upload(to, words)
}

// download waits for all queued work.
func (o *openMachine) download(from cuda.Span) ([]uint64, error) {
	return o.device.Transfer.Download(from)
}
