package device

import (
	"context"
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
	"github.com/chiasmus/chiasmus/cuda/compile"
	"github.com/chiasmus/chiasmus/cuda/softgpu"
	"github.com/chiasmus/chiasmus/prover/parallel"
)

// Handle is an open device. Only one goroutine may use it at a time.
type Handle struct {
	Options  Options
	Name     string
	Compiler *compile.Compiler
	Pool     *parallel.Pool
	Context  *cuda.Context
	Stream   *cuda.Stream // the main stream of computation
	copies   *cuda.Stream // uploads that overlap computation
	Side     Side
	Lanes    Lanes
	Transfer *Transfer
	Bulk     *Bulk
	Meter    Meter

	software  *softgpu.Software // nil on a GPU
	trace     *timeline         // the running trace, or nil
	undrained error             // failure of Drain; see Lost
}

// Open finds the device that the options name, creates a context on it and pins staging memory.
func Open(options Options) (*Handle, error) {
	return OpenWith(options, func(*compile.Compiler, string) error { return nil })
}

// OpenWith is Open with work that needs the compiler and the device's architecture but no context. It runs while the
// driver creates the context, which takes a quarter of a second.
func OpenWith(options Options, work func(compiler *compile.Compiler, architecture string) error) (*Handle, error) {
	found, err := options.open()
	if err != nil {
		return nil, err
	}
	if options.Context == nil {
		options.Context = context.Background()
	}
	if options.Pool == nil {
		options.Pool = parallel.New(0)
	}
	h := &Handle{Options: options, Name: found.device.Name, Pool: options.Pool, software: found.software}
	h.Meter.device = h
	worked := make(chan error, 1)
	go func() {
		compiler, err := options.compiler(found)
		if err == nil {
			err = work(compiler, found.device.Architecture)
		}
		h.Compiler = compiler
		worked <- err
	}()
	err = h.openContext(found.device)
	if err = errors.Join(<-worked, err); err != nil && h.Context != nil {
		err = errors.Join(err, h.Close(nil))
	}
	if err != nil {
		return nil, err
	}
	return h, nil
}

func (h *Handle) openContext(device *cuda.Device) (err error) {
	end := h.Options.Begin("context")
	h.Context, err = device.NewContext()
	end()
	if err != nil {
		return err
	}
	return h.Bound("open", h.openStreams)
}

func (h *Handle) openStreams() (err error) {
	defer h.Options.Begin("streams")()
	if h.Stream, err = h.Context.NewUrgentStream(); err != nil {
		return err
	}
	if h.copies, err = h.Context.NewStream(); err != nil {
		return err
	}
	if err = errors.Join(h.Side.open(h.Context, h.Stream), h.Lanes.open(h.Context, h.Stream)); err != nil {
		return err
	}
	if h.Transfer, err = newTransfer(h.Context, h.Stream); err != nil {
		return err
	}
	h.Bulk, err = newBulk(h.Context, h.copies)
	return err
}

// Bound runs work with the device's context bound to the goroutine's thread, as part of a stage.
func (h *Handle) Bound(stage string, work func() error) error {
	if err := h.Context.Bind(); err != nil {
		return err
	}
	defer h.Context.Unbind()
	h.Context.SetStage(stage)
	defer h.Context.SetStage("")
	return work()
}

// Checked reports whether every buffer on the device is an allocation of its own.
func (h *Handle) Checked() bool {
	return h.Options.Checked || h.Context.Device().Architecture == "softgpu_checked"
}

// Finding describes the first error that the software device found since the last call. It is empty on a GPU.
func (h *Handle) Finding() string {
	if h.software == nil {
		return ""
	}
	return h.software.Finding()
}

// Close calls first, and then closes the context with everything in it.
func (h *Handle) Close(first func() error) error {
	err := h.Bound("close", func() error {
		var err error
		if first != nil {
			err = first()
		}
		err = errors.Join(err, h.Meter.close())
		if h.Transfer != nil {
			err = errors.Join(err, h.Transfer.close())
		}
		if h.Bulk != nil {
			err = errors.Join(err, h.Bulk.close())
		}
		err = errors.Join(err, h.Side.close(), h.Lanes.close())
		for _, stream := range []*cuda.Stream{h.copies, h.Stream} {
			if stream != nil {
				err = errors.Join(err, stream.Close())
			}
		}
		return err
	})
	if h.Lost() != nil {
		return nil
	}
	return errors.Join(err, h.Context.Close())
}
