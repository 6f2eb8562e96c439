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

// trace records the activities of the host and the device during one proof. A nil trace records nothing.
type trace struct {
	path   string
	start  time.Time
	host   []backend.Interval
	stages int // 1 + the index in host of the running stage; 0 for none
	on     backend.Backend
	traced bool // the backend records, and was not lost before
}

// startTrace begins the trace of a proof if one was requested.
func (e *engine) startTrace(start time.Time) (*trace, error) {
	if e.traceOut == "" {
		return nil, nil
	}
	t := &trace{path: e.traceOut, start: start, on: e.devices[0]}
	if e.lost() != nil {
		return t, nil
	}
	t.traced = true
	return t, t.on.StartTrace()
}

// span records how long a part of the proof takes.
func (t *trace) span(name string, part func() error) error {
	if t == nil {
		return part()
	}
	begin := time.Now()
	err := part()
	t.host = append(t.host, backend.Interval{Track: proofTrack, Name: name, Start: begin, Took: time.Since(begin)})
	return err
}

// stage records that a stage begins, which ends the previous one: the transcript's work between two stages counts
// toward the first.
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

// drop discards the trace of a failed proof.
func (t *trace) drop() error {
	if t == nil || !t.traced || t.on.Lost() != nil {
		return nil
	}
	_, err := t.on.StopTrace()
	return err
}

// write ends the trace and writes it to its file.
func (t *trace) write(total time.Duration) error {
	if t == nil {
		return nil
	}
	t.host = append(t.host, backend.Interval{Track: proofTrack, Name: "proof", Start: t.start, Took: total})
	var device []backend.Interval
	if t.traced && t.on.Lost() == nil {
		var err error
		if device, err = t.on.StopTrace(); err != nil {
			return errors.Join(errors.New("--trace-out: the device's part of the trace is lost"), err)
		}
	}
	data, err := chromeTrace(t.start, t.on.Device(), t.host, device)
	if err != nil {
		return err
	}
	return writeWhole(t.path, data)
}
