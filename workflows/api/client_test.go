package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// The client waits for temporary errors: both kinds of limits with and without a time, and a server error.
// It does not wait for permanent errors.
func TestRetries(t *testing.T) {
	for name, test := range map[string]struct {
		first  func(http.ResponseWriter)
		calls  int32
		waited time.Duration // at least, before the second call
	}{
		"primary limit": {func(w http.ResponseWriter) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(2*time.Second).Unix()))
			w.WriteHeader(http.StatusForbidden)
		}, 2, 0}, // go-github makes no call before the limit ends
		"secondary limit": {func(w http.ResponseWriter) {
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"message":"You have exceeded a secondary rate limit","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`)
		}, 2, time.Minute},
		"secondary limit with a time": {func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		}, 2, 7 * time.Second},
		"gateway":          {func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }, 2, 0},
		"an expired token": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusUnauthorized) }, 1, 0},
		"no permission":    {func(w http.ResponseWriter) { w.WriteHeader(http.StatusForbidden) }, 1, 0},
		"a limit of hours": {func(w http.ResponseWriter) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(2*time.Hour).Unix()))
			w.WriteHeader(http.StatusForbidden)
		}, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if calls.Add(1) == 1 {
					test.first(w)
					return
				}
				fmt.Fprint(w, `{"id":7}`)
			}))
			defer server.Close()
			var waited time.Duration
			client, err := New(server.URL, "a/b", "token", Retry{First: time.Millisecond,
				Sleep: func(_ context.Context, wait time.Duration) error {
					waited += wait
					time.Sleep(min(wait, 3*time.Second)) // go-github itself sends nothing while a primary limit lasts
					return nil
				}})
			if err != nil {
				t.Fatal(err)
			}
			repository, err := client.Repository(context.Background())
			if got := calls.Load(); got != test.calls || (err == nil) != (test.calls == 2) || waited < test.waited {
				t.Errorf("%d calls, waited %s, %v, %v", got, waited, repository, err)
			}
		})
	}
}

// A call that is not answered in time is repeated. A busy host may need further attempts.
func TestRetriesOfSlowCalls(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			<-r.Context().Done() // the client has given up
			return
		}
		fmt.Fprint(w, `{"id":7}`)
	}))
	defer server.Close()
	client, err := New(server.URL, "a/b", "token",
		Retry{Attempts: 20, First: time.Millisecond, Longest: time.Second, Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Repository(t.Context()); err != nil || calls.Load() < 2 {
		t.Errorf("%d calls: %v", calls.Load(), err)
	}
}

// A cancelled caller does not have to wait.
func TestRetriesEndWithTheContext(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		time.Sleep(300 * time.Millisecond)
	}))
	defer server.Close()
	client, err := New(server.URL, "a/b", "",
		Retry{Sleep: func(context.Context, time.Duration) error { t.Error("it waits"); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := client.Repository(ctx); err == nil {
		t.Error("no error")
	}
}

// A caller that holds a measurement waits out the hourly limit; any other caller gets an error that the wait is too
// long.
func TestLimitOfAnHour(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-RateLimit-Remaining", "0")
		w.Header().Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(time.Hour).Unix()))
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer server.Close()
	for _, test := range []struct {
		retry Retry
		waits bool
	}{{Retry{}, false}, {AfterMeasurement, true}} {
		var waited time.Duration
		enough := errors.New("enough")
		test.retry.Sleep = func(_ context.Context, wait time.Duration) error { waited = wait; return enough }
		client, err := New(server.URL, "a/b", "token", test.retry)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Repository(context.Background()); errors.Is(err, enough) != test.waits ||
			test.waits && waited < 59*time.Minute {
			t.Errorf("waited %s: %v", waited, err)
		}
	}
}

// The token is sent to the API and to no other host, for any redirect. A redirect within the API is followed, with
// method, body and token.
func TestTokenStaysWithItsHost(t *testing.T) {
	var strangers, moved atomic.Int32
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		strangers.Add(1)
		if r.Header.Get("Authorization") != "" {
			t.Errorf("%s %s carries the token", r.Method, r.URL)
		}
	}))
	defer stranger.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sesame" {
			t.Errorf("%s %s has no token", r.Method, r.URL)
		}
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/repos/a/b":
			http.Redirect(w, r, stranger.URL, http.StatusFound)
		case "/repos/a/b/issues/comments/1/reactions":
			w.Header().Set("Location", "/repositories/7/issues/comments/1/reactions")
			w.WriteHeader(http.StatusTemporaryRedirect)
		case "/repos/a/b/issues/comments/2/reactions":
			w.Header().Set("Location", stranger.URL)
			w.WriteHeader(http.StatusMovedPermanently)
		case "/repos/a/b/issues/comments/3/reactions": // for ever
			w.Header().Set("Location", r.URL.Path)
			w.WriteHeader(http.StatusPermanentRedirect)
		case "/repositories/7/issues/comments/1/reactions":
			moved.Add(1)
			if r.Method != http.MethodPost || !strings.Contains(string(body), "eyes") {
				t.Errorf("%s %q", r.Method, body)
			}
			fmt.Fprint(w, `{"id":7}`)
		}
	}))
	defer server.Close()
	client, err := New(server.URL, "a/b", "sesame", Retry{Attempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := client.React(ctx, 1, "eyes"); err != nil || moved.Load() != 1 {
		t.Errorf("a moved repository: %v", err)
	}
	for _, comment := range []int64{2, 3} {
		if err := client.React(ctx, comment, "eyes"); err == nil {
			t.Errorf("comment %d: no error", comment)
		}
	}
	if _, err := client.Repository(ctx); err == nil || strangers.Load() != 0 {
		t.Errorf("another host was asked %d times: %v", strangers.Load(), err)
	}
}
