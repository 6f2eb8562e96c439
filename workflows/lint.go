package workflows

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// hostedRunner matches the labels of GitHub's own machines. Everything else is a machine of somebody's, on which
// the code of pull requests runs: ubuntu-gpu, too.
var hostedRunner = regexp.MustCompile(`^(ubuntu|windows|macos)-(latest|[0-9]+(\.[0-9]+)?)(-(arm|intel|large|xlarge))?$`)

var (
	pinnedAction = regexp.MustCompile(`^[A-Za-z0-9._/-]+@[0-9a-f]{40}$`)
	// The contexts secrets and github are named in whichever way, whole or by one key.
	tokenWords = regexp.MustCompile(`(?i)secrets\.|github\.token|github_token|secrets:\s*inherit|\$\{\{[^}]*\b(secrets\b|github\s*[\[)}])`)
	cacheWords = regexp.MustCompile(`actions/cache|(?m)^\s*cache:\s*['"]?(true|go|npm|pip|yarn)`)
	headWords  = regexp.MustCompile(`github\.head_ref|pull_request\.head|refs/pull/`)
)

type workflowFile struct {
	On          yaml.Node              `yaml:"on"`
	Permissions yaml.Node              `yaml:"permissions"`
	Env         yaml.Node              `yaml:"env"`
	Jobs        map[string]workflowJob `yaml:"jobs"`
}

type workflowJob struct {
	RunsOn      yaml.Node `yaml:"runs-on"`
	Permissions yaml.Node `yaml:"permissions"`
	Concurrency yaml.Node `yaml:"concurrency"`
	Uses        string    `yaml:"uses"`
	Steps       []struct {
		Uses string            `yaml:"uses"`
		Run  string            `yaml:"run"`
		With map[string]string `yaml:"with"`
	} `yaml:"steps"`
}

// CheckWorkflow walks a workflow file and lists what breaks the two planes. It is an allow-list: what it does not
// know to be safe is a problem.
//
//   - The file starts from no permission, and every job states its own.
//   - No variable of the whole file holds a secret or token: every job would get it.
//   - A job on a machine that is not GitHub's, or one that checks out the code of a pull request, has no permission,
//     no secret, no token and no cache.
//   - Actions are pinned by commit, or live in the same checkout.
//   - No expression stands inside a command.
//   - A job that queues says so in the one form that does not cancel.
func CheckWorkflow(data []byte) ([]string, error) {
	var file workflowFile
	if err := yaml.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("the workflow is no YAML: %w", err)
	}
	var problems []string
	if !isEmptyMapping(&file.Permissions) {
		problems = append(problems, "the file does not begin with `permissions: {}`")
	}
	if env, err := yaml.Marshal(&file.Env); err != nil || tokenWords.Match(env) {
		problems = append(problems, "a variable of the whole file holds a secret or token: every job gets it")
	}
	events := eventNames(&file.On)
	if slices.Contains(events, "pull_request_target") {
		problems = append(problems, "pull_request_target runs with a token on a stranger's event")
	}
	for _, name := range sortedKeys(file.Jobs) {
		job := file.Jobs[name]
		source, err := jobSource(data, name)
		if err != nil {
			return nil, err
		}
		for _, problem := range checkJob(&job, source, slices.Contains(events, "pull_request")) {
			problems = append(problems, fmt.Sprintf("job %s: %s", name, problem))
		}
	}
	return problems, nil
}

func checkJob(job *workflowJob, source string, pullRequest bool) []string {
	var problems []string
	if job.Permissions.IsZero() {
		problems = append(problems, "it states no permissions of its own")
	}
	if job.Uses != "" {
		problems = append(problems, "it calls another workflow, which this check cannot see")
	}
	stranger := job.RunsOn.Kind != yaml.ScalarNode || !hostedRunner.MatchString(job.RunsOn.Value)
	for _, step := range job.Steps {
		checkout := strings.HasPrefix(step.Uses, "actions/checkout@")
		if checkout && (pullRequest || step.With["ref"] != "" || step.With["repository"] != "") || headWords.MatchString(step.Run) {
			stranger = true
		}
		if checkout && step.With["persist-credentials"] != "false" {
			problems = append(problems, "a checkout leaves the token in .git/config: set persist-credentials to false")
		}
		problems = append(problems, CheckStep(step.Uses, step.Run+step.With["script"])...)
	}
	if stranger {
		if !isEmptyMapping(&job.Permissions) {
			problems = append(problems, "it runs a stranger's code and has permissions")
		}
		if tokenWords.MatchString(source) {
			problems = append(problems, "it runs a stranger's code and is given a secret or token")
		}
		if cacheWords.MatchString(source) {
			problems = append(problems, "it runs a stranger's code and writes a cache that others read")
		}
	}
	return append(problems, checkQueue(&job.Concurrency)...)
}

// CheckStep checks one step of a workflow or of a composite action. run is its command, or the script of an action that
// runs one.
func CheckStep(uses, run string) []string {
	var problems []string
	if uses != "" && !strings.HasPrefix(uses, "./") && !pinnedAction.MatchString(uses) {
		problems = append(problems, fmt.Sprintf("%s is not pinned by commit", uses))
	}
	if strings.Contains(run, "${{") {
		problems = append(problems, "an expression stands inside a command: hand it over in env")
	}
	return problems
}

// checkQueue holds the one use of `queue`, a key younger than actionlint: all wait, none is cancelled.
func checkQueue(node *yaml.Node) []string {
	var concurrency struct {
		Group  string `yaml:"group"`
		Cancel *bool  `yaml:"cancel-in-progress"`
		Queue  string `yaml:"queue"`
	}
	if node.Kind != yaml.MappingNode {
		return nil
	}
	if err := node.Decode(&concurrency); err != nil {
		return []string{"its concurrency cannot be read: " + err.Error()}
	}
	if concurrency.Queue != "max" || concurrency.Cancel == nil || *concurrency.Cancel {
		return []string{"its concurrency group must have cancel-in-progress: false and queue: max, or a third run cancels the second"}
	}
	return nil
}

func isEmptyMapping(node *yaml.Node) bool {
	return node.Kind == yaml.MappingNode && len(node.Content) == 0
}

// eventNames lists the events of `on`, which may be a word, a list or a mapping.
func eventNames(node *yaml.Node) []string {
	switch node.Kind {
	case yaml.ScalarNode:
		return []string{node.Value}
	case yaml.SequenceNode:
		var names []string
		for _, item := range node.Content {
			names = append(names, item.Value)
		}
		return names
	}
	var names []string
	for i := 0; i+1 < len(node.Content); i += 2 {
		names = append(names, node.Content[i].Value)
	}
	return names
}

// jobSource is the job as YAML text, in which words are looked for wherever they stand.
func jobSource(data []byte, name string) (string, error) {
	var file struct {
		Jobs map[string]yaml.Node `yaml:"jobs"`
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		return "", err
	}
	node := file.Jobs[name]
	text, err := yaml.Marshal(&node)
	return string(text), err
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
