package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/go-github/v60/github"
)

// A Runner is a self-hosted runner. go-github v60 lacks the field Ephemeral, so these calls are made directly.
type Runner struct {
	Name      string `json:"name"`
	Status    string `json:"status"`
	Ephemeral *bool  `json:"ephemeral"`
	Labels    []struct {
		Name string `json:"name"`
	} `json:"labels"`
}

// Runners lists the repository's self-hosted runners. The token needs administration read.
func (client *Client) Runners(ctx context.Context) ([]Runner, error) {
	var runners []Runner
	err := client.do(ctx, "list runners", func() error {
		runners = runners[:0]
		return pages(20, func(page int) (*github.Response, error) {
			var answer struct {
				Runners []Runner `json:"runners"`
			}
			response, err := client.get(ctx, fmt.Sprintf("actions/runners?per_page=100&page=%d", page), &answer)
			runners = append(runners, answer.Runners...)
			return response, err
		})
	})
	return runners, err
}

// ActionsPolicy reports whether workflows may run and, for a public repository, whose workflows need approval first.
func (client *Client) ActionsPolicy(ctx context.Context) (enabled bool, approval string, err error) {
	var permissions struct {
		Enabled bool `json:"enabled"`
	}
	err = client.do(ctx, "read the policy of actions", func() error {
		_, err := client.get(ctx, "actions/permissions", &permissions)
		return err
	})
	if err != nil {
		return false, "", err
	}
	var contributors struct {
		Policy string `json:"approval_policy"`
	}
	err = client.do(ctx, "read the policy for outside contributors", func() error {
		_, err := client.get(ctx, "actions/permissions/fork-pr-contributor-approval", &contributors)
		return err
	})
	return permissions.Enabled, contributors.Policy, err
}

func (client *Client) get(ctx context.Context, path string, into any) (*github.Response, error) {
	request, err := client.github.NewRequest(http.MethodGet,
		fmt.Sprintf("repos/%s/%s/%s", client.owner, client.name, path), nil)
	if err != nil {
		return nil, err
	}
	return client.github.Do(ctx, request, into)
}

// RequiredChecks lists the checks that a branch requires before a merge, by protection rules and rulesets.
func (client *Client) RequiredChecks(ctx context.Context, branch string) ([]string, error) {
	var answer struct {
		Protection struct {
			Required struct {
				Contexts []string `json:"contexts"`
			} `json:"required_status_checks"`
		} `json:"protection"`
	}
	err := client.do(ctx, "read the protection of "+branch, func() error {
		_, err := client.get(ctx, "branches/"+url.PathEscape(branch), &answer)
		return err
	})
	if err != nil {
		return nil, err
	}
	// Rulesets are separate from the protection rule.
	var rules []struct {
		Type       string `json:"type"`
		Parameters struct {
			Checks []struct {
				Context string `json:"context"`
			} `json:"required_status_checks"`
		} `json:"parameters"`
	}
	err = client.do(ctx, "read the rules of "+branch, func() error {
		_, err := client.get(ctx, "rules/branches/"+url.PathEscape(branch)+"?per_page=100", &rules)
		return err
	})
	contexts := answer.Protection.Required.Contexts
	for _, rule := range rules {
		for _, check := range rule.Parameters.Checks {
			contexts = append(contexts, check.Context)
		}
	}
	return contexts, err
}
