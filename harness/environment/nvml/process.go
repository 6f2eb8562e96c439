package nvml

import (
	"fmt"
	"slices"
)

// A Process has a context on a device.
type Process struct {
	// PID is the process's number outside all containers.
	PID int
	// Bytes is the device memory it takes; 0 where the driver does not tell.
	Bytes int64
}

// unknownMemory is NVML_VALUE_NOT_AVAILABLE.
const unknownMemory = ^uint64(0)

// Processes lists the processes with a compute or graphics context, by PID.
func (d Device) Processes() ([]Process, error) {
	t := &d.library.table
	if t.compute == nil {
		return nil, fmt.Errorf("nvmlDeviceGetComputeRunningProcesses: %w", ErrNotSupported)
	}
	list, err := d.processes("nvmlDeviceGetComputeRunningProcesses", t.compute)
	if err != nil {
		return nil, err
	}
	if t.graphics != nil {
		// Devices for computing alone answer that they have no graphics.
		if more, err := d.processes("nvmlDeviceGetGraphicsRunningProcesses", t.graphics); err == nil {
			list = append(list, more...)
		}
	}
	slices.SortFunc(list, func(a, b Process) int { return a.PID - b.PID })
	return slices.CompactFunc(list, func(a, b Process) bool { return a.PID == b.PID }), nil
}

// processes calls with a buffer that grows until it is large enough: processes come and go.
func (d Device) processes(name string, call func(uintptr, *uint32, *processInfo) int32) ([]Process, error) {
	for size := uint32(32); size <= 1<<16; size *= 4 {
		buffer := make([]processInfo, size)
		n := size
		code := call(d.handle, &n, &buffer[0])
		if code == insufficientSize {
			continue
		}
		if err := d.library.check(name, code); err != nil {
			return nil, err
		}
		out := make([]Process, 0, n)
		for _, p := range buffer[:min(n, size)] {
			one := Process{PID: int(p.pid)}
			if p.used != unknownMemory {
				one.Bytes = int64(p.used)
			}
			out = append(out, one)
		}
		return out, nil
	}
	return nil, fmt.Errorf("%s: more than %d processes", name, 1<<16)
}
