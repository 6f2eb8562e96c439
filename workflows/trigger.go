package workflows

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Runs without a comment, requested by a label or a push. Both are for trusted code only.

// gateLabel decides on a label that was set on a pull request. A label names no commit, so the pull request must come
// from this repository, its head must be the one that was labelled, and the label must have been set by somebody with
// write permission. The label is removed at once: a later push must be labelled again.
func (controller *Controller) gateLabel(ctx context.Context, event *Event) (Decision, error) {
	if controller.Label == "" || event.Action != "labeled" || event.Label != controller.Label {
		return Decision{Reason: "the event is not about the label that requests a run"}, nil
	}
	repository, err := controller.Client.Repository(ctx)
	if err != nil {
		return Decision{}, err
	}
	if !strings.EqualFold(repository.GetFullName(), event.Repository) {
		return Decision{Reason: "the event is of another repository"}, nil
	}
	set, err := controller.Client.LastLabeled(ctx, event.PullNumber, controller.Label)
	if err != nil {
		return Decision{}, err
	}
	// Remove the label before deciding: otherwise a later push would look requested.
	if err := controller.Client.RemoveLabel(ctx, event.PullNumber, controller.Label); err != nil {
		return Decision{}, err
	}
	switch {
	case set == nil || set.Actor.Login != event.Sender:
		return Decision{Reason: "the label was last set by somebody other than the event's sender"}, nil
	case !set.ByPerson():
		return Decision{Reason: "the label was not set by a person"}, nil
	}
	allowed, err := controller.Client.CanWrite(ctx, set.Actor.Login)
	if err != nil {
		return Decision{}, err
	}
	if !allowed {
		return Decision{Reason: code(set.Actor.Login) + " has no write permission"}, nil
	}
	request := request{comment: set.ID, requester: set.Actor.Login, pull: event.PullNumber, trigger: LabelTrigger}
	pull, err := controller.Client.PullRequest(ctx, request.pull)
	if err != nil {
		return Decision{}, err
	}
	head := pull.GetHead()
	var decision Decision
	switch {
	case head.GetRepo() == nil || head.GetRepo().GetID() != repository.GetID():
		err = refuse("This pull request comes from a fork, and a label names no commit. Read its head, %s, and name it in a "+
			"comment: %s", code(head.GetSHA()), code(controller.Settings.Prefix+" "+head.GetSHA()))
	case head.GetSHA() != event.HeadSHA:
		err = refuse("The label was set on %s, but this pull request's head is now %s: set it again.", short(event.HeadSHA),
			code(head.GetSHA()))
	case pull.GetBase().GetRef() != repository.GetDefaultBranch():
		err = refuse("A label requests runs only against %s, but this pull request targets %s: use the comment %s.",
			code(repository.GetDefaultBranch()), code(pull.GetBase().GetRef()), code(controller.Settings.Prefix))
	default:
		decision, err = controller.start(ctx, repository, pull, request, parsedCommand{})
	}
	var refused refusal
	if errors.As(err, &refused) {
		return Decision{Reason: refused.text}, controller.explain(ctx, request, refused.text)
	}
	return decision, err
}

// gatePush decides on a push. It must be to the default branch, and its new commit must contain the previous one.
func (controller *Controller) gatePush(ctx context.Context, event *Event) (Decision, error) {
	repository, err := controller.Client.Repository(ctx)
	if err != nil {
		return Decision{}, err
	}
	branch := repository.GetDefaultBranch()
	none := strings.Repeat("0", 40)
	switch {
	case !controller.Push:
		return Decision{Reason: "this workflow does not measure pushes"}, nil
	case !strings.EqualFold(repository.GetFullName(), event.Repository):
		return Decision{Reason: "the event is of another repository"}, nil
	case event.Ref != "refs/heads/"+branch:
		return Decision{Reason: "the push is not to the default branch, " + code(branch)}, nil
	case event.Deleted || event.Before == none || event.After == none:
		return Decision{Reason: "the branch was created or deleted: it has no previous commit to measure against"}, nil
	case !commitPattern.MatchString(event.Before) || !commitPattern.MatchString(event.After):
		return Decision{Reason: "the event does not name full commits"}, nil
	}
	// The API also knows the commits of forks, so both commits must be on the branch.
	for _, pair := range []struct{ old, new, reason string }{
		{event.After, branch, "the pushed commit is not on " + code(branch)},
		{event.Before, event.After, "the pushed commit does not contain the previous one: the branch was rewritten"},
	} {
		common, ok, err := controller.Client.MergeBase(ctx, pair.old, pair.new)
		if err != nil {
			return Decision{}, err
		}
		if !ok || common != pair.old {
			return Decision{Reason: pair.reason}, nil
		}
	}
	plan := &Plan{
		Schema:          planSchema,
		RepositoryID:    repository.GetID(),
		Repository:      repository.GetFullName(),
		Trigger:         PushTrigger,
		Requester:       event.Sender,
		RunID:           controller.RunID,
		RunAttempt:      controller.RunAttempt,
		Base:            event.Before,
		Head:            event.After,
		BaseDescription: "previous commit of " + branch,
		Inconclusive:    controller.Settings.Inconclusive,
		Deadline:        controller.Settings.Timeout.String(),
		Created:         controller.now(),
	}
	if len(controller.Settings.RunsOn) == 0 {
		return Decision{Reason: "bench.yaml does not say where to measure: set github.runs_on"}, nil
	}
	if err := controller.Settings.plan(plan).Upholds(controller.Settings.measured(plan)); err != nil {
		return Decision{Reason: "this plan cannot reach a verdict: " + err.Error()}, nil
	}
	carried, err := controller.carry(ctx, plan)
	if err != nil {
		return Decision{}, err
	}
	return Decision{Plan: plan, Carried: carried}, controller.accept(ctx, plan)
}

// publishPush posts the ending of a push's run to its check run.
func (controller *Controller) publishPush(ctx context.Context, plan *Plan, ending *ending) error {
	last := trailer{attempt: controller.RunAttempt, decided: ending.decided(), digest: ending.digest}
	if err := controller.Client.CompleteCheckRun(ctx, plan.CheckRunID, checkName, conclusion(ending.state, plan),
		clip(ending.headline, 200), ending.body+controller.foot(plan)+"\n\n"+last.String()); err != nil {
		return fmt.Errorf("publish the verdict on %s: %w", plan.Head, err)
	}
	return controller.summarize("%s\n", ending.body)
}
