package bus

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Bucket is a store of values by key, of which the newest counts. Its stream is that of a NATS key-value bucket. It
// checks the stream and subject of every entry that it reads, and makes no consumers.
type Bucket struct {
	bus    *Bus
	name   string
	expiry time.Duration
}

// BucketConfig says how a bucket is made.
type BucketConfig struct {
	Name   string
	Expiry time.Duration // after which an entry goes; 0 keeps it

	// Purges lets a writer of one key take the trace of all keys away, by a header of its message. It is for buckets that
	// trusted holders alone write.
	Purges bool
}

// Entry is a value of a bucket, or the mark that it was deleted.
type Entry struct {
	Bucket, Key string
	Value       []byte
	Revision    uint64
	Created     time.Time
	Deleted     bool
}

// BucketStream is the stream that keeps a bucket, and BucketSubjects what begins the subjects of its keys.
func BucketStream(name string) string   { return "KV_" + name }
func BucketSubjects(name string) string { return "$KV." + name + "." }

// MakeBucket makes a bucket, or gives one that is there this configuration. That is for the serving process.
func (b *Bus) MakeBucket(ctx context.Context, c BucketConfig) (*Bucket, error) {
	const remembered = 2 * time.Minute
	config := jetstream.StreamConfig{
		Name: BucketStream(c.Name), Subjects: []string{BucketSubjects(c.Name) + ">"}, MaxMsgsPerSubject: 1,
		MaxAge: c.Expiry, Discard: jetstream.DiscardNew, DenyDelete: true, AllowRollup: c.Purges,
		Duplicates: remembered,
	}
	if c.Expiry > 0 {
		config.Duplicates = min(c.Expiry, remembered)
	}
	err := Retry(ctx, func(ctx context.Context) error {
		_, err := b.JetStream.CreateOrUpdateStream(ctx, config)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("bucket %s: %w", c.Name, Full(err))
	}
	return &Bucket{b, c.Name, c.Expiry}, nil
}

// Bucket opens a bucket that somebody made. Its error is [jetstream.ErrBucketNotFound] where there is none.
func (b *Bus) Bucket(ctx context.Context, name string) (*Bucket, error) {
	stream, err := b.JetStream.Stream(ctx, BucketStream(name))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = jetstream.ErrBucketNotFound
	}
	if err != nil {
		return nil, err
	}
	return &Bucket{b, name, stream.CachedInfo().Config.MaxAge}, nil
}

// Expiry is how long an entry stays.
func (k *Bucket) Expiry() time.Duration { return k.expiry }

var keyForm = regexp.MustCompile(`^[-/_=.A-Za-z0-9]+$`)

// subject is that of a key.
func (k *Bucket) subject(key string) (string, error) {
	if !keyForm.MatchString(key) || strings.HasPrefix(key, ".") || strings.HasSuffix(key, ".") ||
		strings.Contains(key, "..") {
		return "", fmt.Errorf("bucket %s: %q is no key", k.name, key)
	}
	return BucketSubjects(k.name) + key, nil
}

// Get reads an entry. Its error is [jetstream.ErrKeyNotFound] where there is none.
func (k *Bucket) Get(ctx context.Context, key string) (*Entry, error) {
	entry, err := k.latest(ctx, key)
	if err == nil && entry.Deleted {
		err = jetstream.ErrKeyNotFound
	}
	return entry, err
}

// latest reads an entry that may be a mark.
func (k *Bucket) latest(ctx context.Context, key string) (*Entry, error) {
	subject, err := k.subject(key)
	if err != nil {
		return nil, err
	}
	m, err := k.bus.last(ctx, BucketStream(k.name), subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		err = jetstream.ErrKeyNotFound
	}
	if err != nil {
		return nil, err
	}
	return k.entry(m), nil
}

// The header and its values that mark a key as deleted, as NATS's own clients have them.
const (
	operationHeader = "KV-Operation"
	deleted, purged = "DEL", "PURGE"
)

// entry is a message of the bucket's stream as an entry.
func (k *Bucket) entry(m *stored) *Entry {
	operation := m.header.Get(operationHeader)
	return &Entry{
		Bucket: k.name, Key: strings.TrimPrefix(m.subject, BucketSubjects(k.name)), Value: m.data, Revision: m.sequence,
		Created: m.at, Deleted: operation == deleted || operation == purged,
	}
}

// Put writes an entry.
func (k *Bucket) Put(ctx context.Context, key string, value []byte) (revision uint64, err error) {
	return k.write(ctx, key, value, nil)
}

// Create writes an entry where there is none. Its error is [jetstream.ErrKeyExists] where there is one.
func (k *Bucket) Create(ctx context.Context, key string, value []byte) (revision uint64, err error) {
	revision, err = k.Update(ctx, key, value, 0)
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return revision, err
	}
	if mark, getErr := k.latest(ctx, key); getErr == nil && mark.Deleted {
		return k.Update(ctx, key, value, mark.Revision)
	}
	return revision, err
}

// Update writes an entry in place of the one of a revision. Any other there is a [jetstream.ErrKeyExists].
func (k *Bucket) Update(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	return k.write(ctx, key, value, nats.Header{
		jetstream.ExpectedLastSubjSeqHeader: {strconv.FormatUint(revision, 10)},
	})
}

// Delete marks an entry as deleted.
func (k *Bucket) Delete(ctx context.Context, key string) error {
	_, err := k.write(ctx, key, nil, nats.Header{operationHeader: {deleted}})
	return err
}

// write publishes an entry, and checks that the bucket's stream took it.
func (k *Bucket) write(ctx context.Context, key string, value []byte, header nats.Header) (uint64, error) {
	subject, err := k.subject(key)
	if err != nil {
		return 0, err
	}
	return k.bus.store(ctx, BucketStream(k.name), &nats.Msg{Subject: subject, Header: header, Data: value})
}

// store publishes a message into a stream.
func (b *Bus) store(ctx context.Context, stream string, m *nats.Msg) (sequence uint64, err error) {
	taken, err := b.JetStream.PublishMsg(ctx, m)
	if err != nil {
		return 0, err
	}
	if taken.Stream != stream {
		return 0, fmt.Errorf("stream %s: the answer is of stream %q", stream, taken.Stream)
	}
	return taken.Sequence, nil
}

// Keys are the keys that have entries, in no order.
func (k *Bucket) Keys(ctx context.Context) (keys []string, err error) {
	pattern := BucketSubjects(k.name) + ">"
	for from := uint64(1); ; {
		m, err := k.bus.next(ctx, BucketStream(k.name), pattern, from)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return keys, nil
		}
		if err != nil {
			return nil, err
		}
		if entry := k.entry(m); !entry.Deleted {
			keys = append(keys, entry.Key)
		}
		from = m.sequence + 1
	}
}

// matches reports whether a subject is one that a pattern with NATS's wildcards is of.
func matches(pattern, subject string) bool {
	want, have := strings.Split(pattern, "."), strings.Split(subject, ".")
	for i, token := range want {
		switch {
		case token == ">":
			return len(have) > i
		case i >= len(have) || token != "*" && token != have[i]:
			return false
		}
	}
	return len(want) == len(have)
}
