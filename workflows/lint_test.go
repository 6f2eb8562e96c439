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

func TestActionlint(t *testing.T) {
	for name, data := range workflowFiles(t) {
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{
			// `queue` of a concurrency group is younger than this actionlint; checkQueue holds it instead.
			IgnorePatterns: []string{`^unexpected key "queue" for "concurrency" section`},
		})
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

func TestWorkflowsKeepThePlanesApart(t *testing.T) {
	for name, data := range workflowFiles(t) {
		problems, err := CheckWorkflow(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range problems {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// The jobs' permissions are those that the tests' server enforces, and no others.
func TestWorkflowPermissions(t *testing.T) {
	want := map[string]map[string]string{
		"bench-gpu.yml/gate":    plainNames(gatePermissions),
		"bench-gpu.yml/cancel":  {"contents": "read", "actions": "write"},
		"bench-gpu.yml/fetch":   {"contents": "read"},
		"bench-gpu.yml/measure": {},
		"bench-gpu.yml/publish": plainNames(publishPermissions),
		"ci.yml/test":           {},
		"nightly.yml/plan":      {"contents": "read", "issues": "read"},
		"nightly.yml/measure":   {},
		"nightly.yml/publish":   {"contents": "write", "issues": "write", "actions": "read"},
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

// Every way to hand the executor something makes the check fail.
func TestWorkflowMutations(t *testing.T) {
	bench := string(workflowFiles(t)["bench-gpu.yml"])
	ci := string(workflowFiles(t)["ci.yml"])
	measure := "    timeout-minutes: ${{ fromJSON(needs.gate.outputs.timeout_minutes) }}\n    permissions: {}\n"
	for name, test := range map[string]struct{ source, old, new, want string }{
		"a permission":                       {bench, measure, strings.Replace(measure, "{}", "{contents: read}", 1), "has permissions"},
		"all permissions":                    {bench, measure, strings.Replace(measure, "{}", "write-all", 1), "has permissions"},
		"no word about permissions":          {bench, measure, strings.Replace(measure, "    permissions: {}\n", "", 1), "no permissions of its own"},
		"a token in env":                     {bench, "          PLAN: ${{ needs.gate.outputs.plan }}\n        run", "          PLAN: ${{ needs.gate.outputs.plan }}\n          T: ${{ github.token }}\n        run", "secret or token"},
		"a secret in env":                    {bench, "          PLAN: ${{ needs.gate.outputs.plan }}\n        run", "          PLAN: ${{ secrets.KEY }}\n        run", "secret or token"},
		"a cache":                            {bench, "      - name: Measure\n", "      - uses: actions/cache@11bd71901bbe5b1630ceea73d27597364c9af683\n      - name: Measure\n", "cache"},
		"an action by tag":                   {bench, "actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093", "actions/download-artifact@v4", "not pinned"},
		"user text in a command":             {bench, "- uses: ./.github/actions/cancel", "- run: echo '${{ github.event.comment.body }}'", "inside a command"},
		"a queue that cancels":               {bench, "      cancel-in-progress: false\n      queue: max\n    steps:\n      - name: Remove", "      cancel-in-progress: true\n      queue: max\n    steps:\n      - name: Remove", "cancel-in-progress"},
		"no queue":                           {bench, "      queue: max\n    steps:\n      - name: Remove", "    steps:\n      - name: Remove", "queue: max"},
		"a publisher that checks out head":   {bench, "          persist-credentials: false\n      - uses: ./.github/actions/publish", "          persist-credentials: false\n          ref: ${{ needs.gate.outputs.plan }}\n      - uses: ./.github/actions/publish", "stranger's code"},
		"credentials left behind":            {bench, "          persist-credentials: false\n      - id: gate", "          clean: true\n      - id: gate", "persist-credentials"},
		"a whole file's permissions":         {bench, "\npermissions: {}\n", "\npermissions: write-all\n", "does not begin with"},
		"an event with a token":              {bench, "  issue_comment:\n    types: [created]", "  pull_request_target:\n    types: [opened]", "pull_request_target"},
		"a token for every job":              {bench, "\npermissions: {}\n", "\npermissions: {}\nenv: {T: '${{ github.token }}'}\n", "every job gets it"},
		"a secret by its index":              {bench, "          PLAN: ${{ needs.gate.outputs.plan }}\n        run", "          PLAN: ${{ secrets['KEY'] }}\n        run", "secret or token"},
		"all secrets":                        {bench, "          PLAN: ${{ needs.gate.outputs.plan }}\n        run", "          PLAN: ${{ toJSON(secrets) }}\n        run", "secret or token"},
		"the token by its index":             {bench, "          PLAN: ${{ needs.gate.outputs.plan }}\n        run", "          PLAN: ${{ github['token'] }}\n        run", "secret or token"},
		"the whole context":                  {bench, "          PLAN: ${{ needs.gate.outputs.plan }}\n        run", "          PLAN: ${{ toJSON(github) }}\n        run", "secret or token"},
		"user text in a script":              {bench, "- uses: ./.github/actions/cancel\n        with:\n", "- uses: actions/github-script@11bd71901bbe5b1630ceea73d27597364c9af683\n        with:\n          script: say('${{ github.event.comment.body }}')\n", "inside a command"},
		"a machine of ours by a hosted name": {bench, "    runs-on: ubuntu-24.04\n    timeout-minutes: 30\n    permissions:\n      contents: read\n    steps:", "    runs-on: ubuntu-gpu\n    timeout-minutes: 30\n    permissions:\n      contents: read\n    steps:", "has permissions"},
		"a permission for CI":                {ci, "permissions: {} # it", "permissions: {contents: write} # it", "has permissions"},
	} {
		mutated := strings.Replace(test.source, test.old, test.new, 1)
		if mutated == test.source {
			t.Errorf("%s: the mutation does not fit the file any more", name)
			continue
		}
		problems, err := CheckWorkflow([]byte(mutated))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(strings.Join(problems, "\n"), test.want) {
			t.Errorf("%s: problems %q, want %q", name, problems, test.want)
		}
	}
}

// The composite actions keep the same rules, and the one for the executor does what bench-gpu.yml does.
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
			for _, problem := range CheckStep(step.Uses, step.Run) {
				t.Errorf("%s: %s", name, problem)
			}
		}
		if name == "measure" && tokenWords.Match(data) {
			t.Error("the executor's action speaks of a token")
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
