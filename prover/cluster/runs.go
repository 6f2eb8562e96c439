package cluster

import (
	"context"
	"errors"
	"sync"
)

// runs are the executions that a worker's seats share. It keeps the latest.
type runs struct {
	mu   sync.Mutex
	list []*sharedRun
}

// keptRuns is how many executions a worker keeps: seats that end one job begin another.
const keptRuns = 2

// errOver ends what is done for a job that is over.
var errOver = errors.New("the job is over")

// sharedRun is a job's execution, made by whoever asks first.
type sharedRun struct {
	job string

	// ctx is of all that is done for the job, and end ends it. No other context has it as a child of its own: a worker
	// sees more jobs than it could keep contexts of.
	ctx context.Context
	end context.CancelCauseFunc

	once sync.Once
	work *work
	err  error
}

// of is a job's execution.
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

// get returns what an execution made. One that failed is forgotten, and made again for who asks for the job again.
func (r *runs) get(run *sharedRun, execute func(context.Context) (*work, error)) (*work, error) {
	run.once.Do(func() {
		if run.work, run.err = execute(run.ctx); run.err != nil {
			r.forget(run)
		}
	})
	return run.work, run.err
}

// over ends what is done for the job.
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
