package environment

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// disturb simulates other work in the world until stop is called.
func disturb(w *world) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-quit:
				return
			case <-time.After(2 * time.Millisecond):
				w.user += 10
				w.save()
			}
		}
	}()
	return sync.OnceFunc(func() { close(quit); <-done })
}

func TestWaitQuiet(t *testing.T) {
	limits := DefaultThresholds()
	limits.QuietFor, limits.QuietTimeout = 400*time.Millisecond, time.Minute
	const window = 20 * time.Millisecond
	t.Run("quiet", func(t *testing.T) {
		if err := waitQuiet(t.Context(), newWorld(t).host, limits, window, nil); err != nil {
			t.Error(err)
		}
	})
	t.Run("busy, then quiet", func(t *testing.T) {
		w := newWorld(t)
		stop, busy := disturb(w), 0
		defer stop()
		err := waitQuiet(t.Context(), w.host, limits, window, []func([]Cause){func(causes []Cause) {
			if kinds(causes) != "others" {
				t.Errorf("causes %v", causes)
			}
			if busy++; busy == 3 {
				stop()
			}
		}})
		if err != nil || busy < 3 {
			t.Errorf("busy %d times, %v", busy, err)
		}
	})
	t.Run("never quiet", func(t *testing.T) {
		w := newWorld(t)
		defer disturb(w)()
		short := limits
		short.QuietTimeout = short.QuietFor
		err := waitQuiet(t.Context(), w.host, short, window, nil)
		var loud *NotQuietError
		if !errors.As(err, &loud) || kinds(loud.Causes) != "others" || loud.Checks < loud.Disturbed[Others] ||
			loud.Disturbed[Others] == 0 || loud.Needed != short.QuietFor {
			t.Fatalf("got %v", err)
		}
		for _, want := range []string{fmt.Sprintf("in %d checks it was disturbed by (times) others %d;", loud.Checks,
			loud.Disturbed[Others]), "and 400ms were asked for; at last: ", loud.Causes[0].Detail} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v lacks %q", err, want)
			}
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := waitQuiet(ctx, newWorld(t).host, limits, window, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
