package environment

import "time"

// Thresholds say how much of the outside world a proof may see before its pair is measured again.
// Shares are fractions of the host: 0.05 is 5 %.
type Thresholds struct {
	// Steal is the share of the host's CPU time that the hypervisor gave to other machines.
	Steal float64 `json:"steal"`
	// Others is the share of the host's CPU time that processes outside the harness took.
	Others float64 `json:"others"`
	// MemoryPressure is the share of the time in which something waited for memory. It becomes a
	// cause only together with growth of other processes' memory by MemoryGrowth of the host's.
	MemoryPressure float64 `json:"memory_pressure"`
	MemoryGrowth   float64 `json:"memory_growth"`
	// Suspend is the time the host may have been suspended.
	Suspend time.Duration `json:"suspend"`
	// GPUThrottle makes throttling of a GPU by heat or by the power supply a cause.
	GPUThrottle bool `json:"gpu_throttle"`
	// GPUProcesses makes processes of others on a GPU a cause.
	GPUProcesses bool `json:"gpu_processes"`
	// GPUs are the NVML indices of the GPUs that are watched; nil for all.
	GPUs []int `json:"gpus,omitempty"`
	// Sample is the time between two readings of the GPUs during a proof.
	Sample time.Duration `json:"sample"`
	// IdleCPU and IdleGPU are what a session may take while the other one proves, as shares of one CPU and of one GPU.
	// More is no cause to measure a pair again, which would only repeat it: it withholds the verdict.
	IdleCPU float64 `json:"idle_cpu"`
	IdleGPU float64 `json:"idle_gpu"`
	// Governor is the frequency governor that every CPU should have; empty for any. Another one
	// is a warning, never a cause.
	Governor string `json:"governor,omitempty"`
	// QuietFor is how long the host has to stay under the thresholds to count as quiet, and
	// QuietTimeout how long WaitQuiet waits for that.
	QuietFor     time.Duration `json:"quiet_for"`
	QuietTimeout time.Duration `json:"quiet_timeout"`
}

// DefaultThresholds returns what bench.yaml means where it says nothing. They let an ordinary
// desktop through: a block design averages small disturbances out, and what is dropped here is
// what would otherwise need many pairs to average out.
func DefaultThresholds() Thresholds {
	return Thresholds{
		Steal:          0.10,
		Others:         0.25,
		MemoryPressure: 0.05,
		MemoryGrowth:   0.02,
		Suspend:        100 * time.Millisecond,
		GPUThrottle:    true,
		GPUProcesses:   true,
		Sample:         200 * time.Millisecond,
		IdleCPU:        0.05,
		IdleGPU:        0.05,
		QuietFor:       5 * time.Second,
		QuietTimeout:   10 * time.Minute,
	}
}
