package environment

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// A fakeClock lets time pass at once. While it is disturbed, somebody else works in the world.
type fakeClock struct {
	world     *world
	at        time.Time
	disturbed bool
}

func (c *fakeClock) clock() clock {
	return clock{func() time.Time { return c.at }, func(d time.Duration) <-chan time.Time {
		if c.at = c.at.Add(d); c.disturbed {
			c.world.user += 10
			c.world.save()
		}
		passed := make(chan time.Time, 1)
		passed <- c.at
		return passed
	}}
}

func TestWaitQuiet(t *testing.T) {
	limits := DefaultThresholds()
	limits.QuietFor, limits.QuietTimeout = 10*time.Second, time.Minute
	t.Run("quiet", func(t *testing.T) {
		w := newWorld(t)
		c := &fakeClock{world: w}
		err := waitQuiet(t.Context(), w.host, limits, c.clock(), nil)
		if want := (time.Time{}).Add(limits.QuietFor); err != nil || c.at != want {
			t.Errorf("quiet after %v, want %v: %v", c.at, want, err)
		}
	})
	t.Run("busy, then quiet", func(t *testing.T) {
		w := newWorld(t)
		c := &fakeClock{world: w, disturbed: true}
		busy := 0
		err := waitQuiet(t.Context(), w.host, limits, c.clock(), []func([]Cause){func(causes []Cause) {
			if kinds(causes) != "others" {
				t.Errorf("causes %v", causes)
			}
			if busy++; busy == 3 {
				c.disturbed = false
			}
		}})
		if want := (time.Time{}).Add(3*quietWindow + limits.QuietFor); err != nil || busy != 3 || c.at != want {
			t.Errorf("busy %d times, quiet after %v, want %v: %v", busy, c.at, want, err)
		}
	})
	t.Run("never quiet", func(t *testing.T) {
		w := newWorld(t)
		c := &fakeClock{world: w, disturbed: true}
		err := waitQuiet(t.Context(), w.host, limits, c.clock(), nil)
		var loud *NotQuietError
		if !errors.As(err, &loud) || kinds(loud.Causes) != "others" || loud.Checks != 60 || loud.Disturbed[Others] != 60 ||
			loud.Needed != limits.QuietFor || loud.Waited != limits.QuietTimeout {
			t.Fatalf("got %v", err)
		}
		for _, want := range []string{"in 1m0s: in 60 checks it was disturbed by (times) others 60;",
			"and 10s were asked for; at last: ", loud.Causes[0].Detail} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v lacks %q", err, want)
			}
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		never := clock{time.Now, func(time.Duration) <-chan time.Time { return nil }}
		if err := waitQuiet(ctx, newWorld(t).host, limits, never, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
