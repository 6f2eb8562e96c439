package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Watch sends the entries of a bucket whose keys match a pattern: first those that exist, then nil, then each change.
// It closes the channel when the context ends. An entry may be sent twice; after a reconnection, all are sent again.
//
// Messages only wake the watcher, which then reads the entries from the bucket, so a forged message has no effect. A
// stray entry is dropped and reported to say.
func (k *Bucket) Watch(ctx context.Context, keys string, say func(line string)) (<-chan *Entry, error) {
	return k.watch(ctx, keys, say, lookEvery)
}

// watch is Watch with the interval of reads without a wake-up.
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
	seen    uint64 // sequence number of the last entry sent
	began   bool   // whether the existing entries have been sent
}

const (
	// A subscriber may receive a message before the stream stores it: a woken watcher reads again, with increasing
	// delays.
	rereadFirst = time.Millisecond
	rereadLast  = 128 * time.Millisecond

	// lookEvery is the interval of reads without a wake-up.
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
		case <-back: // the server may be another one, with fewer entries
			w.seen = 0
		case <-time.After(wait):
		}
	}
}

// drain sends new entries and reports whether there were any.
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
