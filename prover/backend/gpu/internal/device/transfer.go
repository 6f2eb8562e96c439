package device

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
)

// Sizes of the staging memory of small transfers. Uploads take consecutive ranges until the area is full.
const (
	uploadBytes   = 4 << 20
	downloadBytes = 1 << 20
	pageBytes     = 4 << 10
)

// Transfer moves small data through pinned memory, which is allocated once.
type Transfer struct {
	stream   *cuda.Stream
	up, down *cuda.Staging
	Word     *cuda.Staging // for grinding
	used     uint64        // bytes of up whose copies may still be queued
}

func newTransfer(c *cuda.Context, stream *cuda.Stream) (*Transfer, error) {
	t := &Transfer{stream: stream}
	for _, area := range []struct {
		into  **cuda.Staging
		label string
		size  uint64
	}{{&t.up, "upload staging", uploadBytes}, {&t.down, "download staging", downloadBytes}, {&t.Word, "nonce", 8}} {
		staging, err := c.NewStaging(area.label, area.size)
		if err != nil {
			return nil, errors.Join(err, t.close())
		}
		*area.into = staging
	}
	return t, nil
}

func (t *Transfer) close() error {
	var err error
	for _, staging := range []*cuda.Staging{t.up, t.down, t.Word} {
		if staging != nil {
			err = errors.Join(err, staging.Close())
		}
	}
	return err
}

// Synchronize waits for the stream, after which all staging memory is free.
func (t *Transfer) Synchronize() error {
	if err := t.stream.Synchronize(); err != nil {
		return err
	}
	t.used = 0
	return nil
}

// Upload queues a copy of words to the device. The words may change after it returns.
func (t *Transfer) Upload(to cuda.Span, words []uint64) error { return t.uploadOn(t.stream, to, words) }

// uploadOn is Upload on another stream. The main stream must wait for that stream before the host waits for the main
// stream.
func (t *Transfer) uploadOn(stream *cuda.Stream, to cuda.Span, words []uint64) error {
	for offset := uint64(0); len(words) > 0; {
		if t.used == uploadBytes {
			if err := stream.Context().Synchronize(); err != nil { // copies may be on several streams
				return err
			}
			t.used = 0
		}
		count := min(uint64(len(words)), (uploadBytes-t.used)/8)
		copy(t.up.Words()[t.used/8:], words[:count])
		from, errFrom := t.up.Span(t.used, 8*count)
		part, errPart := to.Part(offset, 8*count)
		if err := errors.Join(errFrom, errPart); err != nil {
			return err
		}
		// Each upload has pages of its own: the software device's checked mode closes the pages that queued copies use.
		t.used = (t.used + 8*count + pageBytes - 1) / pageBytes * pageBytes
		if err := stream.Upload(part, from); err != nil {
			return err
		}
		offset += 8 * count
		words = words[count:]
	}
	return nil
}

// Download waits for everything queued so far and returns the words of a span.
func (t *Transfer) Download(from cuda.Span) ([]uint64, error) {
	words := make([]uint64, from.Size()/8)
	return words, DownloadTo(t, words, from)
}

// DownloadTo waits for everything queued so far and copies the words of a span to words, which has the same length.
func DownloadTo[Word ~uint64](t *Transfer, words []Word, from cuda.Span) error {
	for offset := uint64(0); offset < from.Size(); {
		size := min(from.Size()-offset, downloadBytes)
		part, errPart := from.Part(offset, size)
		to, errTo := t.down.Span(0, size)
		if err := errors.Join(errPart, errTo); err != nil {
			return err
		}
		if err := t.stream.Download(to, part); err != nil {
			return err
		}
		if err := t.Synchronize(); err != nil {
			return err
		}
		copy(words[offset/8:], cuda.View[Word](t.down)[:size/8])
		offset += size
	}
	return nil
}
