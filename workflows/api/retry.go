package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/go-github/v60/github"
)

// Retry controls retries. The zero value means the defaults.
type Retry struct {
	// Attempts is the maximum number of attempts; 0 means 6.
	Attempts int
	// First is the wait before the second attempt, doubled each time; 0 means one second.
	First time.Duration
	// Longest bounds one wait, including a wait that the server requests; 0 means ten minutes.
	Longest time.Duration
	// Patience bounds one call; 0 means two minutes.
	Patience time.Duration
	// Lease is the time after which a pull request's lock expires; 0 means two minutes.
	Lease time.Duration
	// Sleep waits; nil means a timer, cancelled by ctx.
	Sleep func(ctx context.Context, wait time.Duration) error
}

// AfterMeasurement is the Retry for a caller with the only copy of a measurement: its longest wait covers GitHub's
// hourly rate limit.
var AfterMeasurement = Retry{Longest: 65 * time.Minute}

func (retry Retry) orDefaults() Retry {
	if retry.Attempts == 0 {
		retry.Attempts = 6
	}
	for _, field := range []struct {
		value     *time.Duration
		otherwise time.Duration
	}{{&retry.First, time.Second}, {&retry.Longest, 10 * time.Minute}, {&retry.Patience, 2 * time.Minute}, {&retry.Lease,
		2 * time.Minute}} {
		if *field.value == 0 {
			*field.value = field.otherwise
		}
	}
	if retry.Sleep == nil {
		retry.Sleep = sleep
	}
	return retry
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A backoff is the wait between the attempts of one call.
type backoff struct {
	retry *Retry
	wait  time.Duration
}

func (client *Client) backoff() *backoff {
	return &backoff{retry: &client.retry, wait: client.retry.First}
}

// pause waits for the time that the server requested, and at least for the backoff. err is the reason.
func (backoff *backoff) pause(ctx context.Context, asked time.Duration, err error) error {
	pause := max(asked, backoff.wait/2+rand.N(backoff.wait)) // jitter spreads concurrent controllers
	if pause > backoff.retry.Longest {
		return fmt.Errorf("the server asks to wait %s, longer than %s: %w", asked.Round(time.Second), backoff.retry.Longest,
			err)
	}
	return backoff.retry.Sleep(ctx, pause)
}

func (backoff *backoff) grow() { backoff.wait = min(2*backoff.wait, backoff.retry.Longest) }

// do repeats call until it succeeds, fails permanently, or has used all attempts. what names the call in errors.
func (client *Client) do(ctx context.Context, what string, call func() error) error {
	backoff := client.backoff()
	for attempt := 1; ; attempt++ {
		err := call()
		if err == nil {
			return nil
		}
		asked, passing := transient(err)
		if passing && attempt < client.retry.Attempts && ctx.Err() == nil {
			paused := backoff.pause(ctx, asked, err)
			backoff.grow()
			if paused == nil {
				continue
			}
			err = paused
		}
		return fmt.Errorf("%s: %w", what, err)
	}
}

// settle is the number of searches for the result of a call that may have succeeded, before it is retried: GitHub's
// lists may lag behind its writes.
const settle = 3

// once creates an object that find recognizes. find runs first, and after every attempt with an unknown outcome.
func once[T any](ctx context.Context, client *Client, what string, find func() (T, bool, error),
	create func() (T, error)) (T, error) {
	look := func() (found T, ok bool, err error) {
		err = client.do(ctx, what, func() (err error) {
			found, ok, err = find()
			return err
		})
		return found, ok, err
	}
	found, ok, err := look()
	backoff := client.backoff()
	for attempt := 1; err == nil && !ok; attempt++ {
		made, failure := create()
		if failure == nil {
			return made, nil
		}
		asked, passing := transient(failure)
		if !passing || ctx.Err() != nil {
			return found, fmt.Errorf("%s: %w", what, failure)
		}
		looks := 1
		if mayHaveActed(failure) {
			looks = settle
		}
		for ; looks > 0 && err == nil && !ok; looks-- {
			if paused := backoff.pause(ctx, asked, failure); paused != nil {
				return found, fmt.Errorf("%s: %w", what, paused)
			}
			found, ok, err = look()
		}
		backoff.grow()
		if err == nil && !ok && attempt == client.retry.Attempts {
			return found, fmt.Errorf("%s: %w", what, failure)
		}
	}
	return found, err
}

// transient reports whether err is transient, and the wait that the server requests. It does not consider whether ctx
// has ended, because a client timeout looks the same.
func transient(err error) (asked time.Duration, passing bool) {
	var limit *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	var response *github.ErrorResponse
	var network *url.Error
	switch {
	case errors.As(err, &limit):
		return untilReset(limit.Rate.Reset.Time), true
	case errors.As(err, &secondary):
		if secondary.RetryAfter != nil {
			return *secondary.RetryAfter, true
		}
		return time.Minute, true
	case errors.As(err, &response):
		return transientStatus(response.Response)
	case errors.As(err, &network), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, errStore):
		return 0, true
	}
	return 0, false
}

func untilReset(reset time.Time) time.Duration { return max(0, time.Until(reset)) + time.Second }

func transientStatus(response *http.Response) (time.Duration, bool) {
	if response == nil {
		return 0, false
	}
	seconds, notSaid := strconv.Atoi(response.Header.Get("Retry-After"))
	asked := time.Duration(seconds) * time.Second
	limited := response.Header.Get("X-RateLimit-Remaining") == "0"
	if reset, err := strconv.ParseInt(response.Header.Get("X-RateLimit-Reset"), 10, 64); err == nil && limited {
		asked = max(asked, untilReset(time.Unix(reset, 0)))
	}
	switch {
	case response.StatusCode >= 500, response.StatusCode == http.StatusTooManyRequests:
		return asked, true
	case response.StatusCode == http.StatusForbidden:
		return asked, notSaid == nil || limited
	}
	return 0, false
}

// mayHaveActed reports whether the server may have performed the request although its response failed.
func mayHaveActed(err error) bool {
	var response *github.ErrorResponse
	if errors.As(err, &response) {
		return response.Response != nil && response.Response.StatusCode >= 500
	}
	var network *url.Error
	return errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}
