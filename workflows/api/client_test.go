package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// Answers that pass by themselves are waited for: one that comes too late, limits of both kinds with and without a time,
// and a server in trouble. Those that do not are not.
func TestRetries(t *testing.T) {
	for name, test := range map[string]struct {
		first  func(http.ResponseWriter)
		calls  int32
		waited time.Duration // at least, before the second call
	}{
		"too slow": {func(http.ResponseWriter) { time.Sleep(600 * time.Millisecond) }, 2, 0},
		"primary limit": {func(w http.ResponseWriter) {
			w.Header().Set("X-RateLimit-Remaining", "0")
			w.Header().Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(2*time.Second).Unix()))
			w.WriteHeader(http.StatusForbidden)
		}, 2, time.Second},
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
			client, err := New(server.URL, "a/b", "token", Retry{First: time.Millisecond, Patience: 200 * time.Millisecond,
				Sleep: func(_ context.Context, wait time.Duration) error {
					waited += wait
					time.Sleep(min(wait, 3*time.Second)) // go-github itself keeps quiet while a primary limit lasts
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

// Whoever has given up is not kept waiting.
func TestRetriesEndWithTheContext(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(300 * time.Millisecond) }))
	defer server.Close()
	client, err := New(server.URL, "a/b", "", Retry{Sleep: func(context.Context, time.Duration) error { t.Error("it waits"); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := client.Repository(ctx); err == nil {
		t.Error("no error")
	}
}
