package api

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/go-github/v60/github"
)

// RegisterOrganizationRunner is RegisterRunner for the organization that owns the repository. The token needs
// organization_self_hosted_runners write, which allows nothing else.
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

// RegisterRunner asks for the just-in-time registration of one runner, which takes one job and is gone. The token needs
// administration write. What comes back is a secret: whoever has it is the runner.
func (client *Client) RegisterRunner(ctx context.Context, name string, runnerGroup int64,
	labels []string) (string, error) {
	work := "_work"
	// Not repeated: an answer that was lost leaves a runner that never comes, which GitHub forgets by itself.
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
