package harness

import (
	"context"
	"os"
	"runtime"
	"time"
)

// environmentRecord is the host at the start or the end of the measurement.
type environmentRecord struct {
	Phase string    `json:"phase"` // start or end
	Time  time.Time `json:"time"`
	Host  Host      `json:"host"`
}

// The phases of an environmentRecord.
const (
	phaseStart = "start"
	phaseEnd   = "end"
)

// foldEnvironment keeps the first start and the last end.
func (h *history) foldEnvironment(e environmentRecord) {
	switch {
	case e.Phase == phaseEnd:
		h.environment[1] = &e
	case h.environment[0] == nil:
		h.environment[0] = &e
	}
}

func (r *run) captureStart(ctx context.Context) error { return r.capture(ctx, phaseStart) }

func (r *run) captureEnd(ctx context.Context) error { return r.capture(ctx, phaseEnd) }

func (r *run) capture(_ context.Context, phase string) error {
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	host := Host{Name: name, System: runtime.GOOS, Cores: runtime.NumCPU(), GPUs: []string{}}
	return r.record(recordEnvironment, environmentRecord{phase, time.Now().UTC(), host})
}

// describeEnvironment fills in what the report says of the host.
func describeEnvironment(r *Report, d *Decision, h *history) {
	r.Environment.Differences = []EnvironmentDifference{}
	if start := h.environment[0]; start != nil {
		r.Host = start.Host
	}
	if d.file.Host.Name != "" {
		r.Host.Name = d.file.Host.Name
	}
}

// blind is an Observer that sees nothing.
type blind struct{}

func (blind) Begin(func() []int) {}
func (blind) End() Observation   { return Observation{} }
