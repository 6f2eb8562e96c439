package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/prover/protocol"
)

// The names of a cluster's streams, buckets and store in a server. The bucket of excluded workers keeps its former
// name: permissions of foreign NATS servers name it, and a new bucket would admit the workers that the old one
// excludes.
const (
	tasksStream      = "chiasmus-tasks"
	jobsBucket       = "chiasmus-jobs"
	resultsBucket    = "chiasmus-results"
	workersBucket    = "chiasmus-workers"
	exclusionsBucket = "chiasmus-shut-out"
	objectsStore     = "chiasmus-objects"

	taskSubjects = "chiasmus.task."
	anyConsumer  = "any"
)

// Limits bound a cluster's storage and waiting times.
type Limits struct {
	StoreBytes int64         // of programs, inputs and proofs together
	Expiry     time.Duration // of programs, inputs, proofs, jobs and results

	// Lease is the time that a seat may be silent before its task goes to another seat.
	Lease time.Duration
}

// DefaultLimits returns the limits of a cluster that was created without any.
func DefaultLimits() Limits {
	return Limits{StoreBytes: 64 << 30, Expiry: 7 * 24 * time.Hour, Lease: 30 * time.Second}
}

// maxObjectBytes is the maximum size of a program, input or proof.
const maxObjectBytes = protocol.MaxSetBytes

// presences is the number of leases for which a worker counts as present after its last announcement.
const presences = 2

// Space is a cluster's streams, buckets and objects in a server.
type Space struct {
	bus                                *bus.Bus
	tasks                              jetstream.Stream
	jobs, results, workers, exclusions *bus.Bucket
	objects                            *bus.Objects
	lease, expiry                      time.Duration
}

// Make creates a cluster in a server, or changes the limits of an existing one.
func Make(ctx context.Context, b *bus.Bus, l Limits) (*Space, error) {
	tasks := jetstream.StreamConfig{
		Name: tasksStream, Subjects: []string{taskSubjects + ">"}, Retention: jetstream.WorkQueuePolicy,
		MaxAge: l.Expiry, Duplicates: min(l.Expiry, 2*time.Minute),
	}
	err := bus.Retry(ctx, func(ctx context.Context) error {
		stream, err := b.JetStream.CreateOrUpdateStream(ctx, tasks)
		if err != nil {
			return err
		}
		_, err = stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: anyConsumer, FilterSubject: taskSubjects + "any.>", AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: l.Lease, MaxAckPending: -1,
		})
		return err
	})
	for _, bucket := range []bus.BucketConfig{
		{Name: jobsBucket, Expiry: l.Expiry}, {Name: resultsBucket, Expiry: l.Expiry},
		{Name: workersBucket, Expiry: presences * l.Lease}, {Name: exclusionsBucket, Purges: true},
	} {
		if err == nil {
			_, err = b.MakeBucket(ctx, bucket)
		}
	}
	if err == nil {
		_, err = b.MakeObjects(ctx, objectsStore, objectLimits(l))
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", bus.Full(err))
	}
	return Open(ctx, b)
}

func objectLimits(l Limits) bus.Limits {
	return bus.Limits{ObjectBytes: maxObjectBytes, StoreBytes: l.StoreBytes, Expiry: l.Expiry}
}

// Open opens the cluster in a server. If there is none, the error wraps [jetstream.ErrStreamNotFound].
func Open(ctx context.Context, b *bus.Bus) (*Space, error) {
	s := &Space{bus: b}
	err := bus.Retry(ctx, func(ctx context.Context) (err error) {
		if s.tasks, err = b.JetStream.Stream(ctx, tasksStream); err != nil {
			return err
		}
		for name, kept := range map[string]**bus.Bucket{
			jobsBucket: &s.jobs, resultsBucket: &s.results, workersBucket: &s.workers, exclusionsBucket: &s.exclusions,
		} {
			if *kept, err = b.Bucket(ctx, name); err != nil {
				return err
			}
		}
		s.lease = s.workers.Expiry() / presences
		return nil
	})
	if err == nil {
		s.expiry = s.tasks.CachedInfo().Config.MaxAge
		s.objects, err = b.Objects(ctx, objectsStore, objectLimits(Limits{Expiry: s.expiry}))
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return s, nil
}

// Join opens the cluster in a server, or creates one with the default limits.
func Join(ctx context.Context, b *bus.Bus) (*Space, error) {
	s, err := Open(ctx, b)
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) {
		return Make(ctx, b, DefaultLimits())
	}
	return s, err
}
