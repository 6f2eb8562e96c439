package bus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Bucket stores values by key; the newest value of a key counts. Its stream has the format of a NATS key-value bucket.
// A Bucket checks the stream and subject of every entry that it reads, and creates no consumers.
type Bucket struct {
	bus    *Bus
	name   string
	expiry time.Duration
}

// BucketConfig describes a bucket to create.
type BucketConfig struct {
	Name   string
	Expiry time.Duration // lifetime of an entry; 0 keeps it forever

	// Purges lets a writer of one key delete the history of all keys, by a header of its message. Set it only for
	// buckets that only trusted holders may write.
	Purges bool
}

// Entry is a value of a bucket, or the marker of a deleted value.
type Entry struct {
	Bucket, Key string
	Value       []byte
	Revision    uint64
	Created     time.Time
	Deleted     bool
}

// BucketStream returns the name of the stream behind a bucket, and BucketSubjects the prefix of the subjects of its
// keys.
func BucketStream(name string) string   { return "KV_" + name }
func BucketSubjects(name string) string { return "$KV." + name + "." }

// MakeBucket creates a bucket, or updates the configuration of an existing one. Only the serving process calls it.
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

// Bucket opens an existing bucket. Without one the error is [jetstream.ErrBucketNotFound].
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

// Expiry is the lifetime of an entry.
func (k *Bucket) Expiry() time.Duration { return k.expiry }

var keyForm = regexp.MustCompile(`^[-/_=.A-Za-z0-9]+$`)

// subject returns the subject of a key.
func (k *Bucket) subject(key string) (string, error) {
	if !keyForm.MatchString(key) || strings.HasPrefix(key, ".") || strings.HasSuffix(key, ".") ||
		strings.Contains(key, "..") {
		return "", fmt.Errorf("bucket %s: %q is not a key", k.name, key)
	}
	return BucketSubjects(k.name) + key, nil
}

// Get reads an entry. Without one the error is [jetstream.ErrKeyNotFound].
func (k *Bucket) Get(ctx context.Context, key string) (*Entry, error) {
	entry, err := k.latest(ctx, key)
	if err == nil && entry.Deleted {
		err = jetstream.ErrKeyNotFound
	}
	return entry, err
}

// latest reads the newest entry of a key, which may be a deletion marker.
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

// The header, and its values, that mark a key as deleted in NATS's own clients.
const (
	operationHeader = "KV-Operation"
	deleted, purged = "DEL", "PURGE"
)

// entry converts a message of the bucket's stream.
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

// Create writes an entry unless the key has one. If it has, the error is [jetstream.ErrKeyExists].
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

// Update replaces the entry of a given revision. If the key has another revision, the error is
// [jetstream.ErrKeyExists].
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

// write publishes an entry and checks that the bucket's stream stored it.
func (k *Bucket) write(ctx context.Context, key string, value []byte, header nats.Header) (uint64, error) {
	subject, err := k.subject(key)
	if err != nil {
		return 0, err
	}
	return k.bus.store(ctx, BucketStream(k.name), &nats.Msg{Subject: subject, Header: header, Data: value})
}

// store publishes a message and returns its sequence number in the stream.
func (b *Bus) store(ctx context.Context, stream string, m *nats.Msg) (sequence uint64, err error) {
	taken, err := b.JetStream.PublishMsg(ctx, m)
	if err != nil {
		return 0, err
	}
	if taken.Stream != stream {
		return 0, fmt.Errorf("stream %s: the answer comes from stream %q", stream, taken.Stream)
	}
	return taken.Sequence, nil
}

// Keys lists the keys that have entries, sorted. A key whose entry changes meanwhile is listed once.
func (k *Bucket) Keys(ctx context.Context) ([]string, error) {
	pattern := BucketSubjects(k.name) + ">"
	found := map[string]bool{}
	for from := uint64(1); ; {
		m, err := k.bus.next(ctx, BucketStream(k.name), pattern, from)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return slices.Sorted(maps.Keys(found)), nil
		}
		if err != nil {
			return nil, err
		}
		if entry := k.entry(m); entry.Deleted {
			delete(found, entry.Key)
		} else {
			found[entry.Key] = true
		}
		from = m.sequence + 1
	}
}

// matches reports whether a subject matches a pattern with NATS wildcards.
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
