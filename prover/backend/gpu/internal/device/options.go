package device

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/nvrtc"
	"github.com/chiasmus/chiasmus/cuda/softgpu"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Names of the software device, plain and checked.
const (
	Software        = "softgpu"
	SoftwareChecked = "softgpu:checked"
)

// Options select the device and limit its resources. The zero value selects the first suitable GPU.
type Options struct {
	// Device is empty for the first suitable GPU, an ordinal, a GPU's UUID, a part of its name, or [Software] or
	// [SoftwareChecked].
	Device string
	// VRAM is the most device memory that an arena may take, in bytes. 0 means the device's free memory.
	VRAM uint64

	Cache    string       // folder for compiled kernels; empty for none
	Prebuilt string       // folder filled by prover kernels build; empty for none
	NVRTC    nvrtc.Search // where to look for the compiler
	// Compiling receives each kernel file as it is compiled or found. It may be nil.
	Compiling compile.Progress
	// Context ends waiting for compilations; nil for none.
	Context context.Context

	Connections int // see [cuda.Options.Connections]

	Pool   *parallel.Pool  // for host loops; nil for a pool with one worker a processor
	Seed   uint64          // of the software device's execution orders
	Faults *cuda.FaultPlan // failures to inject, for tests
	// Checked makes every buffer an allocation of its own, so that memory checkers see overruns. It costs time. The
	// checked software device always does so.
	Checked bool

	More []compile.Unit // further kernel files to load, for tests

	// Span records the parts of a process's preparation. It is called when a part begins, and its result is called when
	// the part ends. Several goroutines may call it at once. It may be nil.
	Span func(name string) (end func())
}

// Begin begins a part of the preparation; see [Options.Span].
func (o *Options) Begin(name string) (end func()) {
	if o.Span == nil {
		return func() {}
	}
	return o.Span(name)
}

// opened is a device that was found.
type opened struct {
	device   *cuda.Device
	software *softgpu.Software // nil on a GPU
}

// open finds the device that the options name.
func (o *Options) open() (*opened, error) {
	defer o.Begin("driver")()
	if o.Device == Software || o.Device == SoftwareChecked {
		software, err := softgpu.Open(softgpu.Options{Seed: o.Seed, Faults: o.Faults})
		if err != nil {
			return nil, err
		}
		device, err := software.Device(o.Device == SoftwareChecked)
		return &opened{device, software}, err
	}
	driver, err := cuda.Open(cuda.Options{Faults: o.Faults, Connections: o.Connections})
	if err != nil {
		return nil, err
	}
	devices, err := driver.Devices()
	if err != nil {
		return nil, err
	}
	device, err := choose(devices, o.Device)
	if err != nil {
		return nil, err
	}
	return &opened{device: device}, nil
}

// compiler returns the compiler for the device.
func (o *Options) compiler(found *opened) (*compile.Compiler, error) {
	if found.software != nil {
		return found.software.Compiler, nil
	}
	defer o.Begin("compiler")()
	compiler := &compile.Compiler{Cache: o.Cache, Prebuilt: o.Prebuilt}
	// A host without NVRTC can run prebuilt kernels. A unit that is not among them is an error that names it.
	if library, err := nvrtc.Open(o.NVRTC); err == nil {
		compiler.Library = library
	} else if o.Prebuilt == "" {
		return nil, err
	}
	return compiler, nil
}

// choose returns the device with this name, or the first suitable device if the name is empty.
func choose(devices []*cuda.Device, name string) (*cuda.Device, error) {
	var why []error
	for i, device := range devices {
		if name != "" && name != strconv.Itoa(i) && name != device.UUID &&
			!strings.Contains(strings.ToLower(device.Name), strings.ToLower(name)) {
			continue
		}
		if err := device.Unfit(); err != nil {
			why = append(why, err)
			continue
		}
		return device, nil
	}
	if len(why) > 0 {
		return nil, errors.Join(why...)
	}
	names := slices.Collect(func(yield func(string) bool) {
		for i, device := range devices {
			if !yield(fmt.Sprintf("%d (%s)", i, device.Name)) {
				return
			}
		}
	})
	return nil, fmt.Errorf("no device %q; there are %s, and %s", name, strings.Join(names, ", "), Software)
}
