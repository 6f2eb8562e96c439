package workflows

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rhysd/actionlint"
	"gopkg.in/yaml.v3"
)

func workflowFiles(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(paths) < 3 {
		t.Fatalf("workflows: %v %v", paths, err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	return files
}

// actionlint reports nothing for this repository's workflows, nor for the one that init writes.
func TestActionlint(t *testing.T) {
	files := workflowFiles(t)
	files["written by init.yml"] = initialised(t)
	for name, data := range files {
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		problems, err := linter.Lint(filepath.Join("../.github/workflows", name), data, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range problems {
			t.Errorf("%s", problem)
		}
	}
}

// initialised is the workflow that init writes.
func initialised(t *testing.T) []byte {
	t.Helper()
	directory := t.TempDir()
	if err := os.Mkdir(filepath.Join(directory, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Initialise(InitialiseOptions{Directory: directory, Commit: someCommit}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(directory, workflowPath))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWorkflowsKeepThePlanesApart(t *testing.T) {
	for name, data := range workflowFiles(t) {
		problems, err := checkWorkflow(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range problems {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// The jobs have exactly the permissions that the tests' server enforces.
func TestWorkflowPermissions(t *testing.T) {
	want := map[string]map[string]string{
		"bench-gpu.yml/ask":     plainNames(askPermissions),
		"bench-gpu.yml/gate":    plainNames(gatePermissions),
		"bench-gpu.yml/cancel":  {"contents": "read", "actions": "write"},
		"bench-gpu.yml/fetch":   {"contents": "read"},
		"bench-gpu.yml/measure": {}, "bench-gpu.yml/dependencies": {},
		"bench-gpu.yml/publish": plainNames(publishPermissions),
		"ci.yml/test":           {},
		"nightly.yml/plan":      {"contents": "read", "issues": "read"},
		"nightly.yml/measure":   {}, "nightly.yml/dependencies": {},
		"nightly.yml/publish": {"contents": "write", "issues": "write", "actions": "read"},
		"release.yml/build":   {},
		"release.yml/publish": {"contents": "write", "id-token": "write", "attestations": "write"},
	}
	got := map[string]map[string]string{}
	for name, data := range workflowFiles(t) {
		var file workflowFile
		if err := yaml.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		for job, definition := range file.Jobs {
			permissions := map[string]string{}
			if err := definition.Permissions.Decode(&permissions); err != nil {
				t.Fatal(err)
			}
			got[name+"/"+job] = permissions
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("permissions (-want +got):\n%s", diff)
	}
}

func plainNames(permissions map[string]string) map[string]string {
	plain := map[string]string{}
	for name, level := range permissions {
		plain[strings.ReplaceAll(name, "_", "-")] = level
	}
	return plain
}

// The check rejects every way of passing secrets or permissions to the executor.
func TestWorkflowMutations(t *testing.T) {
	bench := string(workflowFiles(t)["bench-gpu.yml"])
	ci := string(workflowFiles(t)["ci.yml"])
	measure := "    timeout-minutes: ${{ fromJSON(needs.gate.outputs.timeout_minutes) }}\n    permissions: {}\n"
	plan := "          PLAN_HASH: ${{ needs.gate.outputs.plan_hash }}\n        run"
	for name, test := range map[string]struct{ source, old, new, want string }{
		"a permission": {bench, measure, strings.Replace(measure, "{}", "{contents: read}", 1),
			"has permissions"},
		"a fetch with permissions": {bench, "    timeout-minutes: 60\n    permissions: {}\n",
			"    timeout-minutes: 60\n    permissions: {contents: read}\n", "has permissions"},
		"all permissions": {bench, measure, strings.Replace(measure, "{}", "write-all", 1),
			"has permissions"},
		"no word about permissions": {bench, measure, strings.Replace(measure, "    permissions: {}\n", "", 1),
			"no permissions of its own"},
		"a token in env": {bench, plan,
			strings.Replace(plan, "${{ needs.gate.outputs.plan_hash }}", "${{ github.token }}", 1), "secret or token"},
		"a secret in env": {bench, plan,
			strings.Replace(plan, "${{ needs.gate.outputs.plan_hash }}", "${{ secrets.KEY }}", 1), "secret or token"},
		"a secret by its index": {bench, plan,
			strings.Replace(plan, "${{ needs.gate.outputs.plan_hash }}", "${{ secrets['KEY'] }}", 1), "secret or token"},
		"all secrets": {bench, plan,
			strings.Replace(plan, "${{ needs.gate.outputs.plan_hash }}", "${{ toJSON(secrets) }}", 1), "secret or token"},
		"the token by its index": {bench, plan,
			strings.Replace(plan, "${{ needs.gate.outputs.plan_hash }}", "${{ github['token'] }}", 1), "secret or token"},
		"the whole context": {bench, plan,
			strings.Replace(plan, "${{ needs.gate.outputs.plan_hash }}", "${{ toJSON(github) }}", 1), "secret or token"},
		"a secret behind braces": {bench, plan,
			strings.Replace(plan, "${{ needs.gate.outputs.plan_hash }}", "${{ format('}}') }}${{ format('}}', secrets.KEY) }}",
				1), "secret or token"},
		"a context of tomorrow": {bench, plan,
			strings.Replace(plan, "${{ needs.gate.outputs.plan_hash }}", "${{ vault.KEY }}", 1), "secret or token"},
		"a stranger's words": {bench, plan,
			strings.Replace(plan, "${{ needs.gate.outputs.plan_hash }}", "${{ github.event.comment.body }}", 1),
			"secret or token"},
		"a secret in a condition": {bench, "      - name: Measure\n",
			"      - name: Measure\n        if: secrets.KEY != ''\n", "secret or token"},
		"an environment": {bench, measure, measure + "    environment: production\n", "has environment"},
		"a container":    {bench, measure, measure + "    container: image\n", "has container"},
		"a cache": {bench, "      - name: Measure\n",
			"      - uses: actions/cache@11bd71901bbe5b1630ceea73d27597364c9af683\n      - name: Measure\n", "cache"},
		"an unknown action": {bench, "      - name: Measure\n",
			"      - uses: some/action@11bd71901bbe5b1630ceea73d27597364c9af683\n      - name: Measure\n", "is not known to"},
		"an action of the checkout": {bench, "      - name: Measure\n",
			"      - uses: ./action\n      - name: Measure\n", "is not known to"},
		"an unknown key": {bench, measure, measure + "    surprise: true\n", "cannot parse it"},
		"an unknown key of the file": {bench, "\npermissions: {}\n", "\npermissions: {}\nsurprise: true\n",
			"cannot parse it"},
		"an action by tag": {bench, "actions/download-artifact@37930b1c2abaa49bbe596cd826c3c89aef350131",
			"actions/download-artifact@v7", "not pinned"},
		"an action without version": {bench, " # v7.0.0", "", "with its version"},
		"an old runtime": {bench, "de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2",
			"11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2", "supported runtime"},
		"user text in a command": {bench, "- uses: ./.github/actions/cancel",
			"- run: echo '${{ github.event.comment.body }}'", "inside a command"},
		"a queue": {bench, measure,
			measure + "    concurrency: {group: gpu, cancel-in-progress: false}\n", "cancels the second"},
		"a publisher that checks out head": {bench,
			"          persist-credentials: false\n      - uses: ./.github/actions/publish",
			"          persist-credentials: false\n          ref: ${{ needs.gate.outputs.head }}\n      - uses: " +
				"./.github/actions/publish", "stranger's code"},
		"credentials left behind": {bench, "          persist-credentials: false\n      - id: gate",
			"          clean: true\n      - id: gate", "persist-credentials"},
		"a whole file's permissions": {bench, "\npermissions: {}\n", "\npermissions: write-all\n",
			"does not begin with"},
		"an event with a token": {bench, "  issue_comment:\n    types: [created]",
			"  pull_request_target:\n    types: [opened]", "pull_request_target"},
		"an event after a stranger's": {bench, "  issue_comment:\n    types: [created]",
			"  workflow_run:\n    workflows: [ci]", "workflow_run"},
		"a token for every job": {bench, "\npermissions: {}\n",
			"\npermissions: {}\nenv: {T: '${{ github.token }}'}\n", "every job gets it"},
		"user text in a script": {bench, "- uses: ./.github/actions/cancel\n        with:\n",
			"- uses: actions/github-script@11bd71901bbe5b1630ceea73d27597364c9af683\n        with:\n          script: " +
				"say('${{ github.event.comment.body }}')\n", "inside a command"},
		"a machine of ours by a hosted name": {bench,
			"    runs-on: ubuntu-24.04\n    timeout-minutes: 30\n    permissions:\n      contents: read\n    steps:",
			"    runs-on: ubuntu-gpu\n    timeout-minutes: 30\n    permissions:\n      contents: read\n    steps:",
			"has permissions"},
		"a machine of ours among hosted ones": {bench,
			"    runs-on: ubuntu-24.04\n    timeout-minutes: 30\n    permissions:\n      contents: read\n    steps:",
			"    runs-on: [ubuntu-24.04, gpu]\n    timeout-minutes: 30\n    permissions:\n      contents: read\n    steps:",
			"has permissions"},
		"another workflow": {bench, "    runs-on: ubuntu-24.04\n    timeout-minutes: 15\n",
			"    uses: some/where/.github/workflows/x.yml@11bd71901bbe5b1630ceea73d27597364c9af683\n", "cannot see"},
		"a permission for CI": {ci, "permissions: {} # it", "permissions: {contents: write} # it",
			"has permissions"},
		"a secret for CI": {ci, "      - run: sudo",
			"      - env: {KEY: '${{ secrets.KEY }}'}\n        run: sudo", "secret or token"},
	} {
		mutated := strings.Replace(test.source, test.old, test.new, 1)
		if mutated == test.source {
			t.Errorf("%s: the mutation does not fit the file any more", name)
			continue
		}
		problems, err := checkWorkflow([]byte(mutated))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(strings.Join(problems, "\n"), test.want) {
			t.Errorf("%s: problems %q, want %q", name, problems, test.want)
		}
	}
}

// The composite actions follow the same rules, and the executor's action equals the steps in bench-gpu.yml.
func TestCompositeActions(t *testing.T) {
	type step struct {
		Uses string            `yaml:"uses"`
		Run  string            `yaml:"run"`
		With map[string]string `yaml:"with"`
		If   string            `yaml:"if"`
	}
	steps := map[string][]step{}
	for _, name := range []string{"gate", "cancel", "fetch", "measure", "publish"} {
		data, err := os.ReadFile(filepath.Join("../.github/actions", name, "action.yml"))
		if err != nil {
			t.Fatal(err)
		}
		var action struct {
			Runs struct{ Steps []step }
		}
		if err := yaml.Unmarshal(data, &action); err != nil {
			t.Fatal(err)
		}
		for _, step := range action.Runs.Steps {
			for _, problem := range checkStep(step.Uses, step.Run) {
				t.Errorf("%s: %s", name, problem)
			}
		}
		if strange := strangeWords(string(data)); name == "measure" && len(strange) > 0 {
			t.Errorf("the executor's action may be given a token: %q", strange)
		}
		for _, problem := range checkVersions(data) {
			t.Errorf("%s: %s", name, problem)
		}
		steps[name] = action.Runs.Steps
	}
	var bench struct {
		Jobs map[string]struct{ Steps []step }
	}
	if err := yaml.Unmarshal(workflowFiles(t)["bench-gpu.yml"], &bench); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(steps["measure"], bench.Jobs["measure"].Steps); diff != "" {
		t.Errorf("the action measure and the job measure differ (-action +job):\n%s", diff)
	}
}
