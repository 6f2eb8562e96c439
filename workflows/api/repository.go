package api

import (
	"context"
	"fmt"

	"github.com/google/go-github/v60/github"
)

// Repository returns the repository.
func (client *Client) Repository(ctx context.Context) (*github.Repository, error) {
	var repository *github.Repository
	err := client.do(ctx, "read the repository", func() (err error) {
		repository, _, err = client.github.Repositories.Get(ctx, client.owner, client.name)
		return err
	})
	return repository, err
}

// PullRequest returns the pull request with the given number.
func (client *Client) PullRequest(ctx context.Context, number int) (*github.PullRequest, error) {
	var pull *github.PullRequest
	err := client.do(ctx, fmt.Sprintf("read pull request %d", number), func() (err error) {
		pull, _, err = client.github.PullRequests.Get(ctx, client.owner, client.name, number)
		return err
	})
	return pull, err
}

// CanWrite reports whether user has write permission, according to the permission API. The author association in an
// event is unreliable: it is wrong for some members.
func (client *Client) CanWrite(ctx context.Context, user string) (bool, error) {
	var level *github.RepositoryPermissionLevel
	err := client.do(ctx, "read the permission of "+user, func() (err error) {
		level, _, err = client.github.Repositories.GetPermissionLevel(ctx, client.owner, client.name, user)
		return err
	})
	if NotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return level.GetPermission() == "admin" || level.GetPermission() == "write", nil
}

// MergeBase returns the best common ancestor of two revisions. ok is false if one does not exist or they share no
// history.
func (client *Client) MergeBase(ctx context.Context, base, head string) (sha string, ok bool, err error) {
	err = client.do(ctx, "compare "+base+" with "+head, func() error {
		answer, _, err := client.github.Repositories.CompareCommits(ctx, client.owner, client.name, base, head,
			&github.ListOptions{PerPage: 1})
		sha = answer.GetMergeBaseCommit().GetSHA()
		return err
	})
	if NotFound(err) {
		return "", false, nil
	}
	return sha, err == nil, err
}
