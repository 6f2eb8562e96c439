package workflows

import (
	"encoding/json"
	"fmt"
)

// An Event is what the gate takes from the file that GitHub hands to a workflow. Only the identifiers count: what
// they name is asked from the API, so that a forged event can say nothing.
type Event struct {
	Action     string
	CommentID  int64
	Body       string
	PullNumber int
	IsPull     bool
	Repository string
}

// ParseEvent reads an issue_comment event.
func ParseEvent(data []byte) (*Event, error) {
	var payload struct {
		Action string `json:"action"`
		Issue  *struct {
			Number      int             `json:"number"`
			PullRequest json.RawMessage `json:"pull_request"`
		} `json:"issue"`
		Comment *struct {
			ID   int64  `json:"id"`
			Body string `json:"body"`
		} `json:"comment"`
		Repository *struct {
			FullName string `json:"full_name"`
		} `json:"repository"`
	}
	if err := json.Unmarshal(data, &payload); err != nil {
		return nil, fmt.Errorf("the event is no JSON object: %w", err)
	}
	if payload.Issue == nil || payload.Comment == nil || payload.Repository == nil || payload.Comment.ID <= 0 ||
		payload.Issue.Number <= 0 {
		return nil, fmt.Errorf("the event is no comment on an issue or pull request: issue, comment and repository are " +
			"needed")
	}
	return &Event{
		Action: payload.Action, CommentID: payload.Comment.ID, Body: payload.Comment.Body, PullNumber: payload.Issue.Number,
		IsPull:     len(payload.Issue.PullRequest) > 0 && string(payload.Issue.PullRequest) != "null",
		Repository: payload.Repository.FullName,
	}, nil
}
