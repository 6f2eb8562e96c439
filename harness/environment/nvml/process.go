package nvml

import (
	"fmt"
	"slices"
	"time"
)

// A Process has a context on a device.
type Process struct {
	// PID is the process ID outside all containers.
	PID int
	// Bytes is the device memory that the process uses; 0 if the driver does not report it.
	Bytes int64
}

// A Utilization is the share of time in which a device worked for a process, in one of the driver's samples. The driver
// rounds it to a hundredth.
type Utilization struct {
	PID  int
	At   time.Time // the end of the last sample
	Part float64
}

// Utilization returns the mean share of the multiprocessors that each process used in the driver's samples since a
// time. A process without a sample used nothing.
func (d Device) Utilization(since time.Time) (map[int]float64, error) {
	samples, err := d.Utilizations(since)
	if err != nil {
		return nil, err
	}
	return meanUtilization(samples), nil
}

// Utilizations returns the driver's samples since a time, in no order. Recent drivers return one sample for each
// process, over all of that time.
func (d Device) Utilizations(since time.Time) ([]Utilization, error) {
	const name = "nvmlDeviceGetProcessUtilization"
	call := d.library.table.utilization
	if call == nil {
		return nil, fmt.Errorf("%s: %w", name, ErrNotSupported)
	}
	for size := uint32(128); size <= 1<<16; size *= 4 {
		buffer := make([]utilizationSample, size)
		n := size
		switch code := call(d.handle, &buffer[0], &n, uint64(since.UnixMicro())); code {
		case insufficientSize:
			continue
		case notFound:
			return nil, nil
		default:
			if err := d.library.check(name, code); err != nil {
				return nil, err
			}
			return valid(buffer[:min(n, size)], uint64(since.UnixMicro())), nil
		}
	}
	return nil, fmt.Errorf("%s: more than %d samples", name, 1<<16)
}

// valid returns the samples of processes after a time in microseconds. Some drivers return their last sample again,
// however old.
func valid(samples []utilizationSample, since uint64) (list []Utilization) {
	for _, s := range samples {
		if s.pid != 0 && s.at > since && s.sm <= 100 {
			list = append(list, Utilization{int(s.pid), time.UnixMicro(int64(s.at)), float64(s.sm) / 100})
		}
	}
	return list
}

// meanUtilization averages the samples of each process.
func meanUtilization(samples []Utilization) map[int]float64 {
	sum, count := map[int]float64{}, map[int]float64{}
	for _, s := range samples {
		sum[s.PID] += s.Part
		count[s.PID]++
	}
	for pid := range sum {
		sum[pid] /= count[pid]
	}
	return sum
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
		// Compute-only devices return an error for graphics.
		if more, err := d.processes("nvmlDeviceGetGraphicsRunningProcesses", t.graphics); err == nil {
			list = append(list, more...)
		}
	}
	slices.SortFunc(list, func(a, b Process) int { return a.PID - b.PID })
	return slices.CompactFunc(list, func(a, b Process) bool { return a.PID == b.PID }), nil
}

// processes calls a function with larger buffers until the list fits: the number of processes changes.
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
