package environment

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/harness/environment/nvml"
)

// GPU describes one device according to NVML. A nil pointer is a quantity that the device does not report.
type GPU struct {
	Index  int    `json:"index"`
	Name   string `json:"name"`
	UUID   string `json:"uuid,omitempty"`
	Driver string `json:"driver,omitempty"`
	CUDA   string `json:"cuda,omitempty"` // the version that the driver supports
	// Clocks are in MHz.
	ClockSM        *int `json:"clock_sm_mhz,omitempty"`
	ClockMemory    *int `json:"clock_memory_mhz,omitempty"`
	MaxClockSM     *int `json:"max_clock_sm_mhz,omitempty"`
	MaxClockMemory *int `json:"max_clock_memory_mhz,omitempty"`
	// Power is the current power draw, and PowerLimit its limit.
	Power       *float64 `json:"power_watts,omitempty"`
	PowerLimit  *float64 `json:"power_limit_watts,omitempty"`
	Temperature *int     `json:"temperature_celsius,omitempty"`
	ECC         *bool    `json:"ecc,omitempty"`
	// ECCErrors counts uncorrected errors since the driver was loaded.
	ECCErrors   *int64   `json:"ecc_uncorrected_errors,omitempty"`
	MemoryTotal int64    `json:"memory_total_bytes,omitempty"`
	MemoryUsed  int64    `json:"memory_used_bytes,omitempty"`
	Persistence *bool    `json:"persistence,omitempty"`
	MIG         *bool    `json:"mig,omitempty"`
	Throttle    []string `json:"throttle,omitempty"`
	// Energy is the energy used since the driver was loaded.
	Energy    *float64     `json:"energy_joules,omitempty"`
	Processes []GPUProcess `json:"processes,omitempty"`
}

// GPUProcess is a process with a context on a GPU. In a container, PID may be the host's PID.
type GPUProcess struct {
	PID   int    `json:"pid"`
	Name  string `json:"name,omitempty"`
	Bytes int64  `json:"bytes,omitempty"`
}

// gpus describes every GPU, or says why there is none to describe.
func (h host) gpus() (list []GPU, note string) {
	library, err := nvml.Open(h.nvml...)
	if err != nil {
		return nil, err.Error()
	}
	defer library.Close()
	devices, err := library.Devices()
	if err != nil {
		return nil, err.Error()
	}
	for _, d := range devices {
		list = append(list, h.gpu(library, d))
	}
	if len(list) == 0 {
		note = "the NVIDIA driver reports no GPU"
	}
	return list, note
}

// gpu describes one device. It omits quantities that cannot be read.
func (h host) gpu(library *nvml.Library, d nvml.Device) GPU {
	g := GPU{Index: d.Index(), Name: d.Name(), UUID: d.UUID(), Driver: library.Driver(), CUDA: library.CUDA()}
	g.ClockSM, g.ClockMemory = optional(d.Clock(nvml.SM)), optional(d.Clock(nvml.Memory))
	g.MaxClockSM, g.MaxClockMemory = optional(d.MaxClock(nvml.SM)), optional(d.MaxClock(nvml.Memory))
	g.Power, g.PowerLimit, g.Temperature = optional(d.Power()), optional(d.PowerLimit()), optional(d.Temperature())
	g.ECC, g.ECCErrors = optional(d.ECC()), optional(d.UncorrectedErrors())
	g.Persistence, g.MIG, g.Energy = optional(d.Persistence()), optional(d.MIG()), optional(d.Energy())
	if total, used, err := d.MemoryInfo(); err == nil {
		g.MemoryTotal, g.MemoryUsed = total, used
	}
	if reasons, err := d.Throttle(); err == nil {
		g.Throttle = reasons.Names()
	}
	if processes, err := d.Processes(); err == nil {
		for _, p := range processes {
			g.Processes = append(g.Processes, GPUProcess{
				PID:   p.PID,
				Name:  h.text(fmt.Sprintf("/proc/%d/comm", p.PID)),
				Bytes: p.Bytes,
			})
		}
	}
	return g
}

// optional returns a pointer to x, or nil if there is an error.
func optional[T any](x T, err error) *T {
	if err != nil {
		return nil
	}
	return &x
}

// String describes the process.
func (p GPUProcess) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %d", p.Name, p.PID))
}
