package workflows

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/go-github/v60/github"

	"github.com/chiasmus/chiasmus/workflows/api"
)

// The index of a pull request's runs is kept in a comment. Every workflow of the repository may share the comment's
// account, and one of them may repeat a stranger's text. So a comment counts as the index only if the check run of one
// of its lines names the comment. Writing check runs needs a permission, and only the controller writes their last
// line.

// A trailer is the last line of a check run's summary: the controller's state of the run. The text before it may repeat
// an executor's text, so a trailer counts only at the end.
type trailer struct {
	// progress is the ID of the comment that holds the index.
	progress int64
	// attempt is the workflow run's attempt that ended the check run, and digest that of its result; decided is set if
	// the measurement was completed. All are zero while the run is queued.
	attempt int
	digest  string
	decided bool
}

var trailerPattern = regexp.MustCompile(`<!-- chiasmus:check progress=(\d{1,18}) attempt=(\d{1,9}) decided=(true|false) result=([0-9a-z-]{0,80}) -->\s*$`)

func (trailer trailer) String() string {
	return fmt.Sprintf("<!-- chiasmus:check progress=%d attempt=%d decided=%t result=%s -->", trailer.progress,
		trailer.attempt, trailer.decided, trailer.digest)
}

// trailerOf parses the trailer of a check run; without one it returns the zero trailer.
func trailerOf(check *github.CheckRun) trailer {
	match := trailerPattern.FindStringSubmatch(check.GetOutput().GetSummary())
	if match == nil {
		return trailer{}
	}
	progress, _ := strconv.ParseInt(match[1], 10, 64) // the pattern has checked both
	attempt, _ := strconv.Atoi(match[2])
	return trailer{progress: progress, attempt: attempt, decided: match[3] == "true", digest: match[4]}
}

// maxCandidates bounds the comments that are checked, and maxWitnesses the lines of one of them.
const (
	maxCandidates = 30
	maxWitnesses  = 3
)

// readIndex finds the index of a pull request; the comment is nil if there is none.
func (controller *Controller) readIndex(ctx context.Context, pull int) (runIndex, *github.IssueComment, error) {
	comments, err := controller.Client.OwnComments(ctx, pull, controller.Author, progressMarker)
	if err != nil {
		return runIndex{}, nil, err
	}
	for _, comment := range comments[:min(len(comments), maxCandidates)] {
		index := decodeIndex(comment.GetBody())
		genuine, err := controller.genuine(ctx, index, comment.GetID())
		if err != nil {
			return runIndex{}, nil, err
		}
		if genuine {
			return index, comment, nil
		}
	}
	return runIndex{}, nil, nil
}

// genuine reports whether the check run of one of the newest lines names the comment as the index.
func (controller *Controller) genuine(ctx context.Context, index runIndex, comment int64) (bool, error) {
	for i := range min(len(index.Runs), maxWitnesses) {
		run := index.Runs[len(index.Runs)-1-i]
		check, err := controller.Client.CheckRun(ctx, run.CheckRun)
		if api.Gone(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if check.GetName() == checkName && check.GetExternalID() == run.externalID() && trailerOf(check).progress == comment {
			return true, nil
		}
	}
	return false, nil
}

// updateIndex adds the plan's run to the index, creating the index if necessary, and returns the comment. For a queued
// run it makes the check run name the index. The caller writes the check run of a run that has ended.
func (controller *Controller) updateIndex(ctx context.Context, plan *Plan, state runState,
	verdict int64) (comment int64, err error) {
	run := plan.entry(state, verdict)
	err = controller.Client.Exclusively(ctx, plan.PullRequest, func(ctx context.Context) error {
		comment, err = controller.writeIndex(ctx, plan, run)
		if err != nil || state != queued {
			return err
		}
		plan.ProgressCommentID = comment
		return controller.Client.DescribeCheckRun(ctx, plan.CheckRunID, checkName, queuedTitle, plan.queuedSummary(comment))
	})
	return comment, err
}

// writeIndex writes the index with the run's line. If somebody deletes the comment meanwhile, it creates a new one.
func (controller *Controller) writeIndex(ctx context.Context, plan *Plan, run indexedRun) (int64, error) {
	for range 3 {
		index, comment, err := controller.currentIndex(ctx, plan)
		if err != nil {
			return 0, err
		}
		index.put(run)
		body := index.render(controller.Server, controller.Client.Name(), plan.PullRequest, controller.Settings.Prefix)
		if comment == nil {
			return controller.newIndex(ctx, plan.PullRequest, body)
		}
		if comment.GetBody() == body {
			return comment.GetID(), nil
		}
		exists, err := controller.Client.EditComment(ctx, comment.GetID(), body)
		if err != nil || exists {
			return comment.GetID(), err
		}
	}
	return 0, fmt.Errorf("the index of pull request %d was deleted three times while being written", plan.PullRequest)
}

// currentIndex is the index that the plan's gate wrote to, or else the pull request's.
func (controller *Controller) currentIndex(ctx context.Context, plan *Plan) (runIndex, *github.IssueComment, error) {
	if plan.ProgressCommentID != 0 {
		comment, err := controller.Client.Comment(ctx, plan.ProgressCommentID)
		if err == nil && strings.HasPrefix(comment.GetBody(), progressMarker) {
			return decodeIndex(comment.GetBody()), &comment.IssueComment, nil
		}
		if err != nil && !api.Gone(err) {
			return runIndex{}, nil, err
		}
	}
	return controller.readIndex(ctx, plan.PullRequest)
}

// newIndex posts a new index, whether or not other comments start with its marker.
func (controller *Controller) newIndex(ctx context.Context, pull int, body string) (int64, error) {
	others, err := controller.Client.OwnComments(ctx, pull, controller.Author, progressMarker)
	if err != nil {
		return 0, err
	}
	comment, err := controller.Client.Post(ctx, pull, controller.Author, progressMarker, body, others)
	return comment.GetID(), err
}

const queuedTitle = "Waiting for the GPU host"

// queuedSummary is the summary of a check run that has not ended. progress is the index's comment, or 0 before one
// exists.
func (plan *Plan) queuedSummary(progress int64) string {
	return fmt.Sprintf("%s against %s (%s).\n\n%s", short(plan.Head), short(plan.Base), code(plan.BaseDescription),
		trailer{progress: progress})
}

// entry is the plan's line in the index.
func (plan *Plan) entry(state runState, verdict int64) indexedRun {
	return indexedRun{
		RunID:     plan.RunID,
		Attempt:   plan.RunAttempt,
		CommentID: plan.CommentID,
		CheckRun:  plan.CheckRunID,
		Base:      plan.Base,
		Head:      plan.Head,
		Requester: plan.Requester,
		State:     state,
		Verdict:   verdict,
		Created:   plan.Created,
	}
}

func (run *indexedRun) externalID() string { return externalID(run.RunID, run.Attempt, run.CommentID) }
