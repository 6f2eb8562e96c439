package cli

import (
	"os"
	"strconv"

	"github.com/chiasmus/chiasmus/workflows/pipeline"
)

// An environ holds GitHub's variables of a job, and whether output may be coloured. Only this file reads environment
// variables.
type environ struct {
	token, repository, api, server string
	runID                          int64
	runAttempt                     int
	// summary is the file whose Markdown GitHub shows on the workflow run's page.
	summary string
	// job is set if a GitHub runner reads the output.
	job bool
	// colour is false if NO_COLOR is set (no-color.org) or TERM is dumb.
	colour bool
}

// readEnviron reads GitHub's variables. Outside a job they are empty, and the server is the public one.
func readEnviron() environ {
	runID, _ := strconv.ParseInt(os.Getenv("GITHUB_RUN_ID"), 10, 64)
	attempt, _ := strconv.Atoi(os.Getenv("GITHUB_RUN_ATTEMPT"))
	e := environ{
		token:      os.Getenv("GITHUB_TOKEN"),
		repository: os.Getenv("GITHUB_REPOSITORY"),
		api:        os.Getenv("GITHUB_API_URL"),
		server:     os.Getenv("GITHUB_SERVER_URL"),
		runID:      runID,
		runAttempt: attempt,
		job:        os.Getenv("GITHUB_ACTIONS") == "true",
		summary:    os.Getenv("GITHUB_STEP_SUMMARY"),
		colour:     os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
	if e.server == "" {
		e.server = "https://github.com"
	}
	return e
}

// environ returns GitHub's variables of this job: from the process's environment, unless the job is simulated.
func (a *app) environ() environ {
	if a.simulated != nil {
		return *a.simulated
	}
	return readEnviron()
}

// readPipeline reads the variables of a CI job and GitHub's event. It removes the tokens from the environment, so that
// child processes do not inherit them.
func readPipeline() (variables, secrets map[string]string, event []byte) {
	variables, secrets = map[string]string{}, map[string]string{}
	for _, name := range pipeline.Names {
		variables[name] = os.Getenv(name)
	}
	for _, name := range pipeline.Secrets {
		secrets[name] = os.Getenv(name)
		_ = os.Unsetenv(name) // fails only for an invalid name
	}
	event, _ = os.ReadFile(os.Getenv("GITHUB_EVENT_PATH")) // nil without an event
	return variables, secrets, event
}
