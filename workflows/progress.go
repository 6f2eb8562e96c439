package workflows

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Markers of the controller's comments. The rendered page does not show them.
const (
	progressMarker = "<!-- chiasmus:progress -->"
	refusalPrefix  = "<!-- chiasmus:refusal "
	indexPrefix    = "<!-- chiasmus:index "
)

// runIndex is the content of a pull request's progress comment: its runs, newest last. The comment is the controller's
// only store.
type runIndex struct {
	Runs []indexedRun `json:"runs"`
}

// An indexedRun is one run of a pull request.
type indexedRun struct {
	RunID     int64     `json:"run_id"`
	Attempt   int       `json:"attempt"`
	CommentID int64     `json:"comment_id"`
	CheckRun  int64     `json:"check_run"`
	Base      string    `json:"base"`
	Head      string    `json:"head"`
	Requester string    `json:"requester"`
	State     runState  `json:"state"`
	Verdict   int64     `json:"verdict,omitempty"` // the comment with the verdict
	Created   time.Time `json:"created"`
}

// runState is the state of a run, as the progress comment shows it.
type runState string

// The states of a run. Every run ends in one of the last seven.
const (
	queued       runState = "queued"
	improvement  runState = "improvement"
	regression   runState = "regression"
	noRegression runState = "no regression"
	undecided    runState = "undecided"
	failed       runState = "failed"
	cancelled    runState = "cancelled"
	overtime     runState = "timed out"
)

// keptRuns bounds the index, because comments have a maximum size. Verdicts of older runs stay as comments.
const keptRuns = 40

// decodeIndex parses the index of a progress comment. A comment without an index, or with a malformed one, gives an
// empty index: the index is a convenience, not a record.
func decodeIndex(body string) runIndex {
	var index runIndex
	_, rest, ok := strings.Cut(body, indexPrefix)
	if !ok {
		return index
	}
	text, _, _ := strings.Cut(rest, " -->")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(data, &index) != nil {
		return runIndex{}
	}
	return index
}

// put adds a run or replaces the entry of the same workflow run, attempt and comment. If a gate is repeated, it does
// not queue a run that has ended again.
func (index *runIndex) put(run indexedRun) {
	for i := range index.Runs {
		old := &index.Runs[i]
		if old.RunID == run.RunID && old.Attempt == run.Attempt && old.CommentID == run.CommentID {
			if run.State != queued || old.State == queued {
				*old = run
			}
			return
		}
	}
	index.Runs = append(index.Runs, run)
	if extra := len(index.Runs) - keptRuns; extra > 0 {
		index.Runs = index.Runs[extra:]
	}
}

// unfinished lists the workflow runs that have not ended.
func (index *runIndex) unfinished() []int64 {
	var runs []int64
	for _, run := range index.Runs {
		if run.State == queued {
			runs = append(runs, run.RunID)
		}
	}
	return runs
}

var stateIcons = map[runState]string{
	queued:       "⏳",
	improvement:  "🟢",
	regression:   "🔴",
	noRegression: "⚪",
	undecided:    "🟡",
	failed:       "❌",
	cancelled:    "🚫",
	overtime:     "⌛",
}

// render returns the progress comment: a table for people, and the index for the next edit. server is GitHub's address.
func (index *runIndex) render(server, repository string, pull int, prefix string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n### Benchmarks of this pull request\n\n", progressMarker)
	out.WriteString("| requested | head | base | by | run | result |\n| --- | --- | --- | --- | --- | --- |\n")
	for i := len(index.Runs) - 1; i >= 0; i-- {
		run := index.Runs[i]
		result := stateIcons[run.State] + " " + string(run.State)
		if run.Verdict != 0 {
			result = fmt.Sprintf("[%s](%s/%s/pull/%d#issuecomment-%d)", result, server, repository, pull, run.Verdict)
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | [%d](%s/%s/actions/runs/%d) | %s |\n",
			run.Created.UTC().Format("2006-01-02 15:04"),
			short(run.Head), short(run.Base), code(run.Requester), run.RunID, server, repository, run.RunID, result)
	}
	fmt.Fprintf(&out, "\nThe verdict is posted as a new comment. `%s cancel` stops a run.\n", prefix)
	data, err := json.Marshal(index)
	if err != nil { // strings, numbers and times always encode
		panic(err)
	}
	fmt.Fprintf(&out, "\n%s%s -->\n", indexPrefix, base64.StdEncoding.EncodeToString(data))
	return out.String()
}
