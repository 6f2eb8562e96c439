package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// sentTask records the attempts to send a task.
type sentTask struct {
	attempt     int
	first, when time.Time
}

// send ensures that every due task is in the queue or with a seat: a message stays in the stream until its result is
// reported. A task that is in neither was lost, and is sent again.
func (c *Coordinator) send(ctx context.Context, state *State) error {
	common, err := c.common(ctx, state)
	if err != nil {
		return err
	}
	queued, err := c.queued(ctx)
	if err != nil {
		return err
	}
	for i, shard := range state.Shards {
		task := &shardTask{Job: c.id, Shard: i}
		switch {
		case shard.Cap == nil:
		case common != nil && shard.Proof == nil && !c.examining(i, common):
			task.Common, task.Cap = common, &shard.Cap.Object
		default:
			continue
		}
		if err := c.sendOne(ctx, task, shard.Cap, queued); err != nil {
			return err
		}
	}
	return nil
}

// queued returns the subjects of a job's queued tasks, by tag and shard.
func (c *Coordinator) queued(ctx context.Context) (map[string][]string, error) {
	var info *jetstream.StreamInfo
	err := bus.Retry(ctx, func(ctx context.Context) (err error) {
		info, err = c.space.tasks.Info(ctx, jetstream.WithSubjectFilter(taskSubjects+">"))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("job %s: its tasks: %w", c.id, err)
	}
	list := map[string][]string{}
	for subject := range info.State.Subjects {
		if _, rest, ok := strings.Cut(subject, "."+c.id+"."); ok {
			task := rest[:strings.LastIndexByte(rest, '.')]
			list[task] = append(list[task], subject)
		}
	}
	return list, nil
}

// sendOne sends a task, unless it is on its way.
func (c *Coordinator) sendOne(ctx context.Context, task *shardTask, known *Taken, queued map[string][]string) error {
	name := taskName(task.tag(), task.Shard)
	unable := c.unable(task.tag(), task.Shard)
	task.Not = slices.Sorted(maps.Keys(unable))
	last, again := c.sent[name]
	if subjects := queued[name]; len(subjects) > 0 {
		delete(c.missing, name)
		return c.release(ctx, task, subjects, last)
	}
	if again {
		// A reported result takes a moment to arrive here.
		since, ok := c.missing[name]
		if !ok {
			c.missing[name] = time.Now()
			return nil
		}
		if time.Since(since) < c.options.Poll {
			return nil
		}
	}
	attempt := last.attempt
	if again {
		attempt++
	}
	subject := anySubject(c.id)
	if known != nil && c.keeps(known.By, unable) && !again {
		subject = onSubject(known.By, c.id)
	}
	return c.publish(ctx, task, name, subject, attempt)
}

// keeps reports whether a seat can be asked to prove a shard that it committed to.
func (c *Coordinator) keeps(seat seatName, unable map[seatName]string) bool {
	_, not := unable[seat]
	return !not && seat != judgeSeat && c.alive(seat)
}

// release offers a task to all seats if the seat that keeps the shard is gone, or has been busy for too long.
func (c *Coordinator) release(ctx context.Context, task *shardTask, subjects []string, last sentTask) error {
	for _, subject := range subjects {
		rest, ok := strings.CutPrefix(subject, taskSubjects+"on.")
		if !ok {
			continue
		}
		owner, _, _ := strings.Cut(rest, "."+c.id+".")
		seat := seatName(owner)
		p := c.seats[seat]
		working := p.Job == c.id && p.Tag == task.tag() && p.Shard == task.Shard
		if c.alive(seat) && (working || last.when.IsZero() || time.Since(last.when) < c.options.Sticky) {
			continue
		}
		err := bus.Retry(ctx, func(ctx context.Context) error {
			return c.space.tasks.Purge(ctx, jetstream.WithPurgeSubject(subject))
		})
		if err != nil {
			return fmt.Errorf("job %s: its tasks: %w", c.id, err)
		}
		name := taskName(task.tag(), task.Shard)
		c.options.Progress(Event{Shard: task.Shard, What: "given to others", Worker: seat.shown()})
		return c.publish(ctx, task, name, anySubject(c.id), last.attempt+1)
	}
	return nil
}

// publish puts a task into the queue. If two coordinators publish the same task, the server's deduplication keeps one.
func (c *Coordinator) publish(ctx context.Context, task *shardTask, name, subject string, attempt int) error {
	subject = fmt.Sprintf("%s.%s.%d", subject, name, attempt)
	encoded, err := json.Marshal(task)
	if err == nil {
		encoded, err = c.space.bus.Seal(subject, time.Now().Add(c.space.expiry), encoded)
	}
	if err != nil {
		return err
	}
	id := fmt.Sprintf("%s.%s.%d", c.id, name, attempt)
	err = bus.Retry(ctx, func(ctx context.Context) error {
		_, err := c.space.bus.JetStream.Publish(ctx, subject, encoded, jetstream.WithMsgID(id))
		return err
	})
	if err != nil {
		return fmt.Errorf("job %s: shard %d: %w", c.id, task.Shard, bus.Full(err))
	}
	now, first := time.Now(), c.sent[name].first
	if first.IsZero() {
		first = now
	}
	c.sent[name] = sentTask{attempt, first, now}
	delete(c.missing, name)
	return nil
}
