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

// How often a result is looked for, for ten minutes and for one: the artifact of a job that succeeded is there and only
// listed late; one of a job that failed may be there.
const (
	looksAfterSuccess = 60
	looksAfterFailure = 6
)

// ReadResult reads the file that the measuring job of a workflow run left. jobResult is the workflow's word on that
// job. api.ErrNoArtifact says that a job that failed left none and api.ErrUnusable that what it left is no result;
// after any other error the measurement may be there, and the job that reads it is to be run again. Nothing older than
// since is read, nor what an earlier attempt of the measuring job left.
func ReadResult(ctx context.Context, client *api.Client, run int64, since time.Time, jobResult string) ([]byte, error) {
	jobs, err := client.Jobs(ctx, run)
	if err != nil {
		return nil, err
	}
	limit := ResultLimit
	limit.Since, limit.Looks = since, looksAfterFailure
	if jobResult == "success" {
		limit.Looks = looksAfterSuccess
	}
	for _, job := range jobs {
		if isMeasureJob(job) && job.GetRunnerName() != "" && job.GetStartedAt().After(limit.Since) {
			limit.Since = job.GetStartedAt().Time
		}
	}
	data, err := client.ArtifactFile(ctx, run, ResultArtifact, ResultFile, limit)
	if errors.Is(err, api.ErrNoArtifact) && jobResult == "success" {
		return nil, fmt.Errorf("the measuring job succeeded and its result is not listed yet: run this job again (%v)", err)
	}
	return data, err
}

func isMeasureJob(job *github.WorkflowJob) bool { return strings.Contains(job.GetName(), MeasureJob) }
