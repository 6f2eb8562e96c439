package measure

import (
	"bytes"
	"sync"
	"time"
)

// A BuildLine is how a build is going: the last line that its programs printed.
type BuildLine struct {
	// What names the build, such as "head 1a2b3c4".
	What string
	// Line is as it was printed, control characters included: whoever shows it cleans it. It is empty before the first.
	Line string
	// Elapsed is the time since the build began.
	Elapsed time.Duration
}

const (
	// buildTick is the time between two notices of a build that prints.
	buildTick = 250 * time.Millisecond
	// longestBuildLine bounds what is kept of a line; the log has all of it.
	longestBuildLine = 4 << 10
)

// A buildWatch is written what a build prints, and tells of its last line at every tick. Its methods may be called
// concurrently.
type buildWatch struct {
	what    string
	notify  func(Notice)
	started time.Time
	stop    chan struct{}
	ended   chan struct{}

	mu   sync.Mutex // also held while notify runs, which is called from one goroutine at a time
	part []byte     // of a line that has not ended
	last string
}

// watchBuild begins to watch. The caller ends the watch by its end.
func watchBuild(what string, notify func(Notice), ticks <-chan time.Time) *buildWatch {
	w := &buildWatch{
		what: what, notify: notify, started: time.Now(), stop: make(chan struct{}), ended: make(chan struct{}),
	}
	go func() {
		defer close(w.ended)
		for {
			select {
			case <-w.stop:
				return
			case <-ticks:
				w.tell()
			}
		}
	}()
	return w
}

// Write takes what the build prints. A carriage return ends a line too: with it compilers draw progress bars.
func (w *buildWatch) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for rest := text; len(rest) > 0; {
		end := bytes.IndexAny(rest, "\r\n")
		if end < 0 {
			w.part = append(w.part, rest[:min(len(rest), max(0, longestBuildLine-len(w.part)))]...)
			break
		}
		line := append(w.part, rest[:min(end, max(0, longestBuildLine-len(w.part)))]...)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			w.last = string(line)
		}
		w.part, rest = w.part[:0], rest[end+1:]
	}
	return len(text), nil
}

// tell says how the build is going.
func (w *buildWatch) tell() {
	w.while(func() {
		w.notify(Notice{Build: &BuildLine{What: w.what, Line: w.last, Elapsed: time.Since(w.started)}})
	})
}

// while runs what notifies on its own, so that it does not meet a tick.
func (w *buildWatch) while(say func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	say()
}

// end ends the watch. Nothing is told after it returns.
func (w *buildWatch) end() {
	close(w.stop)
	<-w.ended
}
