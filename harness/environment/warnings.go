package environment

import (
	"fmt"
	"slices"
	"strings"
)

// Warnings lists properties of a host that degrade a measurement, to show to the user before it starts. None of them
// invalidates a pair.
func (s *Snapshot) Warnings(t Thresholds) []string {
	var out []string
	warn := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if wrong := slices.DeleteFunc(slices.Clone(s.CPU.Governors),
		func(g string) bool { return g == t.Governor }); t.Governor != "" && len(wrong) > 0 {
		warn("the CPU frequency governor is %s, and environment.governor asks for %s", strings.Join(wrong, ", "), t.Governor)
	}
	if len(s.CPU.Governors) > 1 {
		warn("the CPUs have different frequency governors: %s", strings.Join(s.CPU.Governors, ", "))
	}
	if s.OnMains != nil && !*s.OnMains {
		warn("the host runs on its battery")
	}
	if n := float64(max(1, s.CPU.Logical)); s.Load[0] > t.Others*n {
		warn("the load is %.2f on %d CPUs before the measurement", s.Load[0], s.CPU.Logical)
	}
	if s.Memory.SwapUsed > s.Memory.Total/20 && s.Memory.Total > 0 {
		warn("%d MiB are swapped out", s.Memory.SwapUsed>>20)
	}
	for _, g := range s.GPUs {
		if t.GPUs != nil && !slices.Contains(t.GPUs, g.Index) {
			continue
		}
		if len(g.Processes) > 0 {
			names := make([]string, len(g.Processes))
			for i, p := range g.Processes {
				names[i] = p.String()
			}
			warn("GPU %d is used by others: %s", g.Index, strings.Join(names, ", "))
		}
		if g.ECCErrors != nil && *g.ECCErrors > 0 {
			warn("GPU %d has had %d uncorrected memory errors", g.Index, *g.ECCErrors)
		}
		if throttled := slices.DeleteFunc(slices.Clone(g.Throttle),
			func(r string) bool { return r == "idle" || r == "application clocks" }); len(throttled) > 0 {
			warn("GPU %d is throttled: %s", g.Index, strings.Join(throttled, ", "))
		}
	}
	return out
}
