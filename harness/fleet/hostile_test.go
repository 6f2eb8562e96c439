package fleet

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/chiasmus/chiasmus/harness"
	"github.com/chiasmus/chiasmus/harness/report"
	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/bustest"
	"github.com/chiasmus/chiasmus/internal/bus/server"
)

// hostile speaks plain NATS with a member's credential.
func hostile(t *testing.T, s *server.Server, member string) (*nats.Conn, *bustest.Plain) {
	t.Helper()
	plain, err := bustest.ReadPlain(s.Credential(member))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := plain.Plain(s.URL(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn, plain
}

// anOrder is a valid order.
func anOrder(job string) Order {
	sha := strings.Repeat("ab", 20)
	return Order{Schema: OrderSchema, Job: job, Base: sha, Head: sha, Pairs: 6}
}

// A bench with its own credential cannot make another host run anything: not by an order, not by a consumer that
// delivers its own objects to the other's inbox, and not by a reply to its own request.
func TestBenchesOrderNothing(t *testing.T) {
	s, folder := arena(t), t.TempDir()
	a, _ := hostile(t, s, "a")
	_, b := hostile(t, s, "b")
	order, err := json.Marshal(anOrder("evil"))
	if err != nil {
		t.Fatal(err)
	}
	own, target := "harness-objects.a.b.evil", "$KV.harness-orders.b.evil"
	last := []byte(`{"last_by_subj":"` + own + `"}`)
	if _, err := a.Request(own, order, 5*time.Minute); err != nil {
		t.Fatal(err)
	}
	consumer := []byte(`{"stream_name":"harness-objects","config":{"name":"evil","deliver_subject":"` +
		bus.InboxPrefix(b.Public) + `.x","filter_subject":"` + own + `"}}`)
	heard := 0
	_, err = a.Subscribe("_INBOX.>", func(*nats.Msg) { heard++ })
	if err != nil {
		t.Fatal(err)
	}
	for _, try := range []struct {
		subject, reply string
		data           []byte
	}{
		{target, "", order},
		{"$JS.API.CONSUMER.CREATE.harness-objects.evil." + own, "", consumer},
		{"$JS.API.CONSUMER.DURABLE.CREATE.harness-objects.evil", "", consumer},
		{bus.GetSubject("harness-objects"), target, last},
		{bus.GetSubject("harness-objects"), bus.InboxPrefix(b.Public) + ".x", last},
		{"$JS.API.DIRECT.GET.harness-objects." + own, target, nil},
		{own, target, order},
		{"$KV.harness-tellings.a.evil", target, order},
		{"$KV.harness-cards.a", target, order},
	} {
		if err := a.PublishMsg(&nats.Msg{Subject: try.subject, Reply: try.reply, Data: try.data}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Request(own, order, 5*time.Minute); err != nil { // the server has processed the earlier ones
		t.Fatal(err)
	}
	coordinator := space(t, s, CoordinatorRole)
	if keys, err := coordinator.orders.Keys(t.Context()); err != nil || len(keys) != 0 {
		t.Errorf("there are orders %v, %v", keys, err)
	}
	ordered(t, coordinator, "b.good", anOrder("good"))
	progress := carriedOutBy(t, s, &Agent{Folder: folder}, "b", "good")
	if !strings.Contains(progress.Error, "index") {
		t.Errorf("the order without files ended with %q", progress.Error)
	}
	if heard != 0 {
		t.Errorf("%d messages to others' inboxes are heard", heard)
	}
	if _, err := get(t.Context(), coordinator.progress, "b.evil", new(Progress)); err != nil {
		t.Error(err)
	}
}

// An agent executes only orders that the coordinator's key signed for this agent and job. It executes no other order
// that the server sends, and reports the reason to the coordinator.
func TestOrdersAreSigned(t *testing.T) {
	s, folder := arena(t), t.TempDir()
	coordinator := space(t, s, CoordinatorRole)
	inside, err := s.Inside()
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	server, err := Open(t.Context(), inside)
	if err != nil {
		t.Fatal(err)
	}
	seal := func(from *Space, purpose, job string, left time.Duration) []byte {
		t.Helper()
		data, err := json.Marshal(anOrder(job))
		if err == nil {
			data, err = from.bus.Seal(purpose, time.Now().Add(left), data)
		}
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	plain, err := json.Marshal(anOrder("plain"))
	if err != nil {
		t.Fatal(err)
	}
	foreign := space(t, arena(t), CoordinatorRole)
	agent := &Agent{Folder: folder, Compare: func(context.Context, harness.Options) (*report.Report, error) {
		t.Error("the agent runs something")
		return nil, os.ErrInvalid
	}}
	for job, tc := range map[string]struct {
		data []byte
		want string
	}{
		"plain":     {plain, "it is not signed"},
		"foreign":   {seal(foreign, purpose("a", "foreign"), "foreign", time.Hour), "its signature is not that of"},
		"another-s": {seal(coordinator, purpose("b", "another-s"), "another-s", time.Hour), "it was signed for"},
		"replayed":  {seal(coordinator, purpose("a", "earlier"), "earlier", time.Hour), "it was signed for"},
		"late":      {seal(coordinator, purpose("a", "late"), "late", -time.Second), "it expired on"},
		"within":    {seal(coordinator, purpose("a", "within"), "other", time.Hour), "sent under within"},
	} {
		if err := write(t.Context(), server.orders, key("a", job), tc.data); err != nil {
			t.Fatal(err)
		}
		progress := carriedOut(t, s, agent, job)
		if progress.Report != nil || !strings.Contains(progress.Error, tc.want) {
			t.Errorf("%s: %+v, want %q", job, progress, tc.want)
		}
	}
}

// An order is executed once, even if its signature is still valid and the server has lost the record of its end.
func TestOrdersAreCarriedOutOnce(t *testing.T) {
	s, folder := arena(t), t.TempDir()
	coordinator := space(t, s, CoordinatorRole)
	ordered(t, coordinator, "a.job", anOrder("job"))
	first := carriedOut(t, s, &Agent{Folder: folder}, "job")
	if !strings.Contains(first.Error, "index") {
		t.Fatalf("%+v", first)
	}
	if err := coordinator.progress.Delete(t.Context(), "a.job"); err != nil {
		t.Fatal(err)
	}
	progress := carriedOut(t, s, &Agent{Folder: folder}, "job")
	if !strings.Contains(progress.Error, "job job ended here on") {
		t.Errorf("%+v", progress)
	}
}

// The agent refuses a credential of an earlier release, and says what to do.
func TestOldCredentials(t *testing.T) {
	s := arena(t)
	text, err := os.ReadFile(s.Credential("a"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	for want, old := range map[string]string{
		"it was written by an earlier release and has no holder's name: start the server once": lines[0],
		"has no line orders-from": lines[0] + lines[1],
	} {
		path := t.TempDir() + "/a.nk"
		if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := bus.Dial(bus.Options{URL: s.URL(), Credential: path})
		if err == nil {
			var opened *Space
			if opened, err = Open(t.Context(), b); err == nil {
				err = (&Agent{Space: opened, Label: "a", Folder: t.TempDir(), Log: t.Logf}).Run(t.Context())
			}
			b.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
