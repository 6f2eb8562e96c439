package cluster

import (
	"testing"
	"time"
)

// After a server restart, a coordinator watches again, and receives what is reported then.
func TestWatchesAfterRestart(t *testing.T) {
	folder := t.TempDir()
	a := serve(t, "127.0.0.1:0", folder)
	a.prepared(t, quick())
	options := coordination()
	options.Poll = time.Minute // within the test, only the connection's return makes it watch again
	c := a.submit(t, order(t, 63, 60, 2), options)
	entries, err := c.space.results.Watch(t.Context(), c.id+".>", nil)
	must(t, err)
	go c.follow(t.Context(), entries)
	if <-c.updates != nil {
		t.Error("there is a result")
	}
	listen := a.URL()[len("nats://"):]
	must(t, a.Close())
	back := serve(t, listen, folder)
	key := resultKey(c.id, commitTag, 0, "worker.one.cpu")
	must(t, back.space(t, WorkerRole).report(t.Context(), key, &shardResult{Unable: "here"}))
	for deadline := time.After(generous); ; {
		select {
		case entry := <-c.updates:
			if entry != nil && entry.Key == key {
				return
			}
		case <-deadline:
			t.Fatal("the result is not heard of")
		}
	}
}
