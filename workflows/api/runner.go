package api

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/go-github/v60/github"
)

// RegisterOrganizationRunner is RegisterRunner for the organization that owns the repository. The token needs only
// organization_self_hosted_runners write.
func (client *Client) RegisterOrganizationRunner(ctx context.Context, name string, runnerGroup int64,
	labels []string) (string, error) {
	work := "_work"
	answer, _, err := client.github.Actions.GenerateOrgJITConfig(ctx, client.owner,
		&github.GenerateJITConfigRequest{Name: name, RunnerGroupID: runnerGroup, Labels: labels, WorkFolder: &work})
	if err != nil {
		return "", fmt.Errorf("register the runner %s of %s: %w", name, client.owner, err)
	}
	if answer.GetEncodedJITConfig() == "" {
		return "", errors.New("register the runner: the answer holds no registration")
	}
	return answer.GetEncodedJITConfig(), nil
}

// RegisterRunner creates the just-in-time configuration of an ephemeral runner, which takes one job. The token needs
// administration write. The result is a secret: its holder can act as the runner.
func (client *Client) RegisterRunner(ctx context.Context, name string, runnerGroup int64,
	labels []string) (string, error) {
	work := "_work"
	// Not retried: a lost response leaves a runner that never connects, which GitHub removes by itself.
	answer, _, err := client.github.Actions.GenerateRepoJITConfig(ctx, client.owner, client.name,
		&github.GenerateJITConfigRequest{Name: name, RunnerGroupID: runnerGroup, Labels: labels, WorkFolder: &work})
	if err != nil {
		return "", fmt.Errorf("register the runner %s: %w", name, err)
	}
	if answer.GetEncodedJITConfig() == "" {
		return "", errors.New("register the runner: the answer holds no registration")
	}
	return answer.GetEncodedJITConfig(), nil
}
