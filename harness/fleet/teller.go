package fleet

import (
	"context"
	"encoding/json"
	"time"

	"github.com/chiasmus/chiasmus/harness/measure"
)

// A teller reports the progress of an order without blocking the measurement: a newer report replaces one that has not
// been sent.
type teller struct {
	agent  *Agent
	job    string
	latest chan Telling
	done   chan struct{}
	last   time.Time
}

// tellEvery is the interval between progress reports, and tellWait the time limit for sending one.
const tellEvery, tellWait = 500 * time.Millisecond, 5 * time.Second

func (a *Agent) teller(ctx context.Context, job string) *teller {
	t := &teller{agent: a, job: job, latest: make(chan Telling, 1), done: make(chan struct{})}
	go func() {
		defer close(t.done)
		for told := range t.latest {
			t.put(ctx, told)
		}
	}()
	return t
}

// put sends one telling. A telling that cannot be sent is lost: a newer one follows, and the end of the order is
// reported separately.
func (t *teller) put(ctx context.Context, told Telling) {
	limited, cancel := context.WithTimeout(ctx, tellWait)
	defer cancel()
	if data, err := json.Marshal(told); err == nil {
		_, _ = t.agent.Space.tellings.Put(limited, key(t.agent.Label, t.job), data)
	}
}

// notify receives the notices of the measurement, one at a time.
func (t *teller) notify(n measure.Notice) {
	if tell := t.agent.Controls.Notify; tell != nil {
		tell(n)
	}
	if n.Build != nil || n.Text == "" && time.Since(t.last) < tellEvery {
		return
	}
	t.last = time.Now()
	told := Telling{
		State:        Running,
		At:           t.last.UTC(),
		Text:         n.Text,
		Workload:     n.Workload,
		Pairs:        n.Pairs,
		PairsPlanned: n.PairsPlanned,
	}
	select {
	case <-t.latest:
	default:
	}
	t.latest <- told
}

// close waits until everything has been sent.
func (t *teller) close() {
	close(t.latest)
	<-t.done
}
