package workflows

import (
	"os"
	"strings"
	"testing"
)

// Another workflow of the repository may do anything on GitHub's machines, but only known safe things on the GPU hosts.
func TestNeighbours(t *testing.T) {
	const host = "    runs-on: [self-hosted, gpu]\n    permissions: {}\n    steps:\n      - run: make\n"
	for name, test := range map[string]struct{ source, want string }{
		"hosted": {"on: [pull_request_target, workflow_run]\njobs:\n  a:\n    runs-on: " +
			"ubuntu-latest\n    permissions: write-all\n    steps:\n      - uses: some/action@v1\n        with: {token: '${{ " +
			"secrets.KEY }}'}\n", ""},
		"a matrix of hosted machines": {"on: pull_request\njobs:\n  a:\n    strategy: {matrix: {os: [ubuntu-24.04, " +
			"macos-14], include: [{os: windows-2022}]}}\n    runs-on: ${{ matrix.os }}\n    steps: [{run: make}]\n", ""},
		"a local workflow": {"on: pull_request\njobs:\n  a:\n    uses: ./.github/workflows/other.yml\n    " +
			"secrets: inherit\n", ""},
		"a safe job of the host": {"on:\n  schedule: [{cron: '0 1 * * *'}]\njobs:\n  a:\n" + host, ""},
		"a label of ours in a matrix": {"on: pull_request\njobs:\n  a:\n    strategy: {matrix: {os: [ubuntu-24.04, " +
			"gpu]}}\n    runs-on: ${{ matrix.os }}\n    permissions: {}\n    steps: [{run: make}]\n", "pull_request may put"},
		"one that the matrix includes": {"on: pull_request\njobs:\n  a:\n    strategy: {matrix: {os: [ubuntu-24.04], " +
			"include: [{os: gpu}]}}\n    runs-on: ${{ matrix.os }}\n    permissions: {}\n    steps: [{run: make}]\n",
			"pull_request may put"},
		"a matrix that is computed": {"on: pull_request\njobs:\n  a:\n    strategy: {matrix: {os: '${{ " +
			"fromJSON(needs.x.outputs.y) }}'}}\n    runs-on: ${{ matrix.os }}\n    permissions: {}\n    steps: [{run: make}]\n",
			"pull_request may put"},
		"a variable": {"on: pull_request\njobs:\n  a:\n    runs-on: ${{ vars.RUNNER }}\n    " +
			"permissions: {}\n    steps: [{run: make}]\n", "pull_request may put"},
		"a group": {"on: pull_request\njobs:\n  a:\n    runs-on: {group: ubuntu-latest}\n    " +
			"permissions: {}\n    steps: [{run: make}]\n", "pull_request may put"},
		"pull_request_target": {"on: pull_request_target\njobs:\n  a:\n" + host, "pull_request_target may put"},
		"workflow_run": {"on: {workflow_run: {workflows: [ci]}}\njobs:\n  a:\n" + host,
			"workflow_run may put"},
		"an event of tomorrow": {"on: [push, full_moon]\njobs:\n  a:\n" + host, "full_moon may put"},
		"called by others":     {"on: workflow_call\njobs:\n  a:\n" + host, "workflow_call may put"},
		"no word about permissions": {"on: push\njobs:\n  a:\n" + strings.Replace(host, "    permissions: {}\n", "", 1),
			"has permissions"},
		"a secret": {"on: push\njobs:\n  a:\n" + host + "        env: {K: '${{ secrets.K }}'}\n",
			"secrets.K"},
		"another repository's workflow": {"on: push\njobs:\n  a:\n    uses: some/where/.github/workflows/x.yml@main\n",
			"cannot see"},
		"credentials left behind": {"on: push\njobs:\n  a:\n" + host +
			"      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd\n", "persist-credentials"},
		"an unknown key": {"on: push\njobs:\n  a:\n    surprise: 1\n" + host, "cannot parse it"},
	} {
		problems, err := checkNeighbour([]byte(test.source))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := strings.Join(problems, "\n"); (test.want == "") != (got == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: problems %q, want %q", name, problems, test.want)
		}
	}
	if _, err := checkNeighbour([]byte("\tno: yaml")); err == nil {
		t.Error("no YAML, no error")
	}
}

// The recipe for several hosts in docs/guide/github.md passes this check.
func TestRecipeOfHosts(t *testing.T) {
	text, err := os.ReadFile("../docs/guide/github.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Several hosts at once\n")
	_, recipe, _ := strings.Cut(section, "```yaml\n")
	recipe, _, closed := strings.Cut(recipe, "```\n")
	if problems, err := checkNeighbour([]byte(recipe)); !closed || err != nil || len(problems) > 0 {
		t.Errorf("problems %q, %v", problems, err)
	}
}
