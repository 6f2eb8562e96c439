package workflows

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/harness/config"
	"github.com/chiasmus/chiasmus/internal/plural"
	"github.com/chiasmus/chiasmus/reporters/markdown"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// errReplayed reports a plan or a result that was used before or belongs to another run.
var errReplayed = errors.New("refused")

// measureJob is the name of the job that measures; publish looks up how it ended.
const measureJob = "measure"

// An ending is the outcome of a run as it is posted.
type ending struct {
	state    runState
	headline string // one line, for the check run's title
	body     string // Markdown
	digest   string // of the result, so that another result of the same run is refused
}

// decided reports whether the measurement was completed: then no later attempt can change the ending.
func (ending *ending) decided() bool {
	return ending.state != failed && ending.state != cancelled && ending.state != overtime
}

// Publish posts the ending of the plan's run. jobResult is the measuring job's result according to the workflow:
// success, failure, cancelled or skipped. Publish can be repeated: it finds what is already posted and keeps it, so
// that a run is not lost if its comment could not be posted. A later attempt of the same workflow run may bring the
// verdict that an earlier one did not.
func (controller *Controller) Publish(ctx context.Context, plan *Plan, jobResult string) error {
	if !slices.Contains([]string{"success", "failure", "cancelled", "skipped"}, jobResult) {
		return fmt.Errorf("the measuring job ended as %q, want success, failure, cancelled or skipped",
			clip(jobResult, 40))
	}
	if err := controller.checkPlan(ctx, plan); err != nil {
		return err
	}
	ending, err := controller.end(ctx, plan, jobResult)
	if err != nil {
		return err
	}
	if err := controller.checkReplay(ctx, plan, &ending); err != nil {
		return err
	}
	if plan.Trigger == PushTrigger {
		return controller.publishPush(ctx, plan, &ending)
	}
	pull, err := controller.Client.PullRequest(ctx, plan.PullRequest)
	if err != nil {
		return err
	}
	verdict, err := controller.postVerdict(ctx, plan, ending, pull.GetHead().GetSHA())
	if err != nil {
		return err
	}
	progress, err := controller.updateIndex(ctx, plan, ending.state, verdict)
	if err != nil {
		return err
	}
	last := trailer{progress: progress, attempt: controller.RunAttempt, decided: ending.decided(), digest: ending.digest}
	if err := controller.Client.CompleteCheckRun(ctx, plan.CheckRunID, checkName, conclusion(ending.state, plan),
		clip(ending.headline, 200),
		ending.body+"\n\n"+last.String()); err != nil {
		return err
	}
	if plan.Trigger == CommentTrigger {
		if err := controller.Client.React(ctx, plan.CommentID, reactions[ending.state]); err != nil {
			return err
		}
	}
	return controller.summarize("%s\n", ending.body)
}

// checkReplay refuses a second result of a run: one of another plan, one after a verdict, or another ending of the same
// attempt.
func (controller *Controller) checkReplay(ctx context.Context, plan *Plan, ending *ending) error {
	check, err := controller.Client.CheckRun(ctx, plan.CheckRunID)
	if err != nil {
		return err
	}
	if check.GetExternalID() != plan.externalID() || check.GetHeadSHA() != plan.Head {
		return fmt.Errorf("%w: check run %d belongs to another plan", errReplayed, plan.CheckRunID)
	}
	last := trailerOf(check)
	if check.GetStatus() != "completed" || last.digest == ending.digest ||
		!last.decided && last.attempt < controller.RunAttempt {
		return nil
	}
	return fmt.Errorf("%w: check run %d already has another result", errReplayed, plan.CheckRunID)
}

// checkPlan refuses a plan of another repository or run: a plan is valid only for the run whose gate created it.
func (controller *Controller) checkPlan(ctx context.Context, plan *Plan) error {
	repository, err := controller.Client.Repository(ctx)
	if err != nil {
		return err
	}
	switch {
	case repository.GetID() != plan.RepositoryID:
		return fmt.Errorf("%w: the plan belongs to repository %d, this is %d", errReplayed, plan.RepositoryID,
			repository.GetID())
	case plan.RunID != controller.RunID || plan.RunAttempt > controller.RunAttempt:
		return fmt.Errorf("%w: the plan belongs to run %d, attempt %d; this is run %d, attempt %d", errReplayed,
			plan.RunID, plan.RunAttempt, controller.RunID, controller.RunAttempt)
	}
	return nil
}

// end determines how the run ended. After an error the outcome of the measurement is unknown, and the publishing job
// should be run again.
func (controller *Controller) end(ctx context.Context, plan *Plan, jobResult string) (ending, error) {
	data, err := ReadResult(ctx, controller.Client, plan.RunID, plan.Created, jobResult)
	switch {
	case errors.Is(err, api.ErrNoArtifact):
		return controller.endWithout(ctx, plan, jobResult)
	case errors.Is(err, api.ErrUnusable):
		return unbelievable(err), nil
	case err != nil:
		return ending{}, err
	}
	trusted, err := controller.trusted(ctx, plan)
	if err != nil {
		return ending{}, err
	}
	result, err := checkResult(data, plan, trusted)
	if err != nil {
		return unbelievable(err), nil
	}
	sum := sha256.Sum256(data)
	end := ending{state: result.outcome(plan), digest: hex.EncodeToString(sum[:])}
	if result.Report == nil {
		end.headline = "The measurement failed"
		end.body = fmt.Sprintf("❌ **The measurement failed**: %s\n", code(result.Error))
		if result.Log != "" {
			end.body += "\n" + fence(result.Log) + "\n"
		}
		return end, nil
	}
	end.headline = fmt.Sprintf("%s, %s", end.state, plural.Of(len(result.Report.Workloads), "workload"))
	var body strings.Builder
	if err := markdown.Write(&body, result.Report, markdown.Options{
		MaxBytes: MaxBody - reserve,
		Commits:  controller.commits(plan),
		Page:     controller.runPage(plan) + "#artifacts", // the artifact run has report.html
	}); err != nil {
		return ending{}, fmt.Errorf("render the report: %w", err)
	}
	end.body = body.String()
	if cost := result.Report.Cost; cost != nil {
		end.body += fmt.Sprintf("\n\nThe run cost %.2f %s: %.2f hours at %.2f %s an hour.\n", cost.Total, cost.Currency,
			cost.Hours, cost.PerHour, cost.Currency)
	}
	return end, nil
}

// trusted returns the bench.yaml that judges the plan's run: the default branch's, or head's if somebody with write
// permission requested it. It never comes from the executor.
func (controller *Controller) trusted(ctx context.Context, plan *Plan) (*config.File, error) {
	commit := plan.ConfigCommit()
	if commit == "" {
		return controller.Settings.File, nil
	}
	bench, err := controller.Client.ReadFile(ctx, commit, config.FileName)
	if err != nil {
		return nil, err
	}
	return config.Parse(config.FileName, bench.Content)
}

// endWithout is the ending of a run that left no result.
func (controller *Controller) endWithout(ctx context.Context, plan *Plan, jobResult string) (ending, error) {
	end := ending{
		state:    failed,
		headline: "The measurement left no result",
		digest:   fmt.Sprintf("none-%s-%d", jobResult, controller.RunAttempt),
	}
	end.body = "❌ **The measurement left no result.** See the log of the run.\n"
	jobs, err := controller.Client.Jobs(ctx, plan.RunID)
	if err != nil {
		return ending{}, err
	}
	var runner, timedOut, unfetched bool
	for _, job := range jobs {
		unfetched = unfetched || strings.Contains(job.GetName(), dependenciesJob) && job.GetConclusion() == "failure"
		if isMeasureJob(job) {
			runner = runner || job.GetRunnerName() != ""
			timedOut = timedOut || job.GetConclusion() == "timed_out" ||
				plan.reached(job.GetStartedAt().Time, job.GetCompletedAt().Time)
		}
	}
	switch {
	case unfetched && jobResult == "skipped":
		end.headline = "The dependencies could not be fetched"
		end.body = fmt.Sprintf("❌ **`build.fetch` failed**, or its files exceed the limits, so nothing was measured. See "+
			"the log of the job %s.\n", code(dependenciesJob))
	case timedOut:
		end.state, end.headline = overtime, "The measurement took too long"
		end.body = fmt.Sprintf("⌛ **The measurement took longer than %s** and was stopped. `github.timeout` of bench.yaml "+
			"sets the limit.\n", code(plan.Deadline))
	case jobResult == "cancelled" && !runner:
		end.state, end.headline = cancelled, "No runner, or cancelled before one was free"
		end.body = "🚫 **The run ended before a runner took it.** Either it was cancelled while waiting, or no runner with " +
			"the labels of `github.runs_on` is online.\n"
	case jobResult == "cancelled":
		end.state, end.headline = cancelled, "Cancelled"
		end.body = "🚫 **The run was cancelled.**\n"
	}
	return end, nil
}

// unbelievable is the ending for a result that fails a check: only the reason is shown.
func unbelievable(err error) ending {
	sum := sha256.Sum256([]byte(err.Error()))
	return ending{state: failed, headline: "The result was refused", digest: "refused-" + hex.EncodeToString(sum[:8]),
		body: fmt.Sprintf("❌ **The result of the GPU host was refused**: %s\n", code(err.Error()))}
}

// runPage is the address of the workflow run, and commits the prefix of a commit's address. Both belong to the
// controller's repository.
func (controller *Controller) runPage(plan *Plan) string {
	return fmt.Sprintf("%s/%s/actions/runs/%d", controller.Server, plan.Repository, plan.RunID)
}

func (controller *Controller) commits(plan *Plan) string {
	return controller.Server + "/" + plan.Repository + "/commit/"
}

// commit formats a full SHA, to be copied, with a link.
func (controller *Controller) commit(plan *Plan, sha string) string {
	return markdown.Commit(sha, sha, controller.commits(plan))
}

func (controller *Controller) postVerdict(ctx context.Context, plan *Plan, end ending, headNow string) (int64, error) {
	// Another result, which only a later attempt may bring, is posted as another comment, because an edit would notify
	// nobody.
	marker := fmt.Sprintf("<!-- chiasmus:verdict %d/%d/%d %s -->", plan.RunID, plan.RunAttempt, plan.CommentID, end.digest)
	foot := controller.foot(plan)
	if headNow != plan.Head {
		foot += fmt.Sprintf("\n> **The pull request has changed**: its head is now %s; this verdict is for %s.\n",
			short(headNow), short(plan.Head))
	}
	head := fmt.Sprintf("%s\n%s\n\n", marker, mention(plan.Requester))
	body := head + end.body + foot
	comment, err := controller.Client.PostOnce(ctx, plan.PullRequest, controller.Author, marker, body)
	if err != nil {
		return 0, err
	}
	return comment.GetID(), nil
}

// foot returns the footer of a verdict: the compared commits, the run, its requester, and the plan's notes.
func (controller *Controller) foot(plan *Plan) string {
	var foot strings.Builder
	fmt.Fprintf(&foot, "\n\n---\nhead %s against base %s (%s), [run %d](%s), requested by %s.\n",
		controller.commit(plan, plan.Head), controller.commit(plan, plan.Base), code(plan.BaseDescription), plan.RunID,
		controller.runPage(plan), code(plan.Requester))
	for _, note := range plan.Notes {
		fmt.Fprintf(&foot, "\n> %s\n", code(note))
	}
	return foot.String()
}

var reactions = map[runState]string{
	improvement:  "rocket",
	noRegression: "+1",
	undecided:    "+1",
	regression:   "-1",
	failed:       "confused",
	cancelled:    "confused",
	overtime:     "confused",
}

// conclusion is the check run's conclusion. A cancelled run has its own, so that it is not mistaken for a verdict.
func conclusion(state runState, plan *Plan) string {
	switch state {
	case improvement, noRegression:
		return "success"
	case undecided:
		if plan.Inconclusive == "failure" {
			return "failure"
		}
		return "neutral"
	case cancelled:
		return "cancelled"
	case overtime:
		return "timed_out"
	}
	return "failure"
}

// reached reports whether the time from start to end used up the measurement's limit. GitHub reports such a job as
// cancelled.
func (plan *Plan) reached(start, end time.Time) bool {
	deadline, err := plan.deadline(start)
	return err == nil && !start.IsZero() && !end.Before(deadline.Add(-graceBeforeDeadline))
}

// deadline is the latest end of the measurement, counted from start.
func (plan *Plan) deadline(start time.Time) (time.Time, error) {
	duration, err := time.ParseDuration(plan.Deadline)
	if err != nil {
		return time.Time{}, fmt.Errorf("the plan's deadline: %w", err)
	}
	return start.Add(duration), nil
}
