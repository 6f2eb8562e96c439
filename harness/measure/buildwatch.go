package measure

import (
	"bytes"
	"regexp"
	"sync"
	"time"
)

// A BuildLine is the progress of a build: the last line that its programs printed.
type BuildLine struct {
	// What names the build, such as "head 1a2b3c4".
	What string
	// Line is the line as printed, including control characters: clean it before showing it. It is empty before the first
	// line.
	Line string
	// Elapsed is the time since the build began.
	Elapsed time.Duration
}

const (
	// buildTick is the time between two notices of a build's progress.
	buildTick = 250 * time.Millisecond
	// longestBuildLine limits the stored length of a line; the log has all of it.
	longestBuildLine = 4 << 10
)

// excerpt matches the source lines, arrows and hints of a compiler's warning (rustc, gcc, clang), which do not say how
// far a build is.
var excerpt = regexp.MustCompile(`^(\d+ *)?(\||\.\.\.)|^(-->|:::|= )`)

// A buildWatch receives the output of a build and reports the last line at every tick. Its methods may be called
// concurrently.
type buildWatch struct {
	what    string
	notify  func(Notice)
	started time.Time
	stop    chan struct{}
	ended   chan struct{}

	mu   sync.Mutex // also held during notify, so that its calls do not overlap
	part []byte     // of a line that has not ended
	last string
}

// watchBuild starts a watch. The caller must call end.
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

// Write receives output of the build. A carriage return also ends a line: compilers draw progress bars with it.
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
		if line = bytes.TrimSpace(line); len(line) > 0 && !excerpt.Match(line) {
			w.last = string(line)
		}
		w.part, rest = w.part[:0], rest[end+1:]
	}
	return len(text), nil
}

// tell reports the last line.
func (w *buildWatch) tell() {
	w.while(func() {
		w.notify(Notice{Build: &BuildLine{What: w.what, Line: w.last, Elapsed: time.Since(w.started)}})
	})
}

// while calls say, which notifies, so that it does not overlap with a tick.
func (w *buildWatch) while(say func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	say()
}

// end stops the watch. Nothing is reported after it returns.
func (w *buildWatch) end() {
	close(w.stop)
	<-w.ended
}
