package bus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// Digest is the SHA-256 of an object, which is the object's name.
type Digest [sha256.Size]byte

// DigestOf returns the name of an object with these bytes.
func DigestOf(data []byte) Digest { return sha256.Sum256(data) }

// String returns 64 hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText returns 64 hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses 64 hexadecimal digits.
func (d *Digest) UnmarshalText(text []byte) error {
	decoded, err := hex.DecodeString(string(text))
	if err != nil || len(decoded) != len(d) {
		return fmt.Errorf("digest %q: want 64 hexadecimal digits", text)
	}
	copy(d[:], decoded)
	return nil
}

// Limits bound a store of objects.
type Limits struct {
	ObjectBytes int64         // of one object
	StoreBytes  int64         // of all objects
	Expiry      time.Duration // lifetime of an object
}

// Objects stores bytes by content. An object is cut into chunks, each a message under
//
//	STORE.OWNER.DIGEST.CHUNK
//
// so that a credential can be restricted to objects of its owner. Readers accept an object from any owner.
type Objects struct {
	bus    *Bus
	store  string
	limits Limits
}

// FullError reports that the server has no room to store something.
type FullError struct{ Err error }

func (e *FullError) Error() string {
	return fmt.Sprintf("the server's store is full (%v): raise its limit or delete jobs", e.Err)
}
func (e *FullError) Unwrap() error { return e.Err }

// limitError reports an object that exceeds the store's limit.
type limitError struct{ Bytes, Limit int64 }

func (e *limitError) Error() string {
	return fmt.Sprintf("object of %d bytes: at most %d are allowed", e.Bytes, e.Limit)
}

const (
	chunkBytes  = 256 << 10
	countHeader = "Chiasmus-Chunks" // of the object

	chunksAtOnce = 8 // written concurrently
)

// ObjectSubjects returns the subjects of an owner's objects.
func ObjectSubjects(store, owner string) string { return store + "." + owner + ".>" }

// subject returns the subject of a chunk.
func (o *Objects) subject(owner, digest string, chunk int) string {
	return fmt.Sprintf("%s.%s.%s.%d", o.store, owner, digest, chunk)
}

// MakeObjects creates a store, or updates the limits of an existing one. Only the serving process calls it. It deletes
// the objects that earlier releases stored under the name.
func (b *Bus) MakeObjects(ctx context.Context, store string, limits Limits) (*Objects, error) {
	err := Retry(ctx, func(ctx context.Context) error {
		err := b.JetStream.DeleteStream(ctx, "OBJ_"+store)
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
		_, err = b.JetStream.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: store, Subjects: []string{store + ".>"}, MaxMsgsPerSubject: 1, MaxAge: limits.Expiry,
			MaxBytes: limits.StoreBytes, Discard: jetstream.DiscardNew, AllowDirect: true, DenyDelete: true,
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("objects %s: %w", store, Full(err))
	}
	return &Objects{b, store, limits}, nil
}

// Objects opens an existing store. Of the limits, only ObjectBytes and Expiry apply.
func (b *Bus) Objects(ctx context.Context, store string, limits Limits) (*Objects, error) {
	err := Retry(ctx, func(ctx context.Context) error {
		_, err := b.JetStream.Stream(ctx, store)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("objects %s: %w", store, err)
	}
	return &Objects{b, store, limits}, nil
}

// Put stores bytes under this connection's owner. An object that the owner has already stored, with half its lifetime
// left, is not written again.
func (o *Objects) Put(ctx context.Context, data []byte) (Digest, error) {
	digest := DigestOf(data)
	if n := int64(len(data)); n > o.limits.ObjectBytes {
		return digest, &limitError{n, o.limits.ObjectBytes}
	}
	chunks := slices.Collect(slices.Chunk(data, chunkBytes))
	if len(chunks) == 0 {
		chunks = [][]byte{nil}
	}
	whole := false
	err := retry(ctx, transferTimeout(len(data)), func(ctx context.Context) (err error) {
		var age time.Duration
		if whole, age, err = o.there(ctx, digest, len(chunks)); err != nil {
			return err
		}
		if whole && (o.limits.Expiry == 0 || age <= o.limits.Expiry/2) {
			return nil
		}
		return o.write(ctx, digest, chunks)
	})
	if err = Full(err); err != nil {
		if errors.As(err, new(*FullError)) && !whole {
			o.empty(ctx, digest, len(chunks))
		}
		return digest, fmt.Errorf("object %s of %d bytes: %w", digest, len(data), err)
	}
	return digest, nil
}

// transferTimeout bounds the transfer of n bytes on a slow network, 1 MiB a second.
func transferTimeout(bytes int) time.Duration {
	return answerTimeout + time.Duration(bytes>>20)*time.Second
}

// there reports whether the owner has stored the whole object, and its age. The first and the last chunk are written
// after all others, so their presence implies the rest.
func (o *Objects) there(ctx context.Context, digest Digest, count int) (whole bool, age time.Duration, err error) {
	for _, chunk := range []int{0, count - 1} {
		m, err := o.chunk(ctx, o.bus.owner(), digest, chunk)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return false, 0, nil
		}
		if err != nil {
			return false, 0, err
		}
		at, err := time.Parse(time.RFC3339Nano, lastOf(m.Header, jetstream.TimeStampHeaer))
		if err != nil || chunksIn(m) != count {
			return false, 0, err
		}
		age = max(age, time.Since(at))
	}
	return true, age, nil
}

// write stores the chunks: the middle ones a few at a time, then the first and the last. An object that was complete
// stays complete, because its bytes are the same.
func (o *Objects) write(ctx context.Context, digest Digest, chunks [][]byte) error {
	write := func(ctx context.Context, i int) error {
		header := nats.Header{countHeader: {strconv.Itoa(len(chunks))}}
		_, err := o.bus.store(ctx, o.store, &nats.Msg{
			Subject: o.subject(o.bus.owner(), digest.String(), i), Header: header, Data: chunks[i],
		})
		return err
	}
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(chunksAtOnce)
	for i := 1; i < len(chunks)-1; i++ {
		group.Go(func() error { return write(within, i) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, i := range slices.Compact([]int{0, len(chunks) - 1}) {
		if err := write(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// empty shrinks the chunks of an object that did not fit, so that they take no room. If that fails, nothing is worse
// than before.
func (o *Objects) empty(ctx context.Context, digest Digest, count int) {
	for i := range count {
		subject := o.subject(o.bus.owner(), digest.String(), i)
		if _, err := o.chunk(ctx, o.bus.owner(), digest, i); err != nil {
			continue
		}
		if _, err := o.bus.store(ctx, o.store, &nats.Msg{Subject: subject}); err != nil {
			return
		}
	}
}

// chunk reads a chunk. Without one the error is [jetstream.ErrMsgNotFound].
func (o *Objects) chunk(ctx context.Context, owner string, digest Digest, number int) (*nats.Msg, error) {
	ask := directGet + o.store + "." + o.subject(owner, digest.String(), number)
	m, err := o.bus.Conn.RequestWithContext(ctx, ask, nil)
	if err == nil && lastOf(m.Header, jetstream.SequenceHeader) == "" { // a status instead of a message
		err = jetstream.ErrMsgNotFound
		if status := m.Header.Get("Status"); status != "404" {
			err = fmt.Errorf("chunk %d: the server answers %q", number, status)
		}
	}
	return m, err
}

const directGet = "$JS.API.DIRECT.GET."

// lastOf returns the last value of a header: the server appends its own value after the message's values.
func lastOf(header nats.Header, name string) string {
	values := header[name]
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// chunksIn returns the number of chunks of the object that a chunk belongs to; 0 for an emptied chunk.
func chunksIn(m *nats.Msg) int {
	count, err := strconv.Atoi(m.Header.Get(countHeader))
	if err != nil {
		return 0
	}
	return count
}

// Get reads an object and checks its digest. Without one the error is [jetstream.ErrObjectNotFound].
func (o *Objects) Get(ctx context.Context, digest Digest) ([]byte, error) {
	pattern := fmt.Sprintf("%s.*.%s.0", o.store, digest)
	var why error = jetstream.ErrObjectNotFound
	for from := uint64(1); ; {
		var first *stored
		err := Retry(ctx, func(ctx context.Context) (err error) {
			first, err = o.bus.next(ctx, o.store, pattern, from)
			return err
		})
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil, fmt.Errorf("object %s: %w", digest, why)
		}
		if err != nil {
			return nil, fmt.Errorf("object %s: %w", digest, err)
		}
		from = first.sequence + 1
		data, err := o.from(ctx, digest, first)
		if err == nil {
			return data, nil
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("object %s: %w", digest, err)
		}
		if !errors.Is(err, jetstream.ErrMsgNotFound) {
			why = err // another owner may have stored it
		}
	}
}

// from reads the object whose first chunk is given.
func (o *Objects) from(ctx context.Context, digest Digest, first *stored) ([]byte, error) {
	owner := strings.Split(first.subject, ".")[1]
	count, err := strconv.Atoi(first.header.Get(countHeader))
	if err != nil || count < 1 {
		return nil, jetstream.ErrMsgNotFound
	}
	if n := int64(count-1) * chunkBytes; n >= o.limits.ObjectBytes && count > 1 {
		return nil, &limitError{n + 1, o.limits.ObjectBytes}
	}
	chunks := make([][]byte, count)
	chunks[0] = first.data
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(chunksAtOnce)
	for i := 1; i < count; i++ {
		group.Go(func() error {
			return retry(ctx, transferTimeout(chunkBytes), func(ctx context.Context) error {
				m, err := o.chunk(ctx, owner, digest, i)
				if err == nil {
					chunks[i] = m.Data
				}
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	data := slices.Concat(chunks...)
	if n := int64(len(data)); n > o.limits.ObjectBytes {
		return nil, &limitError{n, o.limits.ObjectBytes}
	}
	if DigestOf(data) != digest {
		return nil, errors.New("its bytes do not match its digest")
	}
	return data, nil
}

// Full wraps an error that reports a full server in a [FullError], and returns any other error unchanged.
func Full(err error) error {
	if full(err) && !errors.As(err, new(*FullError)) {
		return &FullError{err}
	}
	return err
}

// full reports whether an error means that there is no room, in a stream at its limit or in the server.
func full(err error) bool {
	const noResources, noStorage, storeFailed = 10023, 10047, 10077
	var api *jetstream.APIError
	return errors.As(err, &api) &&
		(api.ErrorCode == noResources || api.ErrorCode == noStorage || api.ErrorCode == storeFailed)
}
