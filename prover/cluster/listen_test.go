package cluster

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// countedBucket counts who watches it.
type countedBucket struct {
	jetstream.KeyValue
	watched atomic.Int32
}

func (b *countedBucket) Watch(
	ctx context.Context, keys string, o ...jetstream.WatchOpt,
) (jetstream.KeyWatcher, error) {
	b.watched.Add(1)
	return b.KeyValue.Watch(ctx, keys, o...)
}

// A coordinator asks a server that was started again for what it watches, at once. Nobody else does: the library would
// after ten seconds.
func TestWatchesAfterRestart(t *testing.T) {
	folder := t.TempDir()
	a := serve(t, "127.0.0.1:0", folder)
	_, err := Make(t.Context(), a.dial(t, ClientRole), quick())
	must(t, err)
	options := coordination()
	options.Poll = time.Minute // nothing but the connection's return makes it ask anew within the test
	c := a.submit(t, order(t, 63, 60, 2), options)
	bucket := &countedBucket{KeyValue: c.space.results}
	go c.watch(t.Context(), bucket, c.id+".>")
	if <-c.updates != nil {
		t.Error("there is a result")
	}
	listen := a.URL()[len("nats://"):]
	must(t, a.Close())
	back := serve(t, listen, folder)
	key := resultKey(c.id, commitTag, 0, "worker.one.cpu")
	must(t, back.space(t, WorkerRole).tell(t.Context(), key, &Result{Unable: "here"}))
	for deadline := time.After(20 * time.Second); ; {
		select {
		case entry := <-c.updates:
			if entry == nil || entry.Key() != key {
				continue
			}
			if bucket.watched.Load() != 2 {
				t.Errorf("watched %d times", bucket.watched.Load())
			}
			return
		case <-deadline:
			t.Fatalf("the result is not heard of; watched %d times", bucket.watched.Load())
		}
	}
}
