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
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// A Client speaks to one repository.
type Client struct {
	github      *github.Client
	http        *http.Client
	owner, name string
	retry       Retry
}

// Retry bounds the repetition of a call. The zero value means the defaults.
type Retry struct {
	// Attempts is how often a call is made at most; 0 means 6.
	Attempts int
	// First is the wait before the second attempt, doubled each time; 0 means one second.
	First time.Duration
	// Longest bounds one wait, a wait that the server asks for included; 0 means ten minutes.
	Longest time.Duration
	// Patience bounds one call; 0 means two minutes.
	Patience time.Duration
	// Sleep waits; nil means a timer that ctx ends.
	Sleep func(ctx context.Context, wait time.Duration) error
}

// New returns a client of the repository "owner/name". baseURL is the API's root, empty for the public one;
// token may be empty, for reading what is public.
func New(baseURL, repository, token string, retry Retry) (*Client, error) {
	owner, name, ok := strings.Cut(repository, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return nil, fmt.Errorf("repository %q: owner/name is needed", repository)
	}
	if retry.Patience == 0 {
		retry.Patience = 2 * time.Minute
	}
	plain := &http.Client{Timeout: retry.Patience}
	gh := github.NewClient(plain)
	if token != "" {
		gh = gh.WithAuthToken(token)
	}
	if baseURL != "" {
		root, err := url.Parse(strings.TrimSuffix(baseURL, "/") + "/")
		if err != nil {
			return nil, fmt.Errorf("the API's address: %w", err)
		}
		gh.BaseURL = root
	}
	if retry.Attempts == 0 {
		retry.Attempts = 6
	}
	if retry.First == 0 {
		retry.First = time.Second
	}
	if retry.Longest == 0 {
		retry.Longest = 10 * time.Minute
	}
	if retry.Sleep == nil {
		retry.Sleep = sleep
	}
	return &Client{github: gh, http: plain, owner: owner, name: name, retry: retry}, nil
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

// do makes call until it succeeds, fails for good, or the attempts are used up. what names the call in the error.
func (client *Client) do(ctx context.Context, what string, call func() error) error {
	wait := client.retry.First
	for attempt := 1; ; attempt++ {
		err := call()
		if err == nil {
			return nil
		}
		asked, passing := transient(err)
		if !passing || attempt == client.retry.Attempts || ctx.Err() != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		pause := max(asked, wait/2+rand.N(wait)) // jitter keeps several controllers apart
		if pause > client.retry.Longest {
			return fmt.Errorf("%s: the server asks to wait %s, longer than %s: %w", what, asked.Round(time.Second), client.retry.Longest, err)
		}
		if slept := client.retry.Sleep(ctx, pause); slept != nil {
			return fmt.Errorf("%s: %w", what, slept)
		}
		wait = min(2*wait, client.retry.Longest)
	}
}

// once creates something that find recognises. find runs first and before every repetition.
func once[T any](ctx context.Context, client *Client, what string, find func() (T, bool, error), create func() (T, error)) (T, error) {
	var made T
	err := client.do(ctx, what, func() error {
		found, ok, err := find()
		if err != nil {
			return err
		}
		if !ok {
			found, err = create()
		}
		made = found
		return err
	})
	return made, err
}

// transient reports whether err may pass by itself and how long the server asks to wait. It does not ask whether the
// caller has given up: an answer that took longer than the client waits looks just like that.
func transient(err error) (asked time.Duration, passing bool) {
	var limit *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	var response *github.ErrorResponse
	var network *url.Error
	switch {
	case errors.As(err, &limit):
		return max(0, time.Until(limit.Rate.Reset.Time)) + time.Second, true
	case errors.As(err, &secondary):
		if secondary.RetryAfter != nil {
			return *secondary.RetryAfter, true
		}
		return time.Minute, true
	case errors.As(err, &response):
		return transientStatus(response.Response)
	case errors.As(err, &network), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return 0, true
	}
	return 0, false
}

func transientStatus(response *http.Response) (time.Duration, bool) {
	if response == nil {
		return 0, false
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	asked := time.Duration(seconds) * time.Second
	switch {
	case response.StatusCode >= 500, response.StatusCode == http.StatusTooManyRequests:
		return asked, true
	case response.StatusCode == http.StatusForbidden:
		return asked, err == nil
	}
	return 0, false
}

// NotFound reports whether err is GitHub's answer that there is no such thing, or none that the token may see.
func NotFound(err error) bool {
	var response *github.ErrorResponse
	return errors.As(err, &response) && response.Response != nil &&
		(response.Response.StatusCode == http.StatusNotFound || response.Response.StatusCode == http.StatusUnprocessableEntity)
}

// pages calls list for every page until one is the last or limit pages were read, which is an error: a list cut
// short would be a partial result.
func pages(limit int, list func(page int) (*github.Response, error)) error {
	page := 1
	for range limit {
		response, err := list(page)
		if err != nil {
			return err
		}
		if response.NextPage == 0 {
			return nil
		}
		page = response.NextPage
	}
	return fmt.Errorf("the list has more than %d pages", limit)
}

// Name is the repository's name, owner/name.
func (client *Client) Name() string { return client.owner + "/" + client.name }

// Passing reports whether a call failed for a reason that may pass: asking again later makes sense.
func Passing(err error) bool {
	_, passing := transient(err)
	return err != nil && passing
}
