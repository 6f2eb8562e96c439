package environment

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// A NotQuietError says what still disturbed the host when WaitQuiet gave up.
type NotQuietError struct {
	Waited time.Duration
	Causes []Cause
}

// Error names the causes.
func (e *NotQuietError) Error() string {
	details := make([]string, len(e.Causes))
	for i, c := range e.Causes {
		details[i] = c.Detail
	}
	return fmt.Sprintf("the host did not become quiet in %v: %s", e.Waited.Round(time.Second), strings.Join(details, "; "))
}

// quietWindow is the time over which WaitQuiet looks at the host.
const quietWindow = time.Second

// WaitQuiet returns when nothing has disturbed the host for Thresholds.QuietFor, and gives up with
// a *NotQuietError after Thresholds.QuietTimeout. Each window that is not quiet is given to
// progress. It is called before sessions are open: whatever runs is somebody else's.
func WaitQuiet(ctx context.Context, t Thresholds, progress ...func([]Cause)) error {
	return waitQuiet(ctx, host{}, t, quietWindow, progress)
}

func waitQuiet(ctx context.Context, h host, t Thresholds, window time.Duration, progress []func([]Cause)) error {
	o := newObserver(h, t, nil, os.Getpid())
	defer o.Close()
	started, quietSince := time.Now(), time.Now()
	var last []Cause
	for {
		o.Start()
		select {
		case <-ctx.Done():
			o.Stop()
			return ctx.Err()
		case <-time.After(window):
		}
		seen := o.Stop()
		if len(seen.Causes) > 0 {
			last, quietSince = seen.Causes, time.Now()
			for _, p := range progress {
				p(last)
			}
		}
		switch now := time.Now(); {
		case now.Sub(quietSince) >= t.QuietFor:
			return nil
		case now.Sub(started) >= t.QuietTimeout:
			return &NotQuietError{now.Sub(started), last}
		}
	}
}
