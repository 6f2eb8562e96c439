package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// State is the state of a job. Coordinators replace one revision of it by the next.
type State struct {
	Request bus.Digest   `json:"request"`
	Title   string       `json:"title"` // the machine's name, for lists
	Begun   time.Time    `json:"begun"`
	Status  Status       `json:"status"`
	Why     string       `json:"why,omitempty"` // the reason for a failure
	Shards  []ShardState `json:"shards"`
}

// Status is the status of a job.
type Status string

// A job is running until all its proofs exist and verify, it fails, or it is cancelled.
const (
	statusRunning   Status = "running"
	statusDone      Status = "done"
	statusFailed    Status = "failed"
	statusCancelled Status = "cancelled"
)

// ShardState is the state of a shard.
type ShardState struct {
	Cap   *Taken `json:"cap,omitempty"`   // of its main columns
	Proof *Taken `json:"proof,omitempty"` // under the challenges from the caps of all shards, identified by Tag
}

// Taken is an object that a coordinator accepted from a worker.
type Taken struct {
	Object bus.Digest `json:"object"`
	By     seatName   `json:"by"`
	Tag    string     `json:"tag"`
}

// Counts returns the number of shards with a cap, and with a proof.
func (s *State) Counts() (caps, proofs int) {
	for _, shard := range s.Shards {
		if shard.Cap != nil {
			caps++
		}
		if shard.Proof != nil {
			proofs++
		}
	}
	return caps, proofs
}

// clone returns a copy that can be changed.
func (s *State) clone() *State {
	c := *s
	c.Shards = slices.Clone(s.Shards)
	return &c
}

// state reads a job's state and its revision.
func (s *Space) state(ctx context.Context, id string) (state *State, revision uint64, err error) {
	var entry *bus.Entry
	err = bus.Retry(ctx, func(ctx context.Context) (err error) {
		entry, err = s.jobs.Get(ctx, id)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, fmt.Errorf("no job %s: it has expired, or was requested elsewhere", id)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("job %s: %w", id, err)
	}
	state = new(State)
	if err := json.Unmarshal(entry.Value, state); err != nil {
		return nil, 0, fmt.Errorf("job %s: its state: %w", id, err)
	}
	return state, entry.Revision, nil
}

// change replaces a revision of a state. It returns false if the revision was not the latest.
func (s *Space) change(ctx context.Context, id string, state *State, revision uint64) (bool, error) {
	encoded, err := json.Marshal(state)
	if err != nil {
		return false, err
	}
	err = bus.Retry(ctx, func(ctx context.Context) (err error) {
		if revision == 0 {
			_, err = s.jobs.Create(ctx, id, encoded)
		} else {
			_, err = s.jobs.Update(ctx, id, encoded, revision)
		}
		return err
	})
	if errors.Is(err, jetstream.ErrKeyExists) { // reported for any wrong revision
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("job %s: %w", id, bus.Full(err))
	}
	return true, nil
}

// Job is an entry of Jobs.
type Job struct {
	ID string
	*State
}

// Jobs lists all jobs, the latest first.
func (s *Space) Jobs(ctx context.Context) ([]Job, error) {
	keys, err := keysOf(ctx, s.jobs)
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	var list []Job
	for _, id := range keys {
		state, _, err := s.state(ctx, id)
		if err != nil {
			return nil, err
		}
		list = append(list, Job{id, state})
	}
	slices.SortFunc(list, func(a, b Job) int { return b.Begun.Compare(a.Begun) })
	return list, nil
}

// Cancel ends a running job. Seats with tasks of the job stop at the end of their current stage.
func (s *Space) Cancel(ctx context.Context, id string) error {
	return s.end(ctx, id, statusCancelled, "")
}

// end ends a running job early.
func (s *Space) end(ctx context.Context, id string, as Status, why string) error {
	for {
		state, revision, err := s.state(ctx, id)
		if err != nil {
			return err
		}
		if state.Status != statusRunning {
			return fmt.Errorf("job %s is %s already", id, state.Status)
		}
		state.Status, state.Why = as, why
		if done, err := s.change(ctx, id, state, revision); err != nil || done {
			return errors.Join(err, s.purge(ctx, id))
		}
	}
}

// over reports whether a job has ended. If the state cannot be read, it returns false.
func (s *Space) over(ctx context.Context, id string) bool {
	ctx, cancel := context.WithTimeout(ctx, watchEvery)
	defer cancel()
	state, _, err := s.state(ctx, id)
	return err == nil && state.Status != statusRunning
}

// purge removes a job's tasks from the queue.
func (s *Space) purge(ctx context.Context, id string) error {
	var errs []error
	for _, subject := range []string{anySubject(id) + ".>", onSubject("*.*.*", id) + ".>"} {
		errs = append(errs, bus.Retry(ctx, func(ctx context.Context) error {
			return s.tasks.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}))
	}
	return errors.Join(errs...)
}
