package nvml

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// A table holds the functions of the library, as nvml.h declares them. Optional functions are nil if the driver is too
// old.
type table struct {
	init          func() int32
	shutdown      func() int32
	count         func(*uint32) int32
	byIndex       func(uint32, *uintptr) int32
	errorString   func(int32) string
	driverVersion func(*byte, uint32) int32
	cudaVersion   func(*int32) int32

	name, uuid        func(uintptr, *byte, uint32) int32
	clock, maxClock   func(device uintptr, kind uint32, mhz *uint32) int32
	power, powerLimit func(device uintptr, milliwatts *uint32) int32
	temperature       func(device uintptr, sensor uint32, celsius *uint32) int32
	energy            func(device uintptr, millijoules *uint64) int32
	throttle          func(device uintptr, reasons *uint64) int32
	violation         func(device uintptr, policy uint32, time *violationTime) int32
	memory            func(uintptr, *memoryInfo) int32
	ecc, mig          func(device uintptr, current, pending *uint32) int32
	eccErrors         func(device uintptr, kind, counter uint32, errors *uint64) int32
	persistence       func(uintptr, *uint32) int32
	compute, graphics func(device uintptr, count *uint32, list *processInfo) int32
	utilization       func(device uintptr, list *utilizationSample, count *uint32, since uint64) int32
}

// memoryInfo is nvmlMemory_t: total, free, used.
type memoryInfo struct{ total, _, used uint64 }

// violationTime is nvmlViolationTime_t: the time of the reading, and the time in which clocks were limited.
type violationTime struct{ _, violation uint64 }

// processInfo is nvmlProcessInfo_t of the second and third version of the functions that fill it.
type processInfo struct {
	pid  uint32
	_    uint32
	used uint64
	_, _ uint32 // GPU and compute instance
}

// utilizationSample is nvmlProcessUtilizationSample_t: percentages of the multiprocessors, the memory and the two video
// engines over a period that ended at that time, in microseconds since 1970.
type utilizationSample struct {
	pid uint32
	_   uint32
	at  uint64
	sm  uint32
	_   [3]uint32
}

// load looks up every function. Several names are the names of one function in newer and older drivers.
func (t *table) load(handle uintptr) error {
	symbols := []struct {
		into     any
		required bool
		names    []string
	}{
		{&t.init, true, []string{"nvmlInit_v2"}},
		{&t.shutdown, true, []string{"nvmlShutdown"}},
		{&t.count, true, []string{"nvmlDeviceGetCount_v2"}},
		{&t.byIndex, true, []string{"nvmlDeviceGetHandleByIndex_v2"}},
		{&t.errorString, false, []string{"nvmlErrorString"}},
		{&t.driverVersion, false, []string{"nvmlSystemGetDriverVersion"}},
		{&t.cudaVersion, false, []string{"nvmlSystemGetCudaDriverVersion_v2"}},
		{&t.name, false, []string{"nvmlDeviceGetName"}},
		{&t.uuid, false, []string{"nvmlDeviceGetUUID"}},
		{&t.clock, false, []string{"nvmlDeviceGetClockInfo"}},
		{&t.maxClock, false, []string{"nvmlDeviceGetMaxClockInfo"}},
		{&t.power, false, []string{"nvmlDeviceGetPowerUsage"}},
		{&t.powerLimit, false, []string{"nvmlDeviceGetEnforcedPowerLimit"}},
		{&t.temperature, false, []string{"nvmlDeviceGetTemperature"}},
		{&t.energy, false, []string{"nvmlDeviceGetTotalEnergyConsumption"}},
		{&t.throttle, false, []string{"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}},
		{&t.violation, false, []string{"nvmlDeviceGetViolationStatus"}},
		{&t.memory, false, []string{"nvmlDeviceGetMemoryInfo"}},
		{&t.ecc, false, []string{"nvmlDeviceGetEccMode"}},
		{&t.mig, false, []string{"nvmlDeviceGetMigMode"}},
		{&t.eccErrors, false, []string{"nvmlDeviceGetTotalEccErrors"}},
		{&t.persistence, false, []string{"nvmlDeviceGetPersistenceMode"}},
		{&t.compute, false, []string{"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"}},
		{&t.utilization, false, []string{"nvmlDeviceGetProcessUtilization"}},
		{&t.graphics, false, []string{"nvmlDeviceGetGraphicsRunningProcesses_v3",
			"nvmlDeviceGetGraphicsRunningProcesses_v2"}},
	}
	for _, s := range symbols {
		found := false
		for _, name := range s.names {
			if address, err := purego.Dlsym(handle, name); err == nil && address != 0 {
				purego.RegisterFunc(s.into, address)
				found = true
				break
			}
		}
		if !found && s.required {
			return fmt.Errorf("the NVIDIA management library has no %s: the driver is too old", s.names[0])
		}
	}
	return nil
}
