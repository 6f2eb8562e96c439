package workflows

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

var (
	pinnedAction = regexp.MustCompile(`^[A-Za-z0-9._/-]+@[0-9a-f]{40}$`)
	cacheWords   = regexp.MustCompile(`actions/cache|(?m)^\s*cache:\s*['"]?(true|go|npm|pip|yarn)`)
	headWords    = regexp.MustCompile(`github\.head_ref|pull_request\.head|refs/pull/`)
	versionWords = regexp.MustCompile(`(?m)^\s*(?:- )?uses:\s*['"]?(actions/[a-z-]+)@[0-9a-f]{40}['"]?\s+#\s*v(\d+)\.\d+\.\d+\s*$`)
	actionWords  = regexp.MustCompile(`(?m)^\s*(?:- )?uses:\s*['"]?(actions/[a-z-]+)@`)
)

// supportedMajors are the first major versions of GitHub's own actions that run on Node.js 24. Earlier versions run on
// Node.js 20, which reached its end of life in April 2026.
var supportedMajors = map[string]int{
	"actions/checkout":          5,
	"actions/setup-go":          6,
	"actions/upload-artifact":   6,
	"actions/attest":            3,
	"actions/download-artifact": 7,
}

// A workflowFile has every key that a workflow may have. An unknown key is a problem, because its meaning is unknown
// too.
type workflowFile struct {
	Name        string                 `yaml:"name"`
	RunName     string                 `yaml:"run-name"`
	On          yaml.Node              `yaml:"on"`
	Permissions yaml.Node              `yaml:"permissions"`
	Env         yaml.Node              `yaml:"env"`
	Defaults    yaml.Node              `yaml:"defaults"`
	Concurrency yaml.Node              `yaml:"concurrency"`
	Jobs        map[string]workflowJob `yaml:"jobs"`
}

type workflowJob struct {
	Name            string         `yaml:"name"`
	Needs           yaml.Node      `yaml:"needs"`
	If              yaml.Node      `yaml:"if"`
	RunsOn          yaml.Node      `yaml:"runs-on"`
	Permissions     yaml.Node      `yaml:"permissions"`
	Environment     yaml.Node      `yaml:"environment"`
	Concurrency     yaml.Node      `yaml:"concurrency"`
	Outputs         yaml.Node      `yaml:"outputs"`
	Env             yaml.Node      `yaml:"env"`
	Defaults        yaml.Node      `yaml:"defaults"`
	TimeoutMinutes  yaml.Node      `yaml:"timeout-minutes"`
	Strategy        yaml.Node      `yaml:"strategy"`
	ContinueOnError yaml.Node      `yaml:"continue-on-error"`
	Container       yaml.Node      `yaml:"container"`
	Services        yaml.Node      `yaml:"services"`
	Uses            string         `yaml:"uses"`
	With            yaml.Node      `yaml:"with"`
	Secrets         yaml.Node      `yaml:"secrets"`
	Steps           []workflowStep `yaml:"steps"`
}

type workflowStep struct {
	ID               string            `yaml:"id"`
	Name             string            `yaml:"name"`
	If               yaml.Node         `yaml:"if"`
	Uses             string            `yaml:"uses"`
	Run              string            `yaml:"run"`
	Shell            string            `yaml:"shell"`
	WorkingDirectory string            `yaml:"working-directory"`
	With             map[string]string `yaml:"with"`
	Env              yaml.Node         `yaml:"env"`
	ContinueOnError  yaml.Node         `yaml:"continue-on-error"`
	TimeoutMinutes   yaml.Node         `yaml:"timeout-minutes"`
}

// ownEvents may start the controller's workflows. pull_request starts them without a token. Events that strangers can
// cause and that come with a token are not in the list.
var ownEvents = []string{"issue_comment", "schedule", "workflow_dispatch", "push", "pull_request"}

// labelEvent is the event of a label. It comes with a token and runs the default branch's workflow; the event
// pull_request would run the pull request's own.
const labelEvent = "pull_request_target"

// labelOnly reports whether labelEvent is among the events and is limited to labels that are set.
func labelOnly(on *yaml.Node) bool {
	var events map[string]struct {
		Types []string `yaml:"types"`
	}
	if on.Kind != yaml.MappingNode || on.Decode(&events) != nil {
		return false
	}
	event, ok := events[labelEvent]
	return ok && slices.Equal(event.Types, []string{"labeled"})
}

// checkWorkflow lists the violations of the two planes in a workflow of the controller. It is an allow-list: whatever
// is not known to be safe is a problem.
//
//   - The file starts from no permission, and every job states its own.
//   - Variables of the whole file contain only expressions that are allowed in a job with untrusted code.
//   - A job on a machine that is not known to be GitHub's obeys the rules of checkNeighbour.
//   - A job that checks out the code of a pull request has no permission, no secret, no token and no cache.
//   - Actions are pinned by commit, or live in the same checkout; GitHub's own run on a runtime that is still
//     supported.
//   - No command contains an expression.
//   - No job waits in a concurrency group, where a third run cancels the second.
func checkWorkflow(data []byte) ([]string, error) {
	file, problems, err := parseWorkflow(data)
	if file == nil {
		return problems, err
	}
	if !isEmptyMapping(&file.Permissions) {
		problems = append(problems, "the file does not begin with `permissions: {}`")
	}
	if len(strangeExpressions(&file.Env)) > 0 {
		problems = append(problems, "a variable of the whole file holds a secret or token: every job gets it")
	}
	events := eventNames(&file.On)
	if labelOnly(&file.On) { // the gate asks the API who set the label, and refuses forks
		events = slices.DeleteFunc(events, func(event string) bool { return event == labelEvent })
	}
	for _, event := range events {
		if !slices.Contains(ownEvents, event) {
			problems = append(problems, fmt.Sprintf("%s may run with a token on a stranger's event", event))
		}
	}
	problems = append(problems, checkVersions(data)...)
	for _, name := range slices.Sorted(maps.Keys(file.Jobs)) {
		job := file.Jobs[name]
		source, err := jobSource(data, name)
		if err != nil {
			return nil, err
		}
		found := append(checkOwnJob(&job, source, slices.Contains(events, "pull_request")), checkMachine(&job, events)...)
		for _, problem := range found {
			problems = append(problems, fmt.Sprintf("job %s: %s", name, problem))
		}
	}
	return problems, nil
}

// checkNeighbour checks another workflow of the repository and lists the ways in which it may bring a token or
// untrusted code to the GPU host. Jobs on machines that are known to be GitHub's are not checked. Any other job may be
// scheduled on the host by its labels, so it must be safe there.
func checkNeighbour(data []byte) ([]string, error) {
	file, problems, err := parseWorkflow(data)
	if file == nil {
		return problems, err
	}
	events := eventNames(&file.On)
	for _, name := range slices.Sorted(maps.Keys(file.Jobs)) {
		job := file.Jobs[name]
		for _, problem := range checkMachine(&job, events) {
			problems = append(problems, fmt.Sprintf("job %s: %s", name, problem))
		}
	}
	return problems, nil
}

// parseWorkflow parses a workflow strictly. An unknown key is reported as a problem, and then nothing else is checked.
func parseWorkflow(data []byte) (file *workflowFile, problems []string, err error) {
	var loose yaml.Node
	if err := yaml.Unmarshal(data, &loose); err != nil {
		return nil, nil, fmt.Errorf("the workflow is not valid YAML: %w", err)
	}
	file = &workflowFile{}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(file); err != nil {
		return nil, []string{"this check cannot parse it, so nothing in it is known to be safe: " +
			strings.ReplaceAll(err.Error(), "\n", " ")}, nil
	}
	return file, nil, nil
}

// checkOwnJob checks the rules for the controller's own jobs, wherever they run.
func checkOwnJob(job *workflowJob, source string, pullRequest bool) []string {
	var problems []string
	if job.Permissions.IsZero() {
		problems = append(problems, "it states no permissions of its own")
	}
	if job.Uses != "" {
		problems = append(problems, "it calls another workflow, which this check cannot see")
	}
	if !job.Concurrency.IsZero() {
		problems = append(problems, "it waits in a concurrency group, where a third run cancels the second")
	}
	stranger := false
	for _, step := range job.Steps {
		checkout := strings.HasPrefix(step.Uses, "actions/checkout@")
		if checkout && (pullRequest || step.With["ref"] != "" || step.With["repository"] != "") ||
			headWords.MatchString(step.Run) {
			stranger = true
		}
		// This step runs build.fetch of both revisions.
		if strings.Contains(step.Uses, "/actions/dependencies@") || strings.Contains(step.Run, "github dependencies") {
			stranger = true
		}
		if checkout && step.With["persist-credentials"] != "false" {
			problems = append(problems, "a checkout leaves the token in .git/config: set persist-credentials to false")
		}
		problems = append(problems, checkStep(step.Uses, step.Run+step.With["script"])...)
	}
	if stranger {
		problems = append(problems, checkStranger(job, source)...)
	}
	return problems
}

// checkStranger checks a job that runs a stranger's code.
func checkStranger(job *workflowJob, source string) []string {
	var problems []string
	if !isEmptyMapping(&job.Permissions) {
		problems = append(problems, "it runs a stranger's code and has permissions")
	}
	if strange := strangeWords(source); len(strange) > 0 {
		problems = append(problems,
			fmt.Sprintf("it runs a stranger's code and may be given a secret or token: %s", strings.Join(strange, ", ")))
	}
	if cacheWords.MatchString(source) {
		problems = append(problems, "it runs a stranger's code and writes a cache that others read")
	}
	return problems
}

// checkStep checks one step of a workflow or composite action. run is its command, or the script of an action that runs
// one.
func checkStep(uses, run string) []string {
	var problems []string
	if uses != "" && !strings.HasPrefix(uses, "./") && !pinnedAction.MatchString(uses) {
		problems = append(problems, fmt.Sprintf("%s is not pinned by commit", uses))
	}
	if strings.Contains(run, "${{") {
		problems = append(problems, "an expression is inside a command: pass it in env")
	}
	return problems
}

// checkVersions checks that GitHub's own actions name their version next to the commit, and that the version's runtime
// is supported.
func checkVersions(data []byte) []string {
	var problems []string
	said := versionWords.FindAllSubmatch(data, -1)
	if len(said) != len(actionWords.FindAll(data, -1)) {
		problems = append(problems,
			"a GitHub action is not pinned by commit with its version in a comment, as in `# v6.0.2`")
	}
	for _, match := range said {
		action := string(match[1])
		major, _ := strconv.Atoi(string(match[2])) // digits, by the pattern
		if first, known := supportedMajors[action]; !known || major < first {
			problems = append(problems,
				fmt.Sprintf("%s v%d is not known to run on a supported runtime: v%d is the first that does", action, major, first))
		}
	}
	return problems
}

func isEmptyMapping(node *yaml.Node) bool {
	return node.Kind == yaml.MappingNode && len(node.Content) == 0
}

// eventNames lists the events of `on`, which may be a string, a list or a mapping.
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

// jobSource returns the job as YAML text, to be searched for strings anywhere in it.
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
