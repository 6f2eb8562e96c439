package cli

import (
	"errors"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
	"github.com/chiasmus/chiasmus/prover/prove"
)

// Tracks of the host's spans.
const (
	proofTrack = "proof"
	stageTrack = "stages"
)

// trace notes what the host and the device do in one proof. A nil trace notes nothing.
type trace struct {
	path   string
	start  time.Time
	host   []backend.Interval
	stages int // the index in host of the running stage and 1; 0 for none
	on     backend.Backend
	tracer backend.Tracer // nil where the backend has no device to trace
}

// startTrace begins the trace of a proof where one was asked for.
func (e *engine) startTrace(start time.Time) (*trace, error) {
	if e.traceOut == "" {
		return nil, nil
	}
	t := &trace{path: e.traceOut, start: start, on: e.backend}
	tracer, ok := e.backend.(backend.Tracer)
	if !ok || e.lost() != nil {
		return t, nil
	}
	t.tracer = tracer
	return t, tracer.StartTrace()
}

// span notes how long a part of the proof takes.
func (t *trace) span(name string, part func() error) error {
	if t == nil {
		return part()
	}
	begin := time.Now()
	err := part()
	t.host = append(t.host, backend.Interval{Track: proofTrack, Name: name, Start: begin, Took: time.Since(begin)})
	return err
}

// stage notes that a stage begins, which ends the one before: the transcript's work between two stages is counted to
// the first.
func (t *trace) stage(stage prove.Stage) {
	if t == nil {
		return
	}
	t.endStage()
	t.host = append(t.host, backend.Interval{
		Track: stageTrack,
		Name:  string(stage),
		Stage: string(stage),
		Start: time.Now(),
	})
	t.stages = len(t.host)
}

func (t *trace) endStage() {
	if t == nil || t.stages == 0 {
		return
	}
	stage := &t.host[t.stages-1]
	stage.Took = time.Since(stage.Start)
	t.stages = 0
}

// drop ends a trace whose proof failed.
func (t *trace) drop() error {
	if t == nil || t.tracer == nil {
		return nil
	}
	if device, ok := t.on.(backend.Device); ok && device.Lost() != nil {
		return nil
	}
	_, err := t.tracer.StopTrace()
	return err
}

// write ends the trace and writes it.
func (t *trace) write(total time.Duration) error {
	if t == nil {
		return nil
	}
	t.host = append(t.host, backend.Interval{Track: proofTrack, Name: "proof", Start: t.start, Took: total})
	var device []backend.Interval
	if lost, ok := t.on.(backend.Device); t.tracer != nil && !(ok && lost.Lost() != nil) {
		var err error
		if device, err = t.tracer.StopTrace(); err != nil {
			return errors.Join(errors.New("--trace-out: the device's part of the trace is lost"), err)
		}
	}
	data, err := chromeTrace(t.start, t.on.Device(), t.host, device)
	if err != nil {
		return err
	}
	return writeWhole(t.path, data)
}
