package api

import (
	"context"
	"fmt"
	"net/url"

	"github.com/google/go-github/v60/github"
)

// Repository reads the repository.
func (client *Client) Repository(ctx context.Context) (*github.Repository, error) {
	var repository *github.Repository
	err := client.do(ctx, "read the repository", func() (err error) {
		repository, _, err = client.github.Repositories.Get(ctx, client.owner, client.name)
		return err
	})
	return repository, err
}

// PullRequest reads the pull request of that number.
func (client *Client) PullRequest(ctx context.Context, number int) (*github.PullRequest, error) {
	var pull *github.PullRequest
	err := client.do(ctx, fmt.Sprintf("read pull request %d", number), func() (err error) {
		pull, _, err = client.github.PullRequests.Get(ctx, client.owner, client.name, number)
		return err
	})
	return pull, err
}

// CanWrite asks the permission API whether user may write here; the association in an event is not asked, since
// it is wrong for some members.
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

// Commit resolves a branch, tag or commit to its SHA. ok is false where there is none.
func (client *Client) Commit(ctx context.Context, ref string) (sha string, ok bool, err error) {
	err = client.do(ctx, "resolve "+ref, func() error {
		commit, _, err := client.github.Repositories.GetCommit(ctx, client.owner, client.name, url.PathEscape(ref), nil)
		sha = commit.GetSHA()
		return err
	})
	if NotFound(err) {
		return "", false, nil
	}
	return sha, err == nil, err
}

// A Comparison is how head stands to base.
type Comparison struct {
	MergeBase string
	// BehindOrEqual says that every commit of head is reachable from base.
	BehindOrEqual bool
}

// Compare compares two revisions; ok is false where one does not exist or they share no history.
func (client *Client) Compare(ctx context.Context, base, head string) (comparison Comparison, ok bool, err error) {
	err = client.do(ctx, "compare "+base+" with "+head, func() error {
		answer, _, err := client.github.Repositories.CompareCommits(ctx, client.owner, client.name, base, head, &github.ListOptions{PerPage: 1})
		if err != nil {
			return err
		}
		comparison.MergeBase = answer.GetMergeBaseCommit().GetSHA()
		comparison.BehindOrEqual = answer.GetStatus() == "behind" || answer.GetStatus() == "identical"
		return nil
	})
	if NotFound(err) {
		return Comparison{}, false, nil
	}
	return comparison, err == nil, err
}

// Reachable reports whether the commit is reachable from a branch or a tag of this repository. The API answers
// for commits of forks too, so that a commit exists says nothing. The default branch is tried first.
func (client *Client) Reachable(ctx context.Context, sha, defaultBranch string) (bool, error) {
	tried := map[string]bool{}
	try := func(tip string) (bool, error) {
		if tried[tip] {
			return false, nil
		}
		tried[tip] = true
		if tip == sha {
			return true, nil
		}
		comparison, ok, err := client.Compare(ctx, tip, sha)
		return ok && comparison.BehindOrEqual, err
	}
	if reachable, err := try(defaultBranch); reachable || err != nil {
		return reachable, err
	}
	var tips []string
	err := client.do(ctx, "list branches and tags", func() error {
		tips = tips[:0]
		err := pages(100, func(page int) (*github.Response, error) {
			branches, response, err := client.github.Repositories.ListBranches(ctx, client.owner, client.name,
				&github.BranchListOptions{ListOptions: github.ListOptions{Page: page, PerPage: 100}})
			for _, branch := range branches {
				tips = append(tips, branch.GetCommit().GetSHA())
			}
			return response, err
		})
		if err != nil {
			return err
		}
		return pages(100, func(page int) (*github.Response, error) {
			tags, response, err := client.github.Repositories.ListTags(ctx, client.owner, client.name, &github.ListOptions{Page: page, PerPage: 100})
			for _, tag := range tags {
				tips = append(tips, tag.GetCommit().GetSHA())
			}
			return response, err
		})
	})
	if err != nil {
		return false, err
	}
	for _, tip := range tips {
		if reachable, err := try(tip); reachable || err != nil {
			return reachable, err
		}
	}
	return false, nil
}
