package workflows

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed templates
var templates embed.FS

// The workflow files of the optional triggers.
const (
	labelFile   = ".github/workflows/bench-gpu-label.yml"
	pushFile    = ".github/workflows/bench-gpu-push.yml"
	nightlyFile = ".github/workflows/nightly.yml"
)

// DefaultLabel is the label that requests a run.
const DefaultLabel = "bench-gpu"

var (
	// labelPattern and branchPattern exclude characters that would end a YAML string or an expression.
	labelPattern  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._/:+-]{0,49}$`)
	branchPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$`)
)

// workflows returns the workflow files that the options ask for, by their paths in the repository. prefix is the word
// that starts comments.
func workflows(options InitialiseOptions, prefix string) (map[string]string, error) {
	source, err := templates.ReadFile("templates/bench-gpu.yml")
	if err != nil {
		return nil, err
	}
	made := map[string]string{workflowPath: strings.ReplaceAll(string(source), "'"+DefaultPrefix+"'", "'"+prefix+"'")}
	if options.Label != "" {
		if !labelPattern.MatchString(options.Label) {
			return nil, fmt.Errorf("label %q: letters, digits, spaces and ._/:+- are allowed, 50 at most", options.Label)
		}
		if made[labelFile], err = labelWorkflow(string(source), options.Label); err != nil {
			return nil, err
		}
	}
	if options.Push {
		if !branchPattern.MatchString(options.Branch) || strings.Contains(options.Branch, "..") {
			return nil, fmt.Errorf("default branch %q: name the branch whose pushes are measured, such as main", options.Branch)
		}
		if made[pushFile], err = pushWorkflow(string(source), options.Branch); err != nil {
			return nil, err
		}
	}
	if options.Nightly {
		nightly, err := templates.ReadFile("templates/nightly.yml")
		if err != nil {
			return nil, err
		}
		made[nightlyFile] = string(nightly)
	}
	for name, text := range made {
		made[name] = strings.NewReplacer("uses: REPOSITORY/", "uses: "+options.Repository+"/", "@COMMIT",
			"@"+options.Commit).Replace(text)
	}
	return made, nil
}

// A part replaces one part of the comments' workflow for another trigger.
type part struct{ from, to, with string }

// derive creates the workflow of another trigger. Each from must occur once and is replaced; if to is set, everything
// up to it is replaced too.
func derive(source string, parts []part) (string, error) {
	for _, part := range parts {
		start := strings.Index(source, part.from)
		if start < 0 || strings.Count(source, part.from) > 1 && part.to == "" {
			return "", fmt.Errorf("the template of the workflow does not have %q exactly once", part.from)
		}
		end := start + len(part.from)
		if part.to != "" {
			length := strings.Index(source[start:], part.to)
			if length < 0 {
				return "", fmt.Errorf("the template of the workflow has no %q", part.to)
			}
			end = start + length
		}
		source = source[:start] + part.with + source[end:]
	}
	return source, nil
}

// gateToken is the last line of the gate's job in a workflow without the cancelling job.
const gateToken = "          token: ${{ github.token }}\n"

// asked returns the parts that only comments need: the check of the author, and the cancelling job.
func asked(head, condition string) []part {
	return []part{
		{"# A comment", "  gate:\n", head},
		{"    needs: ask\n    if: needs.ask.outputs.allowed == 'true'\n", "", "    if: " + condition + "\n"},
		{"      cancel: ${{ steps.gate.outputs.cancel }}\n", "", ""},
		{"  cancel:\n    needs: gate\n", "  fetch:\n", ""},
		{"      # The event of a comment", "      - uses: actions/checkout", "      # This is the default branch's code.\n"},
	}
}

func labelWorkflow(source, label string) (string, error) {
	head := `# Setting the label '` + label + `' on a pull request posts a verdict. The label is removed at once.
# This works only for pull requests from this repository, for people with write permission: the gate asks the API for
# both, and pins the head that the label was set on. The workflow comes from the default branch, and nothing of the pull
# request is checked out next to a token: with the event pull_request, the pull request's own version of this file would
# run. The jobs on hosted runners hold the token and never run code of the pull request; the job "measure" runs that
# code and holds no token. ` + "`harness github doctor`" + ` checks these properties.
name: bench-gpu-label
on:
  pull_request_target:
    types: [labeled]

permissions: {}

jobs:
`
	condition := "github.event.label.name == '" + label +
		"' && github.event.pull_request.base.ref == github.event.repository.default_branch"
	return derive(source, append(asked(head, condition), part{
		gateToken + "\n  fetch:\n", "", gateToken + "          label: '" + label + "'\n\n  fetch:\n",
	}))
}

func pushWorkflow(source, branch string) (string, error) {
	head := `# A push to ` + branch + ` creates a check run on its newest commit, compared with the previous one.
# The jobs on hosted runners hold the token and never run the measured code; the job "measure" runs that code and holds
# no token. ` + "`harness github doctor`" + ` checks these properties.
name: bench-gpu-push
on:
  push:
    branches: ['` + branch + `']

permissions: {}

jobs:
`
	condition := "github.ref == format('refs/heads/{0}', github.event.repository.default_branch) && " +
		"!github.event.created && !github.event.deleted"
	parts := append(asked(head, condition), part{
		gateToken + "\n  fetch:\n", "", gateToken + "          push: 'true'\n\n  fetch:\n",
	})
	made, err := derive(source, parts)
	return strings.ReplaceAll(made, "      pull-requests: write\n", ""), err
}
