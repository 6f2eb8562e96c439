package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Names are the variables that Detect reads.
var Names = []string{
	"GITLAB_CI", "CI_API_V4_URL", "CI_PROJECT_ID", "CI_JOB_NAME", "CI_COMMIT_SHA", "CI_COMMIT_BEFORE_SHA",
	"CI_COMMIT_BRANCH", "CI_DEFAULT_BRANCH", "CI_MERGE_REQUEST_IID", "CI_MERGE_REQUEST_DIFF_BASE_SHA",
	"CI_MERGE_REQUEST_SOURCE_BRANCH_SHA",
	"GITHUB_ACTIONS", "GITHUB_EVENT_NAME", "GITHUB_JOB", "GITHUB_REPOSITORY", "GITHUB_API_URL", "GITHUB_SHA",
}

// Secrets are the variables that hold tokens. The caller takes them out of the environment: what a build or a
// measured program inherits must not hold them.
var Secrets = []string{"GITLAB_TOKEN", "GITHUB_TOKEN"}

// A Provider is a kind of continuous integration.
type Provider string

// The providers. Plain is everything else, a shell included.
const (
	GitLab Provider = "GitLab CI"
	GitHub Provider = "GitHub Actions"
	Plain  Provider = "plain"
)

// A Job is what a job is about.
type Job struct {
	Provider Provider
	// Base and Head are revisions of git. FromMergeBase says that the merge base of both is measured, not Base itself.
	Base, Head    string
	FromMergeBase bool
	// Why says where both come from, for the log.
	Why string
	// API is the root of the provider's API, Project its name or number of the project, Number that of the merge or pull
	// request; 0 where the job is of none.
	API, Project string
	Number       int
	// Key tells the comments of several jobs apart.
	Key string
}

// Range is Base and Head as `harness compare` reads them.
func (job *Job) Range() string {
	if job.FromMergeBase {
		return job.Base + "..." + job.Head
	}
	return job.Base + ".." + job.Head
}

var commitPattern = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// commit is a variable that names a commit, empty where it names none: GitLab and GitHub write zeros for that.
func commit(text string) string {
	if !commitPattern.MatchString(text) || strings.Trim(text, "0") == "" {
		return ""
	}
	return text
}

// Detect finds out which commits a job is about. base and head, where they are not empty, go before what the variables
// say; event is the file of GitHub's event, nil where there is none.
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
		// In a pipeline of merged results CI_COMMIT_SHA is the merge, which the source branch does not hold.
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
