package environment

import (
	"fmt"
	"strings"
)

// A Difference is one difference between two snapshots.
type Difference struct {
	// Key is the path of the value in the JSON of a snapshot.
	Key string `json:"key"`
	A   string `json:"a"`
	B   string `json:"b"`
}

// String describes the difference.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s -> %s", d.Key, orNone(d.A), orNone(d.B))
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// Diff lists the lasting differences between two snapshots: processors, limits, kernel, drivers, settings. It ignores
// values that change all the time (load, free memory, current clocks, temperature, energy). The order is that of the
// fields.
func Diff(a, b *Snapshot) []Difference {
	var out []Difference
	left, right := a.lasting(), b.lasting()
	values := map[string]string{}
	for _, f := range right {
		values[f.key] = f.value
	}
	seen := map[string]bool{}
	for _, f := range left {
		seen[f.key] = true
		if f.value != values[f.key] {
			out = append(out, Difference{f.key, f.value, values[f.key]})
		}
	}
	for _, f := range right {
		if !seen[f.key] && f.value != "" {
			out = append(out, Difference{f.key, "", f.value})
		}
	}
	return out
}

// A field is a lasting property as text.
type field struct{ key, value string }

// lasting lists the properties that do not change by themselves.
func (s *Snapshot) lasting() []field {
	fields := []field{
		{"hostname", s.Hostname}, {"machine", s.Machine}, {"os", s.OS}, {"kernel", s.Kernel},
		{"architecture", s.Architecture},
		{"cpu.model", s.CPU.Model}, {"cpu.microcode", s.CPU.Microcode},
		{"cpu.logical", number(s.CPU.Logical)}, {"cpu.cores", number(s.CPU.Cores)}, {"cpu.sockets", number(s.CPU.Sockets)},
		{"cpu.available", number(s.CPU.Available)}, {"cpu.governors", strings.Join(s.CPU.Governors, ", ")},
		{"cpu.driver", s.CPU.Driver},
		{"cpu.min_mhz", number(s.CPU.MinMHz)}, {"cpu.max_mhz", number(s.CPU.MaxMHz)},
		{"cpu.boost", optionalBool(s.CPU.Boost)}, {"cpu.smt", optionalBool(s.CPU.SMT)},
		{"memory.total_bytes", number(s.Memory.Total)}, {"memory.swap_total_bytes", number(s.Memory.SwapTotal)},
		{"cgroup.cpus", number(s.Cgroup.CPUs)}, {"cgroup.memory_bytes", number(s.Cgroup.Memory)},
		{"on_mains", optionalBool(s.OnMains)}, {"gpus", number(len(s.GPUs))},
	}
	for _, g := range s.GPUs {
		prefix := fmt.Sprintf("gpus[%d].", g.Index)
		for _, f := range []field{
			{"name", g.Name}, {"uuid", g.UUID}, {"driver", g.Driver}, {"cuda", g.CUDA},
			{"max_clock_sm_mhz", optionalNumber(g.MaxClockSM)}, {"max_clock_memory_mhz", optionalNumber(g.MaxClockMemory)},
			{"power_limit_watts", optionalNumber(g.PowerLimit)}, {"ecc", optionalBool(g.ECC)},
			{"ecc_uncorrected_errors", optionalNumber(g.ECCErrors)},
			{"memory_total_bytes", number(g.MemoryTotal)}, {"persistence", optionalBool(g.Persistence)},
			{"mig", optionalBool(g.MIG)},
		} {
			fields = append(fields, field{prefix + f.key, f.value})
		}
	}
	return fields
}

// number formats a number, or returns "" for an unknown one.
func number[T int | int64 | float64](x T) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprint(x)
}

func optionalNumber[T int | int64 | float64](x *T) string {
	if x == nil {
		return ""
	}
	return fmt.Sprint(*x)
}

func optionalBool(b *bool) string {
	if b == nil {
		return ""
	}
	return fmt.Sprint(*b)
}
