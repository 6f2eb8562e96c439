package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v60/github"
)

// Jobs lists the jobs of the latest attempt of a workflow run.
func (client *Client) Jobs(ctx context.Context, run int64) ([]*github.WorkflowJob, error) {
	var jobs []*github.WorkflowJob
	err := client.do(ctx, "list the run's jobs", func() error {
		jobs = jobs[:0]
		return pages(10, func(page int) (*github.Response, error) {
			answer, response, err := client.github.Actions.ListWorkflowJobs(ctx, client.owner, client.name, run,
				&github.ListWorkflowJobsOptions{Filter: "latest", ListOptions: github.ListOptions{Page: page, PerPage: 100}})
			if answer != nil {
				jobs = append(jobs, answer.Jobs...)
			}
			return response, err
		})
	})
	return jobs, err
}

// CancelRun asks GitHub to cancel a workflow run. It succeeds if the run has already ended or no longer exists.
func (client *Client) CancelRun(ctx context.Context, run int64) error {
	return client.do(ctx, fmt.Sprintf("cancel run %d", run), func() error {
		_, err := client.github.Actions.CancelWorkflowRunByID(ctx, client.owner, client.name, run)
		var accepted *github.AcceptedError
		var response *github.ErrorResponse
		if errors.As(err, &accepted) || NotFound(err) ||
			errors.As(err, &response) && response.Response.StatusCode == http.StatusConflict {
			return nil
		}
		return err
	})
}
