package api

import (
	"context"
	"fmt"

	"github.com/google/go-github/v60/github"
)

// CreateCheckRun creates a queued check run on a commit, unless one with the external ID exists.
func (client *Client) CreateCheckRun(ctx context.Context, name, sha, externalID, title,
	summary string) (*github.CheckRun, error) {
	return once(ctx, client, "create a check run",
		func() (*github.CheckRun, bool, error) {
			run, err := client.findCheckRun(ctx, name, sha, externalID)
			return run, run != nil, err
		},
		func() (*github.CheckRun, error) {
			run, _, err := client.github.Checks.CreateCheckRun(ctx, client.owner, client.name, github.CreateCheckRunOptions{
				Name: name, HeadSHA: sha, ExternalID: &externalID, Status: github.String("queued"),
				Output: &github.CheckRunOutput{Title: &title, Summary: &summary},
			})
			return run, err
		})
}

func (client *Client) findCheckRun(ctx context.Context, name, sha, externalID string) (*github.CheckRun, error) {
	var found *github.CheckRun
	err := pages(20, func(page int) (*github.Response, error) {
		answer, response, err := client.github.Checks.ListCheckRunsForRef(ctx, client.owner, client.name, sha,
			&github.ListCheckRunsOptions{
				CheckName:   &name,
				Filter:      github.String("all"),
				ListOptions: github.ListOptions{Page: page, PerPage: 100},
			})
		if err != nil {
			return response, err
		}
		for _, run := range answer.CheckRuns {
			if run.GetExternalID() == externalID {
				found = run
			}
		}
		return response, nil
	})
	return found, err
}

// CheckRun returns a check run.
func (client *Client) CheckRun(ctx context.Context, id int64) (*github.CheckRun, error) {
	var run *github.CheckRun
	err := client.do(ctx, fmt.Sprintf("read check run %d", id), func() (err error) {
		run, _, err = client.github.Checks.GetCheckRun(ctx, client.owner, client.name, id)
		return err
	})
	return run, err
}

// CompleteCheckRun completes a check run with a conclusion of the Checks API.
func (client *Client) CompleteCheckRun(ctx context.Context, id int64, name, conclusion, title, summary string) error {
	return client.do(ctx, fmt.Sprintf("complete check run %d", id), func() error {
		_, _, err := client.github.Checks.UpdateCheckRun(ctx, client.owner, client.name, id, github.UpdateCheckRunOptions{
			Name: name, Status: github.String("completed"), Conclusion: &conclusion,
			Output: &github.CheckRunOutput{Title: &title, Summary: &summary},
		})
		return err
	})
}

// DescribeCheckRun replaces the title and summary of an incomplete check run.
func (client *Client) DescribeCheckRun(ctx context.Context, id int64, name, title, summary string) error {
	return client.do(ctx, fmt.Sprintf("describe check run %d", id), func() error {
		_, _, err := client.github.Checks.UpdateCheckRun(ctx, client.owner, client.name, id, github.UpdateCheckRunOptions{
			Name: name, Output: &github.CheckRunOutput{Title: &title, Summary: &summary},
		})
		return err
	})
}
