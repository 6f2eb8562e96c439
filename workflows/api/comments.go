package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v60/github"
)

// A Comment is a comment of an issue or a pull request.
type Comment struct {
	github.IssueComment
	// App is the GitHub App that wrote the comment, as itself or on behalf of a user; nil for none. go-github v60 lacks
	// this field.
	App *struct {
		Slug string `json:"slug"`
	} `json:"performed_via_github_app"`
}

// ByPerson reports whether a person wrote the comment, not an App on a person's behalf.
func (comment *Comment) ByPerson() bool {
	return comment.GetUser().GetType() == "User" && comment.App == nil
}

// Comment returns a comment on an issue or a pull request.
func (client *Client) Comment(ctx context.Context, id int64) (*Comment, error) {
	var comment *Comment
	err := client.do(ctx, fmt.Sprintf("read comment %d", id), func() error {
		comment = &Comment{}
		_, err := client.get(ctx, fmt.Sprintf("issues/comments/%d", id), comment)
		return err
	})
	return comment, err
}

// React adds a reaction to a comment. It succeeds if the reaction already exists or the comment was deleted.
func (client *Client) React(ctx context.Context, id int64, content string) error {
	return client.do(ctx, fmt.Sprintf("react to comment %d", id), func() error {
		_, _, err := client.github.Reactions.CreateIssueCommentReaction(ctx, client.owner, client.name, id, content)
		if Gone(err) {
			return nil
		}
		return err
	})
}

// OwnComments lists the comments on an issue or pull request by author that start with marker, oldest first. It ignores
// comments by others, and comments with the marker further down: logs and other workflows' text appear there, and
// author may be the account of all workflows in the repository.
func (client *Client) OwnComments(ctx context.Context, number int, author,
	marker string) ([]*github.IssueComment, error) {
	var found []*github.IssueComment
	err := client.do(ctx, fmt.Sprintf("list the comments of %d", number), func() (err error) {
		found, err = client.ownComments(ctx, number, author, marker)
		return err
	})
	return found, err
}

func (client *Client) ownComments(ctx context.Context, number int, author,
	marker string) ([]*github.IssueComment, error) {
	var found []*github.IssueComment
	err := pages(100, func(page int) (*github.Response, error) {
		comments, response, err := client.github.Issues.ListComments(ctx, client.owner, client.name, number,
			&github.IssueListCommentsOptions{ListOptions: github.ListOptions{Page: page, PerPage: 100}})
		for _, comment := range comments {
			if comment.GetUser().GetLogin() == author && strings.HasPrefix(comment.GetBody(), marker) {
				found = append(found, comment)
			}
		}
		return response, err
	})
	return found, err
}

// Post posts a comment and returns it. The body must start with marker, which identifies the comment if the response is
// lost. known are the comments that existed before.
func (client *Client) Post(ctx context.Context, number int, author, marker, body string,
	known []*github.IssueComment) (*github.IssueComment, error) {
	if !strings.HasPrefix(body, marker) {
		return nil, fmt.Errorf("post a comment: the body does not begin with its marker %q", marker)
	}
	old := map[int64]bool{}
	for _, comment := range known {
		old[comment.GetID()] = true
	}
	return once(ctx, client, fmt.Sprintf("comment on %d", number),
		func() (*github.IssueComment, bool, error) {
			comments, err := client.ownComments(ctx, number, author, marker)
			for _, comment := range comments {
				if !old[comment.GetID()] {
					return comment, true, nil
				}
			}
			return nil, false, err
		},
		func() (*github.IssueComment, error) {
			comment, _, err := client.github.Issues.CreateComment(ctx, client.owner, client.name, number,
				&github.IssueComment{Body: &body})
			return comment, err
		})
}

// PostOnce posts a comment that starts with marker, unless author already has one, and returns it.
func (client *Client) PostOnce(ctx context.Context, number int, author, marker,
	body string) (*github.IssueComment, error) {
	return client.Post(ctx, number, author, marker, body, nil)
}

// EditComment replaces the body of a comment. exists is false if the comment was deleted.
func (client *Client) EditComment(ctx context.Context, id int64, body string) (exists bool, err error) {
	err = client.do(ctx, fmt.Sprintf("edit comment %d", id), func() error {
		_, _, err := client.github.Issues.EditComment(ctx, client.owner, client.name, id, &github.IssueComment{Body: &body})
		return err
	})
	if status(err) == http.StatusNotFound || status(err) == http.StatusGone {
		return false, nil
	}
	return err == nil, err
}
