package nightly

import (
	"context"
	"fmt"
	"time"

	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
)

// AcceptedLabel on a closed issue says that people accept the regression.
const AcceptedLabel = "accepted"

// A Publisher carries a night's conclusions out.
type Publisher struct {
	Client *api.Client
	// Author is the account of the token: only its issues count.
	Author string
	Labels []string
}

// Publish makes every workload's issue what its conclusion says. Repeating it changes nothing.
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
	issue, err := publisher.Client.FindOpenIssue(ctx, publisher.Author, Marker(conclusion.Workload), publisher.Labels)
	if err != nil {
		return err
	}
	switch {
	case conclusion.Issue == Open && issue == nil:
		_, err := publisher.Client.OpenIssueOnce(ctx, publisher.Author, Marker(conclusion.Workload), conclusion.Title, conclusion.Body, publisher.Labels)
		return err
	case conclusion.Issue == Open:
		return publisher.Client.EditIssue(ctx, issue.GetNumber(), conclusion.Title, conclusion.Body, "open")
	case conclusion.Issue == Close && issue != nil:
		return publisher.Client.EditIssue(ctx, issue.GetNumber(), conclusion.Title, conclusion.Body, "closed")
	}
	return nil
}

// AcceptedByIssue looks for issues that people closed with the label AcceptedLabel since the history's last record
// of a regression, and returns the records that accept them.
func (publisher Publisher) AcceptedByIssue(ctx context.Context, history History, workloads []string, night time.Time) ([]Record, error) {
	var records []Record
	for _, workload := range workloads {
		if !history.Regressed(workload) {
			continue
		}
		issue, err := publisher.Client.FindIssue(ctx, publisher.Author, Marker(workload), publisher.Labels)
		if err != nil {
			return nil, err
		}
		if issue == nil || issue.GetState() != "closed" {
			continue
		}
		for _, label := range issue.Labels {
			if label.GetName() == AcceptedLabel {
				own := history.Of(workload)
				records = append(records, Accept(workload, own[len(own)-1].Head, fmt.Sprintf("issue %d was closed with the label %s", issue.GetNumber(), AcceptedLabel), night))
			}
		}
	}
	return records, nil
}

// Accept is the record by which people move a workload's last good revision.
func Accept(workload, sha, reason string, night time.Time) Record {
	return Record{Schema: RecordSchema, Night: night.UTC().Format(time.DateOnly), Workload: workload, Kind: Accepted, Head: sha, Good: sha, Reason: reason,
		Effect: none, MeanA: none, MeanB: none, CI: noInterval}
}
