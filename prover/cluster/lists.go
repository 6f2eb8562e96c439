package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// WorkerSeat is an entry of Workers.
type WorkerSeat struct {
	Seat string // NAME/HOST/SEAT
	Presence
}

// Workers lists the seats whose presence was received recently.
func (s *Space) Workers(ctx context.Context) ([]WorkerSeat, error) {
	keys, err := keysOf(ctx, s.workers)
	if err != nil {
		return nil, fmt.Errorf("workers: %w", err)
	}
	var list []WorkerSeat
	for _, key := range keys {
		entry, err := s.workers.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) || err == nil && time.Since(entry.Created) > presences*s.lease {
			continue
		}
		w := WorkerSeat{Seat: seatName(key).shown()}
		if err == nil {
			err = json.Unmarshal(entry.Value, &w.Presence)
		}
		if err != nil {
			return nil, fmt.Errorf("worker %s: %w", key, err)
		}
		list = append(list, w)
	}
	return list, nil
}

// Exclusions lists the workers that are excluded, and why.
func (s *Space) Exclusions(ctx context.Context) ([]ExcludedError, error) {
	keys, err := keysOf(ctx, s.exclusions)
	if err != nil {
		return nil, fmt.Errorf("list excluded workers: %w", err)
	}
	var list []ExcludedError
	for _, key := range keys {
		err := s.excluded(ctx, key)
		refusal := new(ExcludedError)
		if !errors.As(err, &refusal) {
			if err != nil {
				return nil, err
			}
			continue
		}
		list = append(list, *refusal)
	}
	return list, nil
}

// keysOf returns a bucket's keys in order.
func keysOf(ctx context.Context, bucket *bus.Bucket) (keys []string, err error) {
	err = bus.Retry(ctx, func(ctx context.Context) (err error) {
		keys, err = bucket.Keys(ctx)
		return err
	})
	return keys, err
}
