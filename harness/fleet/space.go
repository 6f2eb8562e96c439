package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// The names of a fleet's buckets and store in a server.
const (
	ordersBucket   = "harness-orders"   // LABEL.JOB: Order
	progressBucket = "harness-tellings" // LABEL.JOB: Progress
	cardsBucket    = "harness-cards"    // LABEL: Card
	objectsStore   = "harness-objects"
)

// Limits bound how much a fleet stores and how long it waits.
type Limits struct {
	ObjectBytes, StoreBytes int64
	Expiry                  time.Duration // of orders, results and files
	Presence                time.Duration // an agent whose card is older is gone
}

// defaultLimits returns the limits of a fleet that was created without any.
func defaultLimits() Limits {
	return Limits{ObjectBytes: 512 << 20, StoreBytes: 16 << 30, Expiry: 14 * 24 * time.Hour, Presence: 20 * time.Second}
}

// A Space is a fleet's part of a server.
type Space struct {
	bus                     *bus.Bus
	orders, progress, cards *bus.Bucket
	objects                 *bus.Objects
	presence                time.Duration
}

// Make creates a fleet in a server, or changes the limits of an existing one.
func Make(ctx context.Context, b *bus.Bus, l Limits) (*Space, error) {
	for _, bucket := range []bus.BucketConfig{
		{Name: ordersBucket, Expiry: l.Expiry, Purges: true}, {Name: progressBucket, Expiry: l.Expiry},
		{Name: cardsBucket, Expiry: l.Presence},
	} {
		if _, err := b.MakeBucket(ctx, bucket); err != nil {
			return nil, fmt.Errorf("fleet: %w", err)
		}
	}
	if _, err := b.MakeObjects(ctx, objectsStore, bus.Limits{
		ObjectBytes: l.ObjectBytes,
		StoreBytes:  l.StoreBytes,
		Expiry:      l.Expiry,
	}); err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	return Open(ctx, b)
}

// Open opens the fleet in a server. If there is none, the error wraps [jetstream.ErrBucketNotFound].
func Open(ctx context.Context, b *bus.Bus) (*Space, error) {
	s := &Space{bus: b}
	err := bus.Retry(ctx, func(ctx context.Context) (err error) {
		for name, kept := range map[string]**bus.Bucket{
			ordersBucket:   &s.orders,
			progressBucket: &s.progress,
			cardsBucket:    &s.cards,
		} {
			if *kept, err = b.Bucket(ctx, name); err != nil {
				return err
			}
		}
		s.presence = s.cards.Expiry()
		return nil
	})
	if err == nil {
		limits := defaultLimits()
		s.objects, err = b.Objects(ctx, objectsStore, bus.Limits{ObjectBytes: limits.ObjectBytes, Expiry: limits.Expiry})
	}
	if err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	return s, nil
}

// Enter opens the fleet in a server, or creates one with the default limits.
func Enter(ctx context.Context, b *bus.Bus) (*Space, error) {
	s, err := Open(ctx, b)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return Make(ctx, b, defaultLimits())
	}
	return s, err
}

// key returns the key of an order and of its progress reports.
func key(label, job string) string { return label + "." + job }

// put writes an entry as JSON.
func put(ctx context.Context, bucket *bus.Bucket, key string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return write(ctx, bucket, key, data)
}

// write writes an entry's bytes.
func write(ctx context.Context, bucket *bus.Bucket, key string, data []byte) error {
	return bus.Full(bus.Retry(ctx, func(ctx context.Context) error {
		_, err := bucket.Put(ctx, key, data)
		return err
	}))
}

// get reads an entry into `into`. It returns false if there is none.
func get(ctx context.Context, bucket *bus.Bucket, key string, into any) (bool, error) {
	var entry *bus.Entry
	err := bus.Retry(ctx, func(ctx context.Context) (err error) {
		entry, err = bucket.Get(ctx, key)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, json.Unmarshal(entry.Value, into)
}

// Agents returns the cards of the live agents by label.
func (s *Space) Agents(ctx context.Context) (map[string]Card, error) {
	var keys []string
	err := bus.Retry(ctx, func(ctx context.Context) (err error) {
		keys, err = s.cards.Keys(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	agents := map[string]Card{}
	for _, label := range keys {
		var card Card
		switch there, err := get(ctx, s.cards, label, &card); {
		case err != nil:
			return nil, fmt.Errorf("the card of %s: %w", label, err)
		case there && card.Label == label:
			agents[label] = card
		}
	}
	return agents, nil
}
