package githubfake

import (
	"context"
	"crypto/rsa"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/git"
)

// State is the repository's.
type State struct {
	Repository Repository
	// GitDir is a git repository that holds every commit of the network, forks included. Branches and Tags are
	// names that belong to this repository; a commit reachable from none of them is a stranger's.
	GitDir   string
	Branches []string
	Tags     []string
	// Permission is each user's: admin, write, read or none. Users that are absent have none.
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
	// ApprovalPolicy says whose workflows wait for an approval.
	ApprovalPolicy string
	// Files are the contents that calls have written, by branch and path.
	Files map[string]map[string][]byte
	// FormerName is the name that the repository had before it was renamed: calls to it are redirected.
	FormerName string
	// ListLag is how many lists leave out what a call has just made.
	ListLag int
	// PullReactions are the reactions to pull requests themselves, all of them the account's own.
	PullReactions []PullReaction
	// App is a GitHub App that is installed here.
	App *App
	// Registered are the names of runners that were registered.
	Registered []string
	// Contexts are the required checks of the default branch.
	Contexts []string
	// Bot is the account of the tokens.
	Bot string
	// Clock is the server's time; it moves a second with every write.
	Clock time.Time

	next int64
}

// App is a GitHub App: its number, the key by which its calls are known, and what its installation may do.
type App struct {
	ID          int64
	Key         *rsa.PublicKey
	Permissions Permissions
}

// Repository is what is asked of a repository.
type Repository struct {
	ID int64
	// Personal says that a person owns it, and no organization.
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
	// Labels are those that it has now, Labelled says who set which.
	Labels   []string
	Labelled []Labelled
}

// Labelled is one time that a label was set on a pull request.
type Labelled struct {
	ID          int64
	Label       string
	Actor, Kind string // Kind is User or Bot
	// App is the app in a person's name that set it, empty for none.
	App string
}

// LabelPull sets a label as a person would, and returns the event.
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
	// App is the app in a person's name that wrote it, empty for none.
	App string
	// Unlisted is how many more lists leave it out.
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

// Issue is an issue that is no pull request.
type Issue struct {
	Number              int
	Author, Title, Body string
	State               string
	Labels              []string
	Unlisted            int
}

// Artifact is an archive that a run left.
type Artifact struct {
	ID, Run int64
	Name    string
	Created time.Time // zero: not said
	Archive []byte
	// Unlisted is how many more lists leave it out, StoreFails how many more downloads are refused.
	Unlisted, StoreFails int
}

// Job is a job of a workflow run.
type Job struct {
	ID, Run    int64
	Name       string
	Status     string
	Conclusion string
	Runner     string
	Took       time.Duration // 0: not said
	Started    time.Time     // zero: not said
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

// tick is the time of a write.
func (state *State) tick() time.Time {
	state.Clock = state.Clock.Add(time.Second)
	return state.Clock
}

func (state *State) identifier() int64 {
	state.next++
	return state.next
}

// AddComment adds a comment as a person would write it, and returns it.
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

// listed reports whether a list shows something, and counts the list.
func listed(unlisted *int) bool {
	*unlisted--
	return *unlisted < 0
}

// git runs git in the repository and returns the first line that it prints.
func (state *State) git(arguments ...string) (string, error) {
	output, err := git.Desk.Run(context.Background(), git.Call{Dir: state.GitDir, Args: arguments})
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(output, "\n")
	return line, nil
}

// resolve finds a commit by branch, tag or SHA; like GitHub it knows every commit of the network by its SHA.
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
