package workflows

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// hostedRunner matches the labels of GitHub's own machines. Any other label, such as ubuntu-gpu, may be a private
// machine on which code of pull requests runs.
var hostedRunner = regexp.MustCompile(`^(ubuntu|windows|macos)-(latest|[0-9]+(\.[0-9]+)?)(-(arm|intel|large|xlarge))?$`)

// hostEvents may start a job on the GPU host: events of people with write permission, schedules, and comments, which
// the gate checks.
var hostEvents = []string{"issue_comment", "schedule", "workflow_dispatch", "push"}

// hostActions may run on the GPU host: they do not pass on their token and write no cache.
var hostActions = regexp.MustCompile(`^(actions/(checkout|upload-artifact|download-artifact)|[A-Za-z0-9._/-]+/\.github/actions/(nightly-)?measure)@[0-9a-f]{40}$`)

// checkMachine determines where a job runs, and checks the rules for the GPU host unless the machine is GitHub's.
func checkMachine(job *workflowJob, events []string) []string {
	if job.Uses != "" {
		if strings.HasPrefix(job.Uses, "./.github/workflows/") { // another file of this folder, checked separately
			return nil
		}
		return []string{fmt.Sprintf("it calls %s, which this check cannot see: its jobs may run on the GPU host", job.Uses)}
	}
	if hosted(job) {
		return nil
	}
	return checkHostJob(job, events)
}

// hosted reports whether every machine that a job may get is known to be GitHub's.
func hosted(job *workflowJob) bool {
	labels := scalars(&job.RunsOn)
	if job.RunsOn.Kind == yaml.MappingNode || len(labels) != 1 {
		return false
	}
	if axis, ok := strings.CutPrefix(strings.ReplaceAll(labels[0], " ", ""), "${{matrix."); ok &&
		strings.HasSuffix(axis, "}}") {
		labels = matrixValues(&job.Strategy, strings.TrimSuffix(axis, "}}"))
	}
	for _, label := range labels {
		if !hostedRunner.MatchString(label) {
			return false
		}
	}
	return len(labels) > 0
}

// matrixValues lists a matrix's values of one axis, or nil if they are not literal.
func matrixValues(strategy *yaml.Node, axis string) []string {
	var decoded struct {
		Matrix map[string]yaml.Node `yaml:"matrix"`
	}
	if strategy.Decode(&decoded) != nil {
		return nil
	}
	node := decoded.Matrix[axis]
	values := scalars(&node)
	include := decoded.Matrix["include"]
	if include.Kind == yaml.ScalarNode { // an expression
		return nil
	}
	for _, entry := range include.Content {
		var set map[string]yaml.Node
		if entry.Decode(&set) != nil {
			return nil
		}
		if value, ok := set[axis]; ok {
			values = append(values, scalars(&value)...)
		}
	}
	return values
}

// scalars returns the strings of a string or a list of strings, and nil for any other node.
func scalars(node *yaml.Node) []string {
	switch node.Kind {
	case yaml.ScalarNode:
		return []string{node.Value}
	case yaml.SequenceNode:
		var values []string
		for _, item := range node.Content {
			values = append(values, item.Value)
		}
		return values
	}
	return nil
}

// checkHostJob checks a job that may run on the GPU host, against an allow-list.
func checkHostJob(job *workflowJob, events []string) []string {
	var problems []string
	for _, event := range events {
		if !slices.Contains(hostEvents, event) {
			problems = append(problems,
				fmt.Sprintf("%s may put a stranger's code on the GPU host, or a token next to it", event))
		}
	}
	if !isEmptyMapping(&job.Permissions) {
		problems = append(problems,
			"it may run on the GPU host, next to a stranger's code, and has permissions: write `permissions: {}`")
	}
	for key, node := range map[string]*yaml.Node{
		"environment": &job.Environment,
		"container":   &job.Container,
		"services":    &job.Services,
		"secrets":     &job.Secrets,
	} {
		if !node.IsZero() {
			problems = append(problems, fmt.Sprintf("it may run on the GPU host and has %s", key))
		}
	}
	for _, step := range job.Steps {
		if step.Uses != "" && !hostActions.MatchString(step.Uses) {
			problems = append(problems,
				fmt.Sprintf("it may run on the GPU host and uses %s, which is not known to keep its token to itself and to "+
					"write no cache", step.Uses))
		}
		if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] != "false" {
			problems = append(problems,
				"a checkout leaves the token in .git/config of the GPU host: set persist-credentials to false")
		}
	}
	var whole yaml.Node
	if err := whole.Encode(job); err != nil {
		return append(problems, err.Error())
	}
	if strange := strangeExpressions(&whole); len(strange) > 0 {
		problems = append(problems,
			fmt.Sprintf("it may run on the GPU host and may be given a secret or token: %s", strings.Join(strange, ", ")))
	}
	slices.Sort(problems)
	return problems
}
