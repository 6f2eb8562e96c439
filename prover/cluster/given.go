package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// lease is a task that was given to this seat, for which it reports its progress.
type lease struct {
	seat *seat
	grant
}

// ask requests a task from the serving process. It returns nil if there is none.
func (s *seat) ask(ctx context.Context) (*lease, error) {
	space := s.worker.space
	ctx, cancel := context.WithTimeout(ctx, s.patience())
	defer cancel()
	reply, err := space.bus.Conn.RequestWithContext(ctx, askSubjects+string(s.name), nil)
	if err != nil {
		return nil, err
	}
	l := &lease{seat: s}
	if err := json.Unmarshal(reply.Data, &l.grant); err != nil || l.ID == "" {
		return nil, err
	}
	return l, nil
}

// patience returns how long a seat waits for an answer. A seat waits no longer than a lease for a server that has died:
// the task will be given again.
func (s *seat) patience() time.Duration {
	const least, most = time.Second, 5 * time.Second
	return min(max(s.worker.space.lease, least), most)
}

// task decodes the task. It fails unless the order key in the worker's credential verifies the signature for the
// subject under which the task was sent.
func (l *lease) task() (*shardTask, error) {
	body, err := l.seat.worker.space.bus.Unseal(l.Subject, l.Data)
	if err != nil {
		return nil, err
	}
	task := new(shardTask)
	if err := json.Unmarshal(body, task); err != nil {
		return nil, fmt.Errorf("decode a task: %w", err)
	}
	name := "." + taskName(task.tag(), task.Shard) + "."
	if !strings.HasPrefix(l.Subject, anySubject(task.Job)+name) &&
		!strings.HasPrefix(l.Subject, onSubject(l.seat.name, task.Job)+name) {
		return nil, fmt.Errorf("a task for others: it was sent under %s", l.Subject)
	}
	return task, nil
}

// hold renews the lease.
func (l *lease) hold(ctx context.Context) error { return l.say(ctx, verbHold, 0) }

// done removes the completed task from the queue.
func (l *lease) done(ctx context.Context) error { return l.say(ctx, verbDone, 0) }

// back returns the task to the queue, for others after a delay.
func (l *lease) back(ctx context.Context, after time.Duration) error {
	return l.say(ctx, verbBack, after)
}

// drop removes the task from the queue without a result.
func (l *lease) drop(ctx context.Context) error { return l.say(ctx, verbDrop, 0) }

// say reports on the task. If it fails, the lease expires.
func (l *lease) say(ctx context.Context, verb string, delay time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.seat.patience())
	defer cancel()
	said, err := json.Marshal(answer{l.ID, verb, delay})
	if err != nil {
		return err
	}
	reply, err := l.seat.worker.space.bus.Conn.RequestWithContext(ctx, answerSubjects+string(l.seat.name), said)
	if err != nil {
		return err
	}
	var refusal string
	if err := json.Unmarshal(reply.Data, &refusal); err != nil {
		return err
	}
	if refusal != "" {
		return fmt.Errorf("%w: %s", errRefused, refusal)
	}
	return nil
}
