package cluster

import (
	"encoding/json"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/chiasmus/chiasmus/internal/bus"
	"github.com/chiasmus/chiasmus/internal/bus/bustest"
)

// hostile speaks plain NATS with a member's credential.
func (a *arena) hostile(t *testing.T, member string) (*nats.Conn, *bustest.Plain) {
	t.Helper()
	plain, err := bustest.ReadPlain(a.Credential(member))
	must(t, err)
	conn, err := plain.Plain(a.URL(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	must(t, err)
	t.Cleanup(conn.Close)
	return conn, plain
}

// overheard returns the subjects of everything published in the streams' account.
func (a *arena) overheard(t *testing.T) (subjects func() map[string]bool) {
	t.Helper()
	inside, err := a.Inside()
	must(t, err)
	t.Cleanup(inside.Close)
	var mu sync.Mutex
	heard := map[string]bool{}
	_, err = inside.Conn.Subscribe(">", func(m *nats.Msg) {
		mu.Lock()
		defer mu.Unlock()
		heard[m.Subject] = true
	})
	must(t, err)
	must(t, inside.Conn.Flush())
	return func() map[string]bool {
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(heard) // the cluster's own requests still arrive
	}
}

// A worker that makes a request and names another's subject for the answer sends nothing there: neither to an inbox,
// nor into a stream, nor to JetStream. If all shared one account, the server would publish to a subject that the
// worker chooses.
func TestAnswersStayInTheAccount(t *testing.T) {
	a := cluster(t, "north")
	north, _ := a.hostile(t, "north")
	_, client := a.hostile(t, ClientRole)
	heard := a.overheard(t)
	asks := map[string]string{
		"$JS.API.STREAM.INFO." + tasksStream:                             "",
		bus.GetSubject(objectsStore):                                     `{"last_by_subj":"chiasmus-objects.north.x.0"}`,
		"$JS.API.DIRECT.GET.chiasmus-objects.chiasmus-objects.north.x.0": "",
		"$KV." + resultsBucket + ".job.commit.0.north.host.seat":         "{}",
		"$KV." + workersBucket + ".north.host.seat":                      "{}",
		"chiasmus-objects.north.x.0":                                     `{"why":"a lie"}`,
		askSubjects + "north.host.seat":                                  "",
		answerSubjects + "north.host.seat":                               "{}",
	}
	for subject := range asks {
		for _, target := range []string{
			"$KV." + exclusionsBucket + ".client.host", "$KV." + jobsBucket + ".job", taskSubjects + "any.job.commit.0.0",
			"$KV." + resultsBucket + ".job.commit.0.worker.host.seat", "$JS.API.STREAM.PURGE." + tasksStream,
			bus.InboxPrefix(client.Public) + ".answer",
		} {
			must(t, north.PublishRequest(subject, target, []byte(asks[subject])))
		}
		_, err := north.Request(subject, []byte(asks[subject]), generous) // earlier requests are processed by then
		if err != nil {
			t.Fatalf("%s: %v", subject, err)
		}
	}
	subjects := heard()
	for subject := range subjects {
		_, asked := asks[subject]
		own := asked || strings.HasPrefix(subject, "_R_.") || strings.HasPrefix(subject, "_INBOX.") &&
			!strings.Contains(subject, client.Public) || strings.HasPrefix(subject, "$JS.API.CONSUMER") ||
			strings.HasPrefix(subject, "$JS.EVENT.")
		if !own {
			t.Errorf("the server published to %s", subject)
		}
	}
	if !subjects["chiasmus-objects.north.x.0"] {
		t.Error("nothing is overheard at all")
	}
}

// A worker can neither delete another's messages nor act as another by a header in its own message.
func TestHeadersOfWorkers(t *testing.T) {
	a := cluster(t, "north")
	client, ctx := a.space(t, ClientRole), t.Context()
	honest := a.space(t, WorkerRole)
	theirs := resultKey("job", commitTag, 0, "worker.host.seat")
	must(t, honest.report(ctx, theirs, &shardResult{Unable: "here"}))
	_, err := honest.objects.Put(ctx, []byte("proof"))
	must(t, err)
	must(t, honest.workers.Delete(ctx, "worker.host.seat")) // it need not exist

	north, _ := a.hostile(t, "north")
	for _, subject := range []string{
		"$KV." + resultsBucket + ".job.commit.1.north.host.seat", "$KV." + workersBucket + ".north.host.seat",
		"chiasmus-objects.north.x.0",
	} {
		for _, rollup := range []string{jetstream.MsgRollupAll, jetstream.MsgRollupSubject} {
			reply, err := north.RequestMsg(&nats.Msg{
				Subject: subject, Header: nats.Header{jetstream.MsgRollup: {rollup}},
			}, generous)
			must(t, err)
			if !strings.Contains(string(reply.Data), "rollup") {
				t.Errorf("%s with rollup %s: %s", subject, rollup, reply.Data)
			}
		}
	}
	if _, err := client.results.Get(ctx, theirs); err != nil {
		t.Errorf("another's result is gone: %v", err)
	}
	if _, err := client.objects.Get(ctx, bus.DigestOf([]byte("proof"))); err != nil {
		t.Errorf("another's object is gone: %v", err)
	}

	_, err = north.RequestMsg(&nats.Msg{
		Subject: "$KV." + resultsBucket + ".job.commit.2.north.host.seat",
		Header: nats.Header{
			jetstream.SubjectHeader: {"$KV." + resultsBucket + ".job.commit.2.worker.host.seat"}, "Status": {"404"},
			jetstream.SequenceHeader: {"1"}, jetstream.StreamHeader: {"KV_" + exclusionsBucket},
		},
		Data: []byte(`{"unable":"forged"}`),
	}, generous)
	must(t, err)
	keys := map[string]bool{}
	entries, err := client.results.Watch(ctx, "job.>", func(line string) { t.Error(line) })
	must(t, err)
	for entry := range entries {
		if entry == nil {
			break
		}
		keys[entry.Key] = true
	}
	if !keys["job.commit.2.north.host.seat"] || keys["job.commit.2.worker.host.seat"] || !keys[theirs] {
		t.Errorf("heard are %v", keys)
	}
}

// A seat's answers affect only its own task: a worker cannot acknowledge, hold or return another's task.
func TestAnswersForOthersTasks(t *testing.T) {
	a := clusterOf(t, patient(), "north")
	c := a.submit(t, order(t, 91, 60, 2), coordination())
	state, _, err := c.space.state(t.Context(), c.ID())
	must(t, err)
	must(t, c.send(t.Context(), state))
	honest := &seat{worker: a.worker(t, WorkerRole, "host"), name: "worker.host.cpu"}
	given := taken(t, honest)
	conn, _ := a.hostile(t, "north")
	for _, verb := range []string{verbHold, verbDone, verbBack, verbDrop} {
		said, err := json.Marshal(answer{ID: given.ID, Verb: verb})
		must(t, err)
		reply, err := conn.Request(answerSubjects+"north.host.cpu", said, generous)
		must(t, err)
		if string(reply.Data) != `"this seat does not hold the task"` {
			t.Errorf("%s: %s", verb, reply.Data)
		}
	}
	other := &seat{worker: honest.worker, name: "worker.host.gpu"}
	refuses(t, (&lease{seat: other, grant: given.grant}).done(t.Context()), "this seat does not hold the task")
	must(t, given.hold(t.Context()))
	must(t, given.done(t.Context()))
	refuses(t, given.done(t.Context()), "this seat does not hold the task")
	if _, err := conn.Request("$JS.ACK.chiasmus-tasks.any.1.1.1.1.0", []byte("+ACK"), 200*time.Millisecond); err == nil {
		t.Error("a worker may acknowledge")
	}
	if n := queued(t, c.space); n != 1 {
		t.Errorf("%d tasks are in the queue, want the other one", n)
	}
}

// Clients cannot be excluded: not by anything a worker writes or asks, not by an unsigned entry, not by a client's
// signed entry.
func TestClientsAreNotExcluded(t *testing.T) {
	a := cluster(t, "north")
	client, ctx := a.space(t, ClientRole), t.Context()
	inside := a.prepared(t, quick())
	said := make(chan string, 64)
	guarded := make(chan error, 1)
	go func() {
		guarded <- inside.Guard(ctx, a.Server, func() ([]string, error) { return a.Named(WorkerRole) },
			func(line string) { said <- line })
	}()
	north, _ := a.hostile(t, "north")
	lie := []byte(`{"why":"a lie","job":"job"}`)
	for _, key := range []string{"client.host", "worker.host", "north.host"} {
		must(t, north.Publish("$KV."+exclusionsBucket+"."+key, lie))
		must(t, north.PublishRequest("$KV."+workersBucket+".north.host.seat", "$KV."+exclusionsBucket+"."+key, lie))
		_, err := inside.exclusions.Put(ctx, key, lie) // as if the server had accepted it
		must(t, err)
	}
	signedForAnother, err := client.bus.Seal(exclusionPurpose("north.host"), time.Now().Add(time.Hour), lie)
	must(t, err)
	_, err = inside.exclusions.Put(ctx, "worker.replayed", signedForAnother)
	must(t, err)
	must(t, client.exclude(ctx, "client.rogue", Exclusion{Why: "a rogue client"}))
	must(t, client.exclude(ctx, "worker.liar", Exclusion{Why: "a lie"}))
	refused := map[string]bool{}
	for line := ""; line != "worker worker.liar is excluded: the server rejects its connections"; {
		select {
		case line = <-said:
			refused[line] = true
		case err := <-guarded:
			t.Fatal(err)
		case <-time.After(generous):
			t.Fatalf("the guard says nothing; it said %v", refused)
		}
	}
	for _, want := range []string{
		"ignoring the exclusion of worker client.host: no client signed the entry",
		"ignoring the exclusion of worker worker.replayed: no client signed the entry",
		"ignoring the exclusion of worker client.rogue: no worker is named client",
	} {
		if !refused[want] {
			t.Errorf("the guard does not say %q: %v", want, refused)
		}
	}
	for _, who := range [][2]string{{ClientRole, "x"}, {"north", WorkerConnection("north", "host")}} {
		b, err := a.dialAs(who[0], who[1])
		must(t, err)
		b.Close()
	}
	if client.bus.Conn.Stats().Reconnects != 0 || client.bus.Conn.IsClosed() {
		t.Error("a client lost its connection")
	}
	list, err := client.Exclusions(ctx)
	must(t, err)
	if len(list) != 2 { // the signed ones
		t.Errorf("excluded are %+v", list)
	}
}

// A seat does only tasks that a client signed for the subject under which they arrive.
func TestTasksAreSigned(t *testing.T) {
	a := clusterOf(t, patient(), "north")
	client, ctx := a.space(t, ClientRole), t.Context()
	inside := a.prepared(t, quick())
	s := &seat{worker: a.worker(t, WorkerRole, "host"), name: "worker.host.cpu"}
	task, err := json.Marshal(&shardTask{Job: "job", Shard: 1})
	must(t, err)
	subject := anySubject("job") + ".commit.1.0"
	seal := func(purpose string, left time.Duration) []byte {
		t.Helper()
		signed, err := client.bus.Seal(purpose, time.Now().Add(left), task)
		must(t, err)
		return signed
	}
	good := seal(subject, time.Hour)
	changed := []byte(strings.Replace(string(good), `"body":"`, `"body":"AAAA`, 1))
	foreign := clusterOf(t, quick()).space(t, ClientRole)
	elsewhere, err := foreign.bus.Seal(subject, time.Now().Add(time.Hour), task)
	must(t, err)
	for _, tc := range []struct {
		want, subject string
		data          []byte
	}{
		{"it is not signed", subject, task},
		{"it is not signed", subject, []byte("{}")},
		{"its signature is not that of", subject, changed},
		{"its signature is not that of", subject, elsewhere},
		{"it was signed for", anySubject("job") + ".commit.1.1", good},
		{"it expired on", subject, seal(subject, -time.Second)},
		{"a task for others", anySubject("job") + ".commit.2.0", seal(anySubject("job")+".commit.2.0", time.Hour)},
		{"a task for others", onSubject("north.host.cpu", "job") + ".commit.1.0",
			seal(onSubject("north.host.cpu", "job")+".commit.1.0", time.Hour)},
		{"", subject, good},
	} {
		_, err := (&lease{s, grant{"id", tc.subject, tc.data}}).task()
		if tc.want == "" {
			must(t, err)
			continue
		}
		refuses(t, err, tc.want)
	}

	// A forged task in the queue is logged and returned, and nothing is done.
	_, err = inside.bus.JetStream.Publish(ctx, subject, task)
	must(t, err)
	refused := make(chan string, 8)
	s.worker.options.Log = func(line string) { refused <- line }
	s.worker.at = func(step string) bool { t.Errorf("the seat is at %s", step); return false }
	given := taken(t, s)
	must(t, s.take(ctx, given))
	if line := <-refused; !strings.Contains(line, "an order is refused: it is not signed") {
		t.Error(line)
	}
	if n := queued(t, client); n != 1 {
		t.Errorf("%d tasks are in the queue", n)
	}
	refuses(t, a.space(t, WorkerRole).exclude(ctx, "north.host", Exclusion{}),
		"worker may not order: its credential has no line orders-with")
}
