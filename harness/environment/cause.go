package environment

import "fmt"

// A Kind is the kind of a cause.
type Kind string

// The kinds of causes. All lie outside the measured processes.
const (
	Steal        Kind = "steal"
	Others       Kind = "others"
	MemoryOthers Kind = "memory"
	Suspended    Kind = "suspend"
	GPUThrottled Kind = "gpu_throttle"
	GPUShared    Kind = "gpu_process"
)

// A Cause is a reason to measure a pair again.
type Cause struct {
	Kind Kind `json:"kind"`
	// Detail describes the cause with its figures.
	Detail string `json:"detail"`
	// Value and Threshold are in the unit of the threshold of this kind: a share, or seconds. For processes and
	// throttling, Value is a count and Threshold is 0.
	Value     float64 `json:"value"`
	Threshold float64 `json:"threshold"`
}

// String returns the detail.
func (c Cause) String() string { return c.Detail }

// An Observation is what an observer recorded during one proof.
type Observation struct {
	// Causes is empty if nothing outside disturbed the proof.
	Causes []Cause `json:"causes,omitempty"`
	// Readings are numbers by name, with the unit in the name. Readings that this host does not offer are left out:
	//
	//	cpu_seconds, cpu_share            CPU time of the measured processes; divided by the capacity of the host
	//	idle_session_cpu_seconds          the same for the sessions that had to wait meanwhile
	//	others_share, steal_share         CPU time of other processes and of other machines, over the capacity
	//	memory_pressure_share             share of the time in which something waited for memory
	//	resident_bytes                    memory of the measured processes at the end
	//	suspended_seconds                 time that the host was suspended
	//	cpu_throttle_events               thermal throttling events of the processors
	//	cpu_energy_joules                 energy of the processors' packages
	//	gpu_clock_sm_mhz, gpu_clock_memory_mhz, gpu_power_watts   means over the samples and the GPUs that worked
	//	gpu_temperature_celsius, gpu_memory_used_bytes            maxima
	//	gpu_power_cap_share, gpu_throttle_share                   share of the samples
	//	gpu_thermal_violation_seconds     time for which heat held the clocks down
	//	gpu_ecc_errors                    new uncorrected memory errors
	//	gpu_energy_joules                 energy of the watched GPUs
	//	energy_joules                     energy of packages and GPUs, where known
	Readings map[string]float64 `json:"readings,omitempty"`
	// Culprits are the other processes that took the most CPU time, the largest share first, if others exceeded the
	// threshold.
	Culprits []Culprit `json:"culprits,omitempty"`
	// IdleGPU is the share of a GPU that waiting sessions used, nil if unknown.
	IdleGPU *float64 `json:"idle_gpu,omitempty"`
	// GPUWork is the work of GPUs for the measured session since its last observation, including this proof; nil if
	// unknown.
	GPUWork *GPUWork `json:"gpu_work,omitempty"`
	// GPUUnseen says why the use of the GPUs is unknown. It is empty if it is known, or the host has no GPUs.
	GPUUnseen string `json:"gpu_unseen,omitempty"`
	// Seconds is the time between start and stop.
	Seconds float64 `json:"seconds"`
}

// add appends a cause if a value exceeds its threshold.
func (o *Observation) add(kind Kind, value, threshold float64, format string, args ...any) {
	if value > threshold {
		o.Causes = append(o.Causes, Cause{kind, fmt.Sprintf(format, args...), value, threshold})
	}
}

// percent formats a share.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
