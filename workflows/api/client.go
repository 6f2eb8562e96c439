package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v60/github"
)

// A Client speaks to one repository.
type Client struct {
	github *github.Client
	// plain carries no token: it reads what GitHub keeps elsewhere.
	plain       *http.Client
	owner, name string
	retry       Retry
}

// New returns a client of the repository "owner/name". baseURL is the API's root, empty for the public one;
// token may be empty, for reading what is public.
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
		// What leads away from the API is for the caller to decide.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
	gh.BaseURL = root
	return &Client{github: gh, plain: &http.Client{Timeout: retry.Patience}, owner: owner, name: name, retry: retry}, nil
}

// NotFound reports whether err is GitHub's answer that there is no such thing, or none that the token may see.
func NotFound(err error) bool {
	return status(err) == http.StatusNotFound || status(err) == http.StatusUnprocessableEntity
}

// Gone reports whether err is GitHub's answer that a thing was deleted.
func Gone(err error) bool {
	return status(err) == http.StatusNotFound || status(err) == http.StatusGone
}

// status is the answer's, 0 where there was none.
func status(err error) int {
	var response *github.ErrorResponse
	if errors.As(err, &response) && response.Response != nil {
		return response.Response.StatusCode
	}
	return 0
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
