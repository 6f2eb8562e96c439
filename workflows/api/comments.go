package api

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-github/v60/github"
)

// Comment reads one comment of an issue or a pull request.
func (client *Client) Comment(ctx context.Context, id int64) (*github.IssueComment, error) {
	var comment *github.IssueComment
	err := client.do(ctx, fmt.Sprintf("read comment %d", id), func() (err error) {
		comment, _, err = client.github.Issues.GetComment(ctx, client.owner, client.name, id)
		return err
	})
	return comment, err
}

// React adds a reaction to a comment. The server answers the same for one that is there already.
func (client *Client) React(ctx context.Context, id int64, content string) error {
	return client.do(ctx, fmt.Sprintf("react to comment %d", id), func() error {
		_, _, err := client.github.Reactions.CreateIssueCommentReaction(ctx, client.owner, client.name, id, content)
		return err
	})
}

// FindComment returns the first comment under the issue or pull request that author wrote and that begins with marker,
// or nil. Somebody else's comment is not found, nor one that repeats the marker further down: logs and other workflows'
// words stand there, and author may be the account of every workflow of the repository.
func (client *Client) FindComment(ctx context.Context, number int, author, marker string) (*github.IssueComment, error) {
	var found *github.IssueComment
	err := client.do(ctx, fmt.Sprintf("list the comments of %d", number), func() (err error) {
		found, err = client.findComment(ctx, number, author, marker)
		return err
	})
	return found, err
}

func (client *Client) findComment(ctx context.Context, number int, author, marker string) (*github.IssueComment, error) {
	var found *github.IssueComment
	err := pages(100, func(page int) (*github.Response, error) {
		comments, response, err := client.github.Issues.ListComments(ctx, client.owner, client.name, number,
			&github.IssueListCommentsOptions{ListOptions: github.ListOptions{Page: page, PerPage: 100}})
		for _, comment := range comments {
			if found == nil && comment.GetUser().GetLogin() == author && strings.HasPrefix(comment.GetBody(), marker) {
				found = comment
			}
		}
		return response, err
	})
	return found, err
}

// PostOnce posts a comment that begins with marker, unless author has posted one already, and returns it.
func (client *Client) PostOnce(ctx context.Context, number int, author, marker, body string) (*github.IssueComment, error) {
	if !strings.HasPrefix(body, marker) {
		return nil, fmt.Errorf("post a comment: the body does not begin with its marker %q", marker)
	}
	return once(ctx, client, fmt.Sprintf("comment on %d", number),
		func() (*github.IssueComment, bool, error) {
			comment, err := client.findComment(ctx, number, author, marker)
			return comment, comment != nil, err
		},
		func() (*github.IssueComment, error) {
			comment, _, err := client.github.Issues.CreateComment(ctx, client.owner, client.name, number, &github.IssueComment{Body: &body})
			return comment, err
		})
}

// EditComment replaces the body of a comment.
func (client *Client) EditComment(ctx context.Context, id int64, body string) error {
	return client.do(ctx, fmt.Sprintf("edit comment %d", id), func() error {
		_, _, err := client.github.Issues.EditComment(ctx, client.owner, client.name, id, &github.IssueComment{Body: &body})
		return err
	})
}
