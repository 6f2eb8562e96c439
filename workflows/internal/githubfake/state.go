package githubfake

import (
	"context"
	"crypto/rsa"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/git"
)

// State is the state of the repository.
type State struct {
	Repository Repository
	// GitDir is a git repository with every commit of the network, including forks. Branches and Tags are the names in
	// this repository; a commit that is reachable from none of them belongs to a fork.
	GitDir   string
	Branches []string
	Tags     []string
	// Permission maps users to admin, write, read or none. Absent users have none.
	Permission map[string]string
	Pulls      map[int]*Pull
	Comments   []*Comment
	Reactions  []Reaction
	CheckRuns  []*CheckRun
	Issues     []*Issue
	Artifacts  []*Artifact
	Jobs       []*Job
	Cancelled  []int64
	Runners    []Runner
	// ApprovalPolicy determines whose workflows need approval.
	ApprovalPolicy string
	// Files are the contents written by calls, by branch and path.
	Files map[string]map[string][]byte
	// FormerName is the repository's name before it was renamed: calls to it are redirected.
	FormerName string
	// ListLag is the number of lists that omit a newly created object.
	ListLag int
	// PullReactions are the account's reactions to pull requests themselves.
	PullReactions []PullReaction
	// App is an installed GitHub App.
	App *App
	// Registered are the names of registered runners.
	Registered []string
	// Contexts are the required checks of the default branch.
	Contexts []string
	// Bot is the account of the tokens.
	Bot string
	// Clock is the server's time. Every write advances it by a second.
	Clock time.Time

	next int64
}

// App is a GitHub App: its ID, the public key that verifies its calls, and the permissions of its installation.
type App struct {
	ID          int64
	Key         *rsa.PublicKey
	Permissions Permissions
}

// Repository is the repository's metadata.
type Repository struct {
	ID int64
	// Personal is set if a user owns it instead of an organization.
	Personal      bool
	FullName      string
	DefaultBranch string
	Private       bool
}

// Pull is a pull request. HeadRepository 0 is a deleted fork.
type Pull struct {
	Number         int
	State          string
	BaseRef        string
	BaseSHA        string
	HeadRef        string
	HeadSHA        string
	HeadRepository int64
	// Labels are the current labels; Labelled records who set each.
	Labels   []string
	Labelled []Labelled
}

// Labelled is an event that set a label on a pull request.
type Labelled struct {
	ID          int64
	Label       string
	Actor, Kind string // Kind is User or Bot
	// App is the App that set it on a user's behalf, empty for none.
	App string
}

// LabelPull sets a label as a user would, and returns the event.
func (state *State) LabelPull(pull *Pull, actor, label string) *Labelled {
	state.tick()
	pull.Labels = append(pull.Labels, label)
	pull.Labelled = append(pull.Labelled, Labelled{ID: state.identifier(), Label: label, Actor: actor, Kind: "User"})
	return &pull.Labelled[len(pull.Labelled)-1]
}

// Comment is a comment on an issue or pull request.
type Comment struct {
	ID               int64
	Number           int
	Author, Kind     string // Kind is User or Bot
	Body             string
	Created, Updated time.Time
	// App is the App that wrote it on a user's behalf, empty for none.
	App string
	// Unlisted is the number of further lists that omit it.
	Unlisted int
}

// Reaction is a reaction to a comment.
type Reaction struct {
	Comment int64
	Content string
}

// PullReaction is a reaction to a pull request.
type PullReaction struct {
	ID      int64
	Number  int
	Content string
}

// CheckRun is a check run.
type CheckRun struct {
	ID                                          int64
	Name, SHA, ExternalID                       string
	Status, Conclusion, Title, Summary, Details string
	Unlisted                                    int
}

// Issue is an issue that is not a pull request.
type Issue struct {
	Number              int
	Author, Title, Body string
	State               string
	Labels              []string
	Unlisted            int
}

// Artifact is an artifact of a run.
type Artifact struct {
	ID, Run int64
	Name    string
	Created time.Time // zero: not set
	Archive []byte
	// Unlisted is the number of further lists that omit it, StoreFails the number of further downloads that fail.
	Unlisted, StoreFails int
}

// Job is a job of a workflow run.
type Job struct {
	ID, Run    int64
	Name       string
	Status     string
	Conclusion string
	Runner     string
	Took       time.Duration // 0: not set
	Started    time.Time     // zero: not set
}

// Runner is a self-hosted runner.
type Runner struct {
	Name              string
	Online, Ephemeral bool
	Labels            []string
}

func (state *State) fill() {
	state.next = 1000
	if state.Bot == "" {
		state.Bot = "github-actions[bot]"
	}
	if state.Clock.IsZero() {
		state.Clock = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	}
	if state.Files == nil {
		state.Files = map[string]map[string][]byte{}
	}
	if state.Pulls == nil {
		state.Pulls = map[int]*Pull{}
	}
	if state.Permission == nil {
		state.Permission = map[string]string{}
	}
}

// tick returns the time of a write.
func (state *State) tick() time.Time {
	state.Clock = state.Clock.Add(time.Second)
	return state.Clock
}

func (state *State) identifier() int64 {
	state.next++
	return state.next
}

// AddComment adds a comment as a user would, and returns it.
func (state *State) AddComment(number int, author, body string) *Comment {
	now := state.tick()
	comment := &Comment{
		ID:      state.identifier(),
		Number:  number,
		Author:  author,
		Kind:    "User",
		Body:    body,
		Created: now,
		Updated: now,
	}
	state.Comments = append(state.Comments, comment)
	return comment
}

// listed reports whether a list includes an object, and counts the list.
func listed(unlisted *int) bool {
	*unlisted--
	return *unlisted < 0
}

// git runs git in the repository and returns the first line of its output.
func (state *State) git(arguments ...string) (string, error) {
	output, err := git.Desk.Run(context.Background(), git.Call{Dir: state.GitDir, Args: arguments})
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(output, "\n")
	return line, nil
}

// resolve finds a commit by branch, tag or SHA. Like GitHub, it knows every commit of the network by SHA.
func (state *State) resolve(ref string) (string, bool) {
	ref = strings.TrimPrefix(strings.TrimPrefix(ref, "heads/"), "tags/")
	for _, name := range append(append([]string{}, state.Branches...), state.Tags...) {
		if name == ref {
			sha, err := state.git("rev-parse", "--verify", "-q", ref+"^{commit}")
			return sha, err == nil
		}
	}
	if len(ref) != 40 {
		return "", false
	}
	sha, err := state.git("rev-parse", "--verify", "-q", ref+"^{commit}")
	return sha, err == nil
}
