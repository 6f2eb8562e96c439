package cluster

import (
	"context"
	"sync"
)

// runs are the executions that a worker's seats share. It keeps the latest.
type runs struct {
	mu   sync.Mutex
	list []*sharedRun
}

// keptRuns is how many executions a worker keeps: seats that end one job begin another.
const keptRuns = 2

type sharedRun struct {
	job  string
	done chan struct{}
	work *work
	err  error
}

// get returns a job's execution, made by whoever asks first. One that failed is made again.
func (r *runs) get(ctx context.Context, job string, execute func() (*work, error)) (*work, error) {
	r.mu.Lock()
	run := r.find(job)
	mine := run == nil
	if mine {
		run = &sharedRun{job: job, done: make(chan struct{})}
		if r.list = append(r.list, run); len(r.list) > keptRuns {
			r.list = r.list[1:]
		}
	}
	r.mu.Unlock()
	if mine {
		if run.work, run.err = execute(); run.err != nil {
			r.forget(run)
		}
		close(run.done)
	}
	select {
	case <-run.done:
		return run.work, run.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (r *runs) find(job string) *sharedRun {
	for _, run := range r.list {
		if run.job == job {
			return run
		}
	}
	return nil
}

func (r *runs) forget(run *sharedRun) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.list {
		if r.list[i] == run {
			r.list = append(r.list[:i:i], r.list[i+1:]...)
			return
		}
	}
}
