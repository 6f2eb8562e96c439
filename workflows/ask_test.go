package workflows

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

func parsedWorkflow(t *testing.T, data []byte) *workflowFile {
	t.Helper()
	file, problems, err := parseWorkflow(data)
	if file == nil {
		t.Fatal(problems, err)
	}
	return file
}

// askScript is the command of the job that checks the permission, the same in both workflows.
func askScript(t *testing.T) string {
	t.Helper()
	own := parsedWorkflow(t, workflowFiles(t)["bench-gpu.yml"]).Jobs["ask"].Steps[0].Run
	if written := parsedWorkflow(t, initialised(t)).Jobs["ask"].Steps[0].Run; written != own {
		t.Fatalf("init writes another script:\n%s", written)
	}
	return own
}

// Nothing is checked out, built or queued for a user without permission: all other jobs wait for one that checks it.
func TestAskComesFirst(t *testing.T) {
	for name, data := range map[string][]byte{"bench-gpu.yml": workflowFiles(t)["bench-gpu.yml"], "init": initialised(t)} {
		file := parsedWorkflow(t, data)
		ask := file.Jobs["ask"]
		if len(scalars(&ask.Needs)) != 0 || !ask.Concurrency.IsZero() || !file.Concurrency.IsZero() || len(ask.Steps) != 1 ||
			ask.Steps[0].Uses != "" {
			t.Errorf("%s: the job ask does more than ask", name)
		}
		if gate := file.Jobs["gate"]; !slices.Contains(scalars(&gate.Needs), "ask") ||
			gate.If.Value != "needs.ask.outputs.allowed == 'true'" {
			t.Errorf("%s: the gate does not wait for the answer", name)
		}
		for job, definition := range file.Jobs {
			if job != "ask" && job != "gate" && !slices.Contains(scalars(&definition.Needs), "gate") {
				t.Errorf("%s: %s does not wait for the gate", name, job)
			}
		}
	}
}

// The script of the job, run against a fake GitHub.
func TestAsk(t *testing.T) {
	for _, tool := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	script := askScript(t)
	const permission = "GET /repos/{owner}/{repo}/collaborators/{username}/permission"
	for name, test := range map[string]struct {
		login              string
		fault              *githubtest.Fault
		fails              bool
		allowed, reactions string
	}{
		"admin":    {login: "owner", allowed: "allowed=true\n", reactions: "[]"},
		"writer":   {login: "maintainer", allowed: "allowed=true\n", reactions: "[]"},
		"reader":   {login: "reader", reactions: "[-1]"},
		"stranger": {login: "stranger", reactions: "[-1]"},
		"unknown":  {login: "maintainer", fault: &githubtest.Fault{Call: permission, Status: 404}, reactions: "[-1]"},
		"a bad moment": {login: "maintainer", fault: &githubtest.Fault{Call: permission, Status: 503},
			allowed: "allowed=true\n", reactions: "[]"},
		"no answer": {login: "maintainer", fault: &githubtest.Fault{Call: permission, Status: 403}, fails: true,
			reactions: "[]"},
		"a team in caps": {login: "Reader", reactions: "[-1]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world := newWorld(t)
			world.Tokens["ask"] = askPermissions
			comment := world.AddComment(worldPull, test.login, "/bench-gpu")
			if test.fault != nil {
				world.Faults = []*githubtest.Fault{test.fault}
			}
			directory := t.TempDir()
			output := filepath.Join(directory, "output")
			command := exec.Command("sh", "-e", "-c", script)
			command.Env = append(os.Environ(), "GITHUB_API_URL="+world.URL(), "GITHUB_REPOSITORY="+worldRepository,
				"GITHUB_OUTPUT="+output, "RUNNER_TEMP="+directory,
				"TOKEN=ask", "LOGIN="+test.login, "COMMENT="+strconv.FormatInt(comment.ID, 10))
			log, err := command.CombinedOutput()
			if (err != nil) != test.fails {
				t.Errorf("%v\n%s", err, log)
			}
			allowed, _ := os.ReadFile(output)
			if string(allowed) != test.allowed || world.reactions(comment.ID) != test.reactions {
				t.Errorf("output %q, reactions %s\n%s", allowed, world.reactions(comment.ID), log)
			}
		})
	}
}
