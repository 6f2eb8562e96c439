package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/machine"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Backend proves on one device. It is used by one goroutine at a time.
type Backend struct {
	options  Options
	opened   *opened
	pool     *parallel.Pool
	device   *cuda.Context
	stream   *cuda.Stream // of all computation
	copies   *cuda.Stream // of uploads that overlap it
	transfer *transfer
	bulk     *bulk
	sets     map[*machine.Machine]*kernels.Set
	meter    meter
	trace    *timeline // nil while none runs

	undrained error // see Lost
}

// New opens the device, makes a context on it and pins staging memory. Kernels are loaded by Open.
func New(options Options) (*Backend, error) {
	device, err := options.open()
	if err != nil {
		return nil, err
	}
	if options.Context == nil {
		options.Context = context.Background()
	}
	b := &Backend{options: options, opened: device, pool: parallel.New(options.Workers), sets: map[*machine.Machine]*kernels.Set{}}
	b.meter.backend = b
	if b.device, err = device.device.NewContext(); err != nil {
		return nil, err
	}
	if err := b.bound("open", b.openStreams); err != nil {
		return nil, errors.Join(err, b.Shutdown())
	}
	return b, nil
}

func (b *Backend) openStreams() (err error) {
	if b.stream, err = b.device.NewStream(); err != nil {
		return err
	}
	if b.copies, err = b.device.NewStream(); err != nil {
		return err
	}
	if b.transfer, err = newTransfer(b.device, b.stream); err != nil {
		return err
	}
	b.bulk, err = newBulk(b.device, b.copies)
	return err
}

// bound runs work with the device's context bound to the goroutine's thread, as part of a stage.
func (b *Backend) bound(stage string, work func() error) error {
	if err := b.device.Bind(); err != nil {
		return err
	}
	defer b.device.Unbind()
	b.device.SetStage(stage)
	defer b.device.SetStage("")
	return work()
}

// Name is "gpu".
func (b *Backend) Name() string { return "gpu" }

// Device is the device's name.
func (b *Backend) Device() string { return b.opened.device.Name }

// Finding is what the software device found wrong first since the last call, in words; empty on a GPU.
func (b *Backend) Finding() string {
	if b.opened.software == nil {
		return ""
	}
	return b.opened.software.Finding()
}

// Units are the kernel files that proofs of the machines take: the fixed ones, the trace kernels and those
// generated from the tables.
func Units(machines ...*machine.Machine) ([]compile.Unit, error) {
	units := kernels.Units()
	for _, m := range machines {
		own, err := newProgram(m)
		if err != nil {
			return nil, fmt.Errorf("machine %s: %w", m.Name, err)
		}
		for _, unit := range own.units { // machines share some
			if !slices.ContainsFunc(units, func(u compile.Unit) bool { return u.Name == unit.Name && u.Source == unit.Source }) {
				units = append(units, unit)
			}
		}
	}
	return units, nil
}

// kernels loads a machine's kernels, or returns them loaded.
func (b *Backend) kernels(m *machine.Machine, own *program) (*kernels.Set, error) {
	if set, ok := b.sets[m]; ok {
		return set, nil
	}
	free, _, err := b.device.MemoryInfo()
	if err != nil {
		return nil, err
	}
	set, err := kernels.Load(b.options.Context, b.device, b.opened.compiler, b.options.Compiling, append(slices.Clone(own.units), b.options.more...)...)
	if err != nil {
		return nil, err
	}
	b.sets[m] = set
	return set, b.meter.kernelsLoaded(free)
}

// Shutdown closes the device's context with all that is in it. Provers must be closed before.
func (b *Backend) Shutdown() error {
	err := b.bound("close", func() error {
		var err error
		for _, set := range b.sets {
			err = errors.Join(err, set.Close())
		}
		b.sets = nil
		err = errors.Join(err, b.meter.close())
		if b.transfer != nil {
			err = errors.Join(err, b.transfer.close())
		}
		if b.bulk != nil {
			err = errors.Join(err, b.bulk.close())
		}
		for _, stream := range []*cuda.Stream{b.copies, b.stream} {
			if stream != nil {
				err = errors.Join(err, stream.Close())
			}
		}
		return err
	})
	if b.Lost() != nil {
		return nil
	}
	return errors.Join(err, b.device.Close())
}
