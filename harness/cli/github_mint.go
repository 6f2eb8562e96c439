package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/workflows/api"
)

const textMintLong = `Print the registration of one runner, which takes one job with the given labels and is then
removed. Run it on a machine without runners: a workstation, or a small machine that serves GPU hosts. As the forced
command of an ssh key it lets a GPU host request one more runner and nothing else:

  command="harness github mint FLAGS",restrict ssh-ed25519 ...

FLAGS are for one repository or organization, such as

  --repository OWNER/NAME --labels self-hosted,gpu --app 123 --app-key mint.pem

The right to register comes from a GitHub App (--app, --app-key; its installation needs administration write of the
repository, or with --organization only the organization's "Self-hosted runners: write"), or from GITHUB_TOKEN.`

// A registrationSource says where the right to register runners comes from.
type registrationSource struct {
	command string
	app     int64
	key     string
	// organization registers runners of the organization, so that the App needs no right to a repository.
	organization bool
	// administer allows a token that may administer the repository.
	administer bool
}

type registrar = func(ctx context.Context, name string) (string, error)

// registrar returns a function that registers runners with an App or a token. If onHost is set, jobs run on this host,
// and a right to administer the repository is refused.
func (a *app) registrar(repository string, source registrationSource, onHost bool, runnerGroup int64,
	labels []string) (registrar, error) {
	if source.app == 0 {
		if onHost && !source.administer {
			return nil, &failure.UsageError{Err: errors.New("a token that registers runners of a repository may also " +
				"administer the repository, so it must not be on a host that runs jobs: use --registrations COMMAND, which asks " +
				"a machine that runs harness github mint, or an organization's App with --app")}
		}
		if readEnviron().token == "" {
			return nil, &failure.UsageError{Err: errors.New("no right to register runners: set --app or GITHUB_TOKEN")}
		}
		client, err := a.client(repository)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, name string) (string, error) {
			return registerBy(ctx, client, source.organization, name, runnerGroup, labels)
		}, nil
	}
	data, err := os.ReadFile(source.key)
	if err != nil {
		return nil, &failure.UsageError{Err: fmt.Errorf("--app-key: %w", err)}
	}
	key, err := api.ParseAppKey(data)
	if err != nil {
		return nil, &failure.UsageError{Err: fmt.Errorf("--app-key %s: %w", source.key, err)}
	}
	permissions := api.RepositoryRunners
	if source.organization {
		permissions = api.RunnersOnly
	}
	return func(ctx context.Context, name string) (string, error) {
		// A new token for each runner, so that none is stored in between.
		client, err := api.InstallationClient(ctx, readEnviron().api, repository, api.App{ID: source.app, Key: key},
			source.organization, onHost, permissions, api.Retry{})
		if err != nil {
			return "", err
		}
		return registerBy(ctx, client, source.organization, name, runnerGroup, labels)
	}, nil
}

func registerBy(ctx context.Context, client *api.Client, organization bool, name string, runnerGroup int64,
	labels []string) (string, error) {
	if organization {
		return client.RegisterOrganizationRunner(ctx, name, runnerGroup, labels)
	}
	return client.RegisterRunner(ctx, name, runnerGroup, labels)
}

// publicPersonal refuses to serve more than one job of a public repository of a personal account. It asks GitHub
// without a token, which suffices for public repositories.
func (a *app) publicPersonal(ctx context.Context, repository string, once bool) error {
	client, err := api.New(readEnviron().api, repository, "", api.Retry{})
	if err != nil {
		return &failure.UsageError{Err: err}
	}
	found, err := client.Repository(ctx)
	if api.NotFound(err) {
		return nil // not public
	}
	if err != nil {
		return fmt.Errorf("checking whether %s is public: %w", repository, err)
	}
	if !once && !found.GetPrivate() && found.GetOwner().GetType() == "User" {
		return &failure.UsageError{Err: fmt.Errorf("%s is a public repository of a personal account, which has no runner "+
			"groups: any pull request's workflow can use this runner. Serve one job with --once on a machine that is "+
			"reinstalled for each job, or move the repository to an organization (docs/guide/github.md, Public repositories "+
			"of a personal account)", repository)}
	}
	return nil
}

func (a *app) githubMint() *cobra.Command {
	var repository string
	var labels []string
	var runnerGroup int64
	var source registrationSource
	c := &cobra.Command{
		Use:   "mint --repository OWNER/NAME",
		Short: "print the registration of one runner; runs outside the GPU host",
		Long:  textMintLong,
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if repository == "" {
				repository = readEnviron().repository
			}
			register, err := a.registrar(repository, source, false, runnerGroup, labels)
			if err != nil {
				return a.failed(err)
			}
			registration, err := register(c.Context(), "job-"+rand.Text()[:12])
			if err != nil {
				return a.failed(err)
			}
			fmt.Fprintln(a.stdout, registration)
			return nil
		},
	}
	flags := c.Flags()
	flags.StringVar(&repository, "repository", "", "owner/name (default: GITHUB_REPOSITORY)")
	flags.StringSliceVar(&labels, "labels", []string{"self-hosted", "gpu"}, "the runner's labels, as in github.runs_on")
	flags.Int64Var(&runnerGroup, "group", 1, "ID of the runner group; 1 is the default group")
	flags.Int64Var(&source.app, "app", 0, "ID of the GitHub App")
	flags.StringVar(&source.key, "app-key", "", "`FILE` with the App's private key")
	flags.BoolVar(&source.organization, "organization", false, "register runners of the organization")
	return c
}
