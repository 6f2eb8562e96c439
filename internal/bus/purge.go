package bus

import (
	"context"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Purge marks an entry as deleted and removes the key's history. The bucket must have been made with Purges.
func (k *Bucket) Purge(ctx context.Context, key string) error {
	_, err := k.write(ctx, key, nil, nats.Header{
		operationHeader: {purged}, jetstream.MsgRollup: {jetstream.MsgRollupSubject},
	})
	return err
}
