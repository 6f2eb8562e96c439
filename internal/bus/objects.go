package bus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
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

// Objects is a store of bytes by content.
type Objects struct {
	js     jetstream.JetStream
	store  jetstream.ObjectStore
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

// MakeObjects makes a store, or gives one that is there these limits. That is for who may manage streams.
func (b *Bus) MakeObjects(ctx context.Context, bucket string, limits Limits) (*Objects, error) {
	var store jetstream.ObjectStore
	err := Retry(ctx, func(ctx context.Context) (err error) {
		store, err = b.JetStream.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
			Bucket: bucket, TTL: limits.Expiry, MaxBytes: limits.StoreBytes,
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("objects %s: %w", bucket, Full(err))
	}
	return &Objects{b.JetStream, store, limits}, nil
}

// Objects opens a store that somebody made. Of the limits, those of one object and the expiry count.
func (b *Bus) Objects(ctx context.Context, bucket string, limits Limits) (*Objects, error) {
	var store jetstream.ObjectStore
	err := Retry(ctx, func(ctx context.Context) (err error) {
		store, err = b.JetStream.ObjectStore(ctx, bucket)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("objects %s: %w", bucket, err)
	}
	return &Objects{b.JetStream, store, limits}, nil
}

// Put stores bytes. Those that are there already, and have half their time left, stay as they are.
func (o *Objects) Put(ctx context.Context, data []byte) (Digest, error) {
	digest := DigestOf(data)
	if n := int64(len(data)); n > o.limits.ObjectBytes {
		return digest, &LimitError{n, o.limits.ObjectBytes}
	}
	err := retry(ctx, transferTimeout(len(data)), func(ctx context.Context) error {
		if there, err := o.fresh(ctx, digest); err != nil || there {
			return err
		}
		_, err := o.store.PutBytes(ctx, digest.String(), data)
		return err
	})
	if err != nil {
		return digest, fmt.Errorf("object %s of %d bytes: %w", digest, len(data), Full(err))
	}
	return digest, nil
}

// transferTimeout is what an object of so many bytes may take: 1 MiB a second is a slow network.
func transferTimeout(bytes int) time.Duration {
	return answerTimeout + time.Duration(bytes>>20)*time.Second
}

// fresh reports whether an object is there, whole, for half of the time that it would have now. A description without
// bytes is what stays of a store that became full, or of who died, in the middle.
func (o *Objects) fresh(ctx context.Context, digest Digest) (bool, error) {
	info, err := o.store.GetInfo(ctx, digest.String())
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return false, nil
	}
	if err != nil || o.limits.Expiry > 0 && time.Since(info.ModTime) > o.limits.Expiry/2 {
		return false, err
	}
	chunks := fmt.Sprintf("$O.%s.C.%s", info.Bucket, info.NUID)
	stream, err := o.js.Stream(ctx, "OBJ_"+info.Bucket)
	if err != nil {
		return false, err
	}
	kept, err := stream.Info(ctx, jetstream.WithSubjectFilter(chunks))
	if err != nil {
		return false, err
	}
	return kept.State.Subjects[chunks] == uint64(info.Chunks), nil
}

// Get reads an object whose bytes are those of its name. Its error is [jetstream.ErrObjectNotFound] where there is
// none.
func (o *Objects) Get(ctx context.Context, digest Digest) (data []byte, err error) {
	var info *jetstream.ObjectInfo
	err = Retry(ctx, func(ctx context.Context) (err error) {
		info, err = o.store.GetInfo(ctx, digest.String())
		return err
	})
	if err == nil && int64(info.Size) > o.limits.ObjectBytes {
		err = &LimitError{int64(info.Size), o.limits.ObjectBytes}
	}
	if err == nil {
		err = retry(ctx, transferTimeout(int(info.Size)), func(ctx context.Context) (err error) {
			data, err = o.get(ctx, digest)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", digest, err)
	}
	if DigestOf(data) != digest {
		return nil, fmt.Errorf("object %s: it has other bytes than those of its name", digest)
	}
	return data, nil
}

// get reads no more than an object may have, whatever its description says.
func (o *Objects) get(ctx context.Context, digest Digest) (_ []byte, err error) {
	object, err := o.store.Get(ctx, digest.String())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, object.Close()) }()
	data, err := io.ReadAll(io.LimitReader(object, o.limits.ObjectBytes+1))
	if err != nil {
		return nil, err
	}
	if n := int64(len(data)); n > o.limits.ObjectBytes {
		return nil, &LimitError{n, o.limits.ObjectBytes}
	}
	return data, object.Error()
}

// Delete takes an object away; one that is not there is no error.
func (o *Objects) Delete(ctx context.Context, digest Digest) error {
	err := Retry(ctx, func(ctx context.Context) error { return o.store.Delete(ctx, digest.String()) })
	if err == nil || errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil
	}
	return fmt.Errorf("object %s: %w", digest, err)
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
