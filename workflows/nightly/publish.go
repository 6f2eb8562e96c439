package nightly

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chiasmus/chiasmus/workflows/api"
)

// AcceptedLabel on a closed issue says that people accept the regression.
const AcceptedLabel = "accepted"

// A Store keeps the history.
type Store interface {
	// Read returns the history.
	Read(ctx context.Context) (History, error)
	// Append adds records; what was appended by somebody else since Read is kept.
	Append(ctx context.Context, records []Record, message string) error
}

// A FileStore keeps the history in a file of this machine. A missing file is an empty history.
type FileStore struct{ Path string }

// Read implements Store.
func (store FileStore) Read(context.Context) (History, error) {
	file, err := os.Open(store.Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return ReadHistory(file, store.Path)
}

// Append implements Store: the lines are synced before it returns.
func (store FileStore) Append(_ context.Context, records []Record, _ string) error {
	data, err := Encode(records)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(store.Path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(store.Path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		file.Close()
		return err
	}
	if err := file.Sync(); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// HistoryFile is the history's name on its branch.
const HistoryFile = "history.jsonl"

// A BranchStore keeps the history on a branch of the repository, which is made at Start where it does not exist.
type BranchStore struct {
	Client *api.Client
	Branch string
	Start  string
}

// Read implements Store.
func (store BranchStore) Read(ctx context.Context) (History, error) {
	file, err := store.Client.ReadFile(ctx, store.Branch, HistoryFile)
	if err != nil {
		return nil, err
	}
	return ReadHistory(strings.NewReader(string(file.Content)), store.Branch+":"+HistoryFile)
}

// Append implements Store. A line that is on the branch already is not added again, so that a repeated publish is
// harmless; a writer that came between is read again.
func (store BranchStore) Append(ctx context.Context, records []Record, message string) error {
	data, err := Encode(records)
	if err != nil {
		return err
	}
	if err := store.Client.EnsureBranch(ctx, store.Branch, store.Start); err != nil {
		return err
	}
	for attempt := 0; ; attempt++ {
		file, err := store.Client.ReadFile(ctx, store.Branch, HistoryFile)
		if err != nil {
			return err
		}
		if strings.Contains(string(file.Content), string(data)) {
			return nil
		}
		file.Content = append(file.Content, data...)
		err = store.Client.WriteFile(ctx, store.Branch, HistoryFile, message, file)
		if !errors.Is(err, api.ErrConflict) || attempt == 4 {
			return err
		}
	}
}

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
