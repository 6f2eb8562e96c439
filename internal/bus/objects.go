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

// Digest is the SHA-256 of an object, which is its name.
type Digest [sha256.Size]byte

// DigestOf is the name of these bytes.
func DigestOf(data []byte) Digest { return sha256.Sum256(data) }

// String is 64 hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText writes 64 hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads 64 hexadecimal digits.
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
	StoreBytes  int64         // of all
	Expiry      time.Duration // after which an object goes
}

// Objects is a store of bytes by content. An object is cut into chunks, each a message under
//
//	STORE.OWNER.DIGEST.CHUNK
//
// so that a credential can be allowed to write objects of its owner alone. Who reads one takes it from any owner.
type Objects struct {
	bus    *Bus
	store  string
	limits Limits
}

// FullError is a server without room for what was to be put there.
type FullError struct{ Err error }

func (e *FullError) Error() string {
	return fmt.Sprintf("the server's store is full (%v): it wants a higher limit, or jobs deleted", e.Err)
}
func (e *FullError) Unwrap() error { return e.Err }

// LimitError is an object that is longer than one may be.
type LimitError struct{ Bytes, Limit int64 }

func (e *LimitError) Error() string {
	return fmt.Sprintf("an object of %d bytes, want at most %d", e.Bytes, e.Limit)
}

const (
	chunkBytes  = 256 << 10
	countHeader = "Chiasmus-Chunks" // of the object

	chunksAtOnce = 8 // that are under way
)

// ObjectSubjects are those of an owner's objects.
func ObjectSubjects(store, owner string) string { return store + "." + owner + ".>" }

// subject is that of a chunk.
func (o *Objects) subject(owner, digest string, chunk int) string {
	return fmt.Sprintf("%s.%s.%s.%d", o.store, owner, digest, chunk)
}

// MakeObjects makes a store, or gives one that is there these limits. That is for the serving process. What earlier
// releases kept under the name goes.
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

// Objects opens a store that somebody made. Of the limits, those of one object and the expiry count.
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

// Put stores bytes under this connection's owner. Those that the owner has there, and that have half their time left,
// stay as they are.
func (o *Objects) Put(ctx context.Context, data []byte) (Digest, error) {
	digest := DigestOf(data)
	if n := int64(len(data)); n > o.limits.ObjectBytes {
		return digest, &LimitError{n, o.limits.ObjectBytes}
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

// transferTimeout is what an object of so many bytes may take: 1 MiB a second is a slow network.
func transferTimeout(bytes int) time.Duration {
	return answerTimeout + time.Duration(bytes>>20)*time.Second
}

// there reports whether the owner has an object there, whole, and for how long. The first and the last chunk are
// written after the others, so they speak for all.
func (o *Objects) there(ctx context.Context, digest Digest, count int) (whole bool, age time.Duration, err error) {
	for _, chunk := range []int{0, count - 1} {
		m, err := o.chunk(ctx, o.bus.Owner(), digest, chunk)
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

// write stores the chunks: those in the middle some at a time, then the first and the last. A whole object that was
// there before stays whole, for the bytes are the same.
func (o *Objects) write(ctx context.Context, digest Digest, chunks [][]byte) error {
	write := func(ctx context.Context, i int) error {
		header := nats.Header{countHeader: {strconv.Itoa(len(chunks))}}
		_, err := o.bus.store(ctx, o.store, &nats.Msg{
			Subject: o.subject(o.bus.Owner(), digest.String(), i), Header: header, Data: chunks[i],
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

// empty makes the chunks of an object that found no room take none. That it cannot is no worse than before.
func (o *Objects) empty(ctx context.Context, digest Digest, count int) {
	for i := range count {
		subject := o.subject(o.bus.Owner(), digest.String(), i)
		if _, err := o.chunk(ctx, o.bus.Owner(), digest, i); err != nil {
			continue
		}
		if _, err := o.bus.store(ctx, o.store, &nats.Msg{Subject: subject}); err != nil {
			return
		}
	}
}

// chunk reads a chunk. Its error is [jetstream.ErrMsgNotFound] where there is none.
func (o *Objects) chunk(ctx context.Context, owner string, digest Digest, number int) (*nats.Msg, error) {
	ask := directGet + o.store + "." + o.subject(owner, digest.String(), number)
	m, err := o.bus.Conn.RequestWithContext(ctx, ask, nil)
	if err == nil && lastOf(m.Header, jetstream.SequenceHeader) == "" { // a status in place of a message
		err = jetstream.ErrMsgNotFound
		if status := m.Header.Get("Status"); status != "404" {
			err = fmt.Errorf("chunk %d: the server answers %q", number, status)
		}
	}
	return m, err
}

const directGet = "$JS.API.DIRECT.GET."

// lastOf is the last value of a header: the server's, which come after those of a message.
func lastOf(header nats.Header, name string) string {
	values := header[name]
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// chunksIn is how many chunks the object has that a chunk says it is of; 0 of one that was emptied.
func chunksIn(m *nats.Msg) int {
	count, err := strconv.Atoi(m.Header.Get(countHeader))
	if err != nil {
		return 0
	}
	return count
}

// Get reads an object whose bytes are those of its name. Its error is [jetstream.ErrObjectNotFound] where there is
// none.
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
			why = err // another owner may have it
		}
	}
}

// from reads an object of the owner whose first chunk this is.
func (o *Objects) from(ctx context.Context, digest Digest, first *stored) ([]byte, error) {
	owner := strings.Split(first.subject, ".")[1]
	count, err := strconv.Atoi(first.header.Get(countHeader))
	if err != nil || count < 1 {
		return nil, jetstream.ErrMsgNotFound
	}
	if n := int64(count-1) * chunkBytes; n >= o.limits.ObjectBytes && count > 1 {
		return nil, &LimitError{n + 1, o.limits.ObjectBytes}
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
		return nil, &LimitError{n, o.limits.ObjectBytes}
	}
	if DigestOf(data) != digest {
		return nil, errors.New("it has other bytes than those of its name")
	}
	return data, nil
}

// Full makes a [FullError] of an answer that says so, and leaves other errors as they are.
func Full(err error) error {
	if full(err) && !errors.As(err, new(*FullError)) {
		return &FullError{err}
	}
	return err
}

// full reports whether an answer says that there is no room: in a stream that is at its limit, or in the server.
func full(err error) bool {
	const noResources, noStorage, storeFailed = 10023, 10047, 10077
	var api *jetstream.APIError
	return errors.As(err, &api) &&
		(api.ErrorCode == noResources || api.ErrorCode == noStorage || api.ErrorCode == storeFailed)
}
