package nightly

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// ReadResult returns the result of a night's measuring job, or a failed night if there is no valid result. jobResult is
// that job's result in the workflow. After an error the outcome of the night is unknown, and the calling job must be
// run again.
func ReadResult(ctx context.Context, client *api.Client, plan Plan, trusted *config.File, run int64,
	jobResult string) (Result, error) {
	data, err := workflows.ReadResult(ctx, client, run, time.Time{}, jobResult)
	switch {
	case errors.Is(err, api.ErrNoArtifact):
		return FailedNight(plan, "the measuring job left no result: it ended as "+jobResult), nil
	case errors.Is(err, api.ErrUnusable):
		return FailedNight(plan, "the result was refused: "+err.Error()), nil
	case err != nil:
		return Result{}, fmt.Errorf("the night's result: %w", err)
	}
	result, err := CheckResult(data, plan, trusted)
	if err != nil {
		return FailedNight(plan, "the result was refused: "+err.Error()), nil
	}
	return result, nil
}
