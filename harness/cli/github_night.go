package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/chiasmus/chiasmus/harness/failure"
	"github.com/chiasmus/chiasmus/workflows"
)

// nightTrigger is the trigger of nightly.yml, which starts no run of bench-gpu.
const nightTrigger = "night"

// simulateNight runs the jobs of a night on this machine.
func (a *app) simulateNight(ctx context.Context, options workflows.SimulateOptions) error {
	options.Measure.Controls.Stop = a.stop
	if a.lock != "" { // the steps run in other folders
		var err error
		if a.lock, err = filepath.Abs(a.lock); err != nil {
			return a.failed(err)
		}
	}
	if err := workflows.SimulateNight(ctx, options, a.simulateStep); err != nil {
		return a.failed(err)
	}
	return nil
}

// simulateStep runs a command line of a job in this process, with the job's environment. Its output goes to standard
// error, as all logs do.
func (a *app) simulateStep(ctx context.Context, step workflows.NightStep) error {
	a.logf("\n-------- %s: harness %s", step.Job, quoted(step.Arguments))
	e := readEnviron()
	e.token, e.api, e.repository = step.Token, step.API, step.Repository
	e.runID, e.runAttempt, e.summary = step.Run, 1, ""
	child := &app{args: step.Arguments, stdout: a.stderr, stderr: a.stderr, stop: a.stop, simulated: &e}
	root := child.root()
	child.lock = a.lock
	root.SetArgs(step.Arguments)
	defer child.goBack()
	err := root.ExecuteContext(ctx)
	var ended *exitError
	if !errors.As(err, &ended) {
		return err
	}
	err = fmt.Errorf("the job %s ended with exit code %d", step.Job, ended.code)
	if ended.code == failure.ExitUsage {
		return &failure.UsageError{Err: err}
	}
	return err
}

// quoted joins the arguments of a command line. It quotes arguments that are empty or contain spaces.
func quoted(arguments []string) string {
	words := make([]string, len(arguments))
	for i, argument := range arguments {
		if words[i] = argument; argument == "" || strings.ContainsAny(argument, " \"") {
			words[i] = "'" + argument + "'"
		}
	}
	return strings.Join(words, " ")
}
