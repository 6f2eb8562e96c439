package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v60/github"
)

// A Client accesses one repository.
type Client struct {
	github *github.Client
	// plain sends no token: it reads what GitHub stores on other hosts.
	plain       *http.Client
	owner, name string
	retry       Retry
}

// New returns a client of the repository "owner/name". baseURL is the API's root, or empty for github.com. token may be
// empty if the client only reads public data.
func New(baseURL, repository, token string, retry Retry) (*Client, error) {
	owner, name, ok := strings.Cut(repository, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return nil, fmt.Errorf("repository %q: owner/name is needed", repository)
	}
	retry = retry.orDefaults()
	root := github.NewClient(nil).BaseURL
	if baseURL != "" {
		parsed, err := url.Parse(strings.TrimSuffix(baseURL, "/") + "/")
		if err != nil {
			return nil, fmt.Errorf("the API's address: %w", err)
		}
		root = parsed
	}
	gh := github.NewClient(&http.Client{
		Timeout:   retry.Patience,
		Transport: &transport{token: token, api: root, next: http.DefaultTransport},
		// The caller decides whether to follow redirects to other hosts.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
	gh.BaseURL = root
	return &Client{github: gh, plain: &http.Client{Timeout: retry.Patience}, owner: owner, name: name, retry: retry}, nil
}

// NotFound reports whether err means that an object does not exist or is invisible to the token.
func NotFound(err error) bool {
	return status(err) == http.StatusNotFound || status(err) == http.StatusUnprocessableEntity
}

// Gone reports whether err means that an object was deleted.
func Gone(err error) bool {
	return status(err) == http.StatusNotFound || status(err) == http.StatusGone
}

// status returns the HTTP status of err, or 0 if there was no response.
func status(err error) int {
	var response *github.ErrorResponse
	if errors.As(err, &response) && response.Response != nil {
		return response.Response.StatusCode
	}
	return 0
}

// pages calls list for every page up to the last. More than limit pages are an error, because a truncated list would be
// a partial result.
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

// Name returns the repository's name, owner/name.
func (client *Client) Name() string { return client.owner + "/" + client.name }
