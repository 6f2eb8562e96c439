package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/server"
	"github.com/chiasmus/chiasmus/prover/stark"
)

// The names of all that a cluster has in a server.
const (
	tasksStream   = "chiasmus-tasks"
	jobsBucket    = "chiasmus-jobs"
	resultsBucket = "chiasmus-results"
	workersBucket = "chiasmus-workers"
	shutOutBucket = "chiasmus-shut-out"
	objectsBucket = "chiasmus-objects"

	taskSubjects = "chiasmus.task."
	anyConsumer  = "any"
)

// Limits are how much a cluster keeps, and how long it waits.
type Limits struct {
	StoreBytes int64         // of programs, inputs and proofs together
	Expiry     time.Duration // after which they go, with jobs and results

	// Lease is how long a seat may be silent before its task goes to another.
	Lease time.Duration
}

// DefaultLimits are those of a cluster of which nothing else was asked.
func DefaultLimits() Limits {
	return Limits{StoreBytes: 64 << 30, Expiry: 7 * 24 * time.Hour, Lease: 30 * time.Second}
}

// maxObjectBytes is the longest program, input or proof.
const maxObjectBytes = stark.MaxSetBytes

// presences is how many leases a worker that was heard of is taken to be there.
const presences = 2

// Space is a cluster's place in a server.
type Space struct {
	bus                             *bus.Bus
	tasks                           jetstream.Stream
	jobs, results, workers, shutOut jetstream.KeyValue
	objects                         *bus.Objects
	lease                           time.Duration
}

// Make makes a cluster in a server, or gives one that is there these limits.
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
	for _, bucket := range []jetstream.KeyValueConfig{
		{Bucket: jobsBucket, TTL: l.Expiry}, {Bucket: resultsBucket, TTL: l.Expiry},
		{Bucket: workersBucket, TTL: presences * l.Lease}, {Bucket: shutOutBucket},
	} {
		if err == nil {
			err = bus.Retry(ctx, func(ctx context.Context) error {
				_, err := b.JetStream.CreateOrUpdateKeyValue(ctx, bucket)
				return err
			})
		}
	}
	if err == nil {
		_, err = b.MakeObjects(ctx, objectsBucket, objectLimits(l))
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", bus.Full(err))
	}
	return Open(ctx, b)
}

func objectLimits(l Limits) bus.Limits {
	return bus.Limits{ObjectBytes: maxObjectBytes, StoreBytes: l.StoreBytes, Expiry: l.Expiry}
}

// Open finds the cluster in a server. A server without one is an error that wraps [jetstream.ErrStreamNotFound].
func Open(ctx context.Context, b *bus.Bus) (*Space, error) {
	s := &Space{bus: b}
	err := bus.Retry(ctx, func(ctx context.Context) (err error) {
		if s.tasks, err = b.JetStream.Stream(ctx, tasksStream); err != nil {
			return err
		}
		for name, kept := range map[string]*jetstream.KeyValue{
			jobsBucket: &s.jobs, resultsBucket: &s.results, workersBucket: &s.workers, shutOutBucket: &s.shutOut,
		} {
			if *kept, err = b.JetStream.KeyValue(ctx, name); err != nil {
				return err
			}
		}
		consumer, err := s.tasks.Consumer(ctx, anyConsumer)
		if err == nil {
			s.lease = consumer.CachedInfo().Config.AckWait
		}
		return err
	})
	if err == nil {
		limits := Limits{Expiry: s.tasks.CachedInfo().Config.MaxAge}
		s.objects, err = b.Objects(ctx, objectsBucket, objectLimits(limits))
	}
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return s, nil
}

// Join opens the cluster in a server, and makes it with what it has by default where there is none.
func Join(ctx context.Context, b *bus.Bus) (*Space, error) {
	s, err := Open(ctx, b)
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) ||
		errors.Is(err, jetstream.ErrConsumerNotFound) {
		return Make(ctx, b, DefaultLimits())
	}
	return s, err
}

// The roles that every server of a cluster has.
const (
	ClientRole = "client" // asks for proofs, and coordinates
	WorkerRole = "worker" // the name of workers that have no credential of their own
)

// Roles are those of a server: of clients, who may do everything; and of workers, who take tasks and tell results, each
// under the name of its credential alone.
func Roles(workers ...string) []server.Role {
	roles := []server.Role{{Name: ClientRole}}
	for _, name := range append([]string{WorkerRole}, workers...) {
		roles = append(roles, workerRole(name))
	}
	return roles
}

// workerRole lets a worker read all that a cluster has, take tasks, put objects there, and write its own results.
func workerRole(name string) server.Role {
	const api = "$JS.API."
	publish := []string{
		api + "INFO", api + "STREAM.INFO.*", api + "DIRECT.GET.>", api + "STREAM.MSG.GET.*",
		api + "CONSUMER.INFO.>", api + "CONSUMER.MSG.NEXT." + tasksStream + ".>",
		api + "CONSUMER.CREATE." + tasksStream + ".*." + taskSubjects + "on." + name + ".>",
		"$JS.ACK." + tasksStream + ".>", "$JS.FC.>",
		"$O." + objectsBucket + ".>",
		"$KV." + resultsBucket + ".*.*.*." + name + ".>", "$KV." + workersBucket + "." + name + ".>",
	}
	for _, stream := range []string{
		"OBJ_" + objectsBucket, "KV_" + resultsBucket, "KV_" + workersBucket, "KV_" + shutOutBucket, "KV_" + jobsBucket,
	} {
		publish = append(publish, api+"CONSUMER.CREATE."+stream+".>", api+"CONSUMER.DELETE."+stream+".>")
	}
	return server.Role{
		Name: name, Publish: publish,
		Subscribe: []string{"_INBOX.>", taskSubjects + "any.>", taskSubjects + "on." + name + ".>"},
	}
}
