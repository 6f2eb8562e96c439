package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Watch sends the entries of a bucket whose keys match a pattern: those that are there, then nil, then each that
// changes, until the context ends, which closes the channel. An entry can come twice; after a reconnection all do.
//
// What the server publishes only wakes the watcher, which then asks for the entries: none counts that the bucket does
// not have. An entry of something else is dropped and reported to say.
func (k *Bucket) Watch(ctx context.Context, keys string, say func(line string)) (<-chan *Entry, error) {
	return k.watch(ctx, keys, say, lookEvery)
}

// watch asks without being woken as often as is said.
func (k *Bucket) watch(
	ctx context.Context, keys string, say func(line string), look time.Duration,
) (<-chan *Entry, error) {
	if say == nil {
		say = func(string) {}
	}
	w := &watcher{
		bucket: k, pattern: BucketSubjects(k.name) + keys, say: say, entries: make(chan *Entry),
		woken: make(chan *nats.Msg, 1), look: look,
	}
	sub, err := k.bus.Conn.Subscribe(w.pattern, func(m *nats.Msg) {
		select {
		case w.woken <- m:
		default:
		}
	})
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(w.entries)
		defer func() { _ = sub.Unsubscribe() }()
		w.run(ctx)
	}()
	return w.entries, nil
}

type watcher struct {
	bucket  *Bucket
	pattern string
	say     func(line string)
	entries chan *Entry
	woken   chan *nats.Msg
	look    time.Duration
	seen    uint64 // sequence number of the last entry that was sent
	began   bool   // the entries that were there are sent
}

const (
	// A subscriber can hear of a message before the stream has it: a woken watcher asks again, each time later.
	rereadFirst = time.Millisecond
	rereadLast  = 128 * time.Millisecond

	// lookEvery is how often a watcher asks without being woken.
	lookEvery = 5 * time.Second
)

func (w *watcher) run(ctx context.Context) {
	back := w.bucket.bus.Conn.StatusChanged(nats.CONNECTED)
	defer w.bucket.bus.Conn.RemoveStatusListener(back)
	again := time.Duration(0)
	for {
		found, err := w.drain(ctx)
		wait := w.look
		switch {
		case err != nil:
			wait = retryMost
		case found:
			again = 0
		case again > 0 && again <= rereadLast:
			wait, again = again, 4*again
		}
		select {
		case <-ctx.Done():
			return
		case <-w.woken:
			again = rereadFirst
		case <-back: // the server may be another, with fewer entries
			w.seen = 0
		case <-time.After(wait):
		}
	}
}

// drain sends what is new, and reports whether there was anything.
func (w *watcher) drain(ctx context.Context) (found bool, err error) {
	for {
		m, err := w.next(ctx)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
			if !w.began {
				w.began = w.send(ctx, nil)
			}
			return found, nil
		case isStray(err):
			w.say(err.Error())
			return found, err
		case err != nil:
			return found, err
		}
		found, w.seen = true, m.sequence
		if !w.send(ctx, w.bucket.entry(m)) {
			return found, ctx.Err()
		}
	}
}

func (w *watcher) next(ctx context.Context) (*stored, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	return w.bucket.bus.next(ctx, BucketStream(w.bucket.name), w.pattern, w.seen+1)
}

func (w *watcher) send(ctx context.Context, entry *Entry) bool {
	select {
	case w.entries <- entry:
		return true
	case <-ctx.Done():
		return false
	}
}
