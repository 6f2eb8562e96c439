package device

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
)

// laneCount is the number of launches of small tables that run concurrently. Queueing that many takes as long as one
// runs.
const laneCount = 8

// Lanes are streams for launches that do not wait for each other, such as those of small tables, each of which leaves
// most of the device idle. The priority of their blocks is between those of the main stream and of [Side]. Unused
// lanes cost nothing.
type Lanes struct {
	main    *cuda.Stream
	streams [laneCount]*cuda.Stream
	queued  *cuda.Event            // after everything on the main stream at the fork
	done    [laneCount]*cuda.Event // after everything queued on each lane
	used    int                    // number of calls of Next since the fork
	err     error                  // of a lane's wait
}

func (l *Lanes) open(c *cuda.Context, main *cuda.Stream) (err error) {
	l.main = main
	if l.queued, err = c.NewEvent(); err != nil {
		return err
	}
	for i := range l.streams {
		if l.streams[i], err = c.NewPromptStream(); err != nil {
			return err
		}
		if l.done[i], err = c.NewEvent(); err != nil {
			return err
		}
	}
	return nil
}

// Fork makes the lanes' later work wait for everything queued on the main stream so far.
func (l *Lanes) Fork() error {
	l.used, l.err = 0, nil
	return l.queued.Record(l.main)
}

// Next returns the lanes in turn. Join returns its errors.
func (l *Lanes) Next() *cuda.Stream {
	stream := l.streams[l.used%laneCount]
	if l.used < laneCount {
		l.err = errors.Join(l.err, stream.Wait(l.queued))
	}
	l.used++
	return stream
}

// Join makes the main stream wait for everything queued on the lanes so far.
func (l *Lanes) Join() error {
	err := l.err
	for i := range min(l.used, laneCount) {
		err = errors.Join(err, l.done[i].Record(l.streams[i]), l.main.Wait(l.done[i]))
	}
	return err
}

// Split runs work between a fork and a join.
func (l *Lanes) Split(work func() error) error {
	if err := l.Fork(); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	return l.Join()
}

// number returns a lane's number, from 1, or 0 if the stream is not a lane.
func (l *Lanes) number(stream *cuda.Stream) int {
	for i, own := range l.streams {
		if own == stream {
			return i + 1
		}
	}
	return 0
}

func (l *Lanes) close() (err error) {
	for _, event := range append(l.done[:], l.queued) {
		if event != nil {
			err = errors.Join(err, event.Close())
		}
	}
	for _, stream := range l.streams {
		if stream != nil {
			err = errors.Join(err, stream.Close())
		}
	}
	return err
}
