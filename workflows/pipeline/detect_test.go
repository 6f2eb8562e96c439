package pipeline

import (
	"strings"
	"testing"
)

var (
	one, two, three = strings.Repeat("1", 40), strings.Repeat("2", 40), strings.Repeat("3", 40)
	zeros           = strings.Repeat("0", 40)
)

// The expected ranges follow from GitLab's and GitHub's documentation of their variables; they are not computed.
func TestDetect(t *testing.T) {
	gitLab := func(more ...string) map[string]string {
		variables := map[string]string{"GITLAB_CI": "true", "CI_API_V4_URL": "https://gitlab.example/api/v4",
			"CI_PROJECT_ID": "12", "CI_COMMIT_SHA": two, "CI_COMMIT_BEFORE_SHA": zeros, "CI_DEFAULT_BRANCH": "main"}
		for i := 0; i < len(more); i += 2 {
			variables[more[i]] = more[i+1]
		}
		return variables
	}
	gitHub := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push", "GITHUB_SHA": two,
		"GITHUB_REPOSITORY": "o/r"}
	for name, test := range map[string]struct {
		variables         map[string]string
		event, base, head string
		want              string // the range, or the error
		number            int
	}{
		"a merge request": {variables: gitLab("CI_MERGE_REQUEST_IID", "5", "CI_MERGE_REQUEST_DIFF_BASE_SHA", one),
			want: one + ".." + two, number: 5},
		"a merge request of merged results": {variables: gitLab("CI_MERGE_REQUEST_IID", "5",
			"CI_MERGE_REQUEST_DIFF_BASE_SHA", one, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", three),
			want: one + ".." + three, number: 5},
		"a merge request without a base": {variables: gitLab("CI_MERGE_REQUEST_IID", "5"),
			want: "CI_MERGE_REQUEST_DIFF_BASE_SHA"},
		"a merge request without a number": {variables: gitLab("CI_MERGE_REQUEST_IID", "x"), want: "want a number"},
		"a push": {variables: gitLab("CI_COMMIT_BEFORE_SHA", one, "CI_COMMIT_BRANCH", "main"),
			want: one + ".." + two},
		"a new branch":         {variables: gitLab("CI_COMMIT_BRANCH", "topic"), want: "origin/main..." + two},
		"a new default branch": {variables: gitLab("CI_COMMIT_BRANCH", "main"), want: "--base"},
		"no commit":            {variables: gitLab("CI_COMMIT_SHA", "main"), want: "CI_COMMIT_SHA is \"main\""},
		"a base by hand": {variables: gitLab("CI_MERGE_REQUEST_IID", "5"), base: "v1", want: "v1.." + two,
			number: 5},
		"a pull request": {variables: gitHub, event: `{"pull_request":{"number":7,"head":{"sha":"` + three +
			`"},"base":{"sha":"` + one + `"}}}`, want: one + "..." + three, number: 7},
		"a push to GitHub":     {variables: gitHub, event: `{"before":"` + one + `"}`, want: one + ".." + two},
		"a new GitHub branch":  {variables: gitHub, event: `{"before":"` + zeros + `"}`, want: "--base"},
		"a broken event":       {variables: gitHub, event: `{`, want: "GITHUB_EVENT_PATH"},
		"a shell":              {want: "--base origin/main"},
		"a shell with a base":  {base: "main", want: "main..HEAD"},
		"a shell with both":    {base: "main", head: "topic", want: "main..topic"},
		"a head in a pipeline": {variables: gitLab("CI_COMMIT_BEFORE_SHA", one), head: "topic", want: one + "..topic"},
	} {
		job, err := Detect(test.variables, []byte(test.event), test.base, test.head)
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %q", name, err, test.want)
			}
			continue
		}
		if job.Range() != test.want || job.Number != test.number {
			t.Errorf("%s: %s of %d, want %s of %d", name, job.Range(), job.Number, test.want, test.number)
		}
	}
}

func TestMarkerCannotBeLeft(t *testing.T) {
	if got := Marker("bench --> 🚀\n[x]"); got != "<!-- chiasmus:ci bench ___ ___x_ -->" {
		t.Errorf("%q", got)
	}
}
