package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/chiasmus/chiasmus/internal/bus"
)

// The subjects between seats and the serving process, which owns the queue. They end in the name of a credential, so
// that the server lets a worker ask and answer only under its own name.
const (
	askSubjects    = "chiasmus.ask."    // NAME.HOST.SEAT: a request for a task
	answerSubjects = "chiasmus.answer." // NAME.HOST.SEAT: a report on a task
)

// grant is a task given to a seat, with an id for the seat's answers.
type grant struct {
	ID      string `json:"id,omitempty"` // empty: there is no task
	Subject string `json:"subject,omitempty"`
	Data    []byte `json:"data,omitempty"` // the sealed task
}

// answer is a seat's report on a task that it was given.
type answer struct {
	ID    string        `json:"id"`
	Verb  string        `json:"verb"`
	Delay time.Duration `json:"delay,omitempty"` // before another seat gets a returned task
}

// The reports of a seat on its task.
const (
	verbHold = "hold" // renew the lease
	verbDone = "done" // the result is reported
	verbBack = "back" // return the task to the queue
	verbDrop = "drop" // remove the task from the queue
)

// dispatcher owns the queue of tasks, and gives them to seats. Workers have no rights to the queue: a worker that may
// acknowledge its own tasks could acknowledge the tasks of others.
type dispatcher struct {
	space *Space
	any   jetstream.Consumer

	mu    sync.Mutex
	own   map[seatName]jetstream.Consumer // of tasks for shards that the seat keeps
	given map[string]*given
}

// given is a task that a seat holds.
type given struct {
	seat    seatName
	message jetstream.Msg
	until   time.Time // the end of the lease; later answers are refused
}

// Dispatch gives tasks to seats that ask, until the context ends. It must run in the process that serves the cluster,
// whose connection creates the consumers. If that process ends, only the assignment of tasks to seats is lost: the
// leases expire.
func (s *Space) Dispatch(ctx context.Context) error {
	d := &dispatcher{space: s, own: map[seatName]jetstream.Consumer{}, given: map[string]*given{}}
	err := bus.Retry(ctx, func(ctx context.Context) (err error) {
		d.any, err = s.tasks.Consumer(ctx, anyConsumer)
		return err
	})
	if err != nil {
		return fmt.Errorf("tasks: %w", err)
	}
	var working sync.WaitGroup
	defer working.Wait()
	for subject, respond := range map[string]func(*nats.Msg) any{
		askSubjects + ">":    func(m *nats.Msg) any { return d.give(ctx, seatOf(m.Subject, askSubjects)) },
		answerSubjects + ">": func(m *nats.Msg) any { return d.hear(seatOf(m.Subject, answerSubjects), m.Data) },
	} {
		sub, err := s.bus.Conn.QueueSubscribe(subject, "dispatch", func(m *nats.Msg) {
			working.Go(func() {
				if encoded, err := json.Marshal(respond(m)); err == nil {
					_ = m.Respond(encoded) // if this is lost, the seat asks again
				}
			})
		})
		if err != nil {
			return err
		}
		defer func() { _ = sub.Unsubscribe() }()
	}
	tick := time.NewTicker(max(s.lease, 100*time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			d.sweep()
		}
	}
}

// seatOf returns the seat named by a subject, or "".
func seatOf(subject, prefix string) seatName {
	seat := seatName(strings.TrimPrefix(subject, prefix))
	if seat.check() != nil {
		return ""
	}
	return seat
}

// give returns a seat's next task. Tasks for shards that it keeps come first.
func (d *dispatcher) give(ctx context.Context, seat seatName) *grant {
	if seat == "" {
		return &grant{}
	}
	message, err := d.fetch(ctx, func() (jetstream.Consumer, error) { return d.consumer(ctx, seat) })
	if err != nil { // a restarted server has lost such consumers
		d.mu.Lock()
		delete(d.own, seat)
		d.mu.Unlock()
	}
	if message == nil {
		message, _ = d.fetch(ctx, func() (jetstream.Consumer, error) { return d.any, nil })
	}
	if message == nil {
		return &grant{}
	}
	id := nuid.Next()
	d.mu.Lock()
	d.given[id] = &given{seat, message, time.Now().Add(d.space.lease)}
	d.mu.Unlock()
	return &grant{id, message.Subject(), message.Data()}
}

// fetch returns a consumer's next task, or nil.
func (d *dispatcher) fetch(ctx context.Context, of func() (jetstream.Consumer, error)) (jetstream.Msg, error) {
	from, err := of()
	if err != nil {
		return nil, err
	}
	batch, err := from.FetchNoWait(1)
	if err != nil {
		return nil, err
	}
	select {
	case message, ok := <-batch.Messages():
		if ok {
			return message, nil
		}
		return nil, batch.Error()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// consumer returns the consumer of tasks that only this seat may do. The server removes it if the seat has not asked
// for a long time.
func (d *dispatcher) consumer(ctx context.Context, seat seatName) (jetstream.Consumer, error) {
	d.mu.Lock()
	known := d.own[seat]
	d.mu.Unlock()
	if known != nil {
		return known, nil
	}
	const away = 4 // leases until the consumer is removed
	made, err := d.space.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Name:          "seat-" + strings.ReplaceAll(string(seat), ".", "="),
		FilterSubject: taskSubjects + "on." + string(seat) + ".>",
		AckPolicy:     jetstream.AckExplicitPolicy, AckWait: d.space.lease,
		InactiveThreshold: max(away*d.space.lease, time.Second),
	})
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	d.own[seat] = made
	d.mu.Unlock()
	return made, nil
}

// hear processes a seat's report on its task. It refuses reports on other seats' tasks and late reports.
func (d *dispatcher) hear(seat seatName, data []byte) (refusal string) {
	var said answer
	if err := json.Unmarshal(data, &said); err != nil {
		return err.Error()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	task := d.given[said.ID]
	if task == nil || task.seat != seat || seat == "" {
		return "this seat does not hold the task"
	}
	var err error
	switch said.Verb {
	case verbHold:
		task.until = time.Now().Add(d.space.lease)
		err = task.message.InProgress()
	case verbDone:
		err = task.message.Ack()
	case verbBack:
		err = task.message.NakWithDelay(min(max(said.Delay, 0), d.space.lease))
	case verbDrop:
		err = task.message.Term()
	default:
		err = fmt.Errorf("unknown verb %q", said.Verb)
	}
	if said.Verb != verbHold {
		delete(d.given, said.ID)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// sweep forgets tasks whose leases have expired, and seats that are gone.
func (d *dispatcher) sweep() {
	d.mu.Lock()
	defer d.mu.Unlock()
	const late = 4 // leases: time for a seat's report to arrive
	for id, task := range d.given {
		if time.Since(task.until) > late*d.space.lease {
			delete(d.given, id)
		}
	}
	const seats = 1 << 14 // more than a cluster has; consumers can be created again
	if len(d.own) > seats {
		clear(d.own)
	}
}

// errRefused is a refusal of the serving process.
var errRefused = errors.New("the serving process refuses")
