package environment

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// A NotQuietError says what disturbed the host until WaitQuiet gave up.
type NotQuietError struct {
	Waited time.Duration
	Causes []Cause // of the last disturbed check
	// Checks counts all checks of the host, and Disturbed those with a cause, by kind.
	Checks    int
	Disturbed map[Kind]int
	// Longest is the longest time without a cause, and Needed the required time.
	Longest, Needed time.Duration
}

// Error says how often and by what the host was disturbed, and its longest quiet time.
func (e *NotQuietError) Error() string {
	details := make([]string, len(e.Causes))
	for i, c := range e.Causes {
		details[i] = c.Detail
	}
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(e.Disturbed)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, e.Disturbed[kind]))
	}
	return fmt.Sprintf("the host did not become quiet in %v: in %d checks it was disturbed by (times) %s; the longest "+
		"quiet time was %v, and %v were asked for; at last: %s. "+
		"Thresholds are in the section environment of bench.yaml", e.Waited.Round(time.Second), e.Checks,
		strings.Join(kinds, ", "),
		e.Longest.Round(100*time.Millisecond), e.Needed, strings.Join(details, "; "))
}

// quietWindow is the duration of a check by WaitQuiet.
const quietWindow = time.Second

// WaitQuiet returns when nothing has disturbed the host for Thresholds.QuietFor, and fails with a *NotQuietError after
// Thresholds.QuietTimeout. It calls progress with the causes of each disturbed window. It must be called before
// sessions are opened, because it attributes all activity to others.
func WaitQuiet(ctx context.Context, t Thresholds, progress ...func([]Cause)) error {
	return waitQuiet(ctx, host{}, t, clock{time.Now, time.After}, progress)
}

// A clock is a source of time; in tests, time passes without waiting.
type clock struct {
	now   func() time.Time
	after func(time.Duration) <-chan time.Time
}

func waitQuiet(ctx context.Context, h host, t Thresholds, c clock, progress []func([]Cause)) error {
	o := newObserver(h, t, nil, os.Getpid())
	defer o.Close()
	started := c.now()
	quietSince := started
	found := &NotQuietError{Disturbed: map[Kind]int{}, Needed: t.QuietFor}
	for {
		o.Start()
		select {
		case <-ctx.Done():
			o.Stop()
			return ctx.Err()
		case <-c.after(quietWindow):
		}
		seen := o.Stop()
		found.Checks++
		if len(seen.Causes) > 0 {
			found.Causes, quietSince = seen.Causes, c.now()
			for _, cause := range seen.Causes {
				found.Disturbed[cause.Kind]++
			}
			for _, p := range progress {
				p(seen.Causes)
			}
		}
		now := c.now()
		found.Longest = max(found.Longest, now.Sub(quietSince))
		switch {
		case now.Sub(quietSince) >= t.QuietFor:
			return nil
		case now.Sub(started) >= t.QuietTimeout:
			found.Waited = now.Sub(started)
			return found
		}
	}
}
