package environment

import (
	"context"
	"time"
)

// A Snapshot describes the host at one moment. What the host does not report is zero and omitted from the JSON.
type Snapshot struct {
	Time         time.Time `json:"time"`
	Hostname     string    `json:"hostname"`
	Machine      string    `json:"machine,omitempty"` // vendor and product according to the firmware
	OS           string    `json:"os,omitempty"`
	Kernel       string    `json:"kernel,omitempty"`
	Architecture string    `json:"architecture"`
	CPU          CPU       `json:"cpu"`
	// Load is the mean number of runnable tasks over 1, 5 and 15 minutes.
	Load     [3]float64 `json:"load"`
	Memory   Memory     `json:"memory"`
	Pressure Pressure   `json:"pressure"`
	Cgroup   Cgroup     `json:"cgroup"`
	OnMains  *bool      `json:"on_mains,omitempty"` // nil without a battery
	GPUs     []GPU      `json:"gpus,omitempty"`
	// GPUNote says why nothing is known about GPUs.
	GPUNote string `json:"gpu_note,omitempty"`
}

// CPU describes the processors.
type CPU struct {
	Model     string `json:"model"`
	Microcode string `json:"microcode,omitempty"`
	// Logical is the number of online hardware threads, Cores of physical cores, Sockets of packages.
	Logical int `json:"logical"`
	Cores   int `json:"cores,omitempty"`
	Sockets int `json:"sockets,omitempty"`
	// Available is the number of hardware threads that this process may use.
	Available int `json:"available"`
	// Governors are the distinct frequency governors in use. Driver is the frequency scaling driver.
	Governors []string `json:"governors,omitempty"`
	Driver    string   `json:"driver,omitempty"`
	// MHz is the mean current frequency; MinMHz and MaxMHz are the configured limits.
	MHz    float64 `json:"mhz,omitempty"`
	MinMHz float64 `json:"min_mhz,omitempty"`
	MaxMHz float64 `json:"max_mhz,omitempty"`
	Boost  *bool   `json:"boost,omitempty"`
	SMT    *bool   `json:"smt,omitempty"`
	// Throttles is the number of thermal throttling events since boot.
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

// Cgroup holds the limits of this process: the tightest of its cgroup and the cgroups above.
type Cgroup struct {
	// CPUs is the quota in CPUs, 0 for none.
	CPUs float64 `json:"cpus,omitempty"`
	// Memory is the limit in bytes, 0 for none.
	Memory int64 `json:"memory_bytes,omitempty"`
}

// Capture describes the host. It fails only if the context is cancelled; what the host does not report is omitted.
func Capture(ctx context.Context) (*Snapshot, error) {
	return host{}.capture(ctx)
}
