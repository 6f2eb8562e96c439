package cli

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/prover/backend"
)

// The trace event format that Chrome's about:tracing and Perfetto read ("Trace Event Format", Google, 2016): an
// object with a list of events. An event of phase X is a span; one of phase M names a process or a thread. Times
// are microseconds.
type traceFile struct {
	Events      []traceEvent `json:"traceEvents"`
	DisplayUnit string       `json:"displayTimeUnit"`
}

type traceEvent struct {
	Name      string            `json:"name"`
	Category  string            `json:"cat,omitempty"`
	Phase     string            `json:"ph"`
	Timestamp float64           `json:"ts"`
	Duration  *float64          `json:"dur,omitempty"`
	Process   int               `json:"pid"`
	Thread    int               `json:"tid"`
	Arguments map[string]string `json:"args,omitempty"`
}

// Processes of the trace.
const (
	hostProcess   = 1
	deviceProcess = 2
)

// chromeTrace writes spans of the host and of the device, each track as a thread. Times count from start.
func chromeTrace(start time.Time, deviceName string, host, device []backend.Interval) ([]byte, error) {
	file := traceFile{DisplayUnit: "ms", Events: []traceEvent{}}
	file.add(hostProcess, "host", start, host)
	if len(device) > 0 {
		file.add(deviceProcess, deviceName, start, device)
	}
	return json.Marshal(file)
}

func (f *traceFile) add(process int, name string, start time.Time, spans []backend.Interval) {
	f.named("process_name", process, 0, name)
	var tracks []string
	for _, span := range spans {
		if !slices.Contains(tracks, span.Track) {
			tracks = append(tracks, span.Track)
			f.named("thread_name", process, len(tracks), span.Track)
		}
	}
	// Viewers expect the spans of a thread ordered by start, and spans with equal starts from longest to shortest.
	ordered := slices.Clone(spans)
	slices.SortStableFunc(ordered, func(a, b backend.Interval) int {
		if order := a.Start.Compare(b.Start); order != 0 {
			return order
		}
		return int(b.Took - a.Took)
	})
	for _, span := range ordered {
		took := microseconds(span.Took)
		event := traceEvent{
			Name: span.Name, Category: span.Stage, Phase: "X", Timestamp: microseconds(span.Start.Sub(start)), Duration: &took,
			Process: process, Thread: slices.Index(tracks, span.Track) + 1,
		}
		if span.Stage != "" {
			event.Arguments = map[string]string{"stage": span.Stage}
		}
		f.Events = append(f.Events, event)
	}
}

func (f *traceFile) named(what string, process, thread int, name string) {
	f.Events = append(f.Events, traceEvent{
		Name:      what,
		Phase:     "M",
		Process:   process,
		Thread:    thread,
		Arguments: map[string]string{"name": name},
	})
}

func microseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
