package nightly

import (
	"context"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// acceptedLabel on a closed issue accepts the regression.
const acceptedLabel = "accepted"

// A Publisher applies a night's conclusions.
type Publisher struct {
	Client *api.Client
	// Author is the account of the token: only its issues count.
	Author string
	Labels []string
}

// Publish updates every workload's issue to the desired state. It is idempotent.
func (publisher Publisher) Publish(ctx context.Context, conclusions []Conclusion) error {
	for _, conclusion := range conclusions {
		if err := publisher.one(ctx, conclusion); err != nil {
			return fmt.Errorf("workload %s: %w", conclusion.Workload, err)
		}
	}
	return nil
}

func (publisher Publisher) one(ctx context.Context, conclusion Conclusion) error {
	conclusion.Body = shortened(conclusion.Body, workflows.MaxBody)
	issue, err := publisher.Client.FindOpenIssue(ctx, publisher.Author, conclusion.Marker, publisher.Labels)
	if err != nil {
		return err
	}
	switch {
	case conclusion.Issue == open && issue == nil:
		_, err := publisher.Client.OpenIssueOnce(ctx, publisher.Author, conclusion.Marker, conclusion.Title, conclusion.Body,
			publisher.Labels)
		return err
	case conclusion.Issue == open:
		return publisher.Client.EditIssue(ctx, issue.GetNumber(), conclusion.Title, conclusion.Body, "open")
	case conclusion.Issue == closeIssue && issue != nil:
		return publisher.Client.EditIssue(ctx, issue.GetNumber(), conclusion.Title, conclusion.Body, "closed")
	}
	return nil
}

// AcceptedByIssue finds the issues of open alarms that people closed with the label acceptedLabel, and returns the
// records that accept them. Each alarm has its own issue: closing or labelling an older one accepts nothing new.
func (publisher Publisher) AcceptedByIssue(ctx context.Context, history History, workloads []string, named string,
	night time.Time) ([]Record, error) {
	var records []Record
	for _, workload := range workloads {
		alarm := history.alarm(workload)
		if alarm == "" {
			continue
		}
		issue, err := publisher.Client.FindIssue(ctx, publisher.Author, alarmMarker(workload, alarm), publisher.Labels)
		if err != nil {
			return nil, err
		}
		if issue == nil || issue.GetState() != "closed" {
			continue
		}
		for _, label := range issue.Labels {
			if label.GetName() == acceptedLabel {
				reason := fmt.Sprintf("issue %d was closed with the label %s", issue.GetNumber(), acceptedLabel)
				records = append(records, history.Accept(workload, history.alarmed(workload), reason, named, night))
			}
		}
	}
	return records, nil
}

// alarmed returns the head of the newest measured night.
func (history History) alarmed(workload string) string {
	for i := len(history) - 1; i >= 0; i-- {
		if history[i].Workload == workload && history[i].measured() {
			return history[i].Head
		}
	}
	return ""
}
