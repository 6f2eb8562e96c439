package bus

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// An answer on another subject is dropped and reported. Here the answer does not come from JetStream.
func TestStrayEntries(t *testing.T) {
	s, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true})
	must(t, err)
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(5 * time.Minute) {
		t.Fatal("the server does not start")
	}
	b, err := Dial(Options{URL: s.ClientURL()})
	must(t, err)
	t.Cleanup(b.Close)
	answers := make(chan string)
	_, err = b.Conn.Subscribe(GetSubject("KV_things"), func(m *nats.Msg) { _ = m.Respond([]byte(<-answers)) })
	must(t, err)
	message := func(subject string) string {
		return `{"message":{"subject":"` + subject + `","seq":7,"data":"bGll","time":"2026-01-01T00:00:00Z"}}`
	}
	k := &Bucket{bus: b, name: "things"}
	answer := func(text string) { go func() { answers <- text }() }
	answer(message("$KV.elsewhere.a"))
	if _, err := k.Get(t.Context(), "a"); !isStray(err) {
		t.Errorf("%v, want the answer dropped", err)
	}
	answer(message("$KV.things.a"))
	if entry, err := k.Get(t.Context(), "a"); err != nil || string(entry.Value) != "lie" {
		t.Errorf("%+v, %v", entry, err)
	}
	answer(`{"message":{"subject":"$KV.things.a","seq":3,"time":"2026-01-01T00:00:00Z"}}`)
	if _, err := b.next(t.Context(), "KV_things", "$KV.things.>", 4); err == nil {
		t.Error("an earlier message than requested is accepted")
	}
	const missing = `{"error":{"code":404,"err_code":10037}}`
	answer(missing)
	if _, err := k.Get(t.Context(), "a"); !errors.Is(err, jetstream.ErrKeyNotFound) {
		t.Error(err)
	}
	answer("{}")
	if _, err := k.Get(t.Context(), "a"); err == nil {
		t.Error("an answer without a message counts")
	}

	// A key that changes during the listing arrives twice: it is listed once, and not at all if it was deleted.
	go func() {
		for seq, subject := range []string{"$KV.things.b", "$KV.things.a", "$KV.things.b", "$KV.things.c"} {
			answers <- fmt.Sprintf(`{"message":{"subject":"%s","seq":%d,"time":"2026-01-01T00:00:00Z"}}`, subject, seq+1)
		}
		answers <- `{"message":{"subject":"$KV.things.c","seq":5,"hdrs":"` + base64.StdEncoding.EncodeToString(
			[]byte("NATS/1.0\r\nKV-Operation: DEL\r\n\r\n")) + `","time":"2026-01-01T00:00:00Z"}}`
		answers <- missing
	}()
	if keys, err := k.Keys(t.Context()); err != nil || !slices.Equal(keys, []string{"a", "b"}) {
		t.Errorf("keys %q, %v", keys, err)
	}

	said := make(chan string, 8)
	ctx, end := context.WithCancel(t.Context())
	entries, err := k.Watch(ctx, "a", func(line string) { said <- line })
	must(t, err)
	answers <- message("$KV.things.b")
	if line := <-said; line != `an entry of "$KV.things.b" is dropped: "$KV.things.a" was requested` {
		t.Error(line)
	}
	answers <- message("$KV.things.a")
	if entry := <-entries; entry == nil || entry.Key != "a" {
		t.Errorf("%+v", entry)
	}
	answers <- missing
	<-entries
	end()

	// A watcher that is woken before the stream has the message asks again.
	late, err := k.watch(t.Context(), "b", nil, time.Hour)
	must(t, err)
	answers <- missing
	if entry := <-late; entry != nil {
		t.Errorf("%+v", entry)
	}
	must(t, b.Conn.Publish("$KV.things.b", nil))
	for _, answer := range []string{missing, missing, message("$KV.things.b")} {
		select {
		case answers <- answer:
		case <-time.After(5 * time.Minute):
			t.Fatal("the watcher does not ask again")
		}
	}
	if entry := <-late; entry == nil || entry.Key != "b" {
		t.Errorf("%+v", entry)
	}
}
