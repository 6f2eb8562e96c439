//go:build !linux

package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/workflows"
)

var errRunnerLinux = errors.New("runners are served on Linux only")

func (a *app) githubRunner() *cobra.Command {
	return &cobra.Command{Use: "runner", Short: "serve this GPU host's jobs (Linux only)", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.failed(&failure.UsageError{Err: errRunnerLinux}) }}
}

func checkHost(string) ([]workflows.Finding, error) { return nil, errRunnerLinux }
