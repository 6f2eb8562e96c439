package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// begin watches what workers say, and takes in what they have said.
func (c *Coordinator) begin(ctx context.Context) error {
	watched := []struct {
		bucket jetstream.KeyValue
		keys   string
	}{{c.space.results, c.id + ".>"}, {c.space.workers, "*.*.*"}, {c.space.shutOut, "*.*"}}
	for _, w := range watched {
		go c.watch(ctx, w.bucket, w.keys)
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

// watch hands on what changes in a bucket, from its first entry on. It begins again where that ends.
func (c *Coordinator) watch(ctx context.Context, bucket jetstream.KeyValue, keys string) {
	back := c.space.bus.Conn.StatusChanged(nats.CONNECTED)
	defer c.space.bus.Conn.RemoveStatusListener(back)
	for ctx.Err() == nil {
		again := false
		if watcher, err := bucket.Watch(ctx, keys); err == nil {
			again = c.follow(ctx, watcher, back)
			_ = watcher.Stop()
		}
		if again {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(c.options.Poll):
		}
	}
}

// follow hands on entries until there are no more, or for a while none. It reports whether the connection is one that
// came back: a server that was started again knows nobody who watches.
func (c *Coordinator) follow(ctx context.Context, watcher jetstream.KeyWatcher, back <-chan nats.Status) (again bool) {
	const silence = 30 // polls
	for {
		select {
		case entry, ok := <-watcher.Updates():
			if !ok {
				return false
			}
			select {
			case c.updates <- entry:
			case <-ctx.Done():
				return false
			}
		case <-back:
			return true
		case <-time.After(silence * c.options.Poll):
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// wait takes in what happens, until something did, or for as long as one looks away from the queue.
func (c *Coordinator) wait(ctx context.Context) error {
	look := time.After(c.options.Poll)
	for {
		select {
		case entry := <-c.updates:
			if entry != nil && c.note(entry) {
				return nil
			}
		case found := <-c.finished:
			c.examined[found.which] = &found.examination
			return nil
		case <-look:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// note takes in an entry, and reports whether the job may go on from it.
func (c *Coordinator) note(entry jetstream.KeyValueEntry) bool {
	there := entry.Operation() == jetstream.KeyValuePut
	switch {
	case entry.Bucket() == shutOutBucket:
		known := c.out[entry.Key()]
		c.out[entry.Key()] = there
		return known != there
	case !there:
		delete(c.seats, seatName(entry.Key())) // it said goodbye
		return false
	case entry.Bucket() == workersBucket:
		s := seen{at: time.Now().Add(-time.Since(entry.Created()))}
		if json.Unmarshal(entry.Value(), &s.Presence) != nil {
			return false
		}
		before := c.seats[seatName(entry.Key())]
		c.seats[seatName(entry.Key())] = s
		if before.Job == c.id || s.Job == c.id {
			c.progress()
		}
		return false
	}
	result := new(Result)
	if err := json.Unmarshal(entry.Value(), result); err != nil {
		result = &Result{Unable: fmt.Sprintf("it says what cannot be read: %v", err)}
	}
	if known, ok := c.results[entry.Key()]; ok && sameResult(known, result) {
		return false // read again
	}
	c.results[entry.Key()], c.clock.heard[entry.Key()] = result, time.Now()
	return true
}

func sameResult(a, b *Result) bool {
	return slices.Equal(a.Cap, b.Cap) && a.Unable == b.Unable && (a.Proof == nil) == (b.Proof == nil) &&
		(a.Proof == nil || *a.Proof == *b.Proof)
}
