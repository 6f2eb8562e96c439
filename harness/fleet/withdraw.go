package fleet

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// errCancelled is the outcome of a withdrawn order.
var errCancelled = errors.New("the job was cancelled")

// Withdraw removes the orders of finished hosts. Their agents then empty the job's folder.
func (s *Space) Withdraw(ctx context.Context, job string, hosts ...string) error {
	var errs []error
	for _, host := range hosts {
		errs = append(errs, bus.Retry(ctx, func(ctx context.Context) error { return s.orders.Purge(ctx, key(host, job)) }))
	}
	return errors.Join(errs...)
}

// Cancel ends a job. Agents that are measuring finish the current proof and empty the job's folder.
func (s *Space) Cancel(ctx context.Context, job Job) error {
	if err := s.Withdraw(ctx, job.Job, job.Hosts...); err != nil {
		return err
	}
	for _, host := range job.Hosts { // an absent agent will not find an order whose end it could report
		var progress Progress
		if _, err := get(ctx, s.progress, key(host, job.Job), &progress); err != nil {
			return err
		}
		if progress.State == Ended {
			continue
		}
		progress = Progress{State: Ended, At: time.Now().UTC(), Error: errCancelled.Error()}
		if err := put(ctx, s.progress, key(host, job.Job), progress); err != nil {
			return err
		}
	}
	return nil
}

// untilWithdrawn returns a channel that is closed when the agent is to stop or the order is withdrawn; in the
// second case the context is cancelled with errCancelled as its cause. The caller must call the returned function.
func (a *Agent) untilWithdrawn(ctx context.Context, job string) (context.Context, <-chan struct{}, func(), error) {
	withdrawn, cancel := context.WithCancelCause(ctx)
	orders, err := a.Space.orders.Watch(withdrawn, key(a.Label, job), a.say)
	if err != nil {
		cancel(nil)
		return nil, nil, nil, err
	}
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		for {
			select {
			case <-withdrawn.Done():
				return
			case <-a.Controls.Stop:
				return
			case entry, open := <-orders:
				if !open {
					return
				}
				if entry != nil && entry.Deleted {
					cancel(errCancelled)
					return
				}
			}
		}
	}()
	return withdrawn, stop, func() { cancel(nil) }, nil
}

// empty removes the agent's files of a job.
func (a *Agent) empty(job string) {
	if CheckLabel(job) != nil {
		return
	}
	if err := os.RemoveAll(a.jobFolder(job)); err != nil {
		a.Log("the folder of job %s: %v", job, err)
	}
}

// sweep removes the files of jobs whose orders were withdrawn while the agent was away.
func (a *Agent) sweep(ctx context.Context) error {
	entries, err := os.ReadDir(filepath.Join(a.Folder, "jobs"))
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	for _, entry := range entries {
		if there, err := a.ordered(ctx, entry.Name()); err == nil && !there {
			a.empty(entry.Name())
		}
	}
	return nil
}

func (a *Agent) jobFolder(job string) string { return filepath.Join(a.Folder, "jobs", job) }

// ordered reports whether this agent has an order for a job.
func (a *Agent) ordered(ctx context.Context, job string) (there bool, err error) {
	err = bus.Retry(ctx, func(ctx context.Context) error {
		_, err := a.Space.orders.Get(ctx, key(a.Label, job))
		there = err == nil
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			err = nil
		}
		return err
	})
	return there, err
}

// say logs a message about an invalid entry of the server.
func (a *Agent) say(line string) { a.Log("%s", line) }

// jobOf returns the job named by an order's key.
func (a *Agent) jobOf(entry *bus.Entry) string {
	return strings.TrimPrefix(entry.Key, a.Label+".")
}
