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

// errCancelled is what becomes of an order that was taken back.
var errCancelled = errors.New("the job was cancelled")

// Withdraw takes the orders of hosts back: of those that are done with, whose agents then empty their folders.
func (s *Space) Withdraw(ctx context.Context, job string, hosts ...string) error {
	var errs []error
	for _, host := range hosts {
		errs = append(errs, bus.Retry(ctx, func(ctx context.Context) error { return s.orders.Purge(ctx, key(host, job)) }))
	}
	return errors.Join(errs...)
}

// Cancel ends a job: agents that measure finish the proof that they are at, and empty its folder.
func (s *Space) Cancel(ctx context.Context, job Job) error {
	if err := s.Withdraw(ctx, job.Job, job.Hosts...); err != nil {
		return err
	}
	for _, host := range job.Hosts { // an agent that is away will find no order to tell the end of
		var told Telling
		if _, err := get(ctx, s.tellings, key(host, job.Job), &told); err != nil {
			return err
		}
		if told.State == Ended {
			continue
		}
		told = Telling{State: Ended, At: time.Now().UTC(), Error: errCancelled.Error()}
		if err := put(ctx, s.tellings, key(host, job.Job), told); err != nil {
			return err
		}
	}
	return nil
}

// untilWithdrawn returns a channel that is closed when the agent is told to stop, or the order is taken back, which the
// context then says. The caller ends it.
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

// empty removes what the agent has of a job.
func (a *Agent) empty(job string) {
	if CheckLabel(job) != nil {
		return
	}
	if err := os.RemoveAll(a.jobFolder(job)); err != nil {
		a.Log("the folder of job %s: %v", job, err)
	}
}

// sweep removes what the agent has of jobs of which there is no order: they were taken back while it was away.
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

// ordered reports whether there is an order of a job for this agent.
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

// say logs what the server's entries have that cannot be.
func (a *Agent) say(line string) { a.Log("%s", line) }

// jobOf is the job of an order's key.
func (a *Agent) jobOf(entry *bus.Entry) string {
	return strings.TrimPrefix(entry.Key, a.Label+".")
}
