package cuda

import (
	"fmt"
	"math"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Dim is a number of blocks or threads along x, y and z. Zero counts as one.
type Dim struct{ X, Y, Z uint64 }

func (d Dim) axes() [3]uint64 { return [3]uint64{max(d.X, 1), max(d.Y, 1), max(d.Z, 1)} }

// Shape is the launch configuration of a kernel.
type Shape struct {
	Grid        Dim    // blocks
	Block       Dim    // threads per block
	SharedBytes uint64 // dynamic shared memory per block
}

// Linear returns a shape of at least n threads, in blocks of the given size. If n is zero, the launch fails: a launch
// without work is considered a mistake of the caller.
func Linear(n, threads uint64) Shape {
	if n == 0 || threads == 0 {
		return Shape{Grid: Dim{X: math.MaxUint64}, Block: Dim{X: threads}}
	}
	return Shape{Grid: Dim{X: (n-1)/threads + 1}, Block: Dim{X: threads}}
}

// Launch queues the kernel on the stream. It first checks the shape and the arguments' sizes, in 64-bit arithmetic,
// against the device and the compiled kernel. It copies the arguments before it returns.
func (f *Function) Launch(s *Stream, shape Shape, arguments ...Argument) error {
	grid, block := shape.Grid.axes(), shape.Block.axes()
	if err := f.checkShape(grid, block, shape.SharedBytes); err != nil {
		return err
	}
	if err := f.checkArguments(arguments); err != nil {
		return err
	}
	table, err := s.parameters.fill(arguments)
	if err != nil {
		return fmt.Errorf("launching %s: %w", f.name, err)
	}
	s.context.counters.Launches++
	if s.context.tracer == nil {
		return f.launch(s, grid, block, shape.SharedBytes, table)
	}
	return s.traced(f.name, func() error { return f.launch(s, grid, block, shape.SharedBytes, table) })
}

func (f *Function) launch(s *Stream, grid, block [3]uint64, shared uint64, table uintptr) error {
	return s.context.call(driver.LaunchKernel, f.name, f.handle, uintptr(grid[0]), uintptr(grid[1]), uintptr(grid[2]),
		uintptr(block[0]), uintptr(block[1]), uintptr(block[2]), uintptr(shared), s.handle, table, 0)
}

func (f *Function) checkShape(grid, block [3]uint64, shared uint64) error {
	device := f.context.device
	threads := uint64(1)
	for axis, name := range [3]string{"x", "y", "z"} {
		if grid[axis] > uint64(device.MaxGrid[axis]) {
			return fmt.Errorf("launching %s: %d blocks along %s, the device allows %d (and no work at all is an error)", f.name,
				grid[axis], name, device.MaxGrid[axis])
		}
		if block[axis] > uint64(device.MaxBlock[axis]) {
			return fmt.Errorf("launching %s: %d threads along %s, the device allows %d", f.name, block[axis], name,
				device.MaxBlock[axis])
		}
		threads *= block[axis] // three factors of at most 1024
	}
	if threads > uint64(f.MaxThreadsPerBlock) {
		return fmt.Errorf("launching %s: %d threads a block, the kernel was compiled for at most %d", f.name,
			threads, f.MaxThreadsPerBlock)
	}
	if shared > f.sharedLimit {
		return fmt.Errorf("launching %s: %d bytes of dynamic shared memory, %d allowed (see AllowShared)", f.name,
			shared, f.sharedLimit)
	}
	return nil
}

func (f *Function) checkArguments(arguments []Argument) error {
	if f.parameterSizes != nil && len(arguments) != len(f.parameterSizes) {
		return fmt.Errorf("launching %s: %d arguments, the kernel takes %d", f.name, len(arguments), len(f.parameterSizes))
	}
	for i := range arguments {
		a := &arguments[i]
		if err := a.check(); err != nil {
			return fmt.Errorf("launching %s, argument %d: %w", f.name, i, err)
		}
		if f.parameterSizes != nil && a.length() != f.parameterSizes[i] {
			return fmt.Errorf("launching %s, argument %d: %d bytes, the kernel takes %d", f.name, i,
				a.length(), f.parameterSizes[i])
		}
	}
	return nil
}
