package report

import (
	"fmt"
	"strings"

	"github.com/chiasmus/chiasmus/harness/environment"
	"github.com/chiasmus/chiasmus/harness/plan"
	"github.com/chiasmus/chiasmus/harness/record"
)

// describeEnvironment fills in the host and its environment.
func describeEnvironment(r *Report, d *plan.Decision, h *record.History) {
	r.Environment = Environment{Start: h.Start, End: h.End, Differences: []EnvironmentDifference{}}
	r.Host.GPUs = []string{}
	if h.Start != nil {
		r.Host = describeHost(h.Start)
	}
	if d.File.Host.Name != "" {
		r.Host.Name = d.File.Host.Name
	}
	if h.Start == nil || h.End == nil {
		return
	}
	for _, difference := range environment.Diff(h.Start, h.End) {
		r.Environment.Differences = append(r.Environment.Differences,
			EnvironmentDifference{difference.Key, difference.A, difference.B})
	}
}

// describeHost summarizes a snapshot.
func describeHost(s *environment.Snapshot) Host {
	host := Host{
		Name: s.Hostname, System: strings.TrimSpace(s.OS + " " + s.Kernel), CPU: s.CPU.Model, Cores: s.CPU.Available,
		MemoryBytes: s.Memory.Total, GPUs: []string{},
	}
	for _, g := range s.GPUs {
		text := g.Name
		if g.Driver != "" {
			text = fmt.Sprintf("%s, driver %s", g.Name, g.Driver)
		}
		host.GPUs = append(host.GPUs, text)
	}
	return host
}
