package fleet

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chiasmus/chiasmus/harness/measure"
)

// A progressReporter sends the progress of an order without blocking the measurement: a newer report replaces one that
// has not been sent.
type progressReporter struct {
	agent  *Agent
	job    string
	latest chan Progress
	done   chan struct{}
	last   time.Time
}

// reportEvery is the interval between progress reports, and reportTimeout the time limit for sending one.
const reportEvery, reportTimeout = 500 * time.Millisecond, 5 * time.Second

func (a *Agent) progressReporter(ctx context.Context, job string) *progressReporter {
	r := &progressReporter{agent: a, job: job, latest: make(chan Progress, 1), done: make(chan struct{})}
	go func() {
		defer close(r.done)
		for progress := range r.latest {
			r.put(ctx, progress)
		}
	}()
	return r
}

// put sends one report. A report that cannot be sent is lost: a newer one follows, and the end of the order is
// reported separately.
func (r *progressReporter) put(ctx context.Context, progress Progress) {
	limited, cancel := context.WithTimeout(ctx, reportTimeout)
	defer cancel()
	if data, err := json.Marshal(progress); err == nil {
		_, _ = r.agent.Space.progress.Put(limited, key(r.agent.Label, r.job), data)
	}
}

// notify receives the notices of the measurement, one at a time.
func (r *progressReporter) notify(n measure.Notice) {
	if tell := r.agent.Controls.Notify; tell != nil {
		tell(n)
	}
	if n.Build != nil || n.Text == "" && time.Since(r.last) < reportEvery {
		return
	}
	r.last = time.Now()
	progress := Progress{
		State:        Running,
		At:           r.last.UTC(),
		Text:         n.Text,
		Workload:     n.Workload,
		Pairs:        n.Pairs,
		PairsPlanned: n.PairsPlanned,
	}
	select {
	case <-r.latest:
	default:
	}
	r.latest <- progress
}

// close waits until everything has been sent.
func (r *progressReporter) close() {
	close(r.latest)
	<-r.done
}
