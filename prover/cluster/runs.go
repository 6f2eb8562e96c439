package cluster

import (
	"context"
	"errors"
	"sync"
)

// runs caches the latest executions, which a worker's seats share.
type runs struct {
	mu   sync.Mutex
	list []*sharedRun
}

// keptRuns is the number of cached executions: some seats start the next job while others finish one.
const keptRuns = 2

// errOver cancels the work for a job that is over.
var errOver = errors.New("the job is over")

// sharedRun is a job's execution, started by the first seat that needs it.
type sharedRun struct {
	job string

	// ctx covers all work for the job, and end cancels it. It is not a child of the worker's context, which would
	// keep the contexts of all past jobs.
	ctx context.Context
	end context.CancelCauseFunc

	once sync.Once
	work *work
	err  error
}

// of returns a job's execution.
func (r *runs) of(job string) *sharedRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, run := range r.list {
		if run.job == job {
			return run
		}
	}
	run := &sharedRun{job: job}
	run.ctx, run.end = context.WithCancelCause(context.Background())
	if r.list = append(r.list, run); len(r.list) > keptRuns {
		r.list = r.list[1:]
	}
	return run
}

// get returns the result of an execution. A failed execution is forgotten, and repeated for the next task of the job.
func (r *runs) get(run *sharedRun, execute func(context.Context) (*work, error)) (*work, error) {
	run.once.Do(func() {
		if run.work, run.err = execute(run.ctx); run.err != nil {
			r.forget(run)
		}
	})
	return run.work, run.err
}

// over cancels the work for the job.
func (r *runs) over(run *sharedRun) {
	run.end(errOver)
	r.forget(run)
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
