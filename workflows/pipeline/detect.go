package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Names lists the variables that Detect reads.
var Names = []string{
	"GITLAB_CI", "CI_API_V4_URL", "CI_PROJECT_ID", "CI_JOB_NAME", "CI_COMMIT_SHA", "CI_COMMIT_BEFORE_SHA",
	"CI_COMMIT_BRANCH", "CI_DEFAULT_BRANCH", "CI_MERGE_REQUEST_IID", "CI_MERGE_REQUEST_DIFF_BASE_SHA",
	"CI_MERGE_REQUEST_SOURCE_BRANCH_SHA",
	"GITHUB_ACTIONS", "GITHUB_EVENT_NAME", "GITHUB_JOB", "GITHUB_REPOSITORY", "GITHUB_API_URL", "GITHUB_SHA",
}

// Secrets lists the variables that contain tokens. The caller removes them from the environment, so that builds and
// measured programs do not inherit them.
var Secrets = []string{"GITLAB_TOKEN", "GITHUB_TOKEN"}

// A Provider is a continuous integration service.
type Provider string

// The providers. Plain is anything else, including a shell.
const (
	GitLab Provider = "GitLab CI"
	GitHub Provider = "GitHub Actions"
	Plain  Provider = "plain"
)

// A Job describes what a job compares.
type Job struct {
	Provider Provider
	// Base and Head are git revisions. If FromMergeBase is set, the merge base of both is measured instead of Base.
	Base, Head    string
	FromMergeBase bool
	// Why explains the choice of revisions, for the log.
	Why string
	// API is the root of the provider's API, Project the name or ID of the project there, and Number the number of the
	// merge or pull request, or 0 if there is none.
	API, Project string
	Number       int
	// Key distinguishes the comments of several jobs.
	Key string
}

// Range returns the revisions in the syntax of `harness compare`.
func (job *Job) Range() string {
	if job.FromMergeBase {
		return job.Base + "..." + job.Head
	}
	return job.Base + ".." + job.Head
}

var commitPattern = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// commit returns a commit variable, or empty if it names no commit: GitLab and GitHub then use zeros.
func commit(text string) string {
	if !commitPattern.MatchString(text) || strings.Trim(text, "0") == "" {
		return ""
	}
	return text
}

// Detect determines which commits a job compares. Non-empty base and head override the variables. event is the contents
// of GitHub's event file, or nil.
func Detect(variables map[string]string, event []byte, base, head string) (*Job, error) {
	job := &Job{Provider: Plain, Head: "HEAD", Why: "by --base and --head", Key: "job"}
	var err error
	switch {
	case variables["GITLAB_CI"] == "true":
		err = job.gitLab(variables)
	case variables["GITHUB_ACTIONS"] == "true":
		err = job.gitHub(variables, event)
	}
	if err != nil && base == "" {
		return nil, err
	}
	if base != "" {
		job.Base, job.FromMergeBase, job.Why = base, false, "by --base"
	}
	if head != "" {
		job.Head = head
	}
	if job.Base == "" {
		return nil, errors.New("no base: this is not a job of GitLab CI or GitHub Actions, so name the revision to compare " +
			"with, such as --base origin/main")
	}
	return job, nil
}

func (job *Job) gitLab(variables map[string]string) error {
	job.Provider, job.API, job.Project = GitLab, variables["CI_API_V4_URL"], variables["CI_PROJECT_ID"]
	if name := variables["CI_JOB_NAME"]; name != "" {
		job.Key = name
	}
	if job.Head = commit(variables["CI_COMMIT_SHA"]); job.Head == "" {
		return fmt.Errorf("CI_COMMIT_SHA is %q: want the 40 digits of a commit", variables["CI_COMMIT_SHA"])
	}
	if iid := variables["CI_MERGE_REQUEST_IID"]; iid != "" {
		number, err := strconv.Atoi(iid)
		if err != nil || number < 1 {
			return fmt.Errorf("CI_MERGE_REQUEST_IID is %q: want a number", iid)
		}
		job.Number = number
		// In a pipeline of merged results CI_COMMIT_SHA is the merge commit, which is not in the source branch.
		if source := commit(variables["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"]); source != "" {
			job.Head = source
		}
		if job.Base = commit(variables["CI_MERGE_REQUEST_DIFF_BASE_SHA"]); job.Base == "" {
			return errors.New("CI_MERGE_REQUEST_DIFF_BASE_SHA names no commit: name the revision to compare with by --base")
		}
		job.Why = fmt.Sprintf("merge request !%d against the base of its diff", number)
		return nil
	}
	branch, usual := variables["CI_COMMIT_BRANCH"], variables["CI_DEFAULT_BRANCH"]
	if job.Base = commit(variables["CI_COMMIT_BEFORE_SHA"]); job.Base != "" {
		job.Why = "push to " + branch + " against its previous commit"
		return nil
	}
	if branch == usual || usual == "" {
		return errors.New("CI_COMMIT_BEFORE_SHA names no commit, and this is the default branch: name the revision to " +
			"compare with by --base")
	}
	job.Base, job.FromMergeBase = "origin/"+usual, true
	job.Why = "new branch " + branch + " against where it leaves " + usual
	return nil
}

func (job *Job) gitHub(variables map[string]string, event []byte) error {
	job.Provider, job.API, job.Project = GitHub, variables["GITHUB_API_URL"], variables["GITHUB_REPOSITORY"]
	if name := variables["GITHUB_JOB"]; name != "" {
		job.Key = name
	}
	job.Head = commit(variables["GITHUB_SHA"])
	var payload struct {
		Before string `json:"before"`
		After  string `json:"after"`
		Pull   *struct {
			Number int `json:"number"`
			Head   struct {
				SHA string `json:"sha"`
			} `json:"head"`
			Base struct {
				SHA string `json:"sha"`
			} `json:"base"`
		} `json:"pull_request"`
	}
	if len(event) > 0 {
		if err := json.Unmarshal(event, &payload); err != nil {
			return fmt.Errorf("GITHUB_EVENT_PATH: %w", err)
		}
	}
	if payload.Pull != nil {
		job.Number, job.FromMergeBase = payload.Pull.Number, true
		job.Base, job.Head = commit(payload.Pull.Base.SHA), commit(payload.Pull.Head.SHA)
		job.Why = fmt.Sprintf("pull request #%d against where it leaves its target", job.Number)
	} else {
		job.Base = commit(payload.Before)
		job.Why = "push against the branch's previous commit"
	}
	if job.Base == "" || job.Head == "" {
		return fmt.Errorf("the event %q names no previous commit: name the revision to compare with by --base",
			variables["GITHUB_EVENT_NAME"])
	}
	return nil
}
