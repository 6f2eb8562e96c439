package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Marker is the first line of a job's comment. Later runs find the comment by it. It is hidden in the rendered page.
func Marker(key string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._ /:", r) {
			return r
		}
		return '_'
	}, key)
	return "<!-- chiasmus:ci " + plain + " -->"
}

// Notes accesses the comments of one merge request.
type Notes struct {
	// API is the root of GitLab's API v4, Project the project's ID or path, and MergeRequest the number of the merge
	// request.
	API, Project string
	MergeRequest int
	// Token must be a project access token with the scope api. The job's own token cannot write notes.
	Token string
	// Client makes the calls, with a timeout; nil means a default client. Sleep waits; nil means time.Sleep.
	Client *http.Client
	Sleep  func(time.Duration)
}

// A note is one comment.
type note struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	System bool   `json:"system"`
	Author struct {
		ID int64 `json:"id"`
	} `json:"author"`
}

const (
	noteAttempts = 4
	notePages    = 100
	noteAnswer   = 16 << 20
)

// Post creates or edits the one note of the token's account that starts with marker. body must start with marker. Notes
// of other accounts are ignored.
func (notes Notes) Post(ctx context.Context, marker, body string) error {
	if !strings.HasPrefix(body, marker) {
		return fmt.Errorf("post a note: the text does not begin with its marker %q", marker)
	}
	var self struct {
		ID int64 `json:"id"`
	}
	if _, err := notes.call(ctx, http.MethodGet, "user", nil, &self); err != nil {
		return fmt.Errorf("ask GitLab whose token this is: %w", err)
	}
	folder := fmt.Sprintf("projects/%s/merge_requests/%d/notes", url.PathEscape(notes.Project), notes.MergeRequest)
	// If a response is lost, the next attempt finds the note.
	var failed error
	for attempt := range noteAttempts {
		if attempt > 0 {
			notes.wait(attempt)
		}
		own, err := notes.find(ctx, folder, marker, self.ID)
		if err != nil {
			return fmt.Errorf("list the notes of merge request !%d: %w", notes.MergeRequest, err)
		}
		text := map[string]string{"body": body}
		if own != nil {
			_, failed = notes.call(ctx, http.MethodPut, fmt.Sprintf("%s/%d", folder, own.ID), text, nil)
		} else {
			_, failed = notes.send(ctx, http.MethodPost, folder, text, nil)
		}
		if failed == nil || !passing(failed) {
			break
		}
	}
	if failed != nil {
		return fmt.Errorf("comment on merge request !%d: %w", notes.MergeRequest, failed)
	}
	return nil
}

// find returns the oldest note of the account that starts with the marker, or nil.
func (notes Notes) find(ctx context.Context, folder, marker string, account int64) (*note, error) {
	page := "1"
	for range notePages {
		var list []note
		next, err := notes.call(ctx, http.MethodGet,
			folder+"?order_by=created_at&sort=asc&per_page=100&page="+url.QueryEscape(page), nil, &list)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if list[i].Author.ID == account && !list[i].System && strings.HasPrefix(list[i].Body, marker) {
				return &list[i], nil
			}
		}
		if next == "" {
			return nil, nil
		}
		page = next
	}
	return nil, fmt.Errorf("there are more than %d pages of notes", notePages)
}

// An answerError is an unsuccessful response.
type answerError struct {
	status  int
	message string
}

func (err *answerError) Error() string {
	text := fmt.Sprintf("GitLab answers %d", err.status)
	if err.message != "" {
		text += ": " + err.message
	}
	switch err.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		text += "; GITLAB_TOKEN needs to be a project access token with the scope api and the role Reporter or higher"
	case http.StatusNotFound:
		text += "; does the token's account see the project and its merge request?"
	}
	return text
}

// passing reports whether a failure is transient.
func passing(err error) bool {
	var answer *answerError
	if errors.As(err, &answer) {
		return answer.status == http.StatusTooManyRequests || answer.status >= 500
	}
	return true // no response
}

// call makes an idempotent call with retries.
func (notes Notes) call(ctx context.Context, method, path string, body, into any) (next string, err error) {
	for attempt := range noteAttempts {
		if attempt > 0 {
			notes.wait(attempt)
		}
		next, err = notes.send(ctx, method, path, body, into)
		if err == nil || !passing(err) || ctx.Err() != nil {
			return next, err
		}
	}
	return next, err
}

func (notes Notes) wait(attempt int) {
	if notes.Sleep != nil {
		notes.Sleep(time.Duration(attempt) * 2 * time.Second)
		return
	}
	time.Sleep(time.Duration(attempt) * 2 * time.Second)
}

// send makes one call and returns the number of the list's next page.
func (notes Notes) send(ctx context.Context, method, path string, body, into any) (next string, err error) {
	var data io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return "", err
		}
		data = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(notes.API, "/")+"/"+path, data)
	if err != nil {
		return "", err
	}
	request.Header.Set("PRIVATE-TOKEN", notes.Token)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	client := notes.Client
	if client == nil {
		client = &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a redirect would carry the token header along
		}}
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, noteAnswer))
	if err != nil {
		return "", err
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		var said struct {
			Message any    `json:"message"`
			Error   string `json:"error"`
		}
		message := ""
		if json.Unmarshal(answer, &said) == nil {
			if message = said.Error; said.Message != nil {
				message = fmt.Sprint(said.Message)
			}
		}
		return "", &answerError{response.StatusCode, strconv.QuoteToGraphic(message[:min(len(message), 200)])}
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			return "", fmt.Errorf("GitLab's answer to %s %s: %w", method, path, err)
		}
	}
	return response.Header.Get("X-Next-Page"), nil
}
