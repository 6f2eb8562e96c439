package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// begin watches the reports of workers, and reads the existing ones.
func (c *Coordinator) begin(ctx context.Context) error {
	watched := []struct {
		bucket *bus.Bucket
		keys   string
	}{{c.space.results, c.id + ".*.*.*.*.*"}, {c.space.workers, "*.*.*"}, {c.space.exclusions, "*.*"}}
	say := func(line string) { c.options.Progress(Event{Shard: -1, What: line}) }
	for _, w := range watched {
		entries, err := w.bucket.Watch(ctx, w.keys, say)
		if err != nil {
			return err
		}
		go c.follow(ctx, entries)
	}
	for left := len(watched); left > 0; {
		select {
		case entry := <-c.updates:
			if entry == nil {
				left--
			} else {
				c.note(entry)
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// follow forwards entries until there are no more.
func (c *Coordinator) follow(ctx context.Context, entries <-chan *bus.Entry) {
	for entry := range entries {
		select {
		case c.updates <- entry:
		case <-ctx.Done():
			return
		}
	}
}

// wait processes updates until something changed, or the queue is due for a check.
func (c *Coordinator) wait(ctx context.Context) error {
	check := time.After(c.options.Poll)
	for {
		select {
		case entry := <-c.updates:
			if entry != nil && c.note(entry) {
				return nil
			}
		case found := <-c.finished:
			c.examined[found.which] = &found.examination
			return nil
		case <-check:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// note processes an entry, and reports whether the job may advance because of it.
func (c *Coordinator) note(entry *bus.Entry) bool {
	there := !entry.Deleted
	switch {
	case entry.Bucket == exclusionsBucket:
		refusal := new(ExcludedError)
		there = there && errors.As(c.space.exclusionOf(entry.Key, entry), &refusal)
		known := c.out[entry.Key]
		c.out[entry.Key] = there
		return known != there
	case entry.Bucket == workersBucket && !there:
		delete(c.seats, seatName(entry.Key)) // it left in an orderly way
		return false
	case !there:
		return false
	case entry.Bucket == workersBucket:
		s := seen{at: time.Now().Add(-time.Since(entry.Created))}
		if json.Unmarshal(entry.Value, &s.Presence) != nil {
			return false
		}
		before := c.seats[seatName(entry.Key)]
		c.seats[seatName(entry.Key)] = s
		if before.Job == c.id || s.Job == c.id {
			c.progress()
		}
		return false
	}
	result := new(shardResult)
	if err := json.Unmarshal(entry.Value, result); err != nil {
		result = &shardResult{Unable: fmt.Sprintf("its report cannot be read: %v", err)}
	}
	if known, ok := c.results[entry.Key]; ok && sameResult(known, result) {
		return false // seen before
	}
	c.results[entry.Key], c.clock.heard[entry.Key] = result, time.Now()
	return true
}

func sameResult(a, b *shardResult) bool {
	return slices.Equal(a.Cap, b.Cap) && a.Unable == b.Unable && (a.Proof == nil) == (b.Proof == nil) &&
		(a.Proof == nil || *a.Proof == *b.Proof)
}
