package nightly

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chiasmus/chiasmus/harness/bisect"
	"github.com/chiasmus/chiasmus/workflows"
	"github.com/chiasmus/chiasmus/workflows/api"
	"github.com/chiasmus/chiasmus/workflows/internal/githubtest"
)

// branchStore is a store on the branch of a fake GitHub.
func branchStore(t *testing.T) (BranchStore, *githubtest.Server) {
	t.Helper()
	server, err := githubtest.New(githubtest.State{
		Repository: githubtest.Repository{ID: 1, FullName: "chiasmus/demo", DefaultBranch: "main"},
		Branches:   []string{"main"},
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Tokens["publish"] = githubtest.Permissions{"contents": "write", "issues": "write"}
	t.Cleanup(func() {
		server.Close()
		for _, violation := range server.Violations() {
			t.Errorf("GitHub's description is broken: %s", violation)
		}
	})
	client, err := api.New(server.URL(), "chiasmus/demo", "publish", api.Retry{First: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return BranchStore{Client: client, Branch: "nights", Start: strings.Repeat("0", 40)}, server
}

func of(night time.Time) Record {
	return History{}.Accept("keccak", strings.Repeat("a", 40), "because", "", night)
}

// Each year has its own file. Records from before that are read first and left unchanged.
func TestHistoryRotates(t *testing.T) {
	legacy := mustEncode(t, []Record{of(time.Date(2025, 12, 30, 0, 0, 0, 0, time.UTC))})
	var want []Record
	for _, day := range []string{"2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02", "2027-06-01"} {
		night, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, of(night))
	}
	branch, server := branchStore(t)
	server.Files["nights"] = map[string][]byte{HistoryFile: []byte(legacy)}
	folder := filepath.Join(t.TempDir(), "a[b]*")
	file := FileStore{Path: filepath.Join(folder, HistoryFile)}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file.Path, []byte(legacy), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string]Store{"branch": branch, "file": file} {
		for _, records := range [][]Record{{want[1], want[2]}, {want[3]}, {want[4]}} {
			if err := store.Append(context.Background(), records, "nights"); err != nil {
				t.Fatal(name, err)
			}
		}
		got, err := store.Read(context.Background())
		if err != nil {
			t.Fatal(name, err)
		}
		if diff := cmp.Diff(mustEncode(t, want), mustEncode(t, got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	var names []string
	for name := range server.Files["nights"] {
		names = append(names, name)
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"history.jsonl", "history/2025.jsonl", "history/2026.jsonl", "history/2027.jsonl"},
		names); diff != "" {
		t.Error(diff)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 4 || string(server.Files["nights"][HistoryFile]) != legacy {
		t.Errorf("files %v, %v", entries, err)
	}
}

// GitHub returns no more than 1 MiB with a listing. A larger year is still read and written.
func TestHistoryAboveOneMebibyte(t *testing.T) {
	store, server := branchStore(t)
	line := mustEncode(t, []Record{of(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))})
	large := strings.Repeat(line, 3<<20/len(line))
	server.Files["nights"] = map[string][]byte{"history/2026.jsonl": []byte(large)}
	added := of(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	for range 2 {
		if err := store.Append(context.Background(), []Record{added}, "night"); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(server.Files["nights"]["history/2026.jsonl"]); got != large+mustEncode(t, []Record{added}) {
		t.Errorf("%d bytes, %d before", len(got), len(large))
	}
	history, err := store.Read(context.Background())
	if err != nil || len(history) != strings.Count(large, "\n")+1 {
		t.Errorf("%d records, %v", len(history), err)
	}
}

// Whatever an executor writes into a record, the line can be read again, and the given record is not changed.
func TestRecordsAreBounded(t *testing.T) {
	record := of(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	record.Seed = 1<<63 + 1
	record.Reason = strings.Repeat("\U0001f680", 1<<20)
	record.Search = &Search{State: Found, Reason: strings.Repeat("x", 1<<20)}
	for i := range 1000 {
		record.Changes = append(record.Changes, strings.Repeat("y", 4000))
		record.Search.Decisions = append(record.Search.Decisions, bisect.Entry{
			Skipped: strings.Repeat("z", 16000),
			Commit:  bisect.Commit{SHA: fmt.Sprint(i), Subject: strings.Repeat("s", 4000)},
		})
	}
	text := mustEncode(t, []Record{record, of(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))})
	history, err := readHistory(strings.NewReader(text), "h.jsonl")
	if err != nil || len(history) != 2 || history[0].Seed != record.Seed ||
		!strings.HasSuffix(history[0].Reason, "\U0001f680…") {
		t.Fatalf("%d records of %d bytes: %v", len(history), len(text), err)
	}
	if len(record.Reason) != 4<<20 || len(record.Search.Decisions) != 1000 || len(record.Search.Reason) != 1<<20 {
		t.Error("the record itself was cut")
	}
}

// The body of an issue has a maximum length; a longer one would never be posted.
func TestIssueBodiesAreBounded(t *testing.T) {
	store, server := branchStore(t)
	publisher := Publisher{Client: store.Client, Author: server.Bot}
	body := Marker("keccak") + "\n" + strings.Repeat("| a | row | of | é |\n", 20000)
	for range 2 {
		if err := publisher.Publish(context.Background(),
			[]Conclusion{{Workload: "keccak", Issue: open, Title: "slower", Body: body}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(server.Issues) != 1 || len(server.Issues[0].Body) > workflows.MaxBody ||
		!strings.HasSuffix(server.Issues[0].Body, "in the history.\n") {
		t.Errorf("%d issues", len(server.Issues))
	}
}
