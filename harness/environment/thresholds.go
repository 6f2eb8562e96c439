package environment

import "time"

// Thresholds bound the disturbance of a proof from outside. If one is exceeded, the pair is measured again. Shares are
// fractions of the host: 0.05 is 5 %.
type Thresholds struct {
	// Steal is the share of the host's CPU time that the hypervisor gave to other machines.
	Steal float64 `json:"steal"`
	// Others is the share of the host's CPU time that processes outside the harness took.
	Others float64 `json:"others"`
	// MemoryPressure is the share of time in which something waited for memory. It is a cause only if the memory of other
	// processes also grew by MemoryGrowth of the host's memory.
	MemoryPressure float64 `json:"memory_pressure"`
	MemoryGrowth   float64 `json:"memory_growth"`
	// Suspend is the tolerated suspension of the host.
	Suspend time.Duration `json:"suspend"`
	// GPUThrottle makes throttling of a GPU by heat or by the power supply a cause.
	GPUThrottle bool `json:"gpu_throttle"`
	// GPUProcesses makes other processes on a GPU a cause.
	GPUProcesses bool `json:"gpu_processes"`
	// GPUs are the NVML indices of the watched GPUs; nil means all.
	GPUs []int `json:"gpus,omitempty"`
	// Sample is the interval between readings of the GPUs during a proof.
	Sample time.Duration `json:"sample"`
	// IdleCPU and IdleGPU bound what a session may use while the other one proves, as shares of one CPU and of one GPU.
	// Exceeding them is no cause to measure a pair again, because that would only repeat it: it withholds the verdict.
	IdleCPU float64 `json:"idle_cpu"`
	IdleGPU float64 `json:"idle_gpu"`
	// Governor is the frequency governor that every CPU should have; empty means any. A different one is a warning, never
	// a cause.
	Governor string `json:"governor,omitempty"`
	// QuietFor is how long the host must stay below the thresholds to count as quiet, and QuietTimeout how long WaitQuiet
	// waits for that.
	QuietFor     time.Duration `json:"quiet_for"`
	QuietTimeout time.Duration `json:"quiet_timeout"`
}

// DefaultThresholds returns the thresholds of a bench.yaml without any. They accept an ordinary desktop: the block
// design averages small disturbances out, and a pair is dropped only if many pairs would be needed to average its
// disturbance out.
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
