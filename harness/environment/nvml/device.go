package nvml

import "fmt"

// A Device is one GPU.
type Device struct {
	library *Library
	index   int
	handle  uintptr
}

// A ClockDomain is a clock of a device.
type ClockDomain uint32

// The clock domains of nvml.h that the harness reads.
const (
	SM     ClockDomain = 1
	Memory ClockDomain = 2
)

// Index returns the number of the device, counted by NVML in the order of the bus.
func (d Device) Index() int { return d.index }

// Name returns the product's name; empty if the device does not report it.
func (d Device) Name() string { return d.text(d.library.table.name) }

// UUID returns the device's unique name; empty if the device does not report it.
func (d Device) UUID() string { return d.text(d.library.table.uuid) }

func (d Device) text(call func(uintptr, *byte, uint32) int32) string {
	if call == nil {
		return ""
	}
	return d.library.text(func(buffer *byte, size uint32) int32 { return call(d.handle, buffer, size) })
}

// get calls a function of the library. The error is ErrNotSupported if the driver does not have the function.
func (d Device) get(name string, have bool, call func() int32) error {
	if !have {
		return fmt.Errorf("%s: %w", name, ErrNotSupported)
	}
	return d.library.check(name, call())
}

// Clock returns the current frequency in MHz.
func (d Device) Clock(c ClockDomain) (int, error) {
	var mhz uint32
	call := d.library.table.clock
	err := d.get("nvmlDeviceGetClockInfo", call != nil, func() int32 { return call(d.handle, uint32(c), &mhz) })
	return int(mhz), err
}

// MaxClock returns the highest frequency in MHz.
func (d Device) MaxClock(c ClockDomain) (int, error) {
	var mhz uint32
	call := d.library.table.maxClock
	err := d.get("nvmlDeviceGetMaxClockInfo", call != nil, func() int32 { return call(d.handle, uint32(c), &mhz) })
	return int(mhz), err
}

// Power returns the power draw in watts.
func (d Device) Power() (float64, error) {
	var milliwatts uint32
	call := d.library.table.power
	err := d.get("nvmlDeviceGetPowerUsage", call != nil, func() int32 { return call(d.handle, &milliwatts) })
	return float64(milliwatts) / 1000, err
}

// PowerLimit returns the lowest power limit in force, in watts.
func (d Device) PowerLimit() (float64, error) {
	var milliwatts uint32
	call := d.library.table.powerLimit
	err := d.get("nvmlDeviceGetEnforcedPowerLimit", call != nil, func() int32 { return call(d.handle, &milliwatts) })
	return float64(milliwatts) / 1000, err
}

// Temperature returns the temperature of the chip in degrees Celsius.
func (d Device) Temperature() (int, error) {
	var celsius uint32
	call := d.library.table.temperature
	err := d.get("nvmlDeviceGetTemperature", call != nil, func() int32 { return call(d.handle, 0, &celsius) })
	return int(celsius), err
}

// Energy returns the energy used since the driver was loaded, in joules.
func (d Device) Energy() (float64, error) {
	var millijoules uint64
	call := d.library.table.energy
	err := d.get("nvmlDeviceGetTotalEnergyConsumption", call != nil, func() int32 { return call(d.handle, &millijoules) })
	return float64(millijoules) / 1000, err
}

// MemoryInfo returns the device's total and used memory in bytes.
func (d Device) MemoryInfo() (total, used int64, err error) {
	var m memoryInfo
	call := d.library.table.memory
	err = d.get("nvmlDeviceGetMemoryInfo", call != nil, func() int32 { return call(d.handle, &m) })
	return int64(m.total), int64(m.used), err
}

// ECC reports whether memory errors are corrected.
func (d Device) ECC() (bool, error) {
	var current, pending uint32
	call := d.library.table.ecc
	err := d.get("nvmlDeviceGetEccMode", call != nil, func() int32 { return call(d.handle, &current, &pending) })
	return current == 1, err
}

// UncorrectedErrors returns the number of uncorrected memory errors since the driver was loaded.
func (d Device) UncorrectedErrors() (int64, error) {
	const uncorrected, volatile = 1, 0
	var n uint64
	call := d.library.table.eccErrors
	err := d.get("nvmlDeviceGetTotalEccErrors", call != nil, func() int32 {
		return call(d.handle, uncorrected, volatile, &n)
	})
	return int64(n), err
}

// MIG reports whether the device is partitioned.
func (d Device) MIG() (bool, error) {
	var current, pending uint32
	call := d.library.table.mig
	err := d.get("nvmlDeviceGetMigMode", call != nil, func() int32 { return call(d.handle, &current, &pending) })
	return current == 1, err
}

// Persistence reports whether the driver stays loaded while no process uses the device.
func (d Device) Persistence() (bool, error) {
	var mode uint32
	call := d.library.table.persistence
	err := d.get("nvmlDeviceGetPersistenceMode", call != nil, func() int32 { return call(d.handle, &mode) })
	return mode == 1, err
}

// ThermalViolation returns the seconds, since the driver was loaded, in which heat limited the clocks.
func (d Device) ThermalViolation() (float64, error) {
	const thermal = 1
	var t violationTime
	call := d.library.table.violation
	err := d.get("nvmlDeviceGetViolationStatus", call != nil, func() int32 { return call(d.handle, thermal, &t) })
	return float64(t.violation) / 1e9, err
}
