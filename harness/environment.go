package harness

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/environment"
)

// environmentRecord is the host at the start or the end of the measurement.
type environmentRecord struct {
	Phase    string                `json:"phase"` // start or end
	Snapshot *environment.Snapshot `json:"snapshot"`
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
		h.end = e.Snapshot
	case h.start == nil:
		h.start = e.Snapshot
	}
}

// captureStart waits for a quiet host where that was asked for, and records the host. A resumed run must go on where it
// began.
func (r *run) captureStart(ctx context.Context) error {
	if r.decision.RequireQuiet {
		if err := r.waitQuiet(ctx); err != nil {
			return err
		}
	}
	before := r.history.start
	now, err := r.capture(ctx, phaseStart)
	if err != nil {
		return err
	}
	if before != nil {
		if moved := movedHost(before, now); moved != "" {
			return usage("run %s cannot be gone on with: the host has changed: %s", r.decision.ID, moved)
		}
		return nil
	}
	for _, name := range r.decision.Workloads {
		w, err := r.decision.foresee(name, now)
		if err != nil {
			return err
		}
		if err := r.event("%s", w.Text()); err != nil {
			return err
		}
	}
	for _, text := range now.Warnings(r.decision.file.Environment) {
		r.notify(Notice{Text: "warning: " + text})
		if err := r.warn("environment", text); err != nil {
			return err
		}
	}
	return nil
}

// waitQuiet waits until nothing disturbs the host.
func (r *run) waitQuiet(ctx context.Context) error {
	if err := r.event("waiting until the host is quiet"); err != nil {
		return err
	}
	told, disturbed, started := false, 0, time.Now()
	wait := environment.WaitQuiet
	if r.controls.waitQuiet != nil {
		wait = r.controls.waitQuiet
	}
	err := wait(ctx, r.decision.file.Environment, func(causes []environment.Cause) {
		if disturbed += min(1, len(causes)); !told && len(causes) > 0 {
			told = true
			r.notify(Notice{Text: "not quiet yet: " + causes[0].Detail})
		}
	})
	var noisy *environment.NotQuietError
	switch {
	case errors.As(err, &noisy):
		return &FailureError{Failure{Step: StepEnvironment, Cause: err.Error()}, err}
	case err != nil && ctx.Err() != nil:
		return ErrInterrupted
	case err != nil:
		return err
	}
	return r.event("the host is quiet, after %s in which it was disturbed %d times", Span(time.Since(started)), disturbed)
}

// captureEnd records the host after the measurement, whatever came of it.
func (r *run) captureEnd() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err := r.capture(ctx, phaseEnd)
	return err
}

func (r *run) capture(ctx context.Context, phase string) (*environment.Snapshot, error) {
	snapshot, err := environment.Capture(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ErrInterrupted
		}
		return nil, err
	}
	return snapshot, r.record(recordEnvironment, environmentRecord{phase, snapshot})
}

// hardware are the properties without which a resumed run would mix two hosts. A kernel that was updated in between, or
// a changed governor, shows among the differences of the report.
var hardware = []string{"machine", "architecture", "cpu.model", "cpu.logical", "memory.total_bytes", "gpus", "uuid"}

// movedHost lists what makes two snapshots those of different hosts.
func movedHost(before, now *environment.Snapshot) string {
	var moved []string
	for _, d := range environment.Diff(before, now) {
		key := d.Key
		if strings.HasPrefix(key, "gpus[") {
			key = key[strings.LastIndexByte(key, '.')+1:]
		}
		if slices.Contains(hardware, key) && !(key == "memory.total_bytes" && sameMemory(before, now)) {
			moved = append(moved, d.String())
		}
	}
	return strings.Join(moved, "; ")
}

// sameMemory says whether two hosts may have the same memory: what a kernel keeps for itself differs a little from one
// version, or start, to the next.
func sameMemory(a, b *environment.Snapshot) bool {
	const tolerance = 0.02
	return math.Abs(float64(a.Memory.Total-b.Memory.Total)) <= tolerance*float64(a.Memory.Total)
}

// describeEnvironment fills in what the report says of the host.
func describeEnvironment(r *Report, d *Decision, h *history) {
	r.Environment = Environment{Start: h.start, End: h.end, Differences: []EnvironmentDifference{}}
	r.Host.GPUs = []string{}
	if h.start != nil {
		r.Host = describeHost(h.start)
	}
	if d.file.Host.Name != "" {
		r.Host.Name = d.file.Host.Name
	}
	if h.start == nil || h.end == nil {
		return
	}
	for _, difference := range environment.Diff(h.start, h.end) {
		r.Environment.Differences = append(r.Environment.Differences,
			EnvironmentDifference{difference.Key, difference.A, difference.B})
	}
}

// describeHost shortens a snapshot to what a report has room for.
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
