package workflows

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"

	"github.com/chiasmus/chiasmus/workflows/api"
)

// The number of searches for a result, ten seconds apart. The artifact of a successful job exists, but may be listed
// late; a failed job may have left one.
const (
	searchesAfterSuccess = 60
	searchesAfterFailure = 6
)

// ReadResult reads the file that the measuring job of a workflow run left. jobResult is that job's result according to
// the workflow. The error api.ErrNoArtifact means that a failed job left no artifact, and api.ErrUnusable that its
// artifact is not a result. After any other error a measurement may exist, so the job that reads it should run again.
// ReadResult ignores artifacts older than since and those of earlier attempts.
func ReadResult(ctx context.Context, client *api.Client, run int64, since time.Time, jobResult string) ([]byte, error) {
	jobs, err := client.Jobs(ctx, run)
	if err != nil {
		return nil, err
	}
	limit := ResultLimit
	limit.Since, limit.Attempts = since, searchesAfterFailure
	if jobResult == "success" {
		limit.Attempts = searchesAfterSuccess
	}
	for _, job := range jobs {
		if isMeasureJob(job) && job.GetRunnerName() != "" && job.GetStartedAt().After(limit.Since) {
			limit.Since = job.GetStartedAt().Time
		}
	}
	data, err := client.ArtifactFile(ctx, run, ResultArtifact, ResultFile, limit)
	if errors.Is(err, api.ErrNoArtifact) && jobResult == "success" {
		return nil, fmt.Errorf("the measuring job succeeded, but its result is not listed yet: run this job again (%v)", err)
	}
	return data, err
}

func isMeasureJob(job *github.WorkflowJob) bool { return strings.Contains(job.GetName(), measureJob) }
