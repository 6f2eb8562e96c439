package device

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
)

// Side is a stream for work that runs concurrently with the main stream, on the multiprocessors that the main stream
// leaves free: blocks of the main stream have priority.
type Side struct {
	main, stream *cuda.Stream
	queued       *cuda.Event // after everything queued on the main stream
	done         *cuda.Event // after everything queued on this stream
}

func (b *Side) open(c *cuda.Context, main *cuda.Stream) (err error) {
	b.main = main
	if b.stream, err = c.NewStream(); err != nil {
		return err
	}
	if b.queued, err = c.NewEvent(); err != nil {
		return err
	}
	b.done, err = c.NewEvent()
	return err
}

// Fork returns the stream, and makes its later work wait for everything queued on the main stream so far.
func (b *Side) Fork() (*cuda.Stream, error) {
	return b.stream, errors.Join(b.queued.Record(b.main), b.stream.Wait(b.queued))
}

// Join makes the main stream wait for everything queued on this stream so far.
func (b *Side) Join() error {
	return errors.Join(b.done.Record(b.stream), b.main.Wait(b.done))
}

func (b *Side) close() error {
	var err error
	for _, event := range []*cuda.Event{b.queued, b.done} {
		if event != nil {
			err = errors.Join(err, event.Close())
		}
	}
	if b.stream != nil {
		err = errors.Join(err, b.stream.Close())
	}
	return err
}
