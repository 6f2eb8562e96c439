package api

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-github/v60/github"
)

// FindIssue returns the newest issue by author, open or closed, whose body contains marker, or nil.
func (client *Client) FindIssue(ctx context.Context, author, marker string, labels []string) (*github.Issue, error) {
	return client.lookForIssue(ctx, "all", author, marker, labels)
}

// FindOpenIssue is FindIssue for open issues.
func (client *Client) FindOpenIssue(ctx context.Context, author, marker string,
	labels []string) (*github.Issue, error) {
	return client.lookForIssue(ctx, "open", author, marker, labels)
}

func (client *Client) lookForIssue(ctx context.Context, state, author, marker string,
	labels []string) (*github.Issue, error) {
	var found *github.Issue
	err := client.do(ctx, "list issues", func() (err error) {
		found, err = client.findIssue(ctx, state, author, marker, labels)
		return err
	})
	return found, err
}

func (client *Client) findIssue(ctx context.Context, state, author, marker string,
	labels []string) (*github.Issue, error) {
	var found *github.Issue
	err := pages(50, func(page int) (*github.Response, error) {
		issues, response, err := client.github.Issues.ListByRepo(ctx, client.owner, client.name,
			&github.IssueListByRepoOptions{
				State:       state,
				Creator:     author,
				Labels:      labels,
				Sort:        "created",
				Direction:   "desc",
				ListOptions: github.ListOptions{Page: page, PerPage: 100},
			})
		for _, issue := range issues {
			if found == nil && issue.GetUser().GetLogin() == author && strings.HasPrefix(issue.GetBody(), marker) {
				found = issue
			}
		}
		return response, err
	})
	return found, err
}

// OpenIssueOnce opens an issue, unless author already has an open one with the marker, and returns it.
func (client *Client) OpenIssueOnce(ctx context.Context, author, marker, title, body string,
	labels []string) (*github.Issue, error) {
	if !strings.HasPrefix(body, marker) {
		return nil, fmt.Errorf("open an issue: the body does not begin with its marker %q", marker)
	}
	if labels == nil {
		labels = []string{} // null is not a list
	}
	return once(ctx, client, "open an issue",
		func() (*github.Issue, bool, error) {
			issue, err := client.findIssue(ctx, "open", author, marker, labels)
			return issue, issue != nil, err
		},
		func() (*github.Issue, error) {
			issue, _, err := client.github.Issues.Create(ctx, client.owner, client.name,
				&github.IssueRequest{Title: &title, Body: &body, Labels: &labels})
			return issue, err
		})
}

// EditIssue replaces the title, body and state ("open" or "closed") of an issue.
func (client *Client) EditIssue(ctx context.Context, number int, title, body, state string) error {
	return client.do(ctx, fmt.Sprintf("edit issue %d", number), func() error {
		_, _, err := client.github.Issues.Edit(ctx, client.owner, client.name, number,
			&github.IssueRequest{Title: &title, Body: &body, State: &state})
		return err
	})
}
