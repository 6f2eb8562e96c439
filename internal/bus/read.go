package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// stored is a message of a stream whose subject has been checked.
type stored struct {
	subject  string
	sequence uint64
	at       time.Time
	header   nats.Header
	data     []byte
}

// getRequest asks a stream for one message: the first with a matching subject from a sequence number on, or the last.
type getRequest struct {
	Sequence uint64 `json:"seq,omitempty"`
	Next     string `json:"next_by_subj,omitempty"`
	Last     string `json:"last_by_subj,omitempty"`
}

// getAnswer is the server's answer. Its subject and sequence number are set by the server: in the answer to a direct
// get they would be headers, after the message's own.
type getAnswer struct {
	Message *struct {
		Subject  string    `json:"subject"`
		Sequence uint64    `json:"seq"`
		Header   []byte    `json:"hdrs"`
		Data     []byte    `json:"data"`
		Time     time.Time `json:"time"`
	} `json:"message"`
	Error *jetstream.APIError `json:"error"`
}

// GetSubject is the subject on which a stream's messages are requested.
func GetSubject(stream string) string { return "$JS.API.STREAM.MSG.GET." + stream }

// next reads the first message whose subject matches a pattern, from a sequence number on. Without one the error is
// [jetstream.ErrMsgNotFound].
func (b *Bus) next(ctx context.Context, stream, pattern string, from uint64) (*stored, error) {
	m, err := b.read(ctx, stream, pattern, getRequest{Sequence: max(from, 1), Next: pattern})
	if err == nil && m.sequence < from {
		err = fmt.Errorf("stream %s answers with message %d, want %d or later", stream, m.sequence, from)
	}
	return m, err
}

// last reads the last message of a subject.
func (b *Bus) last(ctx context.Context, stream, subject string) (*stored, error) {
	return b.read(ctx, stream, subject, getRequest{Last: subject})
}

// read requests one message. A message with another subject than requested is a [strayError]; a subject belongs to one
// stream.
func (b *Bus) read(ctx context.Context, stream, pattern string, r getRequest) (*stored, error) {
	request, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	reply, err := b.Conn.RequestWithContext(ctx, GetSubject(stream), request)
	if err != nil {
		return nil, err
	}
	var answer getAnswer
	if err := json.Unmarshal(reply.Data, &answer); err != nil {
		return nil, fmt.Errorf("stream %s: %w", stream, err)
	}
	switch {
	case answer.Error != nil && answer.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return nil, jetstream.ErrMsgNotFound
	case answer.Error != nil:
		return nil, answer.Error
	case answer.Message == nil:
		return nil, fmt.Errorf("stream %s: an answer without a message", stream)
	}
	return answer.stored(pattern)
}

// stored converts an answer whose subject was requested. Unreadable headers count as none.
func (a *getAnswer) stored(pattern string) (*stored, error) {
	m := a.Message
	if !matches(pattern, m.Subject) {
		return nil, &strayError{m.Subject, pattern}
	}
	header, err := nats.DecodeHeadersMsg(m.Header)
	if err != nil || len(m.Header) == 0 {
		header = nats.Header{}
	}
	return &stored{m.Subject, m.Sequence, m.Time, header, m.Data}, nil
}

// strayError reports an entry that does not belong to the request. The entry is dropped.
type strayError struct{ Got, Want string }

func (e *strayError) Error() string {
	return fmt.Sprintf("an entry of %q is dropped: %q was requested", e.Got, e.Want)
}

// isStray reports whether an error is a [strayError].
func isStray(err error) bool { return errors.As(err, new(*strayError)) }
