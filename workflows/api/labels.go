package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/go-github/v60/github"
)

// A LabelEvent records who set a label. go-github v60 lacks the App field.
type LabelEvent struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
	Actor struct {
		Login string `json:"login"`
		Type  string `json:"type"`
	} `json:"actor"`
	Label struct {
		Name string `json:"name"`
	} `json:"label"`
	App *struct {
		Slug string `json:"slug"`
	} `json:"performed_via_github_app"`
}

// ByPerson reports whether a person set the label, not an App on a person's behalf.
func (event *LabelEvent) ByPerson() bool { return event.Actor.Type == "User" && event.App == nil }

// LastLabeled returns the most recent time that a label was set on an issue or pull request, or nil if never.
func (client *Client) LastLabeled(ctx context.Context, number int, label string) (*LabelEvent, error) {
	var last *LabelEvent
	err := client.do(ctx, fmt.Sprintf("list the events of %d", number), func() error {
		last = nil
		return pages(100, func(page int) (*github.Response, error) {
			var events []*LabelEvent
			response, err := client.get(ctx, fmt.Sprintf("issues/%d/events?per_page=100&page=%d", number, page), &events)
			for _, event := range events {
				if event.Event == "labeled" && event.Label.Name == label && (last == nil || event.ID > last.ID) {
					last = event
				}
			}
			return response, err
		})
	})
	return last, err
}

// RemoveLabel removes a label from an issue or pull request. It succeeds if the label is not set.
func (client *Client) RemoveLabel(ctx context.Context, number int, label string) error {
	return client.do(ctx, fmt.Sprintf("remove the label %q of %d", label, number), func() error {
		request, err := client.github.NewRequest(http.MethodDelete, fmt.Sprintf("repos/%s/%s/issues/%d/labels/%s",
			client.owner, client.name, number, url.PathEscape(label)), nil)
		if err != nil {
			return err
		}
		_, err = client.github.Do(ctx, request, nil)
		if Gone(err) {
			return nil
		}
		return err
	})
}
