package device

import (
	"errors"

	"github.com/chiasmus/chiasmus/cuda"
)

// laneCount is how many launches of small tables go side by side: one takes as long as so many are queued in.
const laneCount = 8

// Lanes are streams for launches that do not wait for each other, such as those of small tables, one of which leaves
// most of the device idle. Their blocks come after the main stream's and before those of [Beside]. Lanes that are not
// used cost nothing.
type Lanes struct {
	main    *cuda.Stream
	streams [laneCount]*cuda.Stream
	queued  *cuda.Event            // behind all that was on the main stream at the fork
	done    [laneCount]*cuda.Event // behind all that is on each lane
	used    int                    // how many there were turns of since the fork
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

// Fork makes the lanes' later work wait for all that the main stream has been given so far.
func (l *Lanes) Fork() error {
	l.used, l.err = 0, nil
	return l.queued.Record(l.main)
}

// Next is one lane after the other. Join says what failed here.
func (l *Lanes) Next() *cuda.Stream {
	stream := l.streams[l.used%laneCount]
	if l.used < laneCount {
		l.err = errors.Join(l.err, stream.Wait(l.queued))
	}
	l.used++
	return stream
}

// Join makes the main stream wait for all that the lanes have been given so far.
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

// number is the lane that a stream is, from 1 on, or 0.
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
