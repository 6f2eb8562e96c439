package server_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/server"
)

// bucket makes a bucket in a new server.
func bucket(t *testing.T, c bus.BucketConfig) (*bus.Bus, *bus.Bucket) {
	t.Helper()
	b := dial(t, start(t, server.Options{}), "all")
	made, err := b.MakeBucket(t.Context(), c)
	must(t, err)
	return b, made
}

// An entry is read back unless it was deleted, and can be changed only by a writer that has seen its latest state.
func TestBucket(t *testing.T) {
	b, k := bucket(t, bus.BucketConfig{Name: "things", Expiry: time.Hour, Purges: true})
	ctx := t.Context()
	_, err := k.Get(ctx, "a.b")
	if !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Error(err)
	}
	first, err := k.Create(ctx, "a.b", []byte("one"))
	must(t, err)
	_, err = k.Create(ctx, "a.b", []byte("two"))
	if !errors.Is(err, jetstream.ErrKeyExists) {
		t.Error(err)
	}
	_, err = k.Update(ctx, "a.b", []byte("two"), first)
	must(t, err)
	_, err = k.Update(ctx, "a.b", []byte("three"), first)
	if !errors.Is(err, jetstream.ErrKeyExists) {
		t.Error(err)
	}
	_, err = k.Put(ctx, "c", []byte("c"))
	must(t, err)
	entry, err := k.Get(ctx, "a.b")
	must(t, err)
	if string(entry.Value) != "two" || entry.Key != "a.b" || entry.Bucket != "things" || entry.Deleted ||
		time.Since(entry.Created) > time.Minute {
		t.Errorf("%+v", entry)
	}
	must(t, k.Delete(ctx, "c"))
	if keys, err := k.Keys(ctx); err != nil || strings.Join(keys, " ") != "a.b" {
		t.Errorf("%v, %v", keys, err)
	}
	if _, err := k.Create(ctx, "c", nil); err != nil {
		t.Errorf("after a deletion: %v", err)
	}
	must(t, k.Purge(ctx, "a.b"))
	if _, err := k.Get(ctx, "a.b"); !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Error(err)
	}
	for _, key := range []string{"", "*", ">", "a..b", ".a", "a.", "a b"} {
		_, err := k.Put(ctx, key, nil)
		refuses(t, err, "is not a key")
	}
	_, err = b.Bucket(ctx, "none")
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		t.Error(err)
	}
	again, err := b.Bucket(ctx, "things")
	must(t, err)
	if again.Expiry() != time.Hour {
		t.Errorf("it expires after %v", again.Expiry())
	}
}

// A bucket of an earlier release can be taken over. Its writers can no longer delete the entries of others.
func TestBucketOfAnEarlierRelease(t *testing.T) {
	b := dial(t, start(t, server.Options{}), "all")
	_, err := b.JetStream.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "things", TTL: time.Hour})
	must(t, err)
	k, err := b.MakeBucket(t.Context(), bus.BucketConfig{Name: "things", Expiry: time.Hour})
	must(t, err)
	_, err = k.Put(t.Context(), "a", nil)
	must(t, err)
	reply, err := b.Conn.RequestMsg(&nats.Msg{
		Subject: "$KV.things.b", Header: nats.Header{jetstream.MsgRollup: {jetstream.MsgRollupAll}},
	}, 5*time.Minute)
	must(t, err)
	refuses(t, errors.New(string(reply.Data)), "rollup not permitted")
}

// A watcher receives the existing entries, nil, and changes, for matching keys only.
func TestWatch(t *testing.T) {
	b, k := bucket(t, bus.BucketConfig{Name: "things"})
	put := func(key, value string) {
		t.Helper()
		_, err := k.Put(t.Context(), key, []byte(value))
		must(t, err)
	}
	put("a.x", "1")
	put("b.x", "2")
	ctx, end := context.WithCancel(t.Context())
	entries, err := k.Watch(ctx, "a.*", nil)
	must(t, err)
	hear := func(want string) {
		t.Helper()
		select {
		case entry := <-entries:
			have := "nil"
			if entry != nil {
				have = entry.Key + "=" + string(entry.Value)
			}
			if entry != nil && entry.Deleted {
				have += "deleted"
			}
			if have != want {
				t.Fatalf("received %q, want %q", have, want)
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("nothing arrives, want %q", want)
		}
	}
	hear("a.x=1")
	hear("nil")
	for i := range 50 { // a subscriber can receive a message before the stream has it
		put("b.x", "3")
		put("a.y", string(rune('a'+i%26)))
		hear("a.y=" + string(rune('a'+i%26)))
	}
	must(t, k.Delete(t.Context(), "a.x"))
	hear("a.x=deleted")
	must(t, b.Conn.Publish("$KV.elsewhere.a.x", []byte("no bucket has it")))
	put("a.z", "last")
	hear("a.z=last")
	end()
	for range entries {
	}
}

// An object of several chunks is read back whole, and an object with a missing chunk is not.
func TestChunks(t *testing.T) {
	b := dial(t, start(t, server.Options{}), "all")
	objects, err := b.MakeObjects(t.Context(), "things", bus.Limits{ObjectBytes: 4 << 20, StoreBytes: 16 << 20})
	must(t, err)
	data := make([]byte, 3<<20+5)
	_, _ = rand.Read(data)
	digest, err := objects.Put(t.Context(), data)
	must(t, err)
	got, err := objects.Get(t.Context(), digest)
	must(t, err)
	if !bytes.Equal(got, data) {
		t.Errorf("%d bytes come back", len(got))
	}
	stream, err := b.JetStream.Stream(t.Context(), "things")
	must(t, err)
	last := "things.all." + digest.String() + ".12"
	must(t, stream.Purge(t.Context(), jetstream.WithPurgeSubject(last)))
	_, err = objects.Get(t.Context(), digest)
	if !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Errorf("without its last chunk: %v", err)
	}
	_, err = objects.Put(t.Context(), data)
	must(t, err)
	if _, err = objects.Get(t.Context(), digest); err != nil {
		t.Errorf("put again: %v", err)
	}

	one := bus.DigestOf([]byte("one"))
	_, err = b.JetStream.Publish(t.Context(), "things.all."+one.String()+".0", nil) // kept if there is no room
	must(t, err)
	_, err = objects.Get(t.Context(), one)
	if !errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Errorf("of an empty chunk: %v", err)
	}
	_, err = objects.Put(t.Context(), []byte("one"))
	must(t, err)
	if got, err = objects.Get(t.Context(), one); err != nil || string(got) != "one" {
		t.Errorf("put again: %q, %v", got, err)
	}
}

// Putting an object again keeps it while half of its lifetime is left, and rewrites it after that. If there is no room
// to rewrite it, the old object stays.
func TestObjectsAge(t *testing.T) {
	b := dial(t, start(t, server.Options{}), "all")
	limits := bus.Limits{ObjectBytes: 1 << 20, StoreBytes: 600 << 10, Expiry: time.Hour}
	objects, err := b.MakeObjects(t.Context(), "things", limits)
	must(t, err)
	data := make([]byte, 500<<10)
	_, _ = rand.Read(data)
	last := func() uint64 {
		t.Helper()
		stream, err := b.JetStream.Stream(t.Context(), "things")
		must(t, err)
		return stream.CachedInfo().State.LastSeq
	}
	put := func(objects *bus.Objects) error {
		t.Helper()
		_, err := objects.Put(t.Context(), data)
		return err
	}
	must(t, put(objects))
	first := last()
	must(t, put(objects))
	if last() != first {
		t.Error("an object was written twice")
	}
	limits.Expiry = time.Nanosecond // half of it is over
	old, err := b.Objects(t.Context(), "things", limits)
	must(t, err)
	err = put(old)
	if full := new(bus.FullError); err != nil && !errors.As(err, &full) {
		t.Error(err)
	}
	if err == nil && last() == first {
		t.Error("an old object was not written anew")
	}
	if got, err := objects.Get(t.Context(), bus.DigestOf(data)); err != nil || !bytes.Equal(got, data) {
		t.Errorf("it comes back with %d bytes, %v", len(got), err)
	}
}
