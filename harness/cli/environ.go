package cli

import (
	"os"
	"strconv"

	"github.com/chiasmus/chiasmus/workflows/pipeline"
)

// An environ is what GitHub says to a job, and whether somebody wants colour. This file alone reads the environment.
type environ struct {
	token, repository, api, server string
	runID                          int64
	runAttempt                     int
	// summary is the file whose Markdown GitHub shows on the page of the workflow run.
	summary string
	// job says that a runner of GitHub reads what is printed.
	job bool
	// colour is false where NO_COLOR has any value (no-color.org) or the terminal calls itself dumb.
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

// environ is what GitHub says to this job: the process's environment, unless the job is simulated.
func (a *app) environ() environ {
	if a.simulated != nil {
		return *a.simulated
	}
	return readEnviron()
}

// readPipeline reads the variables of a CI job and GitHub's event. It takes the tokens out of the environment: what the
// harness starts inherits the rest of it.
func readPipeline() (variables, secrets map[string]string, event []byte) {
	variables, secrets = map[string]string{}, map[string]string{}
	for _, name := range pipeline.Names {
		variables[name] = os.Getenv(name)
	}
	for _, name := range pipeline.Secrets {
		secrets[name] = os.Getenv(name)
		_ = os.Unsetenv(name) // a name that is none cannot be in the list
	}
	event, _ = os.ReadFile(os.Getenv("GITHUB_EVENT_PATH")) // no file is no event
	return variables, secrets, event
}
