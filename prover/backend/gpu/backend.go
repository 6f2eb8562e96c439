package gpu

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/kernels"
	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/backend/gpu/internal/device"
	"github.com/chiasmus/chiasmus/prover/machine"
)

// Options select the device and limit its resources. The zero value selects the first suitable GPU.
type Options = device.Options

// Names of the software device, plain and checked.
const (
	Software        = device.Software
	SoftwareChecked = device.SoftwareChecked
)

// Backend proves on one device. Only one goroutine may use it at a time.
type Backend struct {
	device   *device.Handle
	programs map[*machine.Fillers]*program // machines whose kernels have been generated
	sets     map[*machine.Fillers]*kernels.Set
}

var _ backend.Backend = (*Backend)(nil)

// New opens the device. [Backend.Open] loads kernels.
func New(options Options) (*Backend, error) {
	handle, err := device.Open(options)
	if err != nil {
		return nil, err
	}
	return newBackend(handle), nil
}

func newBackend(handle *device.Handle) *Backend {
	return &Backend{device: handle, programs: map[*machine.Fillers]*program{}, sets: map[*machine.Fillers]*kernels.Set{}}
}

// NewFor opens the device for proofs of one machine. While the driver creates the context, it generates the machine's
// kernels and finds those that are compiled. It loads the ones that all proofs need. If there is no device, generation
// stops early, because a proof on the CPU needs the processors.
func NewFor(options Options, fillers *machine.Fillers) (*Backend, error) {
	var own *program
	var objects []*compile.Object
	generated := make(chan error, 1)
	generating, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { // concurrently with the start of the driver
		defer options.Begin("generate_kernels")()
		var err error
		own, err = newProgram(generating, fillers)
		generated <- err
	}()
	handle, err := device.OpenWith(options, func(compiler *compile.Compiler, architecture string) (err error) {
		if err := <-generated; err != nil {
			return err
		}
		defer options.Begin("find_kernels")()
		ctx := options.Context
		if ctx == nil {
			ctx = context.Background()
		}
		objects, err = compiler.Find(ctx, architecture, own.allUnits(options.More))
		return err
	})
	if err != nil {
		return nil, err
	}
	b := newBackend(handle)
	b.programs[fillers] = own
	err = handle.Bound("prepare", func() error { return b.newSet(own, objects) })
	if err != nil {
		return nil, errors.Join(err, b.Shutdown())
	}
	return b, nil
}

// programOf returns the generated code of a machine with these fillers.
func (b *Backend) programOf(fillers *machine.Fillers) (own *program, err error) {
	own, ok := b.programs[fillers]
	if !ok {
		if own, err = newProgram(context.Background(), fillers); err == nil {
			b.programs[fillers] = own
		}
	}
	return own, err
}

// Name returns "gpu".
func (b *Backend) Name() string { return "gpu" }

// Device returns the device's name.
func (b *Backend) Device() string { return b.device.Name }

// Finding describes the first error that the software device found since the last call. It is empty on a GPU.
func (b *Backend) Finding() string { return b.device.Finding() }

// OnDevice returns true.
func (b *Backend) OnDevice() bool { return true }

// Failed reports whether err is a failure of the device; see [device.Failed].
func (b *Backend) Failed(err error) bool { return device.Failed(err) }

// Lost returns the failure that ended the use of the device in this process, or nil.
func (b *Backend) Lost() error { return b.device.Lost() }

// Report returns metrics of the last proof; see [device.Handle.Report].
func (b *Backend) Report() (metrics map[string]float64, counters map[string]uint64) {
	return b.device.Report()
}

// StartTrace starts timing every launch and copy.
func (b *Backend) StartTrace() error { return b.device.StartTrace() }

// StopTrace waits for the device and returns the intervals of its work since StartTrace.
func (b *Backend) StopTrace() ([]backend.Interval, error) { return b.device.StopTrace() }

// Units returns the kernel files for proofs of machines with these fillers: the fixed ones, the trace kernels and those
// generated from the tables.
func Units(machines ...*machine.Fillers) ([]compile.Unit, error) {
	units := kernels.Units()
	for _, fillers := range machines {
		own, err := newProgram(context.Background(), fillers)
		if err != nil {
			return nil, fmt.Errorf("machine %s: %w", fillers.Machine.Name, err)
		}
		for _, unit := range own.units { // machines share some
			if !slices.ContainsFunc(units, func(u compile.Unit) bool { return u.Name == unit.Name && u.Source == unit.Source }) {
				units = append(units, unit)
			}
		}
	}
	return units, nil
}

// kernels returns a program's kernels. It loads those that are compiled of the ones that all proofs need.
func (b *Backend) kernels(own *program) (*kernels.Set, error) {
	if set, ok := b.sets[own.fillers]; ok {
		return set, nil
	}
	objects, err := b.device.Compiler.Find(b.device.Options.Context, b.device.Context.Device().Architecture,
		own.allUnits(b.device.Options.More))
	if err == nil {
		err = b.newSet(own, objects)
	}
	return b.sets[own.fillers], err
}

// newSet stores a set of a program's kernels in b.sets. It loads the objects that all proofs need. The set compiles
// other units when they are loaded.
func (b *Backend) newSet(own *program, objects []*compile.Object) error {
	set := kernels.NewSet(b.device.Context, own.allUnits(b.device.Options.More),
		func(units []compile.Unit) ([]*compile.Object, error) {
			options := &b.device.Options
			defer options.Begin("compile_kernels")()
			return b.device.Compiler.Build(options.Context, b.device.Context.Device().Architecture, units,
				options.Compiling)
		})
	set.Add(objects...)
	names := own.shared(b.device.Options.More)
	var compiled []string
	for _, object := range objects {
		if slices.Contains(names, object.Name) {
			compiled = append(compiled, object.Name)
		}
	}
	if err := b.load(func() error { return set.Load(compiled...) }); err != nil {
		return errors.Join(err, set.Close())
	}
	b.sets[own.fillers] = set
	return nil
}

// load calls load, and records how much free memory falls during the call.
func (b *Backend) load(load func() error) error {
	defer b.device.Options.Begin("load_kernels")()
	free, _, err := b.device.Context.MemoryInfo()
	if err != nil {
		return err
	}
	if err := load(); err != nil {
		return err
	}
	return b.device.Meter.KernelsLoaded(free)
}

// Shutdown closes the device's context with everything in it. Provers must be closed first.
func (b *Backend) Shutdown() error {
	return b.device.Close(func() error {
		var err error
		for _, set := range b.sets {
			err = errors.Join(err, set.Close())
		}
		b.sets = nil
		return err
	})
}
