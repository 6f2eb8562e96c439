package workflows

import (
	"encoding/json"
	"fmt"
)

// An Event has the fields of GitHub's event file that the gate uses. The gate looks up identifiers with the API, so a
// forged event cannot claim anything.
type Event struct {
	// Trigger is the kind of the event; empty means a comment.
	Trigger    Trigger
	Action     string
	CommentID  int64
	Body       string
	PullNumber int
	IsPull     bool
	Repository string
	// Label and HeadSHA belong to a label event. Sender is the account that set the label or pushed.
	Label, HeadSHA, Sender string
	// Ref, Before and After belong to a push.
	Ref, Before, After string
	Deleted            bool
}

// A Trigger is the kind of event that started a run.
type Trigger string

// The triggers. The plan of a comment has none, so that its JSON equals that of earlier versions.
const (
	CommentTrigger Trigger = ""
	LabelTrigger   Trigger = "label"
	PushTrigger    Trigger = "push"
)

// ParseEvent reads an event of a comment, of a pull request's label, or of a push.
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
		Label *struct {
			Name string `json:"name"`
		} `json:"label"`
		Pull *struct {
			Number int `json:"number"`
			Head   struct {
				SHA string `json:"sha"`
			} `json:"head"`
		} `json:"pull_request"`
		Sender struct {
			Login string `json:"login"`
		} `json:"sender"`
		Ref     string `json:"ref"`
		Before  string `json:"before"`
		After   string `json:"after"`
		Deleted bool   `json:"deleted"`
	}
	if err := json.Unmarshal(data, &payload); err != nil {
		return nil, fmt.Errorf("the event is not a JSON object: %w", err)
	}
	switch {
	case payload.Repository == nil:
	case payload.Label != nil && payload.Pull != nil && payload.Pull.Number > 0:
		return &Event{Trigger: LabelTrigger, Action: payload.Action, PullNumber: payload.Pull.Number, IsPull: true,
			Repository: payload.Repository.FullName, Label: payload.Label.Name, HeadSHA: payload.Pull.Head.SHA,
			Sender: payload.Sender.Login}, nil
	case payload.Ref != "" && payload.After != "":
		return &Event{Trigger: PushTrigger, Repository: payload.Repository.FullName, Sender: payload.Sender.Login,
			Ref: payload.Ref, Before: payload.Before, After: payload.After, Deleted: payload.Deleted}, nil
	}
	if payload.Issue == nil || payload.Comment == nil || payload.Repository == nil || payload.Comment.ID <= 0 ||
		payload.Issue.Number <= 0 {
		return nil, fmt.Errorf("the event is neither a comment on an issue or pull request (needs issue, comment and " +
			"repository) nor a label of a pull request (label, pull_request) nor a push (ref, before, after)")
	}
	return &Event{
		Action: payload.Action, CommentID: payload.Comment.ID, Body: payload.Comment.Body, PullNumber: payload.Issue.Number,
		IsPull:     len(payload.Issue.PullRequest) > 0 && string(payload.Issue.PullRequest) != "null",
		Repository: payload.Repository.FullName,
	}, nil
}
