package environment

import (
	"context"
	"time"
)

// A Snapshot is the host at one moment. What the host does not tell is zero and left out of the JSON.
type Snapshot struct {
	Time         time.Time `json:"time"`
	Hostname     string    `json:"hostname"`
	Machine      string    `json:"machine,omitempty"` // vendor and product, as the firmware says
	OS           string    `json:"os,omitempty"`
	Kernel       string    `json:"kernel,omitempty"`
	Architecture string    `json:"architecture"`
	CPU          CPU       `json:"cpu"`
	// Load is the mean number of runnable tasks over 1, 5 and 15 minutes.
	Load     [3]float64 `json:"load"`
	Memory   Memory     `json:"memory"`
	Pressure Pressure   `json:"pressure"`
	Cgroup   Cgroup     `json:"cgroup"`
	OnMains  *bool      `json:"on_mains,omitempty"` // nil where there is no battery
	GPUs     []GPU      `json:"gpus,omitempty"`
	// GPUNote says why nothing is known about GPUs.
	GPUNote string `json:"gpu_note,omitempty"`
}

// CPU describes the processors.
type CPU struct {
	Model     string `json:"model"`
	Microcode string `json:"microcode,omitempty"`
	// Logical counts hardware threads that are online, Cores physical cores, Sockets packages.
	Logical int `json:"logical"`
	Cores   int `json:"cores,omitempty"`
	Sockets int `json:"sockets,omitempty"`
	// Available counts the hardware threads that this process may run on.
	Available int `json:"available"`
	// Governors are the different frequency governors in use; Driver scales the frequency.
	Governors []string `json:"governors,omitempty"`
	Driver    string   `json:"driver,omitempty"`
	// MHz is the mean of the current frequencies, MinMHz and MaxMHz the limits set.
	MHz    float64 `json:"mhz,omitempty"`
	MinMHz float64 `json:"min_mhz,omitempty"`
	MaxMHz float64 `json:"max_mhz,omitempty"`
	Boost  *bool   `json:"boost,omitempty"`
	SMT    *bool   `json:"smt,omitempty"`
	// Throttles counts thermal throttling events since boot.
	Throttles int64 `json:"throttles,omitempty"`
}

// Memory is in bytes.
type Memory struct {
	Total     int64 `json:"total_bytes"`
	Available int64 `json:"available_bytes"`
	SwapTotal int64 `json:"swap_total_bytes,omitempty"`
	SwapUsed  int64 `json:"swap_used_bytes,omitempty"`
}

// Pressure is the share of the last ten seconds in which some task waited for a resource.
type Pressure struct {
	CPU    *float64 `json:"cpu,omitempty"`
	Memory *float64 `json:"memory,omitempty"`
	IO     *float64 `json:"io,omitempty"`
}

// Cgroup is what limits this process, the narrowest limit of its cgroup and those above.
type Cgroup struct {
	// CPUs is the quota in CPUs, 0 for none.
	CPUs float64 `json:"cpus,omitempty"`
	// Memory is the limit in bytes, 0 for none.
	Memory int64 `json:"memory_bytes,omitempty"`
}

// Capture describes the host. Only a cancelled context is an error: what the host does not tell is left out.
func Capture(ctx context.Context) (*Snapshot, error) {
	return host{}.capture(ctx)
}
