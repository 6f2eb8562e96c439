package cuda

import (
	"bytes"
	"fmt"
	"strings"
	"unsafe"

	"github.com/chiasmus/chiasmus/cuda/driver"
)

// Device is a GPU or the software device, with its properties.
type Device struct {
	driver *Driver
	handle int32

	Ordinal             int    `json:"ordinal"`
	Name                string `json:"name"`
	UUID                string `json:"uuid"`
	PCIBusID            string `json:"pci_bus_id"`
	Architecture        string `json:"architecture"` // sm_90, softgpu, softgpu_checked
	MemoryBytes         uint64 `json:"memory_bytes"`
	Multiprocessors     int    `json:"multiprocessors"`
	ClockKilohertz      int    `json:"clock_kilohertz"`
	L2Bytes             int    `json:"l2_bytes"`
	WarpSize            int    `json:"warp_size"`
	MaxThreadsPerBlock  int    `json:"max_threads_per_block"`
	SharedBytesPerBlock int    `json:"shared_bytes_per_block"`        // without opt-in
	SharedBytesOptIn    int    `json:"shared_bytes_per_block_opt_in"` // maximum with opt-in
	SharedBytesPerMulti int    `json:"shared_bytes_per_multiprocessor"`
	RegistersPerMulti   int    `json:"registers_per_multiprocessor"`
	ComputeCapability   [2]int `json:"compute_capability"`
	MaxGrid             [3]int `json:"max_grid"`
	MaxBlock            [3]int `json:"max_block"`
	DriverVersion       string `json:"driver_version"`
}

// CUdevice_attribute numbers, from cuda.h.
const (
	attributeMaxThreadsPerBlock  = 1
	attributeMaxBlockX           = 2
	attributeMaxGridX            = 5
	attributeSharedPerBlock      = 8
	attributeWarpSize            = 10
	attributeClock               = 13
	attributeMultiprocessors     = 16
	attributeL2                  = 38
	attributeCapabilityMajor     = 75
	attributeCapabilityMinor     = 76
	attributeSharedPerMulti      = 81
	attributeRegistersPerMulti   = 82
	attributeSharedPerBlockOptIn = 97
)

func (d *Driver) device(ordinal int) (*Device, error) {
	handle := new(int32)
	if err := d.call(driver.DeviceGet, fmt.Sprint(ordinal), uintptr(unsafe.Pointer(handle)),
		uintptr(ordinal)); err != nil {
		return nil, err
	}
	v := &Device{driver: d, handle: *handle, Ordinal: ordinal, DriverVersion: d.Version()}
	for _, read := range []func() error{v.readNames, v.readMemory, v.readAttributes} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	v.Architecture = architecture(v.ComputeCapability)
	return v, nil
}

// architecture returns the target that kernels are compiled for. No NVIDIA device has compute capability 0.x: the
// software device reports 0.0, and 0.1 in checked mode, which is compiled with instrumentation.
func architecture(capability [2]int) string {
	switch capability {
	case [2]int{0, 0}:
		return "softgpu"
	case [2]int{0, 1}:
		return "softgpu_checked"
	}
	return fmt.Sprintf("sm_%d%d", capability[0], capability[1])
}

// Software reports whether the device is cuda/softgpu.
func (v *Device) Software() bool { return v.ComputeCapability[0] == 0 }

// leastCapability is the oldest supported compute capability: Ampere, which has asynchronous shared-memory copies and
// 64-bit atomic minimum.
var leastCapability = [2]int{8, 0}

// Unfit returns an error that names the missing capability if the device is unsupported, else nil.
func (v *Device) Unfit() error {
	c := v.ComputeCapability
	if v.Software() || c[0] > leastCapability[0] || c[0] == leastCapability[0] && c[1] >= leastCapability[1] {
		return nil
	}
	return fmt.Errorf("device %d (%s) has compute capability %d.%d, at least %d.%d is needed",
		v.Ordinal, v.Name, c[0], c[1],
		leastCapability[0], leastCapability[1])
}

func (v *Device) readNames() error {
	name := make([]byte, 256)
	if err := v.call(driver.DeviceGetName, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)),
		uintptr(v.handle)); err != nil {
		return err
	}
	v.Name = untilZero(name)
	if err := v.call(driver.DeviceGetPCIBusID, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)),
		uintptr(v.handle)); err != nil {
		return err
	}
	v.PCIBusID = strings.ToLower(untilZero(name))
	id := new([16]byte)
	if err := v.call(driver.DeviceGetUUID, uintptr(unsafe.Pointer(id)), uintptr(v.handle)); err != nil {
		return err
	}
	v.UUID = fmt.Sprintf("GPU-%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
	return nil
}

func (v *Device) readMemory() error {
	return v.call(driver.DeviceTotalMem, uintptr(unsafe.Pointer(&v.MemoryBytes)), uintptr(v.handle))
}

func (v *Device) readAttributes() error {
	for _, a := range []struct {
		number int
		field  *int
	}{
		{attributeMaxThreadsPerBlock, &v.MaxThreadsPerBlock}, {attributeSharedPerBlock, &v.SharedBytesPerBlock},
		{attributeWarpSize, &v.WarpSize}, {attributeClock, &v.ClockKilohertz}, {attributeMultiprocessors, &v.Multiprocessors},
		{attributeL2, &v.L2Bytes}, {attributeSharedPerMulti, &v.SharedBytesPerMulti},
		{attributeRegistersPerMulti, &v.RegistersPerMulti}, {attributeSharedPerBlockOptIn, &v.SharedBytesOptIn},
		{attributeCapabilityMajor, &v.ComputeCapability[0]}, {attributeCapabilityMinor, &v.ComputeCapability[1]},
		{attributeMaxBlockX, &v.MaxBlock[0]}, {attributeMaxBlockX + 1, &v.MaxBlock[1]},
		{attributeMaxBlockX + 2, &v.MaxBlock[2]},
		{attributeMaxGridX, &v.MaxGrid[0]}, {attributeMaxGridX + 1, &v.MaxGrid[1]}, {attributeMaxGridX + 2, &v.MaxGrid[2]},
	} {
		value := new(int32)
		if err := v.call(driver.DeviceGetAttribute, uintptr(unsafe.Pointer(value)), uintptr(a.number),
			uintptr(v.handle)); err != nil {
			return err
		}
		*a.field = int(*value)
	}
	return nil
}

//go:uintptrescapes
func (v *Device) call(f driver.Function, arguments ...uintptr) error {
	return v.driver.call(f, fmt.Sprintf("device %d", v.Ordinal), arguments...)
}

func untilZero(text []byte) string {
	if end := bytes.IndexByte(text, 0); end >= 0 {
		text = text[:end]
	}
	return string(text)
}
